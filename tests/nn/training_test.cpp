// Compiled steps with state: running statistics, modes, errors of captured objects, and networks that fit one batch.
#include <gtest/gtest.h>

#include "nn/support.h"
#include "support/devices.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {

namespace {

using TrainingTest = NnTest;

nn::Sequential conv_net() {
  return nn::Sequential(nn::Conv2d(1, 4, 3, {.padding = 1}), nn::BatchNorm2d(4), nn::ReLU(), nn::MaxPool2d(2),
                        nn::Flatten(), nn::Linear(4 * 4 * 4, 3));
}

/// Trains on one batch by a compiled step; the last loss.
template <class Model>
float overfit(Model& model, const Tensor& x, const Tensor& y, int steps) {
  optim::AdamW optimizer(model, {.lr = 0.02});
  auto step = compile(
      [&](const Tensor& in, const Tensor& target) {
        auto [loss, g] = value_and_grad(model, [&] { return cross_entropy(model(in), target); })();
        optimizer.update(model, g);
        return loss;
      },
      model, optimizer);
  Tensor loss;
  for (int i = 0; i < steps; ++i) loss = step(x, y);
  EXPECT_EQ(step.traces(), 1U);
  return loss.item<float>();
}

}  // namespace

TEST_F(TrainingTest, RunningStatisticsInsideCompile) {
  nn::Sequential eager = conv_net();
  nn::Sequential compiled = eager;
  const Tensor x = random::normal({8, 1, 8, 8}).eval();
  const auto loss_of = [&](nn::Sequential& m) {
    return value_and_grad(m, [&](const Tensor& in) { return mean(square(m(in))); })(x).first;
  };
  auto step = compile([&] { return loss_of(compiled); }, compiled);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(loss_of(eager).item<float>(), step().item<float>(), 1e-5);
  }
  const Tree a = eager.buffers();
  const Tree b = compiled.buffers();
  for (const auto& [name, t] : a.flatten()) {
    EXPECT_FALSE(t.is_tracked());
    expect_equal(b.tensor(name), t, 1e-5);
  }
  EXPECT_EQ(b.tensor("1.num_batches_tracked").item<int>(), 3);
  EXPECT_GT(max(abs(b.tensor("1.running_mean"))).item<float>(), 1e-3);
}

TEST_F(TrainingTest, ModesAreTracedSeparately) {
  nn::Sequential model(nn::Linear(4, 4), nn::Dropout(0.5));
  auto run = compile([&](const Tensor& x) { return model(x); }, model);
  const Tensor x = ones({64, 4});
  const auto zeros_of = [&] { return sum(equal(run(x), 0.0)).item<int>(); };
  EXPECT_GT(zeros_of(), 50);
  model.eval();
  EXPECT_EQ(zeros_of(), 0);
  model.train();
  EXPECT_GT(zeros_of(), 50);
  EXPECT_EQ(run.traces(), 2U);
}

TEST_F(TrainingTest, ObjectsOutsideOfTheStateAreErrors) {
  nn::Linear model(2, 2);
  optim::SGD optimizer(model, {.lr = 0.1});
  const auto train = [&](const Tensor& x) {
    auto [loss, g] = value_and_grad(model, [&] { return sum(model(x)); })();
    optimizer.update(model, g);
    return loss;
  };
  const Tensor x = ones({1, 2});
  const std::vector<float> before = model.weight.to_vector<float>();
  auto without_model = compile(train, optimizer);
  const Error error = error_of([&] { without_model(x); });
  EXPECT_EQ(error.kind(), ErrorKind::kValue);
  EXPECT_STREQ(
      error.what(),
      "value_and_grad: 'weight' of Linear is a constant of the compiled function, which does not have the "
      "module in its state: its gradient would be that of the same old value at every call. Pass the module as "
      "state: compile(step, model, optimizer), or compile(step, state=[model, optimizer]) in Python.");
  auto update_alone = compile([&] { optimizer.update(model, model.parameters()); }, optimizer);
  EXPECT_EQ(message([&] { update_alone(); }),
            "Linear::update: 'weight' is written inside a compiled function that does not have it in its state: the "
            "function would use the same old value at every call. Pass the object as state: compile(step, model, "
            "optimizer), or compile(step, state=[model, optimizer]) in Python.");
  auto without_optimizer = compile(train, model);
  EXPECT_TRUE(message([&] { without_optimizer(x); }).starts_with("SGD::update: 'step' is written inside"));
  const Compiled plain = compile([&](const Tensors& in) { return Tensors{train(in[0])}; });
  EXPECT_TRUE(message([&] { plain({x}); }).starts_with("value_and_grad: 'weight' of Linear is a constant"));
  nn::BatchNorm1d norm(2);
  const Compiled statistics = compile([&](const Tensors& in) { return Tensors{norm(in[0])}; });
  EXPECT_TRUE(
      message([&] { statistics({ones({4, 2})}); }).starts_with("BatchNorm1d: 'running_mean' is written inside"));
  // Nothing changed, and the objects are usable.
  EXPECT_EQ(model.weight.to_vector<float>(), before);
  EXPECT_EQ(optimizer.steps().item<int>(), 0);
  auto step = compile(train, model, optimizer);
  step(x);
  EXPECT_EQ(optimizer.steps().item<int>(), 1);
  // A model that is only read is a constant.
  const Compiled forward = compile([&](const Tensors& in) { return Tensors{model(in[0])}; });
  expect_equal(forward({x})[0], model(x), 1e-6);
}

