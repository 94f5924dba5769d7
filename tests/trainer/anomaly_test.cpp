// detect_anomaly: the op and the module of the first NaN or infinity that reaches the loss, its gradients or a buffer,
// and nothing of the model or of the generators changes.
#include "tessera/train/anomaly.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ops/build.h"
#include "support/devices.h"
#include "support/errors.h"
#include "tessera/tessera.h"
#include "wgsl/kernels.h"

namespace tessera::test {
namespace {

using train::Anomaly;
using train::detect_anomaly;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

/// A function of the input as a module, with a parameter of its own.
struct Part : nn::Module {
  std::function<Tensor(const Tensor& x, const Tensor& weight)> f;
  Tensor weight;
  Part(std::function<Tensor(const Tensor&, const Tensor&)> function, Tensor w)
      : f(std::move(function)), weight(std::move(w)) {}
  void fields(nn::Fields& fields) override { fields("weight", weight); }
  Tensor forward(const Tensor& x) override { return f(x, weight); }
};

/// Two parts, one after the other, with the names "first" and "inner.second".
struct Parts : nn::Module {
  struct Inner : nn::Module {
    Part second;
    explicit Inner(Part part) : second(std::move(part)) {}
    void fields(nn::Fields& f) override { f("second", second); }
    Tensor forward(const Tensor& x) override { return second(x) * 1.0; }
  };
  Part first;
  Inner inner;
  Parts(Part a, Part b) : first(std::move(a)), inner(std::move(b)) {}
  void fields(nn::Fields& f) override {
    f("first", first);
    f("inner", inner);
  }
  Tensor forward(const Tensor& x) override { return inner(first(x)); }
};

class AnomalyTest : public testing::Test {
 protected:
  void SetUp() override {
    static const Device device = Device::create({.device = "cpu"});
    device.set_current();
    random::set_seed(7);
  }
};

Part times_weight() {
  return {[](const Tensor& x, const Tensor& w) { return x * w; }, ones({3})};
}

/// The second part computes f.
Parts with_second(std::function<Tensor(const Tensor&, const Tensor&)> f) {
  return {times_weight(), Part(std::move(f), ones({3}))};
}

Anomaly anomaly_of(nn::Module& model, const Tensor& x) {
  return detect_anomaly(model, [&] { return mean(model(x)); });
}

::testing::AssertionResult has(const Anomaly& a, const std::string& part) {
  if (a.text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "'" << part << "' is not in: " << a.text;
}

}  // namespace

TEST_F(AnomalyTest, LogOfZeroTimesZero) {
  Parts model = with_second([](const Tensor& x, const Tensor& w) { return log(x) * (w - 1.0); });
  const Tensor x(std::vector<float>{1, 0.5F, 1, 1, 0, 0.25F}, {2, 3});
  const Anomaly a = anomaly_of(model, x);
  ASSERT_TRUE(a.found);
  EXPECT_EQ(a.op, "log");
  EXPECT_EQ(a.module, "inner.second");
  EXPECT_FALSE(a.backward);
  EXPECT_EQ(a.text,
            "log made the first value that is not finite, -inf at [1, 1] of [2, 3] f32, in module 'inner.second'; its "
            "operand ranges from 0 to 1.");
}

TEST_F(AnomalyTest, DivisionOfZeroByZero) {
  Parts model = with_second([](const Tensor& x, const Tensor& w) { return (x - x) / (w - w); });
  const Anomaly a = anomaly_of(model, ones({3}));
  EXPECT_EQ(a.op, "divide");
  EXPECT_EQ(a.module, "inner.second");
  EXPECT_TRUE(has(a, "nan at [0] of [3] f32"));
  EXPECT_TRUE(has(a, "its first operand is 0, and its second operand is 0"));
}

TEST_F(AnomalyTest, OverflowInF16) {
  // 300 * 300 is past 65504, in f16 alone.
  nn::Sequential model(nn::Linear(4, 4), nn::ReLU(), nn::Linear(4, 1));
  Tree weights = model.state();
  weights.visit([](const std::string&, Tensor& t) { t = tessera::full(t.shape(), 150); });
  model.load(weights);
  const Tensor x = tessera::full({2, 4}, 0.5);
  const auto run = [&](std::optional<DType> low) {
    return detect_anomaly(model, [&] {
      const Autocast scope(low);
      return mean(model(x));
    });
  };
  EXPECT_FALSE(run({}).found) << run({}).text;
  const Anomaly a = run(f16);
  ASSERT_TRUE(a.found);
  EXPECT_EQ(a.module, "2") << a.text;
  EXPECT_TRUE(has(a, "f16"));
  EXPECT_TRUE(has(a, "inf at [0, 0]"));
  EXPECT_FALSE(a.backward);
}

TEST_F(AnomalyTest, RootOfZeroInTheBackwardPass) {
  Parts model = with_second([](const Tensor& x, const Tensor&) { return sqrt(x); });
  const Anomaly a = anomaly_of(model, Tensor(std::vector<float>{1, 0, 4}, {3}));
  ASSERT_TRUE(a.found);
  EXPECT_TRUE(a.backward);
  EXPECT_EQ(a.module, "inner.second");
  EXPECT_TRUE(has(a, "in the gradient of sqrt"));
  EXPECT_TRUE(has(a, "inf at [1]"));
  EXPECT_TRUE(has(a, "The loss is finite; the gradient of 'first.weight' is not."));
}

// where() takes the logarithm at safe points only, and its gradient multiplies 0 by an infinity all the same.
TEST_F(AnomalyTest, GradientsBehindWhere) {
  Parts model = with_second([](const Tensor& x, const Tensor&) { return where(greater(x, 0.0), log(x), 0.0); });
  const Anomaly a = anomaly_of(model, Tensor(std::vector<float>{1, 0, 4}, {3}));
  ASSERT_TRUE(a.found);
  EXPECT_TRUE(a.backward) << a.text;
  EXPECT_TRUE(has(a, "in the gradient of log"));
  EXPECT_TRUE(has(a, "nan at [1]"));
  EXPECT_EQ(a.module, "inner.second");
}

TEST_F(AnomalyTest, InfinitiesThatDoNotReachTheLossAreNone) {
  // A mask of -inf, and a logarithm of 0 that where() leaves out.
  Parts model = with_second([](const Tensor& x, const Tensor& w) {
    const Tensor hidden = where(Tensor(std::vector<bool>{true, false, true}, {3}), x, -kInfinity);
    const Tensor unused = where(less(x, 0.0), stop_gradient(log(x - x)), x);
    return softmax(hidden) + unused * w;
  });
  const Anomaly none = anomaly_of(model, ones({3}));
  EXPECT_FALSE(none.found) << none.text;
  EXPECT_EQ(none.op, "");

  // Beside them a division that does: it is found, though it comes later.
  Parts bad = with_second([](const Tensor& x, const Tensor& w) {
    const Tensor unused = where(less(x, 0.0), stop_gradient(log(x - x)), x);
    return unused + x / (w - 1.0);
  });
  EXPECT_EQ(anomaly_of(bad, ones({3})).op, "divide");

  // And where() takes it beside an infinity that it leaves out.
  Parts chosen = with_second([](const Tensor& x, const Tensor& w) {
    const Tensor unused = stop_gradient(log(x - x));
    const Tensor used = x / (w - 1.0);
    return where(less(x, 0.0), unused, used) + where(greater(x, 0.0), used, unused);
  });
  EXPECT_EQ(anomaly_of(chosen, ones({3})).op, "divide");

  // A row with nothing but the mask: the op that makes NaN of the infinities.
  const Tensor mask(std::vector<float>{0, -kInfinity, -kInfinity, -kInfinity}, {2, 2});
  Parts empty = with_second([&](const Tensor& x, const Tensor&) { return softmax(x.reshape({3, 1, 1}) + mask); });
  const Anomaly a = anomaly_of(empty, ones({3}));
  ASSERT_TRUE(a.found);
  EXPECT_EQ(a.module, "inner.second") << a.text;
  EXPECT_TRUE(has(a, "subtract made the first NaN, nan at [0, 1, 0] of [3, 2, 2] f32"));
  EXPECT_TRUE(has(a, "operand has -inf at"));
}

TEST_F(AnomalyTest, ParametersBuffersAndInputs) {
  Parts model = with_second([](const Tensor& x, const Tensor& w) { return x + w; });
  model.inner.second.weight = Tensor(std::vector<float>{1, kInfinity, 2}, {3});
  Anomaly a = anomaly_of(model, ones({3}));
  EXPECT_EQ(a.op, "parameter");
  EXPECT_EQ(a.module, "inner.second");
  EXPECT_TRUE(has(a, "The parameter 'inner.second.weight' is not finite before the step: inf at [1] of [3] f32."));

  model.inner.second.weight = ones({3});
  a = anomaly_of(model, Tensor(std::vector<float>{1, 2, kNotANumber}, {3}));
  EXPECT_EQ(a.op, "input");
  EXPECT_EQ(a.module, "");
  EXPECT_TRUE(has(a, "nan at [2] of [3] f32"));

  a = detect_anomaly(model, [&] { return mean(model(ones({3}))) * kInfinity; });
  EXPECT_EQ(a.op, "constant");
  EXPECT_TRUE(has(a, "inf"));

  nn::Sequential normed(nn::Linear(3, 3), nn::BatchNorm1d(3));
  normed.eval();
  normed.apply([](const std::string&, nn::Module& m) {
    if (auto* norm = dynamic_cast<nn::BatchNorm1d*>(&m)) norm->running_mean = tessera::full({3}, kNotANumber);
  });
  a = anomaly_of(normed, ones({4, 3}));
  EXPECT_EQ(a.op, "buffer");
  EXPECT_EQ(a.module, "1");
  EXPECT_TRUE(has(a, "'1.running_mean'"));
}

// Tensors whose history is gone: evaluated views, and what was detached from a graph.
TEST_F(AnomalyTest, EvaluatedViewsAndMarks) {
  const Tensor base(std::vector<float>{1, kNotANumber, 2, 4}, {4});
  Tensor tracked = base * 1.0;
  tracked.requires_grad();
  for (const Tensor& w : {base.reshape({2, 2}).eval(), (tracked * 2.0).detach().reshape({2, 2}).eval(),
                          flip(base, {0}).reshape({2, 2}).eval()}) {
    Parts model = with_second([](const Tensor& x, const Tensor& weight) { return x * weight; });
    model.first.weight = ones({2});
    model.inner.second.weight = w;
    EXPECT_EQ(anomaly_of(model, ones({2})).op, "parameter");
    model.inner.second.weight = ones({2, 2});
    EXPECT_EQ(anomaly_of(model, w).op, "input");
    EXPECT_FALSE(anomaly_of(model, where(isnan(w), 1.0, w).reshape({2, 2}).eval()).found);
  }
}

TEST_F(AnomalyTest, GraphsOfTheCallerStayAsTheyAre) {
  nn::Sequential model(nn::Linear(8, 4));
  Tensors kept;
  EXPECT_FALSE(detect_anomaly(model, [&] {
                 const Tensor y = model(ones({2, 8}));
                 const Indexed top = topk(stop_gradient(y), 2);
                 kept = {y, top.values, top.indices, sort(top.values)};
                 return mean(kept[3]) + mean(y);
               }).found);
  for (const Tensor& t : kept) EXPECT_FALSE(t.is_evaluated());
  EXPECT_TRUE(std::isfinite(kept[3].to_vector<float>()[0]));
}

TEST_F(AnomalyTest, WorkBeforeTheLossFunction) {
  // The batch is a graph that is not computed yet.
  const Tensor raw = ones({4, 3});
  const Tensor x = (raw - mean(raw, {0}, true)) / stddev(raw, {0}, 0, true);
  Parts model = with_second([](const Tensor& h, const Tensor& w) { return h + w; });
  const Anomaly a = anomaly_of(model, x);
  ASSERT_TRUE(a.found);
  EXPECT_EQ(a.op, "divide");
  EXPECT_EQ(a.module, "");
  EXPECT_TRUE(has(a, "outside of the model's modules"));
  EXPECT_FALSE(x.is_evaluated());
}

TEST_F(AnomalyTest, ViewsOfAPart) {
  // The first column of the logarithm is -inf and is not used; the others are divided by zero.
  Parts model = with_second([](const Tensor& x, const Tensor& w) {
    const Tensor y = log(x);
    const Tensor part = flip(slice(y, {{}, {1, 3}}), {0}).T();
    return part / slice(w - 1.0, {{0, 1}});
  });
  const Tensor x(std::vector<float>{0, 1, 2, 0, 3, 4}, {2, 3});
  const Anomaly a = anomaly_of(model, x);
  ASSERT_TRUE(a.found);
  EXPECT_EQ(a.op, "divide") << a.text;
  EXPECT_TRUE(has(a, "inf at [0, 0] of [2, 2] f32"));
  EXPECT_TRUE(has(a, "its first operand ranges from 0 to 1.38629, and its second operand is 0"));
}

TEST_F(AnomalyTest, IntegersAreIgnored) {
  nn::Sequential model(nn::Embedding(4, 3), nn::Linear(3, 1));
  const Tensor ids(std::vector<std::int32_t>{0, 3, 2147483647, -2147483647}, {4});
  const Anomaly a = detect_anomaly(model, [&] {
    const Tensor rows = bitwise_and(ids * 2147483647, 3);
    return mean(model(rows)) + left_shift(ids, 1).astype(f32).mean() * 1e-9;
  });
  EXPECT_FALSE(a.found) << a.text;
}

TEST_F(AnomalyTest, TheSameDropoutAndNoDrawsAfterwards) {
  Parts model = with_second([](const Tensor& x, const Tensor&) { return log(dropout(x, 0.3)); });
  model.first.weight = ones({50});
  const Tensor x = ones({50});
  random::Generator own(3);
  for (int i = 0; i < 3; ++i) {
    const random::RandomState before = random::state();
    const std::vector<float> mask = dropout(ones({50}), 0.3).to_vector<float>();
    const auto first = std::ranges::find(mask, 0.0F) - mask.begin();
    random::set_state(before);
    const Anomaly a = detect_anomaly(model, [&] {
      const Tensor loss = mean(model(x));
      const random::Use use(own);
      return loss * random::uniform({});
    });
    EXPECT_TRUE(has(a, "-inf at [" + std::to_string(first) + "] of [50]"));
    EXPECT_EQ(random::state(), before);
    EXPECT_EQ(own.state().position, 0U);
    random::uniform({1}).eval();
  }
}

TEST_F(AnomalyTest, NothingOfTheModelChanges) {
  nn::Sequential model(nn::Linear(3, 4), nn::BatchNorm1d(4), nn::Dropout(0.5), nn::Linear(4, 1));
  const Tree before = model.state();
  std::vector<std::vector<float>> values;
  for (const Tensor& t : before.tensors()) values.push_back(t.astype(f32).to_vector<float>());
  const Tensor x = random::normal({8, 3}).eval();
  const random::RandomState state = random::state();
  const auto check = [&] {
    const Tree after = model.state();
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_EQ(after.tensors()[i].node(), before.tensors()[i].node()) << after.names()[i];
      EXPECT_EQ(after.tensors()[i].astype(f32).to_vector<float>(), values[i]) << after.names()[i];
      EXPECT_FALSE(after.tensors()[i].is_tracked());
    }
    EXPECT_EQ(random::state(), state);
    model.apply([](const std::string& name, const nn::Module& m) { EXPECT_TRUE(m.training()) << name; });
  };
  EXPECT_FALSE(anomaly_of(model, x).found);
  check();
  EXPECT_TRUE(anomaly_of(model, x * kInfinity).found);
  check();
  EXPECT_THROW(detect_anomaly(model,
                              [&]() -> Tensor {
                                model.eval();
                                static_cast<void>(model(x));
                                throw std::runtime_error("of the user");
                              }),
               std::runtime_error);
  check();
  // And the next step is the one that would have come.
  const auto step = [&] { return value_and_grad(model, [&] { return mean(model(x)); })().first.item<float>(); };
  const float expected = step();
  model.load(before);
  random::set_state(state);
  anomaly_of(model, x);
  EXPECT_EQ(step(), expected);
}

TEST_F(AnomalyTest, ValuesReadInsideOfTheLossFunction) {
  Parts model = with_second([](const Tensor& x, const Tensor& w) {
    const Tensor y = log(x);
    EXPECT_TRUE(std::isinf(y.to_vector<float>()[1]));
    const Tensor z = y * w;
    z.eval();
    return z;
  });
  const Anomaly a = detect_anomaly(model, [&] {
    const Tensor loss = mean(model(Tensor(std::vector<float>{1, 0, 1}, {3})));
    EXPECT_TRUE(std::isinf(loss.item<float>()));
    return loss;
  });
  EXPECT_EQ(a.op, "log") << a.text;
  EXPECT_TRUE(has(a, "ranges from 0 to 1"));
}

TEST_F(AnomalyTest, Loops) {
  // The state is halved in each step until it underflows in the fourth one.
  struct Loop : nn::Module {
    Tensor weight = tessera::full({2}, 1e-12);
    void fields(nn::Fields& f) override { f("weight", weight); }
    Tensor forward(const Tensor& x) override {
      return scan([&](const Tensors& c, const Tensors&) { return Scanned{{c[0] * weight}, {1.0 / c[0]}}; }, {x}, {},
                  {.length = 5})
          .ys[0];
    }
  };
  nn::Sequential model(Loop{});
  const Anomaly a = anomaly_of(model, ones({2}));
  ASSERT_TRUE(a.found);
  EXPECT_EQ(a.op, "divide") << a.text;
  EXPECT_EQ(a.module, "0");

  nn::Sequential lstm(nn::Linear(3, 3), nn::LSTM(3, 4), nn::Linear(4, 1));
  EXPECT_FALSE(anomaly_of(lstm, ones({5, 2, 3})).found);

  // 3e20 behind the first step, and 4 * 3e20 * 1e20 in the second one.
  nn::Sequential rnn(nn::Identity(), nn::RNN(3, 4, {}, nn::RnnNonlinearity::kRelu));
  rnn.update(Tree::unflatten(
      {{"1.weight_ih_l0", tessera::full({4, 3}, 1e20)}, {"1.weight_hh_l0", tessera::full({4, 4}, 1e20)}}));
  EXPECT_FALSE(anomaly_of(rnn, ones({1, 2, 3})).found);
  const Anomaly b = anomaly_of(rnn, ones({2, 2, 3}));
  EXPECT_EQ(b.op, "matmul") << b.text;
  EXPECT_EQ(b.module, "1");
}

TEST_F(AnomalyTest, CheckpointedModules) {
  for (const bool backward : {false, true}) {
    Parts model =
        with_second([&](const Tensor& x, const Tensor& w) { return backward ? sqrt(x * w) : log(x * w) * 2.0; });
    model.checkpoint("inner*");
    const Anomaly a = anomaly_of(model, Tensor(std::vector<float>{1, 0, 4}, {3}));
    ASSERT_TRUE(a.found);
    EXPECT_EQ(a.backward, backward) << a.text;
    EXPECT_EQ(a.module, "inner.second") << a.text;
    EXPECT_TRUE(has(a, backward ? "in the gradient of sqrt" : "log made"));
  }
}

TEST_F(AnomalyTest, FunctionsInsideOfTheLossFunction) {
  const auto compiled = compile([](const Tensor& x) { return log(x); });
  const TensorFunction own =
      custom_vjp([](const Tensors& in) { return Tensors{in[0] * 2.0}; },
                 [](const Tensors& in, const Tensors&, const Tensors& g) { return Tensors{g[0] / (in[0] - in[0])}; });
  const Tensor x(std::vector<float>{1, 0, 4}, {3});
  Parts calls = with_second([&](const Tensor& h, const Tensor&) { return compiled(h); });
  EXPECT_EQ(anomaly_of(calls, x).op, "log");
  EXPECT_EQ(anomaly_of(calls, x).module, "inner.second");
  Parts differentiates = with_second([&](const Tensor& h, const Tensor&) { return own({h})[0]; });
  const Anomaly a = anomaly_of(differentiates, x);
  EXPECT_EQ(a.op, "divide");
  EXPECT_TRUE(a.backward);
  EXPECT_EQ(a.module, "inner.second") << a.text;
}

TEST_F(AnomalyTest, BuffersAreTheLastToLookAt) {
  struct Peak : nn::Module {
    Tensor scale = ones({}), highest = zeros({});
    void fields(nn::Fields& f) override {
      f("scale", scale);
      f.buffer("highest", highest);
    }
    Tensor forward(const Tensor& x) override {
      write_buffer("highest", highest, maximum(highest, max(square(x))));
      return x * scale;
    }
  };
  nn::Sequential model(nn::Linear(2, 2), Peak{});
  model.update(Tree::unflatten({{"0.bias", tessera::full({2}, 1e20)}}));
  const Anomaly a = anomaly_of(model, ones({3, 2}));
  EXPECT_EQ(a.op, "square");
  EXPECT_EQ(a.module, "1");
  EXPECT_TRUE(has(a, "The loss and its gradients are finite; the buffer '1.highest' is not."));
}

TEST_F(AnomalyTest, OperandsOfEveryType) {
  const Tensor bits = Tensor(std::vector<std::int32_t>{1, 0, 1}, {3});
  Parts casts =
      with_second([&](const Tensor& x, const Tensor&) { return x * (bits * 100000).astype(f16).astype(f32); });
  Anomaly a = anomaly_of(casts, ones({3}));
  EXPECT_EQ(a.op, "cast");
  EXPECT_TRUE(has(a, "inf at [0] of [3] f16, in module 'inner.second'; its operand ranges from 0 to 100000."));

  const Tensor q = quantize(ones({4, 32}) * 100.0, q8_0);
  Parts blocks = with_second(
      [&](const Tensor& x, const Tensor&) { return x * matmul(tessera::full({2, 32}, 3e37), q.T()).mean(); });
  a = anomaly_of(blocks, ones({3}));
  EXPECT_EQ(a.module, "inner.second");
  EXPECT_TRUE(has(a, "inf at [0, 0] of [2, 4] f32"));
  EXPECT_TRUE(has(a, "its operand is 3e+37"));

  const Tensor z = Tensor(std::vector<std::complex<float>>{{1, 2}, {0, 0}}, {2});
  Parts complexes = with_second([&](const Tensor& x, const Tensor&) { return x * real(reciprocal(z)).mean(); });
  a = anomaly_of(complexes, ones({3}));
  EXPECT_EQ(a.op, "reciprocal") << a.text;
  EXPECT_TRUE(has(a, "at [1] of [2] c64"));

  const WgslKernel scale(scale_definition());
  Parts kernels =
      with_second([&](const Tensor& x, const Tensor&) { return x * scale({ones({4})}, {{"factor", 3e38}})[0].sum(); });
  a = anomaly_of(kernels, ones({3}));
  EXPECT_EQ(a.op, "sum") << a.text;
  Parts overflows = with_second([&](const Tensor& x, const Tensor&) {
    return x * scale({tessera::full({2, 3}, 10.0).T()}, {{"factor", 3e38}})[0].mean();
  });
  a = anomaly_of(overflows, ones({3}));
  EXPECT_EQ(a.op, "scale") << a.text;
  EXPECT_TRUE(has(a, "inf at [0, 0] of [3, 2] f32"));
}

TEST_F(AnomalyTest, WithoutTrainableParameters) {
  nn::Sequential none(nn::ReLU(), nn::Softmax(-1));
  EXPECT_FALSE(anomaly_of(none, ones({2, 3})).found);
  EXPECT_EQ(detect_anomaly(none, [&] { return log(none(zeros({3})) - 1.0).mean(); }).op, "log");
  nn::Sequential frozen(nn::Linear(2, 1));
  frozen.freeze();
  EXPECT_FALSE(anomaly_of(frozen, ones({1, 2})).found);
}

TEST_F(AnomalyTest, BadInput) {
  nn::Sequential model(nn::Linear(2, 1));
  const Tensor x = ones({1, 2});
  EXPECT_EQ(error_of([&] { detect_anomaly(model, {}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { detect_anomaly(model, [&] { return Tensor(); }); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { detect_anomaly(model, [&] { return argmax(model(x)); }); }).kind(), ErrorKind::kDType);
  EXPECT_EQ(error_of([&] { detect_anomaly(model, [&] { return model(ones({2, 2})); }); }).kind(), ErrorKind::kShape);
  const auto traced = compile([&](const Tensor& in) {
    detect_anomaly(model, [&] { return mean(model(in)); });
    return in;
  });
  EXPECT_EQ(error_of([&] { traced(x); }).kind(), ErrorKind::kValue);
}

// ---- All elementwise ops ----

namespace {

/// Operands of a row: tensors of all combinations of some numbers, of the dtype.
std::vector<Tensor> combinations(int arity, DType t) {
  std::vector<float> points{0, 1, -1, 0.5F, 2, -2, 100, -100, 60000, -60000};
  if (t != f16) points.insert(points.end(), {1e30F, -1e30F, 3e38F, -3e38F});
  std::vector<std::vector<float>> all(static_cast<std::size_t>(arity));
  std::size_t count = 1;
  for (int k = 0; k < arity; ++k) count *= points.size();
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t rest = i;
    for (auto& operand : all) {
      operand.push_back(points[rest % points.size()]);
      rest /= points.size();
    }
  }
  std::vector<Tensor> operands;
  for (const auto& values : all) {
    operands.push_back(Tensor(values, {static_cast<std::int64_t>(count)}).astype(t).eval());
  }
  return operands;
}

Tensor apply_row(const ElementwiseOp& row, const Tensors& operands) {
  std::vector<NodePtr> nodes;
  for (const Tensor& t : operands) nodes.push_back(t.node());
  return Tensor(ops::elementwise(row.op, nodes));
}

Tensors at_positions(const Tensors& operands, const std::vector<std::int64_t>& positions) {
  const Tensor at(positions, {static_cast<std::int64_t>(positions.size())});
  Tensors result;
  for (const Tensor& t : operands) result.push_back(take(t, at, 0).eval());
  return result;
}

std::vector<std::int64_t> positions_where(const Tensor& of, bool finite) {
  const std::vector<bool> flags = isfinite(of.eval()).to_vector<bool>();  // of what is stored in its dtype
  std::vector<std::int64_t> positions;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] == finite) positions.push_back(static_cast<std::int64_t>(i));
  }
  return positions;
}

bool of_numbers(const ElementwiseOp& row) {
  return row.rule == TypeRule::kSame || row.rule == TypeRule::kFloat || row.rule == TypeRule::kNumeric ||
         row.rule == TypeRule::kReal;
}

}  // namespace

