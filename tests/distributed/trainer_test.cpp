// Data-parallel training: the Trainer, loaders that share batches and batch norm over ranks, beside one process that
// does the same alone.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "distributed/training.h"

namespace tessera::test {

namespace {

TEST(DataParallel, LossesAreThoseOfOneProcess) {
  if (!divides(12)) GTEST_SKIP() << "12 samples on " << dist::size() << " ranks";
  for (const std::int64_t accumulate : {1, 2}) {
    const train::TrainerOptions options{.epochs = 3, .accumulate = accumulate, .clip_norm = 0.7};
    Training together(Group(), options);
    Training single(alone(), options);
    // The weights of the first rank are everyone's.
    nn::visit(single.model, [](const nn::Field& f) { f.tensor = dist::broadcast(f.tensor.detach()); });
    const train::Result a = together.fit();
    const train::Result b = single.fit();
    EXPECT_EQ(a.step, b.step);
    expect_near(together.losses, single.losses, 2e-5, "losses");
    expect_near(together.seen, single.seen, 2e-5, "values");
    expect_near(weights_of(together.model), weights_of(single.model), 2e-4, "weights");
    EXPECT_EQ(together.counted, 23);
    EXPECT_EQ(single.counted, 23);
    for (const float l : together.losses) expect_equal_on_all_ranks(Tensor(l));
    nn::visit(together.model, [](const nn::Field& f) { expect_equal_on_all_ranks(f.tensor.astype(f32)); });
  }
}

TEST(DataParallel, RunsRepeatBitForBit) {
  if (!divides(12)) GTEST_SKIP() << "12 samples on " << dist::size() << " ranks";
  const auto run = [](const dist::GradientOptions& exchange) {
    Training r(Group(), {.epochs = 2, .exchange = exchange}, {.dropout = 0.3});
    r.fit();
    return std::pair(r.losses, weights_of(r.model));
  };
  const auto first = run({});
  EXPECT_EQ(run({}), first);
  EXPECT_EQ(run({.bucket_bytes = 64}), run({.bucket_bytes = 64}));
  const auto narrow = run({.wire = f16});
  expect_near(narrow.first, first.first, 0.05, "losses");
  EXPECT_EQ(narrow.second == first.second, dist::size() == 1);
}

TEST(DataParallel, ScaledLossesAndSkippedSteps) {
  if (!divides(12)) GTEST_SKIP() << "12 samples on " << dist::size() << " ranks";
  Training together(Group(), {.epochs = 2, .autocast = f16});
  EXPECT_EQ(together.fit().step, 8);
  nn::visit(together.model, [](const nn::Field& f) { expect_equal_on_all_ranks(f.tensor.astype(f32)); });
  EXPECT_LT(together.losses.back(), together.losses.front());
}

TEST(DataParallel, DrawsDifferFromRankToRank) {
  Training r(Group(), {.steps = 1}, {.dropout = 0.5});
  r.fit();
  const std::vector<float> drawn = of_all_ranks(random::uniform({4}));
  for (int i = 1; i < dist::size(); ++i) EXPECT_NE(drawn[at(4) * at(i)], drawn[0]);
}

TEST(DataParallel, CheckpointsContinueOnAnyNumberOfRanks) {
  if (!divides(12)) GTEST_SKIP() << "12 samples on " << dist::size() << " ranks";
  for (const double dropout : {0.0, 0.3}) {
    const RunFolder folder;
    const train::TrainerOptions options{.epochs = 3, .out = folder_of(folder), .checkpoint_every = 5};
    train::TrainerOptions plain = options;
    plain.out.clear();
    Training whole(Group(), plain, {.dropout = dropout});
    whole.fit();

    // It ends in the middle of an epoch, by a wish of the last rank.
    const auto stop_at_6 = [](train::Trainer& t, std::int64_t step) {
      if (step == 6 && dist::rank() == dist::size() - 1) t.stop();
    };
    Training begun(Group(), options, {.dropout = dropout, .on_step = stop_at_6});
    const train::Result ended = begun.fit();
    EXPECT_EQ(ended.step, 6);
    EXPECT_EQ(ended.ending, train::Ending::kStopped);
    const std::size_t kept = begun.seen.size();

    // On all ranks it is the same run.
    std::vector<double> rest(whole.seen.begin() + static_cast<std::ptrdiff_t>(kept), whole.seen.end());
    std::filesystem::path copy;
    if (dist::rank() == 0) {
      copy = folder.path() / "copy";
      std::filesystem::copy(folder_of(folder), copy, std::filesystem::copy_options::recursive);
    }
    Training resumed(Group(), options, {.dropout = dropout});
    EXPECT_EQ(resumed.fit().step, 12);
    EXPECT_EQ(weights_of(resumed.model), weights_of(whole.model));
    expect_near(resumed.seen, rest, 1e-6, "values");  // metrics are sums over ranks, then over time, or vice versa

    // And one process continues what all of them began.
    train::TrainerOptions of_one = options;
    of_one.out = copy;
    Training single(alone(), of_one, {.dropout = dropout});
    EXPECT_EQ(single.fit().step, 12);
    if (dist::rank() == 0 && dropout == 0) {
      expect_near(weights_of(single.model), weights_of(whole.model), 2e-4, "weights");
      expect_near(single.seen, rest, 2e-4, "values");
    }
    // And all of them what one began: here what they saved at the end.
    Training again(Group(), options, {});
    EXPECT_TRUE(again.trainer.load_latest());
    EXPECT_EQ(weights_of(again.model), weights_of(whole.model));
  }
}

// ---- What goes wrong ----

TEST(DataParallel, OneRankFindsNaNAndAllFail) {
  if (!divides(12)) GTEST_SKIP() << "12 samples on " << dist::size() << " ranks";
  const bool bad = dist::rank() == dist::size() - 1;
  const auto change = [&](const Tensor& loss) { return bad ? loss * std::numeric_limits<double>::quiet_NaN() : loss; };
  Training r(Group(), {.epochs = 40, .log_every = 1}, {.change = change});
  const Error e = error_of([&] { r.fit(); });
  EXPECT_EQ(e.kind(), ErrorKind::kValue) << e.what();
  EXPECT_NE(std::string(e.what()).find("step"), std::string::npos) << e.what();
  dist::barrier();  // the job goes on
}

TEST(DataParallel, RunsThatDiffer) {
  if (dist::size() == 1) GTEST_SKIP() << "one rank";
  if (!divides(12)) GTEST_SKIP() << "12 samples on " << dist::size() << " ranks";
  const bool last = dist::rank() == dist::size() - 1;
  Training r(Group(), {.epochs = last ? 3 : 2});
  const Error e = error_of([&] { r.fit(); });
  EXPECT_EQ(e.kind(), ErrorKind::kValue);
  EXPECT_EQ(std::string(e.what()), "Trainer::fit: the ranks have 2 to 3 epochs; equal numbers are expected.");
  data::DataLoader whole(points(24, 1), {.batch = 12});
  EXPECT_EQ(error_of([&] { r.trainer.fit(whole); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { r.trainer.evaluate(whole); }).kind(), ErrorKind::kValue);
  dist::barrier();
}

TEST(DataParallel, ACheckpointThatTheFirstRankCannotRead) {
  if (!divides(12)) GTEST_SKIP() << "12 samples on " << dist::size() << " ranks";
  const RunFolder folder;
  const train::TrainerOptions options{.epochs = 1, .out = folder_of(folder)};
  Training(Group(), options).fit();
  if (dist::rank() == 0) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
      if (entry.path().filename() == "model.safetensors") std::filesystem::resize_file(entry.path(), 100);
    }
  }
  Training r(Group(), options);
  EXPECT_EQ(error_of([&] { r.fit(); }).kind(), ErrorKind::kParse);
  EXPECT_EQ(error_of([&] { r.trainer.load_latest(); }).kind(), ErrorKind::kParse);
  dist::barrier();
}

TEST(DataParallel, LoadersOfAGroup) {
  const auto set = points(50, 1);
  const int n = dist::size();
  if (n > 1) {
    const Error e = error_of([&] { data::DataLoader(set, {.batch = n + 1, .group = Group()}); });
    EXPECT_EQ(e.kind(), ErrorKind::kValue);
    EXPECT_EQ(error_of([&] { data::DataLoader(points(n - 1, 1), {.batch = n, .group = Group()}); }).kind(),
              ErrorKind::kValue);
  }
  EXPECT_EQ(error_of([&] { data::DataLoader(set, {.batch = n, .parts = 2, .group = Group()}); }).kind(),
            ErrorKind::kValue);
  // Batches of all ranks together are those of one process, and without `even` nothing is left out.
  for (const bool even : {true, false}) {
    data::DataLoader mine(set,
                          {.batch = 4 * n, .shuffle = true, .seed = 3, .workers = 0, .group = Group(), .even = even});
    std::int64_t count = 0;
    float total = 0;
    while (const auto batch = mine.next()) {
      count += batch->tensors()[0].size(0);
      total += sum((*batch)["x"]).item<float>();
    }
    const auto all = dist::all_reduce(Tensor(static_cast<float>(count))).item<float>();
    EXPECT_EQ(all, even ? static_cast<float>(50 - 50 % n) : 50.0F);
    if (even) continue;
    data::DataLoader whole(set, {.batch = 50, .workers = 0});
    EXPECT_NEAR(dist::all_reduce(Tensor(total)).item<float>(), sum((*whole.next())["x"]).item<float>(), 1e-3);
  }
}

// ---- Batch norm ----

TEST(DataParallel, BatchNormOverRanksIsThatOfTheWholeBatch) {
  const int n = dist::size();
  for (const bool tracks : {true, false}) {
    for (const std::optional<double> momentum : {std::optional<double>(0.1), std::optional<double>()}) {
      // Ranks may have batches of different sizes; values are far from zero, where sums of squares lose digits.
      const std::int64_t rows = 3 + dist::rank();
      std::vector<float> values;
      for (int r = 0; r < n; ++r) {
        std::mt19937 random(static_cast<std::uint32_t>(r));
        std::normal_distribution<float> noise(50, 2);
        for (std::int64_t i = 0; i < (3 + r) * 2 * 5; ++i) values.push_back(noise(random));
      }
      std::int64_t first = 0;
      for (int r = 0; r < dist::rank(); ++r) first += 3 + r;
      const Tensor whole(values, Shape{static_cast<std::int64_t>(values.size()) / 10, 2, 5});
      const Tensor own = slice(whole, {{first, first + rows}});
      nn::BatchNorm1d norm(2, {.momentum = momentum, .track_running_stats = tracks, .group = Group()});
      nn::BatchNorm1d plain(2, {.momentum = momentum, .track_running_stats = tracks});
      for (nn::BatchNorm1d* each : {&norm, &plain}) {
        each->weight = Tensor(std::vector<float>{1.5F, -0.5F}, Shape{2});
        each->bias = Tensor(std::vector<float>{0.25F, 2}, Shape{2});
      }
      const auto loss = [](nn::BatchNorm1d& module, const Tensor& x, const Tensor& scale) {
        return (module(x).tanh() * scale).sum();
      };
      std::vector<float> factors;
      for (std::int64_t i = 0; i < whole.numel(); ++i) factors.push_back(static_cast<float>(i % 7) - 2);
      const Tensor scale(factors, whole.shape());
      const Tensor own_scale = slice(scale, {{first, first + rows}});
      for (int step = 0; step < 3; ++step) {
        // The gradient of the sum of all ranks' losses with respect to this rank's part.
        const auto [a, da] = value_and_grad([&](const Tensor& x) { return loss(norm, x, own_scale); })(own);
        const auto [b, db] = value_and_grad([&](const Tensor& x) { return loss(plain, x, scale); })(whole);
        EXPECT_NEAR(dist::all_reduce(a).item(), b.item(), 1e-3);
        expect_near(da.to_vector<float>(), slice(db, {{first, first + rows}}).to_vector<float>(), 1e-4, "gradient");
      }
      if (!tracks) continue;
      expect_near(norm.running_mean.to_vector<float>(), plain.running_mean.to_vector<float>(), 1e-4, "mean");
      expect_near(norm.running_var.to_vector<float>(), plain.running_var.to_vector<float>(), 1e-3, "variance");
      norm.eval();
      plain.eval();
      expect_near(norm(own).to_vector<float>(), plain(own).to_vector<float>(), 1e-3, "evaluation");
    }
  }
}

}  // namespace

}  // namespace tessera::test
