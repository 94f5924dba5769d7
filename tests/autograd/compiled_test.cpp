// Gradients through compiled functions, and random masks that both ways share.
#include <gtest/gtest.h>

#include "autograd/support.h"
#include "support/devices.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

using Floats = std::vector<float>;

class CompiledGradients : public DeviceTest {
 protected:
  [[nodiscard]] Tensor vec(const Floats& v) const { return {v, {static_cast<std::int64_t>(v.size())}, device_}; }
  const Compiled cubes_ = compile([](const Tensors& x) { return Tensors{x[0] * x[0] * x[0]}; }, {.donate = {0}});
};
TESSERA_ON_ALL_DEVICES(CompiledGradients);

TEST_P(CompiledGradients, GradSeesThroughThem) {
  const Tensor x = vec({1, 2, 3});
  const auto loss = [&](const Tensor& t) { return sum(cubes_({t})[0]); };
  EXPECT_EQ(floats(grad(loss)(x)), (Floats{3, 12, 27}));
  EXPECT_EQ(floats(cubes_({vec({1, 2, 3})})[0]), (Floats{1, 8, 27}));  // traced now
  EXPECT_EQ(cubes_.traces(), 1U);
  EXPECT_EQ(floats(grad(loss)(x)), (Floats{3, 12, 27}));
  EXPECT_EQ(floats(grad([&](const Tensor& t) { return sum(grad(loss)(t)); })(x)), (Floats{6, 12, 18}));
  EXPECT_EQ(floats(x), (Floats{1, 2, 3})) << "nothing is donated inside";
}

TEST_P(CompiledGradients, BackwardLosesNoTerm) {
  Tensor w = vec({1, 2});
  w.requires_grad();
  sum(cubes_({w})[0] + w).backward();
  EXPECT_EQ(floats(w.grad()), (Floats{4, 13}));
}

TEST_P(CompiledGradients, VariablesMayBeCaptured) {
  Tensor w = vec({1, 2});
  w.requires_grad();
  const Compiled f = compile([&](const Tensors& x) { return Tensors{sum(x[0] * w * w)}; });
  const Tensor x = vec({10, 100});
  for (int i = 0; i < 2; ++i) {
    const Tensor y = f({x})[0];
    EXPECT_EQ(y.item<float>(), 410);
    y.backward();
    EXPECT_EQ(floats(w.grad()), (Floats{20, 400}));
    w.zero_grad();
  }
  {
    const NoGrad untracked;
    EXPECT_EQ(f({x})[0].item<float>(), 410);
    EXPECT_EQ(f({x})[0].item<float>(), 410);
    EXPECT_EQ(f.traces(), 1U) << "without gradients it is replayed";
  }
  f({x})[0].backward();
  EXPECT_EQ(floats(w.grad()), (Floats{20, 400})) << "the trace without gradients does not serve here";
  // A variable of grad that comes in sideways, after the function was traced without one.
  Tensor side = vec({1, 1});
  const Compiled g = compile([&](const Tensors& t) { return Tensors{sum(t[0] * side)}; });
  EXPECT_EQ(g({x})[0].item<float>(), 110);
  const auto sideways = grad([&](const Tensor& v) {
    side = v;
    return g({x})[0];
  });
  EXPECT_EQ(floats(sideways(vec({2, 3}))), (Floats{10, 100}));
}

TEST_P(CompiledGradients, EveryTransformSeesThroughThem) {
  const Tensor x = vec({1, 2});
  const TensorFunction f = [&](const Tensors& t) { return cubes_(t); };
  EXPECT_EQ(floats(vjp(f, {x}, {vec({1, 10})}).second[0]), (Floats{3, 120}));
  EXPECT_EQ(floats(jvp(f, {x}, {vec({1, 10})}).second[0]), (Floats{3, 120}));
  EXPECT_EQ(floats(grad([&](const Tensor& t) { return sum(checkpoint(f)({t})[0]); })(x)), (Floats{3, 12}));
  const TensorFunction twice = custom_vjp(
      f, [&](const Tensors& a, const Tensors&, const Tensors& g) { return Tensors{g[0] * cubes_({a[0]})[0]}; });
  EXPECT_EQ(floats(grad([&](const Tensor& t) { return sum(twice({t})[0]); })(x)), (Floats{1, 8}));
  const Compiled nested = compile(
      [&](const Tensors& t) { return Tensors{grad([&](const Tensor& u) { return sum(cubes_({u})[0]); })(t[0])}; });
  for (int i = 0; i < 2; ++i) EXPECT_EQ(floats(nested({x})[0]), (Floats{3, 12}));
  EXPECT_EQ(floats(grad([&](const Tensor& t) { return sum(nested({t})[0]); })(x)), (Floats{6, 12}));
}

