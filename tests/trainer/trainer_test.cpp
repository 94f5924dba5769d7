// Trainer: what it trains, in which order things happen, and what ends a run.
#include "tessera/train/trainer.h"

#include <optional>
#include <thread>

#include "support/errors.h"
#include "support/watchdog.h"
#include "trainer/small_run.h"

namespace tessera::test {
namespace {

using train::Ending;
using train::Result;
using train::Trainer;
using train::TrainerOptions;
using train::Values;

double value_of(const Values& values, const std::string& name) {
  for (const auto& [n, value] : values) {
    if (n == name) return value;
  }
  ADD_FAILURE() << "no value " << name;
  return 0;
}

class TrainerTest : public ::testing::Test {
 protected:
  void SetUp() override { Device::create({.device = "cpu"}).set_current(); }
  Watchdog watchdog_{std::chrono::seconds(100)};
};

TEST_F(TrainerTest, Learns) {
  SmallRun run({.epochs = 8});
  const Result result = run.fit();
  EXPECT_EQ(result.step, 48);  // 44 samples are 6 batches
  EXPECT_EQ(run.trainer.step(), 48);
  EXPECT_EQ(result.ending, Ending::kDone);
  EXPECT_EQ(run.losses.size(), 48U);
  EXPECT_LT(value_of(result.train, "loss"), 0.5);
  EXPECT_GT(value_of(result.validation, "accuracy"), 0.8);
  EXPECT_EQ(run.validations.size(), 8U);
  EXPECT_EQ(result.losses_of_device, 0);
  EXPECT_TRUE(result.best.has_value());
  EXPECT_TRUE(run.model.training());
  const Values again = run.trainer.evaluate(run.validation);
  EXPECT_EQ(again, result.validation);
  EXPECT_NEAR(run.accuracy.value().item(), value_of(again, "accuracy"), 1e-6) << "the metrics have these sums";
}

TEST_F(TrainerTest, IsTheLoopThatOneWouldWrite) {
  SmallRun run({.epochs = 2});
  run.fit();
  SmallRun other;
  std::int64_t step = 0;
  const auto update = compile(
      [&](const Tree& batch) {
        auto [loss, gradients] =
            value_and_grad(other.model, [&] { return cross_entropy(other.model(batch["x"]), batch["y"]); })();
        other.optimizer.update(other.model, gradients);
        return loss;
      },
      other.model, other.optimizer);
  for (int epoch = 0; epoch < 2; ++epoch) {
    for (const Tree& batch : other.training) other.losses[++step].insert(update(batch).item<float>());
  }
  EXPECT_EQ(run.losses, other.losses);
}

TEST_F(TrainerTest, ValidationDoesNotChangeTraining) {
  SmallRun with({.epochs = 2, .validate_every = 1});
  with.fit();
  EXPECT_EQ(with.validations.size(), 12U);
  SmallRun without({.epochs = 2});
  const Result result = without.trainer.fit(without.training);
  EXPECT_EQ(with.losses, without.losses);
  EXPECT_EQ(hashes_of(with.model), hashes_of(without.model));
  EXPECT_TRUE(result.validation.empty());
  SmallRun evaluating({.epochs = 2});
  evaluating.on_step = [&](Trainer& t, std::int64_t) { t.evaluate(evaluating.validation); };
  const Result third = evaluating.trainer.fit(evaluating.training);
  EXPECT_EQ(evaluating.losses, without.losses);
  EXPECT_EQ(third.train, result.train) << "sums of metrics too";
}

TEST_F(TrainerTest, AccumulatedBatchesAreOneBatch) {
  const auto fit = [](std::int64_t batch, std::int64_t accumulate) {
    SmallRun run({.epochs = 3, .accumulate = accumulate, .clip_norm = 1}, {.count = 48, .batch = batch, .dropout = 0});
    run.model.apply([](const std::string& name, nn::Module& m) {
      if (name == "norm") m.eval();  // statistics of a batch are not those of its parts
    });
    const Result result = run.fit();
    EXPECT_EQ(result.step, 9);
    return run.losses;
  };
  const Losses whole = fit(16, 1);
  const Losses parts = fit(4, 4);
  for (const auto& [step, losses] : whole) {
    ASSERT_TRUE(parts.contains(step));
    EXPECT_NEAR(*losses.begin(), *parts.at(step).begin(), 1e-4) << step;
  }
  SmallRun rest({.epochs = 2, .accumulate = 4});  // 6 batches are an update of 4 and one of 2
  EXPECT_EQ(rest.fit().step, 4);
}

TEST_F(TrainerTest, TrainsInHalfPrecision) {
  for (const DType dtype : {f16, bf16}) {
    SmallRun run({.epochs = 8, .autocast = dtype});
    const Result result = run.fit();
    EXPECT_LT(value_of(result.train, "loss"), 0.6) << name(dtype);
    SmallRun accumulated({.epochs = 2, .accumulate = 2, .clip_norm = 1, .autocast = dtype});
    EXPECT_EQ(accumulated.fit().step, 6);
  }
}

TEST_F(TrainerTest, StopsAtTheStepsAndValidatesThen) {
  for (const std::int64_t steps : {1, 5, 6, 7}) {
    SmallRun run({.epochs = 2, .steps = steps});
    const Result result = run.fit();
    EXPECT_EQ(result.step, steps);
    EXPECT_EQ(result.ending, Ending::kDone);
    EXPECT_TRUE(run.validations.contains(steps));
    EXPECT_EQ(run.validations.size(), steps == 7 ? 2U : 1U);
    EXPECT_EQ(result.train.size(), 2U);
  }
}

// One parameter w, from 10 on. The loss a w^2 + b w + c is w in the training, so that each update takes 1 from w, 2 an
// epoch; in the validation it is (w - 5)^2: 9, 1, 1, 9, 25, 49, 81, 121 after the epochs.
TEST_F(TrainerTest, StopsEarly) {
  struct Parabola : nn::Module {
    void fields(nn::Fields& f) override { f("w", w); }
    Tensor w = full({}, 10.0, f32);
  };
  struct Case {
    bool maximize;
    std::int64_t patience;
    std::int64_t step;
    double best;
    Ending ending = Ending::kEarly;
  };
  for (const Case& c : std::vector<Case>{{false, 1, 6, 1},
                                         {false, 2, 8, 1},
                                         {false, 3, 10, 1},
                                         {false, 6, 16, 1},  // at the end of the epochs too
                                         {false, 7, 16, 1, Ending::kDone},
                                         {true, 1, 4, 9},
                                         {true, 3, 8, 9},  // an equal value is not better
                                         {true, 4, 16, 121, Ending::kDone}}) {
    Parabola model;
    optim::SGD sgd(model, {.lr = 1.0});
    const auto rows = [](std::int64_t count, float a, float b, float constant) {
      const auto column = [&](float v) {
        return data::Array(std::vector<float>(static_cast<std::size_t>(count), v), {count});
      };
      return data::from_arrays({{"a", column(a)}, {"b", column(b)}, {"c", column(constant)}});
    };
    data::DataLoader training(rows(2, 0, 1, 0));
    data::DataLoader validation(rows(1, 1, -10, 25));
    Trainer trainer(
        model, sgd,
        [&](const Tree& batch) { return mean(batch["a"] * square(model.w) + batch["b"] * model.w + batch["c"]); },
        SmallRun::quiet({.epochs = 8, .maximize = c.maximize, .patience = c.patience}));
    const Result result = trainer.fit(training, &validation);
    SCOPED_TRACE(fmt::format("maximize {}, patience {}", c.maximize, c.patience));
    EXPECT_EQ(result.ending, c.ending);
    EXPECT_EQ(result.step, c.step);
    EXPECT_EQ(result.best, c.best);
    EXPECT_EQ(model.w.item<float>(), 10.0F - static_cast<float>(c.step));
  }
}

TEST_F(TrainerTest, EpochsWithoutAValidationHaveNoPatience) {
  struct Case {
    std::int64_t validate_every;
    std::size_t validations;
    std::int64_t step;
  };
  // Epochs have 6 updates, and all validations have one loss: the first is the best, and 3 epochs with others end the
  // run.
  for (const auto& [validate_every, validations, step] :
       std::vector<Case>{{0, 4, 24}, {6, 4, 24}, {4, 6, 24}, {12, 4, 48}, {18, 4, 72}, {30, 4, 120}}) {
    SmallRun run({}, {.dropout = 0});
    run.model.norm.eval();
    optim::SGD still(run.model, {.lr = 0.0});
    Trainer trainer(
        run.model, still, [&run](const Tree& batch) { return cross_entropy(run.model(batch["x"]), batch["y"]); },
        SmallRun::quiet({.epochs = 100, .patience = 3, .validate_every = validate_every, .snapshot_every = 0}));
    trainer.callback(std::make_shared<SmallRun::Recorder>(run));
    const Result result = trainer.fit(run.training, &run.validation);
    EXPECT_EQ(result.ending, Ending::kEarly) << validate_every;
    EXPECT_EQ(result.step, step) << validate_every;
    EXPECT_EQ(run.validations.size(), validations) << validate_every;
  }
}

/// Counts its validations in an object of the trainer.
struct CountsValidations : train::Callback {
  struct Count : nn::Stateful {
    void fields(nn::Fields& f) override { f.buffer("count", count); }
    Tensor count = full({}, 0.0, f32);
  };
  void on_validation(Trainer&, std::int64_t, const Values&) override { counted.count = counted.count + 1.0; }
  Count counted;
};

TEST_F(TrainerTest, WhatCallbacksChangeAfterAValidationStays) {
  SmallRun run({.epochs = 3, .validate_every = 4});
  const auto counts = std::make_shared<CountsValidations>();
  run.trainer.state("counted", counts->counted);
  run.trainer.callback(counts);
  run.fit();
  EXPECT_EQ(counts->counted.count.item<float>(), static_cast<float>(run.validations.size()));
  EXPECT_EQ(run.validations.size(), 5U);  // 4, 8, 12, 16, and 18 at the end
}

TEST_F(TrainerTest, APlateauTakesEachValidationOnce) {
  SmallRun run({}, {.dropout = 0});
  optim::SGD sgd(run.model, {.lr = 1e-9});
  optim::ReduceOnPlateau plateau({.factor = 0.5, .patience = 0, .threshold = 0.5, .eps = 0});
  Trainer trainer(
      run.model, sgd, [&run](const Tree& batch) { return cross_entropy(run.model(batch["x"]), batch["y"]); },
      SmallRun::quiet({.epochs = 9, .validate_every = 18}));
  trainer.plateau(plateau);
  trainer.fit(run.training, &run.validation);  // validations after epochs 3, 6 and 9
  EXPECT_FLOAT_EQ(sgd.rate().item<float>(), 1e-9F / 4);
}

TEST_F(TrainerTest, ARunAfterAnErrorBeginsAtTheStartOfAnEpoch) {
  SmallRun whole({.epochs = 1, .accumulate = 4}, {.dropout = 0});
  whole.fit();
  SmallRun run({.epochs = 1, .accumulate = 4}, {.dropout = 0});
  std::int64_t samples = 0;
  const auto once = [&](data::Sample sample) {
    if (++samples == 13) throw Error(ErrorKind::kIo, "the disk is gone");  // in the second batch of an update
    return sample;
  };
  data::DataLoader loader(data::map(points(44, 1), once), {.batch = 8, .shuffle = true, .seed = 5, .workers = 0});
  EXPECT_EQ(error_of([&] { run.trainer.fit(loader, &run.validation); }).kind(), ErrorKind::kIo);
  EXPECT_TRUE(run.losses.empty());
  EXPECT_EQ(run.trainer.fit(loader, &run.validation).step, 2);
  EXPECT_EQ(run.losses, whole.losses) << "without gradients of before, and with all batches";
}

TEST_F(TrainerTest, EpochsWithoutSamplesAreAnError) {
  for (const std::int64_t gone_after : {0, 6, 9}) {  // updates, of 6 an epoch
    bool gone = gone_after == 0;
    SmallRun run({.epochs = 4, .snapshot_every = 2});
    run.on_step = [&](Trainer&, std::int64_t step) { gone = step >= gone_after; };
    data::DataLoader loader(data::map(points(44, 1),
                                      [&](data::Sample sample) {
                                        if (gone) throw Error(ErrorKind::kIo, "the disk is gone");
                                        return sample;
                                      }),
                            {.batch = 8, .workers = 0, .skip_bad = true});
    const Error e = error_of([&] { run.trainer.fit(loader); });
    EXPECT_EQ(e.kind(), ErrorKind::kValue);
    const std::string expected = fmt::format("epoch {} has no samples", gone_after == 0 ? 1 : gone_after == 6 ? 2 : 3);
    EXPECT_NE(std::string(e.what()).find(expected), std::string::npos) << e.what();
  }
}

TEST_F(TrainerTest, IsStoppedByCallbacksAndThreads) {
  SmallRun run({.epochs = 1000});
  run.on_step = [](Trainer& t, std::int64_t step) {
    if (step == 9) t.stop();
  };
  Result result = run.fit();
  EXPECT_EQ(result.step, 9);
  EXPECT_EQ(result.ending, Ending::kStopped);
  run.on_step = nullptr;
  std::thread other([&] {
    while (run.trainer.step() < 20) std::this_thread::yield();
    run.trainer.stop();
  });
  result = run.fit();  // goes on where it was
  other.join();
  EXPECT_GE(result.step, 20);
  EXPECT_EQ(result.ending, Ending::kStopped);
  run.trainer.stop();  // before fit()
  const std::int64_t before = result.step;
  EXPECT_LE(run.fit().step, before + 1);
}

TEST_F(TrainerTest, AStopInAValidationEndsTheEpochLater) {
  const RunFolder folder;
  SmallRun whole({.epochs = 3});
  const Result expected = whole.fit();
  Losses losses;
  {
    SmallRun run({.epochs = 3, .out = folder.path()});
    run.on_step = [](Trainer& t, std::int64_t step) {
      if (step == 12) t.stop();  // the last update of an epoch
    };
    EXPECT_EQ(run.fit().ending, Ending::kStopped);
    add(losses, run.losses);
  }
  SmallRun run({.epochs = 3, .out = folder.path()});
  const Result result = run.fit();
  add(losses, run.losses);
  EXPECT_EQ(losses, whole.losses);
  EXPECT_EQ(result.train, expected.train);
  EXPECT_EQ(result.validation, expected.validation);
}

struct Events : train::Callback {
  void on_start(Trainer&) override { text += "start "; }
  void on_step(Trainer&, std::int64_t step, const Tensor&) override { text += fmt::format("{} ", step); }
  void on_validation(Trainer&, std::int64_t, const Values& v) override {
    text += fmt::format("validation{} ", v.size());
  }
  void on_epoch(Trainer&, std::int64_t epoch, const Values&) override { text += fmt::format("epoch{} ", epoch); }
  void on_checkpoint(Trainer&, std::int64_t step) override { saved.push_back(step); }
  void on_end(Trainer&) override { text += "end"; }
  std::string text;
  std::vector<std::int64_t> saved;
};

TEST_F(TrainerTest, CallsBackInOrder) {
  const RunFolder folder;
  SmallRun run({.epochs = 2, .out = folder.path()}, {.count = 16});
  const auto events = std::make_shared<Events>();
  run.trainer.callback(events);
  run.fit();
  EXPECT_EQ(events->text, "start 1 2 validation2 epoch0 3 4 validation2 epoch1 end");
  EXPECT_EQ(events->saved, (std::vector<std::int64_t>{2, 4}));
  EXPECT_EQ(listed(folder.path() / "checkpoints"), (std::vector<std::string>{"step-000002", "step-000004"}));
  events->text.clear();
  const Result again = run.fit();  // it is done already
  EXPECT_EQ(events->text, "start end");
  EXPECT_EQ(again.ending, Ending::kDone);
  EXPECT_EQ(again.step, 4);
  EXPECT_EQ(again.validation.size(), 2U);
}

TEST_F(TrainerTest, WhatCallbacksThrowEndsTheRun) {
  const RunFolder folder;
  SmallRun whole({.epochs = 2});
  whole.fit();
  SmallRun run({.epochs = 2, .out = folder.path(), .checkpoint_every = 4});
  run.on_step = [](Trainer& t, std::int64_t step) {
    EXPECT_EQ(error_of([&] { t.load_best(); }).kind(), ErrorKind::kValue) << "not in a run";
    train::Mean mean;
    EXPECT_EQ(error_of([&] { t.metric("other", mean); }).kind(), ErrorKind::kValue);
    if (step == 7) throw std::runtime_error("seven");
  };
  EXPECT_THROW(run.fit(), std::runtime_error);
  EXPECT_EQ(listed(folder.path() / "checkpoints"), (std::vector<std::string>{"step-000004", "step-000006"}))
      << "the sixth was the best";
  run.on_step = nullptr;
  EXPECT_EQ(run.fit().step, 12);
  EXPECT_EQ(run.losses, whole.losses);
}

TEST_F(TrainerTest, SavesTheBestAndLoadsIt) {
  const RunFolder folder;
  SmallRun run({.epochs = 6, .out = folder.path(), .checkpoint_every = 5, .keep_last = 1});
  const Result result = run.fit();
  const train::Checkpoints checkpoints(folder.path() / "checkpoints");
  ASSERT_TRUE(checkpoints.best().has_value());
  EXPECT_EQ(checkpoints.latest(), 36);
  ASSERT_TRUE(run.trainer.load_best());
  EXPECT_EQ(value_of(run.trainer.evaluate(run.validation), "loss"), *result.best);
  ASSERT_TRUE(run.trainer.load_latest());
  EXPECT_EQ(run.trainer.evaluate(run.validation), result.validation);
  SmallRun none;
  EXPECT_EQ(error_of([&] { none.trainer.load_best(); }).kind(), ErrorKind::kValue);
  const RunFolder empty;
  SmallRun nothing({.out = empty.path()});
  EXPECT_FALSE(nothing.trainer.load_best());
}

TEST_F(TrainerTest, WritesItsLog) {
  const RunFolder folder;
  SmallRun run({.epochs = 2, .out = folder.path(), .log_every = 2});
  run.fit();
  std::map<std::string, std::vector<std::int64_t>> steps;
  for (const train::LogLine& line : train::read_log(folder.path())) steps[line.kind].push_back(line.step);
  EXPECT_EQ(steps["train"], (std::vector<std::int64_t>{2, 4, 6, 8, 10, 12}));
  EXPECT_EQ(steps["validation"], (std::vector<std::int64_t>{6, 12}));
  EXPECT_EQ(steps["epoch"], (std::vector<std::int64_t>{6, 12}));
  for (const train::LogLine& line : train::read_log(folder.path())) {
    if (line.kind != "train") continue;
    EXPECT_EQ(static_cast<float>(value_of(line.values, "loss")), *run.losses[line.step].begin());
  }
}

TEST_F(TrainerTest, ShowsItsProgress) {
  const RunFolder folder;
  SmallRun run;
  Trainer trainer(run.model, run.optimizer,
                  [&](const Tree& batch) { return cross_entropy(run.model(batch["x"]), batch["y"]); },
                  {.epochs = 4, .out = folder.path()});
  testing::internal::CaptureStdout();
  trainer.fit(run.training, &run.validation);
  const std::string shown = testing::internal::GetCapturedStdout();
  EXPECT_NE(shown.find("24/24"), std::string::npos) << shown;
  EXPECT_NE(shown.find("epoch 4/4: loss "), std::string::npos) << shown;
  EXPECT_NE(shown.find("; validation loss "), std::string::npos) << shown;
  std::int64_t logged = 0;
  for (const train::LogLine& line : train::read_log(folder.path())) logged += line.kind == "train" ? 1 : 0;
  EXPECT_GT(logged, 1) << "what is shown is logged";
}

TEST_F(TrainerTest, ReducesTheRateOnAPlateau) {
  const auto make = [](SmallRun& run, optim::SGD& sgd) {
    return std::make_unique<Trainer>(
        run.model, sgd, [&run](const Tree& batch) { return cross_entropy(run.model(batch["x"]), batch["y"]); },
        SmallRun::quiet({.epochs = 4}));
  };
  SmallRun run({}, {.dropout = 0});
  optim::SGD sgd(run.model, {.lr = 1e-9});
  optim::ReduceOnPlateau plateau({.factor = 0.5, .patience = 0, .threshold = 0.5, .eps = 0});
  const auto trainer = make(run, sgd);
  trainer->plateau(plateau);
  trainer->fit(run.training, &run.validation);
  EXPECT_FLOAT_EQ(sgd.rate().item<float>(), 1e-9F / 8);
}

TEST_F(TrainerTest, ALossThatIsNotFiniteEndsTheRunWithItsStep) {
  std::vector<float> x(44 * 4, 0.5F);
  x[30 * 4 + 1] = std::nanf("");
  const auto broken = [&] {
    return data::DataLoader(
        data::from_arrays({{"x", data::Array(x, {44, 4})}, {"y", data::Array(std::vector<std::int32_t>(44, 1), {44})}}),
        {.batch = 4});
  };
  for (const std::int64_t log_every : {1, 11}) {  // batch 8 has it; it is seen at its step, or at the end of the epoch
    const RunFolder folder;
    SmallRun run({.epochs = 3, .out = folder.path(), .log_every = log_every, .snapshot_every = 3}, {.dropout = 0});
    data::DataLoader loader = broken();
    const Error e = error_of([&] { run.trainer.fit(loader); });
    EXPECT_EQ(e.kind(), ErrorKind::kValue);
    const std::string text = e.what();
    EXPECT_NE(text.find(log_every == 1 ? "step 8: the loss is nan" : "step 9: the parameters after it"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("step 8"), std::string::npos) << text;
    EXPECT_NE(text.find("input"), std::string::npos) << text;
    EXPECT_EQ(run.trainer.step(), 7) << "the model is that before the update";
    for (const auto& [name, parameter] : run.model.state().flatten()) {
      if (!is_float(parameter.dtype())) continue;
      EXPECT_TRUE(all(isfinite(parameter)).item<bool>()) << name;
    }
    EXPECT_TRUE(!fs::exists(folder.path() / "checkpoints") || listed(folder.path() / "checkpoints").empty());
  }
}

TEST_F(TrainerTest, AFullDiskEndsNoRunAndLosesNoCheckpoint) {
  SmallRun whole({.epochs = 2});
  whole.fit();
  const RunFolder folder;
  SmallRun run({.epochs = 2, .out = folder.path(), .checkpoint_every = 2, .log_every = 1});
  std::optional<FullDisk> full;
  run.on_step = [&](Trainer&, std::int64_t step) {
    if (step == 5) full.emplace(0);
  };
  EXPECT_EQ(error_of([&] { run.fit(); }).kind(), ErrorKind::kIo) << "the last checkpoint was not written";
  full.reset();
  EXPECT_EQ(run.losses, whole.losses) << "the run went on";
  const std::int64_t latest = train::Checkpoints(folder.path() / "checkpoints").latest().value_or(0);
  EXPECT_TRUE(latest == 2 || latest == 4) << latest << "; that of step 4 may have been on its way";
  run.on_step = nullptr;
  run.losses.clear();
  EXPECT_EQ(run.fit().step, 12);
  EXPECT_EQ(run.losses.begin()->first, latest + 1);
  for (const auto& [step, losses] : run.losses) EXPECT_EQ(losses, whole.losses.at(step));

  const RunFolder second;  // full for a while
  SmallRun later({.epochs = 2, .out = second.path(), .checkpoint_every = 2});
  later.on_step = [&](Trainer&, std::int64_t step) {
    if (step == 3) full.emplace(0);
    if (step == 7) full.reset();
  };
  EXPECT_EQ(later.fit().step, 12);
  EXPECT_EQ(train::Checkpoints(second.path() / "checkpoints").latest(), 12);
}

TEST_F(TrainerTest, OutOfMemorySaysWhatWouldHelp) {
  const Device small = Device::create({.device = "cpu", .memory_budget = 4U << 20U});
  small.set_current();
  nn::Sequential model(nn::Linear(4, 1024), nn::Tanh(), nn::Linear(1024, 3));
  optim::SGD sgd(model, {.lr = 0.1});
  data::DataLoader loader(points(4096, 1), {.batch = 4096, .device = small});
  Trainer trainer(
      model, sgd, [&](const Tree& batch) { return cross_entropy(model(batch["x"]), batch["y"]); }, SmallRun::quiet({}));
  const Error e = error_of([&] { trainer.fit(loader); });
  EXPECT_EQ(e.kind(), ErrorKind::kOutOfMemory) << e.what();
  const std::string text = e.what();
  EXPECT_NE(text.find("The step needs"), std::string::npos) << text;
  EXPECT_NE(text.find("a smaller batch"), std::string::npos) << text;
  EXPECT_GT(e.fields().requested, 0U);
}

TEST_F(TrainerTest, OutOfMemoryOfTheUpdateNamesItsHolders) {
  const Device small = Device::create({.device = "cpu", .memory_budget = 32U << 20U});
  small.set_current();
  nn::Sequential model(nn::Linear(4, 1024), nn::Tanh(), nn::Linear(1024, 1024), nn::Linear(1024, 3));  // 4 MiB
  for (const std::int64_t accumulate : {1, 2}) {
    Tensors held;
    std::optional<Error> error;
    while (!error.has_value()) {  // until the first update, which makes the moments, does not fit
      held.push_back(arange(0, 1 << 18, 1, f32, small));
      eval(held.back());
      optim::AdamW adam(model, {.lr = 0.0});
      data::DataLoader loader(points(16, 1), {.batch = 8, .workers = 0, .device = small});
      Trainer trainer(
          model, adam, [&](const Tree& batch) { return cross_entropy(model(batch["x"]), batch["y"]); },
          SmallRun::quiet({.accumulate = accumulate, .snapshot_every = 0}));
      try {
        trainer.fit(loader);
      } catch (const Error& e) {
        error.emplace(e);
        EXPECT_EQ(loader.state().batch, accumulate) << "the update, not a batch";
      }
    }
    EXPECT_EQ(error->kind(), ErrorKind::kOutOfMemory) << error->what();
    const std::string text = error->what();
    EXPECT_NE(text.find("The step needs"), std::string::npos) << text;
    EXPECT_NE(text.find("MiB"), std::string::npos) << text;
  }
}

TEST_F(TrainerTest, TwoTrainersOnTwoThreads) {
  SmallRun alone({.epochs = 3}, {.dropout = 0});
  alone.fit();
  const Device device = Device::current();
  std::vector<std::unique_ptr<SmallRun>> runs;
  for (int i = 0; i < 2; ++i) {
    runs.push_back(
        std::make_unique<SmallRun>(TrainerOptions{.epochs = 3}, SmallRun::Setup{.device = device, .dropout = 0}));
  }
  std::vector<std::thread> threads;
  for (auto& run : runs) threads.emplace_back([&run] { run->fit(); });
  for (std::thread& t : threads) t.join();
  for (auto& run : runs) EXPECT_EQ(run->losses, alone.losses);
}

TEST_F(TrainerTest, RefusesWhatItCannotDo) {
  PointsModel model;
  optim::SGD sgd(model, {.lr = 0.1});
  const auto loss = [&](const Tree& batch) { return cross_entropy(model(batch["x"]), batch["y"]); };
  const auto refused = [&](TrainerOptions options, ErrorKind kind = ErrorKind::kValue) {
    EXPECT_EQ(error_of([&] { const Trainer t(model, sgd, loss, std::move(options)); }).kind(), kind);
  };
  refused({.epochs = 0});
  refused({.steps = -1});
  refused({.accumulate = 0});
  refused({.clip_norm = -1});
  refused({.clip_norm = std::nan("")});
  refused({.autocast = f32}, ErrorKind::kDType);
  refused({.checkpoint_every = -1});
  refused({.keep_last = -1});
  refused({.patience = -1});
  refused({.validate_every = -1});
  refused({.log_every = -1});
  refused({.snapshot_every = -1});
  refused({.unit = ""});
  EXPECT_EQ(error_of([&] { const Trainer t(model, sgd, nullptr); }).kind(), ErrorKind::kValue);

  SmallRun run;
  train::Mean mean;
  for (const char* name : {"", "loss", "step", "accuracy"}) {
    EXPECT_EQ(error_of([&] { run.trainer.metric(name, mean); }).kind(), ErrorKind::kValue) << name;
  }
  for (const char* name : {"", "model", "a/b", ".x"}) {
    EXPECT_EQ(error_of([&] { run.trainer.state(name, mean); }).kind(), ErrorKind::kValue) << name;
  }
  EXPECT_EQ(error_of([&] { run.trainer.callback(nullptr); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { run.trainer.fit(run.training, &run.training); }).kind(), ErrorKind::kValue);
  SmallRun other({.monitor = "f1"});
  EXPECT_EQ(error_of([&] { other.fit(); }).kind(), ErrorKind::kValue);
  Trainer shaped(model, sgd, [&](const Tree& batch) { return model(batch["x"]); }, SmallRun::quiet({}));
  EXPECT_EQ(error_of([&] { shaped.fit(run.training); }).kind(), ErrorKind::kShape);
  run.on_step = [&](Trainer& t, std::int64_t) {
    EXPECT_EQ(error_of([&] { t.fit(run.training); }).kind(), ErrorKind::kValue) << "one in another";
    EXPECT_EQ(error_of([&] { t.evaluate(run.training); }).kind(), ErrorKind::kValue) << "its own loader";
  };
  run.fit();

  const RunFolder folder;
  SmallRun first({.out = folder.path()});
  first.fit();
  SmallRun second({.out = folder.path(), .resume = false});
  EXPECT_EQ(error_of([&] { second.fit(); }).kind(), ErrorKind::kValue) << "it would remove another run";
  EXPECT_FALSE(listed(folder.path() / "checkpoints").empty());
}

}  // namespace
}  // namespace tessera::test
