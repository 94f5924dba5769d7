// Runs that survive: stopped, interrupted, killed and without their device, they have the losses of a run that was not.
#include <atomic>
#include <bit>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/os/interrupt.h"
#include "runtime/webgpu/webgpu_device.h"
#include "support/devices.h"
#include "support/errors.h"
#include "support/watchdog.h"
#include "trainer/small_run.h"

namespace tessera::test {
namespace {

using train::Ending;
using train::Result;
using train::Trainer;
using train::TrainerOptions;

Device cpu() {
  static const Device device = Device::create({.device = "cpu"});
  return device;
}

/// Each step had one loss, whoever made it and how often: that of the run without interruption.
void expect_equal(const Losses& losses, const Losses& expected) {
  EXPECT_EQ(losses.size(), expected.size());
  for (const auto& [step, values] : losses) {
    EXPECT_EQ(values.size(), 1U) << "step " << step << " has two losses";
    ASSERT_TRUE(expected.contains(step)) << step;
    EXPECT_EQ(*values.begin(), *expected.at(step).begin()) << step;
  }
}

// ---- Stopped ----

class Resume : public ::testing::TestWithParam<TrainerOptions> {};

TEST_P(Resume, AtEachStepEqualsAnUninterruptedRun) {
  const Watchdog watchdog;
  const SmallRun::Setup setup{.device = cpu()};
  TrainerOptions options = GetParam();
  options.epochs = 2;
  SmallRun whole(options, setup);
  const Result expected = whole.fit();
  for (std::int64_t at = 1; at <= expected.step; at += options.accumulate > 1 ? 1 : 2) {
    const RunFolder folder;
    options.out = folder.path();
    Losses losses;
    Losses validations;
    for (int part = 0; part < 2; ++part) {
      SmallRun run(options, setup);
      if (part == 0) {
        run.on_step = [&](Trainer& t, std::int64_t step) {
          if (step == at) t.stop();
        };
      } else {
        random::set_seed(99 + static_cast<std::uint64_t>(at));  // a new process has whatever state
        run.model.load(PointsModel().state());                  // and parameters
      }
      const Result result = run.fit();
      add(losses, run.losses);
      add(validations, run.validations);
      if (part == 0) {
        EXPECT_EQ(result.step, at);
        continue;
      }
      EXPECT_EQ(result.step, expected.step);
      EXPECT_EQ(result.train, expected.train) << "stopped after " << at;
      EXPECT_EQ(result.validation, expected.validation);
      EXPECT_EQ(result.best, expected.best);
      EXPECT_EQ(hashes_of(run.model), hashes_of(whole.model));
      EXPECT_EQ(hashes_of(run.optimizer), hashes_of(whole.optimizer));
    }
    expect_equal(losses, whole.losses);
    expect_equal(validations, whole.validations);
  }
}
INSTANTIATE_TEST_SUITE_P(Options, Resume,
                         testing::Values(TrainerOptions{}, TrainerOptions{.accumulate = 4},
                                         TrainerOptions{
                                             .accumulate = 2, .clip_norm = 1, .autocast = f16, .validate_every = 2}),
                         [](const auto& p) { return fmt::format("{}", p.index); });

TEST(Survive, CallbacksAndPlateausContinue) {
  struct Counter : train::Callback {
    void on_step(Trainer& t, std::int64_t step, const Tensor& /*loss*/) override {
      ++steps;
      if (step == stop_at) t.stop();
    }
    [[nodiscard]] std::string state() const override { return std::to_string(steps); }
    void set_state(const std::string& text) override { steps = std::stoll(text); }
    std::int64_t steps = 0, stop_at = 0;
  };
  const RunFolder folder;
  optim::ReduceOnPlateau::State state;
  for (const std::int64_t stop_at : {8, 15, 0}) {
    SmallRun run({.epochs = 4, .out = folder.path()}, {.device = cpu()});
    optim::SGD sgd(run.model, {.lr = 1e-9});
    Trainer trainer(
        run.model, sgd, [&](const Tree& batch) { return cross_entropy(run.model(batch["x"]), batch["y"]); },
        SmallRun::quiet({.epochs = 4, .out = folder.path()}));
    optim::ReduceOnPlateau plateau({.factor = 0.5, .patience = 1, .threshold = 0.5, .eps = 0});
    trainer.plateau(plateau);
    const auto counter = std::make_shared<Counter>();
    counter->stop_at = stop_at;
    trainer.callback(counter);
    EXPECT_EQ(trainer.fit(run.training, &run.validation).step, counter->steps);
    state = plateau.state();
    if (stop_at != 0) continue;
    EXPECT_FLOAT_EQ(sgd.rate().item<float>(), 1e-9F / 2);
  }
  EXPECT_EQ(state.bad, 1);
}

TEST(Survive, ObjectsOfTheUserContinue) {
  struct MovingAverage : train::Callback {
    MovingAverage(SmallRun& r, optim::Ema& e) : run(r), ema(e) {}
    void on_step(Trainer& /*trainer*/, std::int64_t /*step*/, const Tensor& /*loss*/) override {
      ema.update(run.model);
    }
    SmallRun& run;
    optim::Ema& ema;
  };
  const auto fit = [](const fs::path& out, std::int64_t stop_at) {
    SmallRun run({.epochs = 2, .out = out}, {.device = cpu()});
    optim::Ema ema(run.model, 0.9);
    run.trainer.state("\u00e9ma", ema);
    run.trainer.callback(std::make_shared<MovingAverage>(run, ema));
    run.on_step = [stop_at](Trainer& t, std::int64_t step) {
      if (step == stop_at) t.stop();
    };
    EXPECT_EQ(run.fit().step, stop_at > 0 ? stop_at : 12);
    return std::pair(hashes_of(ema), run.losses);
  };
  const RunFolder folder;
  const auto whole = fit({}, 0);
  auto [half, losses] = fit(folder.path(), 7);
  EXPECT_TRUE(fs::exists(folder.path() / "checkpoints" / "step-000007" / "\u00e9ma.safetensors"));
  const auto rest = fit(folder.path(), 0);
  EXPECT_EQ(rest.first, whole.first);
  add(losses, rest.second);
  expect_equal(losses, whole.second);
}

TEST(Survive, ACheckpointThatIsBrokenChangesNothing) {
  const RunFolder folder;
  {
    SmallRun run({.epochs = 2, .steps = 5, .out = folder.path()}, {.device = cpu()});
    run.fit();
  }
  const fs::path checkpoint = folder.path() / "checkpoints" / "step-000005";
  const std::string run_text = text_of(checkpoint / "run.json");
  const std::string weights = text_of(checkpoint / "model.safetensors");
  const auto refused = [&](ErrorKind kind, const std::string& word) {
    SmallRun run({.epochs = 2, .out = folder.path()}, {.device = cpu()});
    const auto before = std::pair(hashes_of(run.model), hashes_of(run.optimizer));
    const auto at = run.training.state();
    const auto draws = random::state();
    const Error e = error_of([&] { run.fit(); });
    EXPECT_EQ(e.kind(), kind) << e.what();
    EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what();
    EXPECT_EQ(std::pair(hashes_of(run.model), hashes_of(run.optimizer)), before);
    EXPECT_EQ(run.training.state(), at);
    EXPECT_EQ(random::state(), draws);
    EXPECT_EQ(run.trainer.step(), 0);
  };
  write_text(checkpoint / "model.safetensors", weights.substr(0, weights.size() - 4));
  refused(ErrorKind::kParse, "model.safetensors");
  write_text(checkpoint / "model.safetensors", weights);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = run_text;
    const std::size_t found = text.find(from);
    EXPECT_NE(found, std::string::npos) << from;
    if (found != std::string::npos) write_text(checkpoint / "run.json", text.replace(found, from.size(), to));
  };
  with("\\\"batch\\\":5", "\\\"batch\\\":-5");
  refused(ErrorKind::kParse, "loader");
  with("\\\"batch\\\":5", "\\\"batch\\\":500");
  refused(ErrorKind::kValue, "500");
  with("\\\"position\\\"", "\\\"other\\\"");
  refused(ErrorKind::kParse, "random");
  with("\"random\": ", "\"other\": ");
  refused(ErrorKind::kParse, "random");
  with("\\\"waited\\\":0", "\\\"waited\\\":[]");
  refused(ErrorKind::kParse, "trainer");
  write_text(checkpoint / "run.json", run_text);
  SmallRun run({.epochs = 2, .out = folder.path()}, {.device = cpu()});
  EXPECT_EQ(run.fit().step, 12);
}

// ---- Killed ----

constexpr std::int64_t kChildEpochs = 6;

TrainerOptions child_options(const fs::path& folder) {
  return {.epochs = kChildEpochs, .out = folder, .checkpoint_every = 2, .log_every = 1, .snapshot_every = 3};
}

/// A run in a process of its own, which the tests start: it appends the losses to a file.
TEST(DISABLED_Child, Runs) {
  const char* folder = std::getenv("TESSERA_TRAINER_FOLDER");
  if (folder == nullptr) GTEST_SKIP() << "the tests start it";
  SmallRun run(child_options(folder), {.device = cpu()});
  std::ofstream losses(fs::path(folder) / "losses", std::ios::app);
  run.on_step = [&](Trainer& /*trainer*/, std::int64_t step) {
    losses << fmt::format("{} {}\n", step, std::bit_cast<std::uint32_t>(*run.losses.at(step).begin())) << std::flush;
  };
  const Result result = run.fit();
  write_text(fs::path(folder) / "ending", std::to_string(static_cast<int>(result.ending)));
}

pid_t start_child(const fs::path& folder) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::setenv("TESSERA_TRAINER_FOLDER", folder.c_str(), 1);
  const int null = ::open("/dev/null", O_WRONLY);
  ::dup2(null, STDOUT_FILENO);
  ::execl("/proc/self/exe", "test_trainer", "--gtest_filter=DISABLED_Child.Runs", "--gtest_also_run_disabled_tests",
          static_cast<char*>(nullptr));
  ::_exit(127);
}