TEST_F(TrainingTest, GradientsInsideLoopsAndOfGivenParameters) {
  nn::Linear model(2, 1);
  const Tensor x = random::normal({3, 4, 2}).eval();
  const auto loss_of = [&](const Tensor& in) { return mean(square(model(in))); };
  const Tree whole = value_and_grad(model, [&] { return loss_of(x.reshape({12, 2})); })().second;
  // The sum over parts of the batch, as a loop.
  const Scanned sums = scan(
      [&](const Tensors& carry, const Tensors& in) {
        const Tree g = value_and_grad(model, loss_of)(in[0]).second;
        return Scanned{{carry[0] + g.tensor("weight"), carry[1] + g.tensor("bias")}, {}};
      },
      {zeros({1, 2}), zeros({1})}, {x});
  expect_equal(sums.carry[0] / 3, whole.tensor("weight"), 1e-5);
  expect_equal(sums.carry[1] / 3, whole.tensor("bias"), 1e-5);
  // Parameters as arguments of a plain compiled function.
  const Compiled gradients = compile([&](const Tensors& in) {
    Tree g;
    nn::functional_call(model, Tree{{"weight", in[0]}, {"bias", in[1]}}, [&] {
      auto [value, all] = value_and_grad(model, loss_of)(in[2]);
      g = all;
      return value;
    });
    return g.tensors();
  });
  expect_equal(gradients({model.weight, model.bias, x.reshape({12, 2})})[0], whole.tensor("weight"), 1e-5);
}

TEST_F(TrainingTest, StepsOfAllForms) {
  Tree state{{"count", zeros({})}};
  auto nothing = compile([&] { state.at("count").tensor() = state.tensor("count") + 1; }, state);
  nothing();
  nothing();
  EXPECT_EQ(state.tensor("count").item<float>(), 2);
  auto list = compile([&](const Tensors& in) { return Tensors{in[0] + state.tensor("count"), in[1]}; }, state);
  EXPECT_EQ(list({ones({}), ones({})})[0].item<float>(), 3);
  auto several = compile([&](const Tensor& a, const Tensor& b) { return a * b + state.tensor("count"); }, state);
  EXPECT_EQ(several(2 * ones({}), 5 * ones({})).item<float>(), 12);
  // A failing step leaves the state as it was.
  EXPECT_THROW(several(ones({2}), ones({3})), Error);
  EXPECT_EQ(state.tensor("count").item<float>(), 2);
}

TEST_F(TrainingTest, StepsTakeAndGiveStructures) {
  Tree state{{"count", zeros({})}};
  const auto step = compile(
      [&](const std::map<std::string, Tensor>& batch, const std::optional<Tensor>& bias, int times) {
        state["count"] += 1;
        const Tensor y = batch.at("x") * times + state["count"];
        return std::tuple(bias ? y + *bias : y, Tree{{"rest", batch.at("z")}});
      },
      state);
  const Tensor one = ones({2}).eval();
  for (int i = 1; i <= 3; ++i) {
    const auto [y, rest] = step({{"x", one}, {"z", one * 5}}, std::nullopt, 2);
    EXPECT_EQ(doubles(y), std::vector<double>(2, 2 + i));
    EXPECT_EQ(doubles(rest["rest"]), std::vector<double>(2, 5));
  }
  EXPECT_EQ(step.traces(), 1U);
  EXPECT_EQ(doubles(std::get<0>(step({{"x", one}, {"z", one}}, one, 2))),
            std::vector<double>(2, 7));  // another structure
  EXPECT_EQ(doubles(std::get<0>(step({{"x", one}, {"z", one}}, one, 3))), std::vector<double>(2, 9));  // another number
  EXPECT_EQ(step.traces(), 3U);
  EXPECT_EQ(state["count"].item(), 5);
  const auto generic = compile([&](const auto& given) { return given["x"] + state["count"]; }, state);
  EXPECT_EQ(doubles(generic(Tree{{"x", one}})), std::vector<double>(2, 6));
}

