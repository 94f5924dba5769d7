// Autocast scopes: nesting, gradients, compiled functions, functions that the backward pass calls again, and overflow.
#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "graph/graph.h"
#include "graph/op.h"
#include "support/devices.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

class AutocastTest : public testing::Test {
 protected:
  void SetUp() override {
    open({"cpu", "cpu", {}, 0});
    random::set_seed(3);
  }
  static Tensor draw(const Shape& shape) { return random::normal(shape).eval(); }
};

/// The dtypes of all nodes of a kind that the tensors need.
std::vector<DType> dtypes_of(const Tensors& tensors, const std::function<bool(const Node&)>& wanted) {
  std::vector<NodePtr> roots;
  for (const Tensor& t : tensors) roots.push_back(t.node());
  std::vector<DType> found;
  for (const Graph::Entry& e : snapshot(roots).entries) {
    if (wanted(*e.node)) found.push_back(e.node->dtype());
  }
  return found;
}
bool is_matmul(const Node& n) { return n.op() == Op::kMatmul; }
bool is_call(const Node& n) { return n.op() == Op::kCall; }
bool is_cast(const Node& n) { return n.op() == Op::kCast; }

double distance(const Tensor& a, const Tensor& b) { return max(abs(a.astype(f32) - b.astype(f32))).item<double>(); }

TEST_F(AutocastTest, ScopesNestAndEnd) {
  const Tensor x = draw({4, 4});
  EXPECT_EQ(Autocast::dtype(), std::nullopt);
  {
    const Autocast outer(f16);
    EXPECT_EQ(Autocast::dtype(), f16);
    EXPECT_EQ(matmul(x, x).dtype(), f16);
    {
      const Autocast inner(bf16);
      EXPECT_EQ(matmul(x, x).dtype(), bf16);
      // A half of the other kind is cast too.
      EXPECT_EQ(matmul(x.astype(f16), x).dtype(), bf16);
      const Autocast off(std::nullopt);
      EXPECT_EQ(matmul(x, x).dtype(), f32);
      EXPECT_EQ(sum(x.astype(f16)).dtype(), f16);
    }
    EXPECT_EQ(matmul(x, x).dtype(), f16);
    std::thread([&] { EXPECT_EQ(Autocast::dtype(), std::nullopt); }).join();
    EXPECT_THROW(static_cast<void>([&] { const Autocast wrong(f32); }()), Error);
    EXPECT_EQ(Autocast::dtype(), f16);
  }
  EXPECT_EQ(matmul(x, x).dtype(), f32);
  EXPECT_EQ(autocast(bf16, [](const Tensor& a, const Tensor& b) { return matmul(a, b); })(x, x).dtype(), bf16);
  EXPECT_STREQ(error_of([] { const Autocast wrong(i32); }).what(),
               "Autocast: the dtype i32 was given; f16 or bf16 is expected, or none to disable it.");
}

TEST_F(AutocastTest, OperandsOfOtherDtypesStay) {
  const Autocast scope(f16);
  const Tensor x = draw({4, 4});
  EXPECT_EQ(matmul(x.astype(f64), x).dtype(), f64);
  EXPECT_EQ(matmul(x, x.astype(f64)).dtype(), f64);
  EXPECT_EQ(matmul(x.astype(i32), x).dtype(), f32);
  EXPECT_EQ(matmul(x.astype(i32), x.astype(i32)).dtype(), i32);
  EXPECT_EQ(matmul(x.astype(c64), x).dtype(), c64);
  EXPECT_EQ((x + x.astype(f16)).dtype(), f32);  // a residual sum
  EXPECT_EQ((x.astype(f16) + x.astype(f16)).dtype(), f16);
}