/// Its exit code, or minus the signal that ended it.
int wait_for(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

Losses child_losses(const fs::path& folder) {
  Losses losses;
  std::ifstream in(folder / "losses");
  std::uint32_t bits = 0;
  for (std::int64_t step = 0; in >> step >> bits;) losses[step].insert(std::bit_cast<float>(bits));
  return losses;
}

Losses uninterrupted() {
  SmallRun run({.epochs = kChildEpochs}, {.device = cpu()});
  run.fit();
  return run.losses;
}

TEST(Survive, KilledAtRandomMoments) {
  const Watchdog watchdog(std::chrono::seconds(600));
  const Losses expected = uninterrupted();
  const RunFolder alone;
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(wait_for(start_child(alone.path())), 0);
  const auto whole = std::chrono::steady_clock::now() - begin;
  expect_equal(child_losses(alone.path()), expected);

  std::mt19937 random(std::random_device{}());
  const int kills = full() ? 20 : 4;
  int killed = 0;
  for (int run = 0; killed < kills; ++run) {
    ASSERT_LT(run, 10 * kills);
    const RunFolder folder;
    int code = -1;
    for (int part = 0; code != 0; ++part) {
      ASSERT_LT(part, 50);
      const pid_t child = start_child(folder.path());
      if (part < 2) {
        std::this_thread::sleep_for(whole * std::uniform_real_distribution<>(0.05, 0.95)(random));
        ::kill(child, SIGKILL);
      }
      code = wait_for(child);
      killed += code == -SIGKILL ? 1 : 0;
      ASSERT_TRUE(code == 0 || code == -SIGKILL) << code;
    }
    expect_equal(child_losses(folder.path()), expected);
    std::set<std::int64_t> logged;
    for (const train::LogLine& line : train::read_log(folder.path())) {
      if (line.kind != "train") continue;
      EXPECT_TRUE(logged.insert(line.step).second) << line.step;
    }
    EXPECT_EQ(logged.size(), expected.size()) << "each step has its line, once";
  }
}

TEST(Survive, AnInterruptSavesAndLeaves) {
  const Watchdog watchdog;
  const Losses expected = uninterrupted();
  const RunFolder folder;
  const pid_t child = start_child(folder.path());
  while (child_losses(folder.path()).size() < 5) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  ::kill(child, SIGINT);
  ASSERT_EQ(wait_for(child), 0);
  EXPECT_EQ(text_of(folder.path() / "ending"), std::to_string(static_cast<int>(Ending::kInterrupted)));
  const std::int64_t last = child_losses(folder.path()).rbegin()->first;
  EXPECT_EQ(train::Checkpoints(folder.path() / "checkpoints").latest(), last);
  ASSERT_EQ(wait_for(start_child(folder.path())), 0);
  expect_equal(child_losses(folder.path()), expected);
}

TEST(Survive, ASecondInterruptActsAsWithoutUs) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the thread sanitizer defers signals";
#endif
  const pid_t child = ::fork();
  if (child == 0) {
    {
      const os::InterruptScope outer;
      {
        const os::InterruptScope inner;
        if (os::InterruptScope::interrupted()) ::_exit(10);
        ::raise(SIGINT);
      }
      if (!os::InterruptScope::interrupted()) ::_exit(11);
    }
    {
      const os::InterruptScope later;
      if (os::InterruptScope::interrupted()) ::_exit(12);
      ::raise(SIGINT);
      ::raise(SIGINT);
      ::_exit(13);
    }
  }
  EXPECT_EQ(wait_for(child), -SIGINT);
  const pid_t without = ::fork();
  if (without == 0) {
    {
      const os::InterruptScope scope;
    }
    ::raise(SIGINT);
    ::_exit(14);
  }
  EXPECT_EQ(wait_for(without), -SIGINT);
}