// Each op whose result is not finite at finite operands is named, with the module that ran it.
TEST_F(AnomalyTest, EveryElementwiseOp) {
  for (const DType t : {f32, f16, bf16}) {
    std::set<std::string> named;
    for (const ElementwiseOp& row : elementwise_ops()) {
      if (!of_numbers(row)) continue;
      const Tensors operands = combinations(row.arity, t);
      const std::vector<std::int64_t> bad = positions_where(apply_row(row, operands), false);
      if (bad.empty()) continue;
      const Tensors chosen = at_positions(operands, bad);
      Parts model =
          with_second([&](const Tensor& x, const Tensor&) { return x * apply_row(row, chosen).astype(f32).mean(); });
      const Anomaly a = anomaly_of(model, ones({3}));
      EXPECT_TRUE(a.found) << row.name;
      EXPECT_EQ(a.op, row.name) << a.text;
      EXPECT_EQ(a.module, "inner.second") << a.text;
      EXPECT_FALSE(a.backward) << a.text;
      EXPECT_TRUE(has(a, std::string(name(t))));
      named.insert(a.op);
    }
    for (const char* op : {"exp",    "expm1",  "log",  "log2",  "log10",      "log1p",    "sqrt",     "rsqrt",
                           "square", "sinh",   "cosh", "acosh", "reciprocal", "asin",     "acos",     "atanh",
                           "erfinv", "lgamma", "add",  "power", "divide",     "subtract", "multiply", "remainder"}) {
      EXPECT_TRUE(named.contains(op)) << op << " in " << name(t);
    }
  }
}

