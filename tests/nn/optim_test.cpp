// Optimizers: compiled steps equal eager ones, groups, rates, half precision, clipping, averages, errors.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "nn/cases.h"
#include "nn/support.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {

namespace {

using OptimTest = NnTest;

struct OptimNet : nn::Module {
  nn::Linear in{4, 8}, out{8, 2};
  nn::LayerNorm norm{8};
  void fields(nn::Fields& f) override {
    f("in", in);
    f("norm", norm);
    f("out", out);
  }
  Tensor forward(const Tensor& x) override { return out(tanh(norm(in(x)))); }
};

}  // namespace

TEST_F(OptimTest, CompiledStepsEqualEagerOnes) {
  const Tensor x = random::normal({16, 4}).eval();
  const Tensor y = random::normal({16, 2}).eval();
  const OptimNet first;
  for (const OptimizerCase& c : optimizer_cases()) {
    if (c.name == "AdamW groups") continue;  // of another model
    SCOPED_TRACE(c.name);
    OptimNet eager = first;
    OptimNet compiled = first;
    const auto a = c.make(eager);
    const auto b = c.make(compiled);
    const auto train = [&](OptimNet& model, optim::Optimizer& optimizer) {
      auto [loss, g] = value_and_grad(model, [&] { return mse_loss(model(x), y); })();
      if (c.clip > 0) g = optim::clip_grad_norm(g, c.clip).gradients;
      optimizer.update(model, g);
      return loss;
    };
    auto step = compile([&] { return train(compiled, *b); }, compiled, *b);
    for (int i = 0; i < 20; ++i) {
      const Tensor p = train(eager, *a);
      const Tensor q = step();
      ASSERT_NEAR(p.item<float>(), q.item<float>(), 1e-4F) << "step " << i;
    }
    EXPECT_EQ(step.traces(), 1U);
    EXPECT_EQ(b->steps().item<int>(), 20);
    for (const auto& [name, t] : eager.parameters().flatten()) {
      expect_near(doubles(compiled.parameters().tensor(name)), doubles(t), 2e-4, name);
    }
    EXPECT_EQ(nn::state_of(*a).names(), nn::state_of(*b).names());
    // The first model was copied and not donated: it has its values.
    EXPECT_EQ(first.in.bias.to_vector<float>().size(), 8U);
  }
}

TEST_F(OptimTest, EagerStepsDoNotPileUp) {
  nn::Sequential model(nn::Linear(4, 4), nn::BatchNorm1d(4));
  optim::AdamW optimizer(model, {.lr = 1e-3});
  optim::Ema ema(model);
  const Tensor x = random::normal({8, 4}).eval();
  const auto step = [&] {
    auto [loss, g] = value_and_grad(model, [&] { return mean(square(model(x))); })();
    EXPECT_TRUE(loss.is_evaluated());
    optimizer.update(model, g);
    ema.update(model);
  };
  step();
  step();
  const std::uint64_t misses = statistics(test_device()).plan_misses;
  for (int i = 0; i < 5; ++i) step();
  EXPECT_EQ(statistics(test_device()).plan_misses, misses);
  for (const Tree& t : {model.state(), nn::state_of(optimizer), ema.parameters()}) {
    for (const auto& [name, tensor] : t.flatten()) EXPECT_TRUE(tensor.is_evaluated()) << name;
  }
}

TEST_F(OptimTest, StateIsDonatedAndNothingIsCopied) {
  OptimNet model;
  optim::AdamW optimizer(model, {.lr = 1e-3});
  const Tensor x = random::normal({16, 4}).eval();
  auto step = compile(
      [&](const Tensor& in) {
        auto [loss, g] = value_and_grad(model, [&] { return mean(square(model(in))); })();
        optimizer.update(model, g);
        return loss;
      },
      model, optimizer);
  step(x);
  step(x);
  const auto copies = [&] {
    Profiler profiler(test_device());
    step(x).eval();
    // Small ones share a dispatch.
    return std::ranges::count_if(profiler.records(),
                                 [](const KernelRecord& r) { return r.label.find("copy") != std::string::npos; });
  };
  EXPECT_EQ(copies(), 0);
  // A copy of the model is not changed by further steps.
  const OptimNet kept = model;
  const std::vector<float> before = kept.in.weight.to_vector<float>();
  EXPECT_GT(copies(), 0);
  EXPECT_EQ(copies(), 0);
  EXPECT_EQ(kept.in.weight.to_vector<float>(), before);
  EXPECT_NE(model.in.weight.to_vector<float>(), before);
  EXPECT_EQ(step.traces(), 1U);
}