// ---- Without a device ----

void lose(const Device& device) { dynamic_cast<runtime::WebGpuDevice&>(*device.impl()).destroy(); }

class Losing : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      device_ = Device::create({.device = "webgpu:llvmpipe"});
    } catch (const Error& e) {
      GTEST_SKIP() << e.what();
    }
  }
  void TearDown() override { cpu().set_current(); }
  Losses expected(TrainerOptions options) {
    SmallRun run(std::move(options), {.device = device_});
    run.fit();
    validations_ = run.validations;
    return run.losses;
  }
  Device device_;
  Losses validations_;
  Watchdog watchdog_{std::chrono::seconds(600)};
};

TEST_F(Losing, TheDeviceAtRandomSteps) {
  const TrainerOptions options{.epochs = 4, .snapshot_every = 5};
  const Losses losses = expected(options);
  std::mt19937 random(std::random_device{}());
  for (int round = 0; round < (full() ? 6 : 1); ++round) {
    SmallRun run(options, {.device = device_});
    std::set<std::int64_t> at;
    while (at.size() < 3) at.insert(1 + static_cast<std::int64_t>(random() % 24));
    run.on_step = [&](Trainer& /*trainer*/, std::int64_t step) {
      if (at.erase(step) > 0) lose(device_);
    };
    const Result result = run.fit();
    EXPECT_EQ(result.losses_of_device, 3);
    EXPECT_EQ(result.step, 24);
    expect_equal(run.losses, losses);
    expect_equal(run.validations, validations_);
  }
}