// Each op whose gradient is not finite where its result is: the backward pass, the op and the module.
TEST_F(AnomalyTest, EveryElementwiseGradient) {
  std::set<std::string> named;
  for (const ElementwiseOp& row : elementwise_ops()) {
    if (!of_numbers(row) || row.vjp == nullptr) continue;
    const Tensors operands = combinations(row.arity, f32);
    const std::vector<std::int64_t> good = positions_where(apply_row(row, operands), true);
    if (good.empty()) continue;
    const Tensors chosen = at_positions(operands, good);
    const auto gradients = value_and_grad_of([&](const Tensors& x) { return sum(apply_row(row, x) * 1e-38); }, chosen);
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      const std::vector<std::int64_t> bad = positions_where(gradients.second[k], false);
      if (bad.empty()) continue;
      const Tensors at = at_positions(chosen, {bad[0]});
      Parts model = with_second([&](const Tensor& x, const Tensor& w) {
        Tensors in = at;
        in[k] = in[k] + (x - stop_gradient(x));  // the same number, and tracked
        return apply_row(row, in) * 1e-38 * w;
      });
      const Anomaly a = anomaly_of(model, zeros({3}));
      ASSERT_TRUE(a.found) << row.name;
      EXPECT_TRUE(a.backward) << row.name << ": " << a.text;
      EXPECT_EQ(a.module, "inner.second") << a.text;
      EXPECT_TRUE(has(a, "in the gradient of " + std::string(row.name)));
      named.insert(std::string(row.name));
    }
  }
  for (const char* op : {"sqrt", "asin", "acos", "acosh", "power"}) EXPECT_TRUE(named.contains(op)) << op;
}