TEST_F(OptimTest, RatesAreStateAndNotPartOfATrace) {
  OptimNet model;
  optim::SGD optimizer(model, {.lr = 0.1});
  auto step = compile(
      [&] {
        auto [loss, g] = value_and_grad(model, [&] { return sum(model.out.bias * 3.0); })();
        optimizer.update(model, g);
      },
      model, optimizer);
  const auto change = [&] {
    const float before = sum(model.out.bias).item<float>();
    step();
    return sum(model.out.bias).item<float>() - before;
  };
  EXPECT_NEAR(change(), -0.6, 1e-5);
  optimizer.set_rate(0.01);
  EXPECT_NEAR(change(), -0.06, 1e-5);
  EXPECT_EQ(step.traces(), 1U);
  EXPECT_NEAR(optimizer.rate().item<float>(), 0.01, 1e-8);

  optim::ReduceOnPlateau plateau({.patience = 1});
  EXPECT_FALSE(plateau.step(1.0, optimizer));
  EXPECT_FALSE(plateau.step(1.0, optimizer));
  EXPECT_TRUE(plateau.step(1.0, optimizer));
  EXPECT_NEAR(change(), -0.006, 1e-5);
  EXPECT_EQ(step.traces(), 1U);
}

TEST_F(OptimTest, PlateausFollowTheirOptions) {
  struct Case {
    const char* name;
    optim::PlateauOptions options;
    std::vector<double> metrics, rates;  // rates after each metric, from 1 on
  };
  const double nan = std::nan("");
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<Case> cases{
      {"patience", {.factor = 0.5, .patience = 1}, {3, 3, 3, 3, 3, 2, 2, 2}, {1, 1, 0.5, 0.5, 0.25, 0.25, 0.25, 0.125}},
      {"maximize", {.maximize = true, .factor = 0.5, .patience = 0}, {1, 2, 2, 1, 3}, {1, 1, 0.5, 0.25, 0.25}},
      {"relative",
       {.factor = 0.5, .patience = 0, .threshold = 0.1},
       {100, 91, 89, 80.2, 80.05},
       {1, 0.5, 0.5, 0.25, 0.25}},
      {"absolute",
       {.factor = 0.5, .patience = 0, .threshold = 10, .relative = false},
       {100, 91, 89, 80, 78},
       {1, 0.5, 0.5, 0.25, 0.25}},
      {"negative", {.factor = 0.5, .patience = 0, .threshold = 0.1}, {-100, -105, -111, -99}, {1, 0.5, 0.5, 0.25}},
      {"cooldown", {.factor = 0.5, .patience = 0, .cooldown = 2}, {1, 1, 1, 1, 1, 1}, {1, 0.5, 0.5, 0.5, 0.25, 0.25}},
      {"minimum", {.factor = 0.1, .patience = 0, .minimum = 0.05}, {1, 1, 1, 1}, {1, 0.1, 0.05, 0.05}},
      {"eps", {.factor = 0.5, .patience = 0, .eps = 0.3}, {1, 1, 1, 1}, {1, 0.5, 0.5, 0.5}},
      {"not finite", {.factor = 0.5, .patience = 1}, {nan, inf, 5, nan, 4}, {1, 0.5, 0.5, 0.5, 0.5}},
  };
  for (const Case& c : cases) {
    OptimNet model;
    optim::SGD optimizer(model, {.lr = 1.0});
    optim::ReduceOnPlateau plateau(c.options);
    double before = 1;
    for (std::size_t i = 0; i < c.metrics.size(); ++i) {
      const bool reduced = plateau.step(c.metrics[i], optimizer);
      const auto rate = optimizer.rate().item<double>();
      EXPECT_NEAR(rate, c.rates[i], 1e-6) << c.name << ", metric " << i;
      EXPECT_EQ(reduced, rate < before) << c.name << ", metric " << i;
      before = rate;
    }
  }
}

