// The gradients of attention against finite differences, the kernels against the host, and second derivatives.
#include "graph/op.h"
#include "support.h"

namespace tessera::test {
namespace {

using Mask = Problem::Mask;

/// The gradients of q, k, v, from the rule of a tracked result; and, where `again` is given, what the rule of these
/// gradients makes of it.
std::vector<Tensor> gradients(const Problem& p, const Data& x, std::vector<Tensor>* again = nullptr) {
  for (const Tensor* t : {&x.q, &x.k, &x.v}) t->node()->set_tracked(true);
  NodePtr y = ops::attention(x.q.node(), x.k.node(), x.v.node(), spec_of(p, x));
  if (y->op() == Op::kCast) y = (*y->inputs())[0];  // the rule is that of the sums, which are f32
  if (y->gradient() == nullptr) throw std::runtime_error("the result has no rule");
  const auto outputs = [](const Gradient& rule) {
    std::vector<NodePtr> list;
    for (const auto& o : rule.outputs) list.push_back(o.lock());
    return list;
  };
  const std::vector<NodePtr> out = outputs(*y->gradient());
  const std::vector<NodePtr> given{x.gradient.node()};
  const std::vector<NodePtr> made = y->gradient()->function({*y->gradient()->inputs, out, given});
  if (again != nullptr) {
    const Gradient& rule = *made[0]->gradient();
    const std::vector<NodePtr> of{(*again)[0].node(), (*again)[1].node(), (*again)[2].node()};
    const auto second = rule.function({*rule.inputs, outputs(rule), of});
    *again = {second.begin(), second.end()};
  }
  return {made.begin(), made.end()};
}

std::vector<double> sum_of(const std::vector<double>& a, double h, const std::vector<double>& b) {
  std::vector<double> r(a);
  for (std::size_t i = 0; i < r.size(); ++i) r[i] += h * b[i];
  return r;
}
double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double s = 0;
  for (std::size_t i = 0; i < a.size(); ++i) s += a[i] * b[i];
  return s;
}

class AttentionGradient : public testing::Test {
 protected:
  Device cpu_ = open({"cpu", "cpu", "", 0});

  [[nodiscard]] Tensor tensor(const std::vector<double>& v, const Shape& s) const { return {v, s, cpu_}; }
  /// The data moved by h along a direction in q, k, v and the output's gradient.
  [[nodiscard]] Data moved(const Data& x, double h, const Data& along) const {
    const auto move = [&](const Tensor& a, const Tensor& b) {
      return tensor(sum_of(numbers(a), h, numbers(b)), a.shape());
    };
    return {move(x.q, along.q), move(x.k, along.k), move(x.v, along.v), x.mask, move(x.gradient, along.gradient)};
  }