TEST_F(TrainingTest, StepsInsideSteps) {
  nn::Linear model(2, 2);
  nn::Linear twin = model;
  optim::SGD optimizer(model, {.lr = 0.1, .momentum = 0.9});
  optim::SGD other(twin, {.lr = 0.1, .momentum = 0.9});
  const auto train = [](nn::Linear& m, optim::SGD& o, const Tensor& x) {
    auto [loss, g] = value_and_grad(m, [&] { return mean(square(m(x))); })();
    o.update(m, g);
    return loss;
  };
  const Tensor x = random::normal({4, 2}).eval();
  auto inner = compile([&](const Tensor& in) { return train(model, optimizer, in); }, model, optimizer);
  auto twice = compile([&](const Tensor& in) { return inner(in) + inner(in); }, model, optimizer);
  for (int i = 0; i < 3; ++i) {
    const Tensor sum = train(twin, other, x) + train(twin, other, x);
    EXPECT_NEAR(twice(x).item<float>(), sum.item<float>(), 1e-5);
  }
  EXPECT_EQ(optimizer.steps().item<int>(), 6);
  expect_equal(model.weight, twin.weight, 1e-5);
  auto without = compile([&](const Tensor& in) { return inner(in); }, model);
  EXPECT_TRUE(message([&] { without(x); }).starts_with("compile: 'a tensor of the state of a step inside' is written"));
}

TEST_F(TrainingTest, AuxiliaryResultsAreNotTracked) {
  nn::Linear model(2, 1);
  auto [loss, gradients, logits] = value_and_grad(model, [&](const Tensor& x) {
    Tensor y = model(x);
    return std::pair<Tensor, Tensor>(mean(square(y)), y);
  })(ones({3, 2}));
  EXPECT_FALSE(logits.is_tracked());
  EXPECT_FALSE(loss.is_tracked());
  EXPECT_FALSE(model.weight.is_tracked());
  EXPECT_EQ(logits.shape(), (Shape{3, 1}));
  EXPECT_EQ(gradients.names(), (std::vector<std::string>{"weight", "bias"}));
  EXPECT_THROW(value_and_grad(model, [&](const Tensor& x) { return model(x); })(ones({3, 2})), Error);
  EXPECT_FALSE(model.weight.is_tracked());
}

TEST_F(TrainingTest, RecurrentNetworksTrainInsideCompile) {
  struct Tagger : nn::Module {
    nn::GRU gru{3, 8};
    nn::Linear head{8, 2};
    void fields(nn::Fields& f) override {
      f("gru", gru);
      f("head", head);
    }
    Tensor forward(const Tensor& x) override { return reshape(head(gru(x)), {-1, 2}); }
  } model;
  const Tensor x = random::normal({6, 4, 3}).eval();
  const Tensor y = random::randint({24}, 0, 2).eval();
  EXPECT_LT(overfit(model, x, y, 120), 0.2F);
}

TEST_F(TrainingTest, HalvesTrainWithMomentsInF32) {
  const Tensor x = random::normal({16, 8}).eval();
  const Tensor y = random::randint({16}, 0, 3).eval();
  for (const DType dtype : {f16, bf16}) {
    nn::Sequential model(nn::Linear(8, 32), nn::GELU(), nn::LayerNorm(32), nn::Linear(32, 3));
    model.to(dtype);
    EXPECT_LT(overfit(model, x.astype(dtype), y, 80), 0.1F) << name(dtype);
    EXPECT_EQ(model.parameters().tensor("0.weight").dtype(), dtype);
  }
}

class OverfitTest : public DeviceTest {};

TEST_P(OverfitTest, AnMlpAndAConvNetFitOneBatch) {
  random::set_seed(3);
  nn::Sequential mlp(nn::Linear(8, 32), nn::GELU(), nn::LayerNorm(32), nn::Linear(32, 3));
  const Tensor y = random::randint({16}, 0, 3).eval();
  EXPECT_LT(overfit(mlp, random::normal({16, 8}).eval(), y, 60), 0.05F);
  nn::Sequential net = conv_net();
  EXPECT_LT(overfit(net, random::normal({16, 1, 8, 8}).eval(), y, 60), 0.05F);
}

TESSERA_ON_ALL_DEVICES(OverfitTest);

}  // namespace tessera::test