TEST_F(OptimTest, SchedulesOfFewStepsAreFinite) {
  for (std::int64_t steps = 1; steps <= 5; ++steps) {
    const std::vector<std::pair<const char*, optim::Schedule>> all{
        {"constant", optim::constant(1)},
        {"step_decay", optim::step_decay(1, steps, 0.5)},
        {"multistep", optim::multistep(1, {0, steps, steps}, 0.5)},
        {"exponential", optim::exponential(1, 0.5)},
        {"cosine", optim::cosine(1, steps)},
        {"cosine with warm-up", optim::cosine(1, steps, {.warmup = steps - 1})},
        {"cosine_restarts", optim::cosine_restarts(1, steps)},
        {"cosine_restarts by 2", optim::cosine_restarts(1, steps, 2)},
        {"linear", optim::linear(0, 1, steps)},
        {"polynomial", optim::polynomial(1, steps, 2)},
        {"one_cycle", optim::one_cycle(1, steps)},
        {"one_cycle, half", optim::one_cycle(1, steps, {.start = 0.5})},
        {"one_cycle, linear", optim::one_cycle(1, steps, {.start = 0.9, .linear = true})},
        {"inverse_sqrt", optim::inverse_sqrt(1, steps)},
        {"join", optim::join({optim::constant(1), optim::linear(1, 0, steps)}, {0})},
    };
    for (const auto& [name, schedule] : all) {
      double highest = 0;
      for (std::int64_t step = 0; step <= 2 * steps + 1; ++step) {
        const auto rate = schedule(full({}, static_cast<double>(step), f32)).item<double>();
        EXPECT_TRUE(rate >= 0 && rate <= 1 + 1e-6) << name << " of " << steps << " steps at " << step << ": " << rate;
        highest = std::max(highest, rate);
      }
      EXPECT_GT(highest, 0.2) << name << " of " << steps << " steps";
    }
  }
}

TEST_F(OptimTest, SchedulesRunInsideTheTrace) {
  OptimNet model;
  optim::SGD optimizer(model, {.lr = optim::join({optim::linear(0, 1, 4), optim::step_decay(1, 3, 0.5)}, {4})});
  auto step = compile(
      [&] {
        auto [loss, g] = value_and_grad(model, [&] { return sum(model.out.bias); })();
        optimizer.update(model, g);
        return optimizer.rate() * 1.0;
      },
      model, optimizer);
  std::vector<float> rates;
  for (int i = 0; i < 10; ++i) rates.push_back(step().item<float>());
  const std::vector<float> expected{0, 0.25, 0.5, 0.75, 1, 1, 1, 0.5, 0.5, 0.5};
  for (std::size_t i = 0; i < rates.size(); ++i) EXPECT_NEAR(rates[i], expected[i], 1e-6) << i;
  EXPECT_EQ(step.traces(), 1U);
}

TEST_F(OptimTest, GroupsAndMasksByName) {
  OptimNet model;
  optim::AdamW optimizer(model, {.lr = 0, .weight_decay = 0.5, .no_decay = optim::vectors_of(model)},
                         {{"out.*", {.lr = 0.1, .weight_decay = 0.5, .no_decay = {"*.bias"}}}});
  const Tree before = model.parameters();
  optimizer.update(model, before.map([](const Tensor& x) { return x * 0.0; }));
  const Tree after = model.parameters();
  expect_equal(after.tensor("in.weight"), before.tensor("in.weight"));
  expect_equal(after.tensor("out.bias"), before.tensor("out.bias"));
  expect_equal(after.tensor("out.weight"), before.tensor("out.weight") * 0.95, 1e-6);
  EXPECT_EQ(message([&] { optim::SGD(model, {}, {{"head.*", {}}}); }),
            "SGD: no parameter is in the group of the pattern 'head.*'; the first parameter is 'in.weight'.");
}

TEST_F(OptimTest, MomentsOfHalvesAreF32) {
  OptimNet model;
  model.to(f16);
  optim::AdamW optimizer(model, {.lr = 1e-2});
  const Tree state = nn::state_of(optimizer);
  EXPECT_EQ(state.tensor("state.in.weight.exp_avg").dtype(), f32);
  EXPECT_EQ(state.tensor("state.in.weight.exp_avg_sq").dtype(), f32);
  optimizer.update(model, model.parameters().map([](const Tensor& x) { return x * 0.0 + 1e-4; }));
  EXPECT_EQ(model.in.weight.dtype(), f16);
  EXPECT_NEAR(nn::state_of(optimizer).tensor("state.in.bias.exp_avg_sq").to_vector<float>()[0], 1e-11, 1e-13);
}