// ---- Ops with kernels of their own ----

namespace {

struct Composite {
  const char* name;
  bool differentiable;
  std::function<Tensor(const Tensor& x)> f;  // of [4, 64], positive
};

std::vector<Composite> composites(bool on_cpu) {
  const auto square_of = [](const Tensor& x) {
    const Tensor m = slice(x, {{}, {0, 4}});
    return matmul(m, m.T()) + eye(4, 4, 0, f32, x.device()) * 8.0;
  };
  std::vector<Composite> all{
      {"sort", true, [](const Tensor& x) { return sort(x) * arange(64, f32, x.device()); }},
      {"topk", true, [](const Tensor& x) { return topk(x, 5).values * 2.0; }},
      {"cumsum", true, [](const Tensor& x) { return cumsum(x, 1); }},
      {"layer_norm", true, [](const Tensor& x) { return square(layer_norm(x)) * x; }},
      {"attention", true,
       [](const Tensor& x) {
         const Tensor h = x.reshape({1, 2, 16, 8});
         return scaled_dot_product_attention(h, h, h, {.causal = true});
       }},
      {"quantized", true, [](const Tensor& x) { return matmul(x, quantize(x, q8_0).T()); }},
      {"index_set", true, [](const Tensor& x) { return index_set(x, {At(1), At(Slice{0, 8})}, x.mean()); }},
      {"scatter_add", true,
       [](const Tensor& x) {
         const Tensor at = argsort(x) * 0;
         return scatter_add(x, at, x, 1);
       }},
      {"wgsl", false,
       [](const Tensor& x) {
         const Tensors pairs = WgslKernel(pairs_definition())({x.T(), x.T() * 2.0});
         return pairs[0] + pairs[1].astype(f32);
       }},
      {"concat", true, [](const Tensor& x) { return concat({x, flip(x, {1}), pad(x, {{1, 2}, {0, 0}}, 0.5)}, 0).T(); }},
  };
  if (on_cpu) {
    const std::vector<Composite> decompositions{
        {"inv", true, [=](const Tensor& x) { return linalg::inv(square_of(x)); }},
        {"qr", false, [=](const Tensor& x) { return linalg::qr(square_of(x)).r; }},
        {"svd", false, [=](const Tensor& x) { return linalg::svd(square_of(x)).s; }},
    };
    all.insert(all.end(), decompositions.begin(), decompositions.end());
  }
  return all;
}

}  // namespace