// The gradient of sum(dropout(x) * w) for w is dropout(x) itself: both ways see one mask.
TEST_P(CompiledGradients, MasksAreTheSameBothWays) {
  const Tensor x = ones({64}, f32, device_).eval();
  const auto masked = [&](const Tensors& t) { return Tensors{dropout(t[0] * 1.0, 0.5)}; };
  const auto both = [&](const TensorFunction& f) {
    return [f](const Tensors& in) {
      Tensor seen;
      const Tensor g = grad([&](const Tensor& t) {
        seen = f({t})[0];
        return sum(seen);
      })(in[0]);
      return Tensors{stop_gradient(seen), g};
    };
  };
  const Compiled inner = compile(masked);
  const std::vector<TensorFunction> functions{both(masked),
                                              both(checkpoint(masked)),
                                              both([&](const Tensors& t) { return inner(t); }),
                                              both(checkpoint([&](const Tensors& t) { return inner(t); })),
                                              compile(both(masked)),
                                              compile(both(checkpoint(masked))),
                                              compile(both(checkpoint([&](const Tensors& t) { return inner(t); })))};
  std::vector<Floats> first;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    random::set_seed(3);
    Floats last;
    for (int call = 0; call < 3; ++call) {
      const Tensors out = functions[i]({x});
      const Floats forward = floats(out[0]);
      EXPECT_EQ(forward, floats(out[1])) << "function " << i << ", call " << call;
      EXPECT_NE(forward, last) << "function " << i << ", call " << call;
      last = forward;
      if (i == 0) first.push_back(forward);
      EXPECT_EQ(forward, first[static_cast<std::size_t>(call)]) << "function " << i << ", call " << call;
    }
  }
}

TEST_P(CompiledGradients, ACheckpointOfAReplayDrawsOnce) {
  // The forward pass replays a plan, the backward pass calls the function: both with one mask.
  const Compiled inner = compile([](const Tensors& t) { return Tensors{dropout(t[0], 0.5)}; });
  const TensorFunction kept = checkpoint([&](const Tensors& t) { return inner(t); });
  Tensor w = ones({64}, f32, device_);
  w.requires_grad();
  random::set_seed(11);
  for (int i = 0; i < 3; ++i) {
    const Tensor y = kept({w})[0];
    sum(y).backward();
    EXPECT_EQ(floats(w.grad()), floats(y)) << i;
    w.zero_grad();
  }
  EXPECT_EQ(inner.traces(), 1U);
}

TEST_P(CompiledGradients, BackwardSeesThroughCheckpoints) {
  Tensor w = vec({1, 2});
  w.requires_grad();
  const TensorFunction cube = checkpoint([](const Tensors& t) { return Tensors{t[0] * t[0] * t[0]}; });
  sum(cube({w})[0] + w).backward();
  EXPECT_EQ(floats(w.grad()), (Floats{4, 13}));
  EXPECT_FALSE(w.grad().is_tracked());
}

TEST_P(CompiledGradients, CapturedVariablesAndMasksOfTheFirstCall) {
  // The first call traces, finds a variable and calls the function again: it draws once all the same.
  Tensor w = ones({64}, f32, device_);
  w.requires_grad();
  const auto f = [&](const Tensors& t) { return Tensors{dropout(t[0] * w, 0.5)}; };
  const Compiled compiled = compile(f);
  const Tensor x = ones({64}, f32, device_).eval();
  random::set_seed(4);
  const Floats plain = floats(f({x})[0]);
  const Floats next = floats(f({x})[0]);
  random::set_seed(4);
  EXPECT_EQ(floats(compiled({x})[0]), plain);
  EXPECT_EQ(floats(compiled({x})[0]), next);
}

}  // namespace
}  // namespace tessera::test