// Matmuls of gradients have the low dtype of the forward pass, in a scope and outside; gradients of f32 are f32.
TEST_F(AutocastTest, Gradients) {
  const Tensor x = draw({8, 16});
  const Tensor w = draw({16, 4});
  const Tensor images = draw({1, 2, 5, 5});
  const Tensor taps = draw({3, 2, 3, 3});
  const Tensor heads = draw({1, 2, 4, 8});
  const auto f = [](const Tensors& in) {
    const Tensor y = matmul(in[0], in[1]);
    const Tensor z = conv2d(in[2], in[3]);
    const Tensor a = scaled_dot_product_attention(in[4], in[4], in[4]);
    return mean(square(y)) + mean(exp(z * 0.1)) + mean(softmax(a) * a);
  };
  const Tensors in{x, w, images, taps, heads};
  const Tensors plain = value_and_grad_of(f, in).second;
  for (const DType low : {f16, bf16}) {
    const auto inside = value_and_grad_of(autocast(low, f), in);
    EXPECT_EQ(inside.first.dtype(), f32);
    Tensors around;
    {
      const Autocast scope(low);
      around = value_and_grad_of(f, in).second;
    }
    const std::vector<DType> matmuls = dtypes_of(inside.second, is_matmul);
    EXPECT_EQ(matmuls, std::vector<DType>(3, low));
    EXPECT_EQ(dtypes_of(around, is_matmul), matmuls);
    for (const DType t : dtypes_of(inside.second, is_call)) EXPECT_TRUE(t == low || t == f32);
    for (std::size_t i = 0; i < in.size(); ++i) {
      EXPECT_EQ(inside.second[i].dtype(), f32);
      EXPECT_EQ(distance(inside.second[i], around[i]), 0) << i;
      const double size = max(abs(plain[i])).item<double>();
      EXPECT_LT(distance(inside.second[i], plain[i]), size * (low == f16 ? 0.01 : 0.08)) << i;
      EXPECT_GT(distance(inside.second[i], plain[i]), 0) << i;
    }
  }
}

TEST_F(AutocastTest, BackwardOfVariables) {
  Tensor w = draw({4, 4});
  w.requires_grad();
  const Tensor x = draw({3, 4});
  Tensor loss;
  {
    const Autocast scope(f16);
    loss = sum(square(matmul(x, w)));
  }
  loss.backward();
  EXPECT_EQ(w.grad().dtype(), f32);
  const Tensor expected = matmul(x.T(), matmul(x, w.detach())) * 2.0;
  EXPECT_LT(distance(w.grad(), expected), 0.02 * max(abs(expected)).item<double>());
}

TEST_F(AutocastTest, ATensorIsCastOnce) {
  const Tensor x = draw({8, 8});
  const Tensor a = draw({8, 8});
  const Autocast scope(f16);
  const Tensor y = matmul(x, a) + matmul(x, a + 1.0) + matmul(a, x);
  const Explanation plan = explain(y);
  // x and a are cast inside of kernels or by one kernel each: never twice.
  std::size_t casts = 0;
  for (const KernelText& k : plan.kernels) {
    if (k.kind == "map" && k.ops == std::vector<std::string>{"cast"}) ++casts;
  }
  EXPECT_LE(casts, 2U);
  EXPECT_FALSE(dtypes_of({y}, is_cast).empty());
}

TEST_F(AutocastTest, CompiledFunctionsAreTracedPerScope) {
  int calls = 0;
  const Compiled f = compile([&](const Tensors& in) {
    ++calls;
    return Tensors{matmul(in[0], in[1])};
  });
  const Tensor x = draw({4, 4});
  const auto dtype = [&] { return f({x, x})[0].dtype(); };
  EXPECT_EQ(dtype(), f32);
  EXPECT_EQ(autocast(f16, dtype)(), f16);
  EXPECT_EQ(autocast(bf16, dtype)(), bf16);
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(f.traces(), 3U);
  EXPECT_EQ(dtype(), f32);
  EXPECT_EQ(autocast(f16, dtype)(), f16);
  EXPECT_EQ(autocast(f16, autocast(std::nullopt, dtype))(), f32);
  EXPECT_EQ(calls, 3);
  const Compiled dynamic =
      compile([&](const Tensors& in) { return Tensors{matmul(in[0], in[1])}; }, {.dynamic_axes = {{0, 0, "n"}}});
  for (const std::int64_t n : {3, 5, 9}) {
    const Tensor rows = draw({n, 4});
    EXPECT_EQ(dynamic({rows, x})[0].dtype(), f32);
    EXPECT_EQ(autocast(f16, [&] { return dynamic({rows, x})[0].dtype(); })(), f16);
    EXPECT_LT(distance(dynamic({rows, x})[0], matmul(rows, x)), 1e-5);
  }
  EXPECT_EQ(dynamic.traces(), 2U);
}