  void check(const Problem& p) {
    const Data x = data_of(p, f64, f64, cpu_, 10);
    const Data along = data_of(p, f64, f64, cpu_, 50);
    std::vector<Tensor> second{along.q, along.k, along.v};
    const auto g = gradients(p, x, &second);
    const double h = 1e-5;
    const auto loss = [&](const Data& at) {
      const Tensor y(ops::attention(at.q.node(), at.k.node(), at.v.node(), spec_of(p, at)));
      return dot(numbers(y), numbers(x.gradient));
    };
    const double slope = (loss(moved(x, h, along)) - loss(moved(x, -h, along))) / (2 * h);
    const double given = dot(numbers(g[0]), numbers(along.q)) + dot(numbers(g[1]), numbers(along.k)) +
                         dot(numbers(g[2]), numbers(along.v));
    // The third derivative times h^2, and the rounding of the losses over h.
    const double size = 1 + std::abs(slope) + std::sqrt(dot(numbers(g[0]), numbers(g[0])));
    EXPECT_NEAR(given, slope, 1e-6 * size) << p.name();

    // The gradient's gradient: along . gradients(x) as a function of q, k, v and the output's gradient.
    const Data other = data_of(p, f64, f64, cpu_, 90);
    const auto inner = [&](const Data& at) {
      const auto made = gradients(p, at);
      return dot(numbers(made[0]), numbers(along.q)) + dot(numbers(made[1]), numbers(along.k)) +
             dot(numbers(made[2]), numbers(along.v));
    };
    const double bend = (inner(moved(x, h, other)) - inner(moved(x, -h, other))) / (2 * h);
    const double got = dot(numbers(second[0]), numbers(other.q)) + dot(numbers(second[1]), numbers(other.k)) +
                       dot(numbers(second[2]), numbers(other.v)) + dot(numbers(second[3]), numbers(other.gradient));
    EXPECT_NEAR(got, bend, 1e-6 * (1 + std::abs(bend) + std::sqrt(dot(numbers(second[0]), numbers(second[0])))))
        << p.name();
  }
};

TEST_F(AttentionGradient, FiniteDifferences) {
  check({1, 1, 1, 3, 4, 4});
  check({2, 4, 2, 5, 7, 8, true});
  check({1, 3, 1, 7, 5, 4, true});  // some queries see nothing
  check({1, 2, 2, 6, 9, 8, true, 3});
  check({2, 2, 1, 5, 6, 4, false, 0, Mask::kAdditive});
  check({1, 4, 2, 5, 6, 4, false, 0, Mask::kBool});
}

class AttentionGradientKernels : public DeviceTest {
 protected:
  void check(const Problem& p, DType dtype = f32) {
    const Device cpu = open({"cpu", "cpu", "", 0});
    const auto want = gradients(p, data_of(p, dtype, f64, cpu, 7));
    open(GetParam());
    const auto got = gradients(p, data_of(p, dtype, dtype, device_, 7));
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(got[i].dtype(), dtype);
      const Difference diff = compare(numbers(got[i]), numbers(want[i]));
      // Sums of d products inside sums over the other side's rows, of both signs.
      const double terms = static_cast<double>(p.d + std::max(p.lq * p.hq / p.hkv, p.lk)) + 32;
      EXPECT_LE(diff.most, (4 * unit_roundoff(f32) * terms + 2 * unit_roundoff(dtype)) * (1 + diff.scale))
          << p.name() << " input " << i << " " << name(dtype);
    }
  }
};

TEST_P(AttentionGradientKernels, AgreeWithTheHost) {
  for (const std::int64_t d : {32, 100, 256}) check({1, 2, 1, 33, 70, d, true});
  check({2, 4, 2, 65, 64, 32});
  check({1, 1, 1, 130, 1, 32});
  check({1, 1, 1, 1, 130, 32, true});
  check({1, 2, 2, 90, 20, 32, true});
  check({1, 2, 1, 70, 90, 32, true, 9});
  check({2, 4, 2, 30, 70, 32, false, 0, Mask::kAdditive});
  check({1, 2, 1, 70, 70, 32, true, 0, Mask::kRow});
}

TEST_P(AttentionGradientKernels, OfFewQueries) {
  Problem p{1, 2, 1, 2, 300, 32, true};
  p.split = true;
  check(p);
}

TEST_P(AttentionGradientKernels, LengthsOfSequences) {
  for (const bool causal : {false, true}) {
    Problem p{4, 4, 2, 33, 70, 32, causal};
    p.lengths = {0, 5, 64, 70};
    check(p);
    p.window = 9;
    p.mask = Mask::kRow;
    check(p);
  }
}

TEST_P(AttentionGradientKernels, Types) {
  check({1, 4, 2, 33, 70, 64, true}, f16);
  check({1, 4, 2, 33, 70, 64, true}, bf16);
}

// Little workgroup memory and few bindings: with a mask, the statistics of the rows share one.
TEST_P(AttentionGradientKernels, SmallDevices) {
  for (const std::int64_t d : {128}) {
    Problem p{1, 2, 1, 40, 70, d, true, 0, Mask::kRow};
    p.workgroup_memory = 16384;
    check(p);
  }
}

TESSERA_ON_ALL_DEVICES(AttentionGradientKernels);

}  // namespace
}  // namespace tessera::test