// ---- All devices ----

class AnomalyOn : public DeviceTest {};
TESSERA_ON_ALL_DEVICES(AnomalyOn);

TEST_P(AnomalyOn, ModelsOnTheDevice) {
  random::set_seed(3);
  struct Net : nn::Module {
    nn::Conv2d conv{1, 4, 3, {.padding = 1}};
    nn::BatchNorm2d norm{4};
    nn::MultiheadAttention attention{4, 2};
    nn::Dropout drop{0.25};
    nn::Linear head{4, 3};
    void fields(nn::Fields& f) override {
      f("conv", conv);
      f("norm", norm);
      f("attention", attention);
      f("drop", drop);
      f("head", head);
    }
    Tensor forward(const Tensor& x) override {
      const Tensor h = max_pool2d(relu(norm(conv(x))), 2);  // [B, 4, 2, 2]
      return head(drop(attention(transpose(h.reshape({h.size(0), 4, 4}), 1, 2)))).mean(Axes{1}, false);
    }
  };
  Net model;
  const Tensor x = random::normal({2, 1, 4, 4}).eval();
  const Tensor labels(std::vector<std::int32_t>{0, 2}, {2});
  const auto loss = [&] { return cross_entropy(model(x), labels); };
  const random::RandomState state = random::state();
  const Anomaly none = detect_anomaly(model, loss);
  EXPECT_FALSE(none.found) << none.text;
  EXPECT_EQ(random::state(), state);
  // What is past the last logarithm of zero.
  const Anomaly a = detect_anomaly(model, [&] { return loss() + log(relu(-square(model.head(zeros({4}))))).mean(); });
  ASSERT_TRUE(a.found);
  EXPECT_EQ(a.op, "log") << a.text;
  EXPECT_EQ(a.module, "") << a.text;
  model.head.weight = Tensor(std::vector<float>(12, kNotANumber), {3, 4});
  const Anomaly b = detect_anomaly(model, loss);
  EXPECT_EQ(b.op, "parameter");
  EXPECT_EQ(b.module, "head");
}

// What is computed op by op is what the ops compute together.
TEST_P(AnomalyOn, ValuesAreThoseOfTheStep) {
  random::set_seed(5);
  const Tensor x = (random::uniform({4, 64}) + 0.5).eval();
  std::size_t at = 0;
  for (const Composite& c : composites(on_cpu())) {
    if (!on_cpu() && !in_turn(at++)) continue;
    Part model([&](const Tensor& in, const Tensor& w) { return c.f(c.differentiable ? in * w : in) * w; }, ones({}));
    const auto loss = [&] { return mean(model(x)); };
    const Anomaly none = detect_anomaly(model, loss);
    EXPECT_FALSE(none.found) << c.name << ": " << none.text;
    const Anomaly a = detect_anomaly(model, [&] { return loss() / (model.weight - 1.0); });
    EXPECT_EQ(a.op, "divide") << c.name << ": " << a.text;
    const std::string before = "its first operand is ";
    const auto from = a.text.find(before);
    ASSERT_NE(from, std::string::npos) << c.name << ": " << a.text;
    const double expected = loss().item();
    EXPECT_NEAR(std::stod(a.text.substr(from + before.size())), expected, 1e-4 * (1 + std::abs(expected))) << c.name;
  }
}

}  // namespace tessera::test