TEST_F(OptimTest, StateIsSavedAndLoaded) {
  OptimNet model;
  const Tree gradients = model.parameters().map([](const Tensor& x) { return x * 0.1 + 0.01; });
  optim::AdamW a(model, {.lr = 0.1});
  OptimNet other = model;
  a.update(model, gradients);
  const Tree weights = model.state();
  const Tree state = nn::state_of(a);
  a.update(model, gradients);
  optim::AdamW b(other, {.lr = 0.5});
  other.load(weights);
  nn::set_state(b, state);
  b.update(other, gradients);
  for (const auto& [name, t] : model.parameters().flatten()) expect_equal(other.parameters().tensor(name), t, 1e-7);
  EXPECT_EQ(b.steps().item<int>(), 2);
  EXPECT_NEAR(b.rate().item<float>(), 0.1, 1e-7);
}

TEST_F(OptimTest, ClipsAndAverages) {
  const Tree g{{"a", Tensor(std::vector<float>{3, 0}, {2})}, {"b", Tensor(std::vector<float>{-4}, {1})}};
  const auto [clipped, norm] = optim::clip_grad_norm(g, 1);
  EXPECT_NEAR(norm.item<float>(), 5, 1e-6);
  EXPECT_NEAR(clipped.tensor("b").item<float>(), -0.8, 1e-6);
  EXPECT_NEAR(optim::clip_grad_norm(g, 10).gradients.tensor("b").item<float>(), -4, 1e-6);
  EXPECT_EQ(optim::clip_grad_value(g, 2).tensor("a").to_vector<float>(), (std::vector<float>{2, 0}));

  nn::Linear model(1, 1, false);
  model.weight = full({1, 1}, 1.0);
  optim::Ema ema(model, 0.75);
  model.weight = full({1, 1}, 5.0);
  auto average = compile([&] { ema.update(model); }, model, ema);
  average();
  average();
  EXPECT_NEAR(ema.parameters().tensor("weight").item<float>(), 1 + 4 * (1 - 0.5625), 1e-6);
  ema.swap(model);
  EXPECT_NEAR(model.weight.item<float>(), 2.75, 1e-6);
  ema.swap(model);
  EXPECT_NEAR(model.weight.item<float>(), 5, 1e-6);
}

TEST_F(OptimTest, ErrorsAreSentences) {
  OptimNet model;
  EXPECT_EQ(message([&] { optim::SGD(model, {.nesterov = true}); }),
            "SGD: nesterov was given with a momentum of 0 and a dampening of 0; it needs a momentum and no dampening.");
  EXPECT_EQ(message([&] { optim::Adam(model, {.lr = -1}); }),
            "Adam: a learning rate of -1 was given; it must not be negative.");
  optim::SGD optimizer(model, {});
  EXPECT_EQ(message([&] { optimizer.update(model, Tree{{"x", ones({1})}}); }),
            "SGD::update: there is a gradient of 'x', and no parameter of that name.");
  EXPECT_EQ(message([&] { optimizer.update(model, Tree{{"out", Tree{{"bias", ones({3})}}}}); }),
            "SGD::update: the gradient of 'out.bias' has the shape [3]; [2] is expected.");
  EXPECT_EQ(message([&] { optim::join({optim::constant(1)}, {3}); }),
            "join: 1 schedules and 1 boundaries were given; one boundary less is expected.");
  model.freeze("in.*");
  optim::SGD part(model, {});
  model.unfreeze();
  const Tree gradients = model.parameters();
  EXPECT_NE(message([&] { part.update(model, gradients); }).find("which the optimizer does not know"),
            std::string::npos);
  part.add(model);
  part.update(model, gradients);
  EXPECT_EQ(message([&] { optim::SGD(model, {.lr = optim::constant(1)}).set_rate(1); }),
            "SGD::set_rate: the rate of group 0 is a schedule.");
}

}  // namespace tessera::test
