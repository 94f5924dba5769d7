// Shards: parts of gradients and of optimizers over the ranks, beside optimizers that are whole on each rank.
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "distributed/training.h"

namespace tessera::test {

namespace {

std::int64_t elements_of(nn::Stateful& object) {
  std::int64_t count = 0;
  nn::visit(object, [&](const nn::Field& f) { count += f.tensor.numel(); });
  return count;
}

template <class O, class Options>
std::function<TrainingSetup::Made(const optim::Parameters&)> maker(Options options) {
  return [options](const optim::Parameters& p) -> TrainingSetup::Made { return std::make_unique<O>(p, options); };
}

TEST(Shards, LossesAreThoseOfWholeOptimizers) {
  if (!divides(12)) GTEST_SKIP() << "12 samples on " << dist::size() << " ranks";
  const std::vector<std::pair<const char*, std::function<TrainingSetup::Made(const optim::Parameters&)>>> optimizers{
      {"SGD", maker<optim::SGD>(optim::SgdOptions{.lr = 0.1, .momentum = 0.9, .weight_decay = 0.01, .nesterov = true})},
      {"AdamW", maker<optim::AdamW>(optim::AdamWOptions{.lr = 0.02, .weight_decay = 0.1, .no_decay = {"norm.*"}})},
      {"NAdam", maker<optim::NAdam>(optim::NAdamOptions{.lr = 0.02})},
      {"RMSprop", maker<optim::RMSprop>(optim::RMSpropOptions{.lr = 0.01, .momentum = 0.5})},
      {"Lion", maker<optim::Lion>(optim::LionOptions{.lr = 0.002})}};
  for (const auto& [name, make] : optimizers) {
    for (const auto& [accumulate, clip, low] : std::vector<std::tuple<std::int64_t, double, std::optional<DType>>>{
             {1, 0, {}}, {1, 0.3, {}}, {2, 0.3, {}}, {1, 0.3, f16}, {1, 0, bf16}}) {
      const train::TrainerOptions options{
          .epochs = 2, .accumulate = accumulate, .clip_norm = clip, .autocast = low, .exchange = {.bucket_bytes = 100}};
      Training whole(Group(), options, {.make = make});
      Training parts(Group(), options, {.shards = true, .make = make});
      EXPECT_EQ(whole.fit().step, parts.fit().step);
      const double tolerance = low.has_value() ? 0.02 : std::string(name) == "Lion" ? 5e-3 : 2e-5;
      expect_near(parts.losses, whole.losses, tolerance, name);
      expect_near(weights_of(parts.model), weights_of(whole.model), 10 * tolerance, name);
      nn::visit(parts.model, [](const nn::Field& f) {
        if (f.name.find("running") == std::string::npos) expect_equal_on_all_ranks(f.tensor.astype(f32));
      });
    }
  }
}

TEST(Shards, StateIsDividedByTheRanks) {
  nn::Linear model(31, 40);
  optim::Shards shards(model);
  optim::AdamW parts(shards.parameters(), {});
  optim::AdamW whole(model, {});
  // Two moments of each parameter, and the step and the rate.
  const auto n = static_cast<std::int64_t>(dist::size());
  EXPECT_EQ(elements_of(whole), 2 * (31 * 40 + 40) + 2);
  EXPECT_EQ(elements_of(parts), 2 * ((31 * 40 + n - 1) / n + (40 + n - 1) / n) + 2);
}

TEST(Shards, CheckpointsAreThoseOfWholeOptimizers) {
  if (!divides(12)) GTEST_SKIP() << "12 samples on " << dist::size() << " ranks";
  for (const bool first_in_parts : {true, false}) {
    for (const bool then_in_parts : {true, false}) {
      const RunFolder folder;
      const train::TrainerOptions options{.epochs = 3, .clip_norm = 0.5, .out = folder_of(folder)};
      train::TrainerOptions plain = options;
      plain.out.clear();
      Training straight(Group(), plain, {.shards = first_in_parts});
      straight.fit();
      const auto stop_at_6 = [](train::Trainer& t, std::int64_t step) {
        if (step == 6) t.stop();
      };
      Training begun(Group(), options, {.on_step = stop_at_6, .shards = first_in_parts});
      EXPECT_EQ(begun.fit().step, 6);
      std::filesystem::path copy;
      if (dist::rank() == 0) {
        copy = folder.path() / "copy";
        std::filesystem::copy(folder_of(folder), copy, std::filesystem::copy_options::recursive);
      }
      Training resumed(Group(), options, {.shards = then_in_parts});
      EXPECT_EQ(resumed.fit().step, 12);
      if (first_in_parts == then_in_parts) {
        EXPECT_EQ(weights_of(resumed.model), weights_of(straight.model));
      } else {
        expect_near(weights_of(resumed.model), weights_of(straight.model), 2e-4, "weights");
      }
      train::TrainerOptions of_one = options;
      of_one.out = copy;
      Training single(alone(), of_one, {.shards = then_in_parts});
      EXPECT_EQ(single.fit().step, 12);
      if (dist::rank() == 0) expect_near(weights_of(single.model), weights_of(straight.model), 5e-4, "weights");
    }
  }
}

// Parameters of a few elements, of one and of none: fewer than there are ranks.
TEST(Shards, SmallAndEmptyParameters) {
  struct Odd : nn::Module {
    Tensor none = zeros({0, 3}), one = tessera::full({}, 2.0), few = tessera::full({3}, 3.0);
    void fields(nn::Fields& f) override {
      f("none", none);
      f("one", one);
      f("few", few);
    }
  };
  Odd whole;
  Odd parts;
  optim::Shards shards(parts);
  optim::Adam of_whole(whole, {.lr = 0.1});
  optim::Adam of_parts(shards.parameters(), {.lr = 0.1});
  const auto loss = [](Odd& m) { return square(m.one) * 2.0 + square(m.few).sum() + m.none.sum(); };
  const auto step = compile(
      [&] {
        auto [value, gradients] = value_and_grad(parts, [&] { return loss(parts); })();
        shards.update(of_parts, parts, shards.scatter(gradients));
        return value;
      },
      parts, of_parts, shards);
  for (int i = 0; i < 4; ++i) {
    auto [value, gradients] = value_and_grad(whole, [&] { return loss(whole); })();
    of_whole.update(whole, gradients);
    EXPECT_NEAR(step().item(), value.item(), 1e-5);
  }
  EXPECT_EQ(parts.none.shape(), (Shape{0, 3}));
  EXPECT_NEAR(parts.one.item(), whole.one.item(), 1e-5);
  expect_near(parts.few.to_vector<float>(), whole.few.to_vector<float>(), 1e-5, "few");
}

// Parameters in halves follow masters in f32, which checkpoints have.
TEST(Shards, MastersOfHalves) {
  if (!divides(12)) GTEST_SKIP() << "12 samples on " << dist::size() << " ranks";
  const RunFolder folder;
  const train::TrainerOptions options{.epochs = 2, .out = folder_of(folder)};
  train::TrainerOptions plain = options;
  plain.out.clear();
  Training straight(Group(), plain, {.shards = true, .dtype = bf16});
  straight.fit();
  const auto whole = straight.shards->whole_state(*straight.optimizer);
  for (const auto& [name, p] : straight.model.trainable_parameters().flatten()) {
    EXPECT_EQ(p.dtype(), bf16);
    const Tensor& master = whole["masters." + name];
    EXPECT_EQ(master.dtype(), f32);
    EXPECT_EQ(master.astype(bf16).astype(f32).to_vector<float>(), p.astype(f32).to_vector<float>()) << name;
    expect_equal_on_all_ranks(p.astype(f32));
  }
  const auto stop_at_5 = [](train::Trainer& t, std::int64_t step) {
    if (step == 5) t.stop();
  };
  Training begun(Group(), options, {.on_step = stop_at_5, .shards = true, .dtype = bf16});
  begun.fit();
  Training resumed(Group(), options, {.shards = true, .dtype = bf16});
  resumed.fit();
  EXPECT_EQ(weights_of(resumed.model), weights_of(straight.model));
}

TEST(Shards, BadArguments) {
  nn::Linear model(3, 5);
  optim::Shards shards(model);
  EXPECT_EQ(error_of([&] { (void)shards.scatter(Tree{{"weight", ones({3, 5})}}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { (void)shards.clip_grad_norm(Tree{{"weight", ones({3})}}, 0); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { optim::Shards none(model, {}, {.bucket_bytes = 0}); }).kind(), ErrorKind::kValue);
  for (const DType wire : {f32, i8}) {
    EXPECT_EQ(error_of([&] { optim::Shards none(model, {}, {.wire = wire}); }).kind(), ErrorKind::kDType);
  }
  optim::Muon muon(shards.parameters(), {});
  EXPECT_EQ(error_of([&] { shards.update(muon, model, Tree()); }).kind(), ErrorKind::kUnsupported);
  nn::Linear other(3, 4);
  EXPECT_EQ(error_of([&] { shards.reset(other.parameters()); }).kind(), ErrorKind::kValue);
  model.freeze("*");
  EXPECT_EQ(error_of([&] { optim::Shards none(model); }).kind(), ErrorKind::kValue);
}

}  // namespace

}  // namespace tessera::test