// What the backward pass calls again has the scope of the forward pass.
TEST_F(AutocastTest, RecomputedFunctions) {
  const Tensor x = draw({4, 8});
  const Tensor w = draw({8, 8});
  const TensorFunction step = [](const Tensors& in) { return Tensors{tanh(matmul(in[0], in[1]))}; };
  const auto through = [&](const TensorFunction& g) {
    return value_and_grad_of(
        [&](const Tensors& v) {
          const Autocast scope(f16);
          return sum(square(g({v[0], v[1]})[0]));
        },
        {x, w});
  };
  const auto plain = through(step);
  const auto again = through(checkpoint(step));
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(distance(plain.second[i], again.second[i]), 0);
  for (const DType t : dtypes_of(again.second, is_matmul)) EXPECT_EQ(t, f16);

  std::optional<DType> seen = f32;
  through(custom_vjp(step, [&](const Tensors& in, const Tensors&, const Tensors& g) {
    seen = Autocast::dtype();
    return Tensors{matmul(g[0], in[1].T()), matmul(in[0].T(), g[0])};
  }));
  EXPECT_EQ(seen, f16);

  for (const std::int64_t unroll : {0, 1, 2}) {
    const auto scanned = [&](const Tensors& v) {
      const Autocast scope(f16);
      return sum(scan(
                     [&](const Tensors& c, const Tensors& in) {
                       const Tensor h = tanh(matmul(c[0], v[0]) + in[0]).astype(f32);
                       return Scanned{{h}, {h}};
                     },
                     {zeros({8, 8})}, {reshape(x, {4, 1, 8})}, {.unroll = unroll})
                     .ys[0]);
    };
    const auto unrolled = [&](const Tensors& v) {
      const Autocast scope(f16);
      Tensor h = zeros({8, 8});
      Tensor total = zeros({});
      for (std::int64_t i = 0; i < 4; ++i) {
        h = tanh(matmul(h, v[0]) + slice(x, {{i, i + 1}})).astype(f32);
        total = total + sum(h);
      }
      return total;
    };
    const auto a = value_and_grad_of(scanned, {w});
    const auto b = value_and_grad_of(unrolled, {w});
    EXPECT_NEAR(a.first.item<double>(), b.first.item<double>(), 1e-3) << unroll;
    EXPECT_LT(distance(a.second[0], b.second[0]), 0.02 * max(abs(b.second[0])).item<double>() + 1e-3) << unroll;
  }
}

// A residual stream of 1e5 is past f16, and stays finite in f32; only what passes a matmul in f16 overflows.
TEST_F(AutocastTest, ResidualStreamsDoNotOverflow) {
  const Tensor x = tessera::full({2, 8}, 1e5);
  const Tensor w = draw({8, 8}) * 0.1;
  const Autocast scope(f16);
  Tensor h = x;
  for (int i = 0; i < 3; ++i) h = h + matmul(gelu(matmul(layer_norm(h + draw({2, 8})), w)), w);
  h.eval();
  EXPECT_EQ(h.dtype(), f32);
  EXPECT_TRUE(all(isfinite(h)).item<bool>());
  EXPECT_GT(min(h).item<float>(), 6e4F);
  EXPECT_NEAR(mean(h.astype(f32)).item<double>(), 1e5, 100);
  const Tensor loss = mse_loss(h, zeros({2, 8}));
  EXPECT_TRUE(std::isfinite(loss.item<float>()));
  EXPECT_TRUE(std::isinf(max(matmul(x, ones({8, 8}))).item<float>()));
  // Sums, squares and norms of halves are f32.
  const Tensor large = tessera::full({70000}, 60000, f16);
  EXPECT_TRUE(std::isfinite(sum(large).item<float>()));
  EXPECT_TRUE(std::isfinite(max(square(large)).item<float>()));
  EXPECT_TRUE(std::isfinite(linalg::vector_norm(large).item<float>()));
}

TEST_F(AutocastTest, EdgesOfSizes) {
  const Autocast scope(bf16);
  for (const Shape& a : {Shape{0, 4}, Shape{4, 0}, Shape{1, 1}, Shape{0, 0}}) {
    const Tensor y = matmul(zeros(a), zeros({a[1], 3}));
    EXPECT_EQ(y.dtype(), bf16);
    EXPECT_EQ(sum(y.astype(f32)).item<float>(), 0);
  }
  EXPECT_EQ(sum(zeros({0}, f16)).dtype(), f32);
  EXPECT_EQ(exp(zeros({}, bf16)).dtype(), f32);
  EXPECT_TRUE(std::isnan(matmul(tessera::full({1, 1}, NAN), ones({1, 1})).astype(f32).item<float>()));
}

}  // namespace
}  // namespace tessera::test