// Nothing is read back in this run, so that steps and checkpoints are on their way when the device goes.
TEST_F(Losing, TheDeviceAtAnyMoment) {
  TrainerOptions options{.epochs = 6, .accumulate = 2, .snapshot_every = 4};
  SmallRun whole(options, {.device = device_});
  const Result expected = whole.fit();
  const std::vector<std::size_t> parameters = hashes_of(whole.model);
  const RunFolder folder;
  options.out = folder.path();
  options.checkpoint_every = 3;
  SmallRun run(options, {.device = device_});
  run.reads = false;
  std::atomic<bool> over = false;
  std::jthread other([&] {
    std::mt19937 random(std::random_device{}());
    for (int i = 0; i < (full() ? 10 : 2) && !over; ++i) {
      const std::int64_t from = run.trainer.step();
      while (run.trainer.step() <= from && !over) std::this_thread::yield();
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 20000));
      if (!over) lose(device_);
    }
  });
  Result result;
  try {
    result = run.fit();
  } catch (const std::exception& e) {
    ADD_FAILURE() << e.what();
  }
  over = true;
  other.join();
  if (!device_.is_available()) device_.restore();
  EXPECT_EQ(result.step, expected.step);
  EXPECT_EQ(result.train, expected.train);
  EXPECT_EQ(result.validation, expected.validation);
  expect_equal(run.validations, whole.validations);
  const Device host = cpu();
  train::Checkpoints checkpoints(folder.path() / "checkpoints");
  ASSERT_EQ(checkpoints.latest(), expected.step);
  SmallRun loaded({}, {.device = host});
  checkpoints.load(expected.step, {{"model", &loaded.model}});
  EXPECT_EQ(hashes_of(loaded.model), parameters);
}

TEST_F(Losing, ContinuesFromTheCheckpointWithoutSnapshots) {
  const TrainerOptions options{.epochs = 2, .snapshot_every = 0};
  const Losses losses = expected(options);
  const RunFolder folder;
  TrainerOptions saving = options;
  saving.out = folder.path();
  SmallRun run(saving, {.device = device_});
  bool lost = false;
  run.on_step = [&](Trainer& /*trainer*/, std::int64_t step) {
    if (step == 9 && !std::exchange(lost, true)) lose(device_);
  };
  const Result result = run.fit();
  EXPECT_EQ(result.losses_of_device, 1);
  expect_equal(run.losses, losses);
  bool noted = false;
  for (const train::LogLine& line : train::read_log(folder.path())) {
    noted = noted || line.text.find("the run continues after step 6") != std::string::npos;
  }
  EXPECT_TRUE(noted);

  SmallRun without(options, {.device = device_});
  without.on_step = [&](Trainer& /*trainer*/, std::int64_t step) {
    if (step == 3) lose(device_);
  };
  const Error e = error_of([&] { without.fit(); });
  EXPECT_EQ(e.kind(), ErrorKind::kDeviceLost);
  EXPECT_NE(std::string(e.what()).find("snapshot_every is 0"), std::string::npos) << e.what();
  device_.restore();
}

TEST_F(Losing, AStepThatAlwaysLosesTheDeviceEndsTheRun) {
  SmallRun run({.epochs = 2, .snapshot_every = 2}, {.device = device_});
  int times = 0;
  run.on_step = [&](Trainer& /*trainer*/, std::int64_t step) {
    if (step != 5) return;
    ++times;
    lose(device_);
  };
  EXPECT_EQ(error_of([&] { run.fit(); }).kind(), ErrorKind::kDeviceLost);
  EXPECT_GE(times, 4);
  EXPECT_LE(times, 5) << "the first time its loss was not read";
  device_.restore();
}

}  // namespace
}  // namespace tessera::test
