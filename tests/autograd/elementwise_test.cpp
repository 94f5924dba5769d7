// Every row of the elementwise table that has a gradient, against finite differences.
#include <set>

#include "autograd/support.h"
#include "graph/op.h"
#include "graph/op_name.h"
#include "ops/build.h"

namespace tessera::test {
namespace {

/// Where each op is smooth.
Tensor smooth(Op op, unsigned seed) {
  const Shape shape{2, 3};
  switch (op) {
    case Op::kLog:
    case Op::kLog2:
    case Op::kLog10:
    case Op::kSqrt:
    case Op::kRsqrt:
    case Op::kReciprocal:
    case Op::kLgamma:
    case Op::kDigamma:
    case Op::kPower:
    case Op::kDivide:
    case Op::kLog1p:
      return random_f64(shape, seed, 0.5, 2.5);
    case Op::kAsin:
    case Op::kAcos:
    case Op::kAtanh:
    case Op::kErfinv:
      return random_f64(shape, seed, -0.8, 0.8);
    case Op::kAcosh:
      return random_f64(shape, seed, 1.3, 3);
    case Op::kTan:
      return random_f64(shape, seed, -1.2, 1.2);
    case Op::kRemainder:
      return seed % 2 == 0 ? random_f64(shape, seed, 7.1, 7.4) : random_f64(shape, seed, 2.1, 2.3);
    default:
      return random_f64(shape, seed);
  }
}

TEST(ElementwiseGradients, MatchDifferences) {
  int checked = 0;
  for (const ElementwiseOp& row : elementwise_ops()) {
    if (row.vjp == nullptr || row.op == Op::kCast) continue;
    Tensors x;
    for (int k = row.op == Op::kWhere ? 1 : 0; k < row.arity; ++k) x.push_back(smooth(row.op, 10U + unsigned(k)));
    const Function f = [&](const Tensors& a) {
      std::vector<NodePtr> nodes;
      if (row.op == Op::kWhere) nodes.push_back(greater(a[0], a[1]).node());
      for (const Tensor& t : a) nodes.push_back(t.node());
      return Tensor(ops::elementwise(row.op, nodes));
    };
    check_gradient(std::string(row.name), f, x, true, 2e-6);
    if (HasFatalFailure()) return;
    ++checked;
  }
  EXPECT_GE(checked, 40);
}

TEST(ElementwiseGradients, MissingOnlyWhereThereIsNone) {
  const std::set<std::string_view> none{"isnan",       "isinf",         "isfinite",    "signbit",    "logical_not",
                                        "bitwise_not", "equal",         "not_equal",   "less",       "less_equal",
                                        "greater",     "greater_equal", "logical_and", "logical_or", "logical_xor",
                                        "bitwise_and", "bitwise_or",    "bitwise_xor", "left_shift", "right_shift",
                                        "gcd",         "check_index"};
  for (const ElementwiseOp& row : elementwise_ops()) {
    // Of real numbers, conj and its kin leave no node.
    EXPECT_EQ(row.vjp == nullptr, none.contains(row.name) || row.rule == TypeRule::kComplex) << row.name;
  }
}

TEST(ElementwiseGradients, AtTheEdges) {
  const auto slope = [](const Function& f, double at) {
    return value_and_grad_of([&](const Tensors& a) { return sum(f(a)); }, {f64_tensor({at}, {1})})
        .second[0]
        .item<double>();
  };
  EXPECT_EQ(slope([](const Tensors& a) { return relu(a[0]); }, 0), 0);
  EXPECT_EQ(slope([](const Tensors& a) { return maximum(a[0], 0.0); }, 0), 0.5);
  EXPECT_EQ(slope([](const Tensors& a) { return power(a[0], 2.0); }, 0), 0);
  EXPECT_EQ(slope([](const Tensors& a) { return power(a[0], 0.0); }, 0), 0);
  EXPECT_EQ(slope([](const Tensors& a) { return floor(a[0]); }, 0.5), 0);
  EXPECT_EQ(slope([](const Tensors& a) { return where(greater(a[0], 0.0), a[0] * 3, 0.0); }, 2), 3);
  // All ops are compared with PyTorch at such points in tests/python/test_gradient_points.py.
  EXPECT_EQ(slope([](const Tensors& a) { return softplus(a[0]); }, 0), 0.5);
  EXPECT_EQ(slope([](const Tensors& a) { return clamp(a[0], 0.0, 1.0); }, 1), 1);
  EXPECT_EQ(slope([](const Tensors& a) { return relu6(a[0]); }, 6), 0);
  EXPECT_EQ(slope([](const Tensors& a) { return elu(a[0]); }, 1000), 1);
  EXPECT_EQ(slope([](const Tensors& a) { return stddev(a[0]); }, 3), 0);
  EXPECT_EQ(slope([](const Tensors& a) { return linalg::vector_norm(a[0]); }, 0), 0);
  EXPECT_EQ(slope([](const Tensors& a) { return logsumexp(a[0]); }, -std::numeric_limits<double>::infinity()), 0);
  const auto largest = [](const Tensor& x) { return sum(max(x * x * x, {-1})); };
  const auto twice = grad([&](const Tensor& x) { return sum(grad(largest)(x)); });
  EXPECT_EQ(twice(f64_tensor({1, 2}, {2})).to_vector<double>(), (std::vector<double>{0, 12}));
}

}  // namespace
}  // namespace tessera::test
