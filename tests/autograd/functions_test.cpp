// The faces of autograd: functions of functions, variables, errors.
#include "autograd/support.h"
#include "graph/node.h"
#include "support/devices.h"
#include "support/errors.h"

namespace tessera::test {
namespace {

class Autograd : public DeviceTest {
 protected:
  [[nodiscard]] Tensor vec(const std::vector<float>& v) const {
    return {v, Shape{static_cast<std::int64_t>(v.size())}, device_};
  }
};

TEST_P(Autograd, ValueAndGrad) {
  const Tensor w = vec({1, 2, 3});
  const auto loss = [](const Tensor& x) { return sum(x * x * x); };
  auto [value, dw] = value_and_grad(loss)(w);
  EXPECT_EQ(value.item<float>(), 36);
  EXPECT_EQ(floats(dw), (std::vector<float>{3, 12, 27}));
  auto [both, gradients] = value_and_grad([](const Tensor& a, const Tensor& b) { return sum(a * b); })(w, w + 1.0);
  EXPECT_EQ(both.item<float>(), 20);
  EXPECT_EQ(floats(gradients[0]), (std::vector<float>{2, 3, 4}));
  EXPECT_EQ(floats(gradients[1]), (std::vector<float>{1, 2, 3}));
  const Tensors list = grad([](const Tensors& x) { return sum(x[0]) * sum(x[1]); })(Tensors{w, w});
  EXPECT_EQ(floats(list[1]), (std::vector<float>{6, 6, 6}));
}

TEST_P(Autograd, GradientsOfGradients) {
  const auto f = [](const Tensor& x) { return sum(x * x * x * x); };
  const auto second = grad([&](const Tensor& x) { return sum(grad(f)(x)); });
  const auto third = grad([&](const Tensor& x) { return sum(second(x)); });
  EXPECT_EQ(floats(second(vec({1, 2}))), (std::vector<float>{12, 48}));
  EXPECT_EQ(floats(third(vec({1, 2}))), (std::vector<float>{24, 48}));
  // A variable of the outer function is a constant of the inner one.
  const auto mixed =
      grad([](const Tensor& x) { return sum(x * grad([&](const Tensor& y) { return sum(x * y * y); })(x)); });
  EXPECT_EQ(floats(mixed(vec({3}))), (std::vector<float>{54}));  // x * 2xy at y = x: 2x^3
}

TEST_P(Autograd, VjpAndJvp) {
  const TensorFunction f = [](const Tensors& x) { return Tensors{x[0] * x[1], sin(x[0])}; };
  const Tensor a = vec({0.5F, 1});
  const Tensor b = vec({2, 3});
  const auto [results, back] = vjp(f, {a, b}, {vec({1, 1}), vec({0, 2})});
  EXPECT_EQ(floats(results[0]), (std::vector<float>{1, 3}));
  EXPECT_NEAR(floats(back[0])[1], 3 + 2 * std::cos(1.0F), 1e-5);
  EXPECT_EQ(floats(back[1]), (std::vector<float>{0.5F, 1}));
  const auto [same, along] = jvp(f, {a, b}, {vec({1, 0}), vec({0, 1})});
  EXPECT_EQ(floats(same[0]), (std::vector<float>{1, 3}));
  EXPECT_EQ(floats(along[0]), (std::vector<float>{2, 1}));
  EXPECT_NEAR(floats(along[1])[0], std::cos(0.5F), 1e-5);
  EXPECT_EQ(floats(along[1])[1], 0);
}

TEST_P(Autograd, StopsAndRulesOfOnesOwn) {
  const Tensor x = vec({2, 3});
  EXPECT_EQ(floats(grad([](const Tensor& t) { return sum(t * stop_gradient(t)); })(x)), (std::vector<float>{2, 3}));
  const TensorFunction twice = custom_vjp([](const Tensors& a) { return Tensors{a[0] * 2.0}; },
                                          [](const Tensors& a, const Tensors& y, const Tensors& g) {
                                            EXPECT_EQ(y.size(), 1U);
                                            return Tensors{g[0] * 100.0 * a[0]};
                                          });
  EXPECT_EQ(floats(grad([&](const Tensor& t) { return sum(twice({t})[0]); })(x)), (std::vector<float>{200, 300}));
  EXPECT_EQ(floats(twice({x})[0]), (std::vector<float>{4, 6}));
}

TEST_P(Autograd, Checkpoint) {
  const Tensor x = vec({0.1F, 0.2F, 0.3F});
  const TensorFunction block = [](const Tensors& a) { return Tensors{tanh(a[0] * a[1]) * exp(a[0])}; };
  const auto run = [&](const TensorFunction& f) {
    return value_and_grad([&](const Tensor& a, const Tensor& b) { return sum(f({f({a, b})[0], b})[0]); })(x, x + 1.0);
  };
  const auto [value, plain] = run(block);
  const auto [again, kept] = run(checkpoint(block));
  EXPECT_EQ(value.item<float>(), again.item<float>());
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(floats(plain[k])[i], floats(kept[k])[i], 1e-5F);
  }
  const auto twice = grad([&](const Tensor& t) {
    return sum(grad([&](const Tensor& u) { return sum(checkpoint(block)({u, u})[0]); })(t));
  })(x);
  const auto expected =
      grad([&](const Tensor& t) { return sum(grad([&](const Tensor& u) { return sum(block({u, u})[0]); })(t)); })(x);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(floats(twice)[i], floats(expected)[i], 1e-4F);
  Tensor w = vec({1, 2, 3});
  w.requires_grad();
  EXPECT_EQ(error_of([&] { checkpoint([&](const Tensors& a) { return Tensors{a[0] * w}; })({x}); }).kind(),
            ErrorKind::kValue);
}

TEST_P(Autograd, Backward) {
  Tensor w = vec({1, 2});
  w.requires_grad();
  EXPECT_TRUE(w.is_tracked());
  EXPECT_FALSE(w.grad().defined());
  const Tensor loss = sum(square(w) * 3.0);
  EXPECT_EQ(loss.item<float>(), 15);  // evaluated before: the way back is still there
  loss.backward();
  EXPECT_EQ(floats(w.grad()), (std::vector<float>{6, 12}));
  sum(w).backward();
  EXPECT_EQ(floats(w.grad()), (std::vector<float>{7, 13}));
  w.zero_grad();
  EXPECT_FALSE(w.grad().defined());
  const Tensor y = w * w;
  y.backward(vec({1, 10}), true);
  y.backward(vec({1, 10}));
  EXPECT_EQ(floats(w.grad()), (std::vector<float>{4, 80}));
  EXPECT_FALSE(w.grad().is_tracked());
  EXPECT_EQ(error_of([&] { y.backward(vec({1, 1})); }).kind(), ErrorKind::kValue);
}

TEST_P(Autograd, BackwardHoldsNothing) {
  std::weak_ptr<const Node> variable;
  {
    Tensor w = vec({1, 2});
    w.requires_grad();
    variable = w.node();
    const Tensor loss = sum(square(w));
    loss.backward();
    EXPECT_TRUE(loss.is_evaluated());
    EXPECT_TRUE(w.grad().is_evaluated());
  }
  EXPECT_TRUE(variable.expired()) << "the gradient, which was never read, keeps its variable";
}

TEST_P(Autograd, TwoLossesShareAWay) {
  Tensor w = vec({1, 2});
  w.requires_grad();
  const Tensor h = exp(w * 0.0) * w;
  sum(h * 2.0).backward();
  sum(h * 3.0).backward();
  EXPECT_EQ(floats(w.grad()), (std::vector<float>{5, 5}));
}

TEST_P(Autograd, NoGradAndDetach) {
  Tensor w = vec({1, 2});
  w.requires_grad();
  {
    const NoGrad guard;
    EXPECT_FALSE((w * 2.0).is_tracked());
  }
  EXPECT_TRUE((w * 2.0).is_tracked());
  EXPECT_FALSE(w.detach().is_tracked());
  w.requires_grad(false);
  EXPECT_FALSE(w.is_tracked());
}

TEST_P(Autograd, HistoryDoesNotPileUp) {
  // Each step's parameters would hold all steps before, were the gradient's variables not retired.
  Tensor w = vec({1, 2, 3});
  for (int step = 0; step < 20; ++step) {
    auto [loss, g] = value_and_grad([](const Tensor& x) {
      const Tensor y = sum(square(x));
      EXPECT_GT(y.item<float>(), 0);  // a read inside keeps history, until the function is over
      return y;
    })(w);
    EXPECT_FALSE(loss.is_tracked());
    EXPECT_FALSE(g.is_tracked());
    w = w - g * 0.1;
    w.eval();
    EXPECT_EQ(w.node()->inputs(), nullptr);
  }
}

TEST_P(Autograd, TrainsASmallNetwork) {
  random::set_seed(7);
  const Tensor x = random::normal({64, 8}, 0.0, 1.0, f32, device_);
  const Tensor y = tanh(sum(x, {1}, true)) + 0.5;
  Tensors p{random::normal({8, 16}, 0.0, 0.3, f32, device_), zeros({16}, f32, device_),
            random::normal({16, 1}, 0.0, 0.3, f32, device_), zeros({1}, f32, device_)};
  const auto loss = [&](const Tensors& w) {
    return mean(square(matmul(gelu(matmul(x, w[0]) + w[1]), w[2]) + w[3] - y));
  };
  float first = 0;
  float last = 0;
  for (int step = 0; step < 60; ++step) {
    const auto [value, g] = value_and_grad(loss)(p);
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = p[i] - g[i] * 0.1;
    Tensors all = p;
    all.push_back(value);
    eval(all);
    (step == 0 ? first : last) = value.item<float>();
  }
  EXPECT_LT(last, 0.1F * first);
}

TEST_P(Autograd, Errors) {
  const Tensor x = vec({1, 2});
  const auto kind = [&](auto f) { return error_of([&] { grad(f)(x); }).kind(); };
  EXPECT_EQ(kind([](const Tensor& t) { return t * 2.0; }), ErrorKind::kShape);
  EXPECT_EQ(kind([](const Tensor& t) { return argmax(t); }), ErrorKind::kDType);
  const Error none = error_of([&] { grad([](const Tensor& t) { return sum(cast(argmax(t), f32)); })(x); });
  EXPECT_EQ(none.kind(), ErrorKind::kUnsupported);
  EXPECT_NE(std::string(none.what()).find("argmax"), std::string::npos) << none.what();
  const Error compared = error_of([&] { grad([](const Tensor& t) { return mean(cast(greater(t, 0.0), f32)); })(x); });
  EXPECT_NE(std::string(compared.what()).find("greater"), std::string::npos) << compared.what();
  EXPECT_EQ(error_of([&] { grad([](const Tensor& t) { return sum(t); })(cast(x, i32)); }).kind(), ErrorKind::kDType);
  EXPECT_EQ(error_of([&] { x.backward(); }).kind(), ErrorKind::kValue);
  Tensor i = cast(x, i32);
  EXPECT_EQ(error_of([&] { i.requires_grad(); }).kind(), ErrorKind::kDType);
  EXPECT_EQ(error_of([&] { vjp([](const Tensors& a) { return a; }, {x}, {vec({1})}); }).kind(), ErrorKind::kShape);
  EXPECT_EQ(error_of([&] { vjp([](const Tensors& a) { return a; }, {x}, {}); }).kind(), ErrorKind::kValue);
  // A mask from a comparison is a constant; what it multiplies has its gradient.
  EXPECT_EQ(floats(grad([](const Tensor& t) { return sum(t * cast(greater(t, 1.5), f32)); })(x)),
            (std::vector<float>{0, 1}));
  EXPECT_EQ(floats(grad([&](const Tensor&) { return sum(x); })(x)), (std::vector<float>{0, 0}));
}

TEST_P(Autograd, InsideCompiledFunctions) {
  const auto step = compile([](const Tensors& a) {
    auto [value, g] = value_and_grad([&](const Tensor& w) { return mean(square(matmul(a[1], w) - 1.0)); })(a[0]);
    return Tensors{a[0] - g * 0.1, value};
  });
  Tensor w = random::normal({4, 2}, 0.0, 1.0, f32, device_);
  const Tensor x = random::normal({8, 4}, 0.0, 1.0, f32, device_);
  float before = 0;
  float after = 0;
  for (int i = 0; i < 20; ++i) {
    const Tensors r = step({w, x});
    w = r[0];
    (i == 0 ? before : after) = r[1].item<float>();
  }
  EXPECT_LT(after, before);
}

TEST_P(Autograd, GradientsGoBackToTheDeviceTheyCameFrom) {
  const Device other = Device::create({.device = "cpu"});
  const Tensor x = vec({1, 2, 3});
  const auto away = [&](const Tensor& v) { return sum(square((v * 2.0).to(other))); };
  const Tensor g = grad(away)(x);
  EXPECT_EQ(g.device(), device_);
  EXPECT_EQ(floats(g), (std::vector<float>{8, 16, 24}));
  EXPECT_EQ(floats(grad([&](const Tensor& v) { return sum(grad(away)(v) * v); })(x)), (std::vector<float>{16, 32, 48}));
  const auto there_and_back = [&](const Tensor& v) { return sum(square(v.to(other)).to(device_) * v); };
  EXPECT_EQ(floats(grad(there_and_back)(x)), (std::vector<float>{3, 12, 27}));
  Tensor w = vec({1, 2, 3});
  w.requires_grad();
  const Tensor moved = w.to(other);
  EXPECT_TRUE(moved.is_tracked());
  (sum(square(moved)).to(device_) + sum(w)).backward();
  EXPECT_EQ(w.grad().device(), device_);
  EXPECT_EQ(floats(w.grad()), (std::vector<float>{3, 5, 7}));
  const NoGrad untracked;
  EXPECT_FALSE(w.to(other).is_tracked());
}

TEST_P(Autograd, CheckpointsHoldLess) {
  // Each block keeps its hidden layer for the backward pass, unless it is computed again.
  const Tensor x = random::normal({256, 16}, 0.0, 1.0, f32, device_);
  Tensors w;
  for (int i = 0; i < 6; ++i) {
    w.push_back(random::normal({16, 256}, 0.0, 0.1, f32, device_));
    w.push_back(random::normal({256, 16}, 0.0, 0.1, f32, device_));
  }
  eval(w);
  x.eval();
  const TensorFunction block = [](const Tensors& a) { return Tensors{a[0] + matmul(tanh(matmul(a[0], a[1])), a[2])}; };
  const auto run = [&](const TensorFunction& f) {
    Profiler profiler(device_);
    auto [value, g] = value_and_grad([&](const Tensors& p) {
      Tensor h = x;
      for (std::size_t i = 0; i < p.size(); i += 2) h = f({h, p[i], p[i + 1]})[0];
      return mean(square(h));
    })(w);
    Tensors all = g;
    all.push_back(value);
    eval(all);
    PeakRecord peak = profiler.peak();
    return std::tuple(value.item<float>(), g[0].to_vector<float>(), std::move(peak));
  };
  const auto [value, first, kept] = run(block);
  const auto [again, second, less] = run(checkpoint(block));
  EXPECT_FLOAT_EQ(value, again);
  for (std::size_t i = 0; i < first.size(); ++i) ASSERT_NEAR(first[i], second[i], 1e-4F + 1e-3F * std::abs(first[i]));
  const std::uint64_t hidden = 256 * 256 * 4;
  EXPECT_GT(kept.bytes, 6 * hidden);
  EXPECT_LT(less.bytes + 3 * hidden, kept.bytes) << "the hidden layers are not kept";
  EXPECT_FALSE(kept.holders.empty());
  EXPECT_FALSE(kept.kernel.empty());
  EXPECT_GE(kept.holders[0].bytes, kept.holders.back().bytes);
}

TESSERA_ON_ALL_DEVICES(Autograd);

}  // namespace
}  // namespace tessera::test
