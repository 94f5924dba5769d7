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

#include "distributed/support.h"
#include "trainer/support.h"

namespace tessera::test {

namespace {

using Group = dist::Group;

/// One process, beside the others.
Group alone() { return Group().split(dist::rank()); }

data::DatasetPtr points(std::int64_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> noise(0, 0.5F);
  std::vector<float> x;
  std::vector<std::int32_t> y;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto label = static_cast<std::int32_t>(random() % 3);
    y.push_back(label);
    for (int k = 0; k < 4; ++k) x.push_back(noise(random) + (k == label ? 2.0F : 0.0F));
  }
  return data::from_arrays({{"x", data::Array(std::move(x), {count, 4})}, {"y", data::Array(std::move(y), {count})}});
}

struct Net : nn::Module {
  Net(const Group& group, double p) : up(4, 16, false), norm(16, {.group = group}), dropout(p), down(16, 3) {}
  void fields(nn::Fields& f) override {
    f("up", up);
    f("norm", norm);
    f("dropout", dropout);
    f("down", down);
  }
  Tensor forward(const Tensor& x) override { return down(dropout(relu(norm(up(x))))); }
  nn::Linear up;
  nn::BatchNorm1d norm;
  nn::Dropout dropout;
  nn::Linear down;
};

struct TrainingSetup {
  double dropout = 0;
  std::int64_t batch = 12;
  std::function<Tensor(const Tensor& loss)> change = {};
  std::function<void(train::Trainer&, std::int64_t)> on_step = {};
};

/// Everything of a run of a group. Ranks begin with other weights, of which the first rank's count.
struct Training {
  Training(const Group& group, train::TrainerOptions options, const TrainingSetup& given = {})
      : setup((random::set_seed(7 + static_cast<std::uint64_t>(group.rank())), given)),
        model(group, setup.dropout),
        optimizer(model, {.lr = optim::cosine(0.05, 60, {.warmup = 3})}),
        training(points(50, 1),
                 {.batch = setup.batch, .shuffle = true, .seed = 5, .drop_last = true, .workers = 1, .group = group}),
        validation(points(23, 2), {.batch = 8, .workers = 1, .group = group, .even = false}),
        trainer(model, optimizer, [this](const Tree& batch) { return loss_of(batch); }, of(group, std::move(options))) {
    trainer.metric("accuracy", accuracy);
    trainer.metric("counts", counts);
    trainer.callback(std::make_shared<Recorder>(*this));
  }
  train::Result fit() { return trainer.fit(training, &validation); }

  Tensor loss_of(const Tree& batch) {
    const Tensor logits = model(batch["x"]);
    accuracy.update(logits, batch["y"]);
    counts.update(logits, batch["y"]);
    const Tensor loss = cross_entropy(logits, batch["y"]);
    return model.training() && setup.change ? setup.change(loss) : loss;
  }
  static train::TrainerOptions of(const Group& group, train::TrainerOptions options) {
    options.group = group;
    options.progress = false;
    return options;
  }

  struct Recorder : train::Callback {
    explicit Recorder(Training& r) : run(r) {}
    void on_step(train::Trainer& trainer, std::int64_t step, const Tensor& loss) override {
      run.losses.push_back(loss.item<float>());
      if (run.setup.on_step) run.setup.on_step(trainer, step);
    }
    void on_validation(train::Trainer& /*trainer*/, std::int64_t /*step*/, const train::Values& values) override {
      for (const auto& [name, value] : values) run.seen.push_back(value);
      run.counted = sum(run.counts.counts()).item();
    }
    void on_epoch(train::Trainer& /*trainer*/, std::int64_t /*epoch*/, const train::Values& values) override {
      for (const auto& [name, value] : values) run.seen.push_back(value);
      run.seen.push_back(sum(run.counts.counts()).item());
    }
    Training& run;
  };

  TrainingSetup setup;
  Net model;
  optim::AdamW optimizer;
  train::Accuracy accuracy;
  train::ConfusionMatrix counts{3};
  data::DataLoader training, validation;
  train::Trainer trainer;
  std::vector<float> losses;
  std::vector<double> seen;  // values of validations and epochs
  double counted = 0;        // samples of the latest validation
};

std::vector<float> weights_of(nn::Module& model) {
  std::vector<float> all;
  for (const auto& [name, t] : nn::state_of(model).flatten()) {
    const std::vector<float> values = t.astype(f32).to_vector<float>();
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

template <class T>
void expect_near(const std::vector<T>& got, const std::vector<T>& expected, double tolerance, const std::string& what) {
  ASSERT_EQ(got.size(), expected.size()) << what;
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], expected[i], tolerance) << what << " " << i;
}

/// The folder of the first rank; the others have none.
std::filesystem::path folder_of(const RunFolder& folder) {
  return dist::rank() == 0 ? folder.path() / "run" : std::filesystem::path();
}

bool divides(std::int64_t batch) { return batch % dist::size() == 0; }

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
