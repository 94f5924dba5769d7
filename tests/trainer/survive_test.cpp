// Runs that survive: stopped, interrupted, killed and without their device, they have the losses of a run that was not.
#include <atomic>
#include <bit>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <optional>
#include <span>
#include <thread>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/os/interrupt.h"
#include "base/os/system.h"
#include "runtime/webgpu/webgpu_device.h"
#include "support/devices.h"
#include "support/errors.h"
#include "support/watchdog.h"
#include "trainer/hostile.h"
#include "trainer/small_run.h"
#include "trainer/syncs.h"

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

/// The values of each line of a log, besides notes and speeds.
using Lines = std::map<std::pair<std::int64_t, std::string>, std::vector<train::Values>>;
Lines lines_of(const fs::path& folder) {
  Lines lines;
  for (const train::LogLine& line : train::read_log(folder)) {
    if (line.kind == "note") continue;
    train::Values values = line.values;
    std::erase_if(values, [](const auto& v) { return v.first.ends_with("_per_second"); });
    lines[{line.step, line.kind}].push_back(std::move(values));
  }
  return lines;
}

/// Each line of the other run is there once, with its values, and no other one.
void expect_equal_lines(const fs::path& folder, const Lines& expected) {
  const Lines lines = lines_of(folder);
  for (const auto& [name, values] : lines) {
    EXPECT_EQ(values.size(), 1U) << "step " << name.first << " has its line " << name.second << " several times";
    EXPECT_TRUE(expected.contains(name)) << name.first << " " << name.second;
  }
  for (const auto& [name, values] : expected) {
    ASSERT_TRUE(lines.contains(name)) << "step " << name.first << " has no line " << name.second;
    EXPECT_EQ(lines.at(name).front(), values.front()) << name.first << " " << name.second;
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
  refused(ErrorKind::kParse, "has '500' for \"batch\"; an integer from 0 to 6 is expected");
  with("\\\"step\\\":5", "\\\"step\\\":4");
  refused(ErrorKind::kParse, "has '4' for \"step\"; 5, the step of its run.json, is expected");
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

TEST(Survive, EveryValueOfACheckpointIsChecked) {
  const RunFolder folder;
  const auto make = [&](optim::ReduceOnPlateau& plateau) {
    auto run = std::make_unique<SmallRun>(TrainerOptions{.epochs = 2, .steps = 8, .out = folder.path()},
                                          SmallRun::Setup{.device = cpu()});
    run->trainer.plateau(plateau);
    return run;
  };
  {
    optim::ReduceOnPlateau plateau;
    make(plateau)->fit();
  }
  const fs::path file = folder.path() / "checkpoints" / "step-000008" / "run.json";
  const TestJson whole = TestJson::parse(text_of(file));
  const auto accepts = [](const std::string& member, const TestJson& value) {
    if (value.is_boolean()) return member == "epoch_over" || member == "better" || member == "validation_due";
    if (value == TestJson::array()) return member == "train" || member == "validation";
    if (member == "seed" || member == "position") return value.is_number_unsigned() || value == INT64_MAX;
    if (member == "validated" || member == "judged") return value == -1;
    return false;
  };
  std::set<std::string> members;
  for (const char* name : {"trainer", "loader", "random", "plateau"}) {
    const TestJson value = TestJson::parse(whole.at("values").at(name).get<std::string>());
    for (const auto& [member, good] : value.items()) {
      members.insert(member);
      for (const TestJson& hostile : hostile_values()) {
        if (accepts(member, hostile)) continue;
        SCOPED_TRACE(fmt::format("{}.{} = {}", name, member, hostile.dump().substr(0, 100)));
        TestJson changed = value;
        changed[member] = hostile;
        TestJson all = whole;
        all["values"][name] = changed.dump();
        write_text(file, all.dump());
        optim::ReduceOnPlateau plateau;
        const auto run = make(plateau);
        const auto before = std::pair(hashes_of(run->model), hashes_of(run->optimizer));
        const auto draws = random::state();
        const Error e = error_of([&] { run->fit(); });
        EXPECT_EQ(e.kind(), ErrorKind::kParse) << e.what();
        const std::string text = e.what();
        EXPECT_NE(text.find(fmt::format("'{}' has ", name)), std::string::npos) << text;
        EXPECT_TRUE(text.find(" expected") != std::string::npos || text.find("nested deeper") != std::string::npos)
            << text;
        EXPECT_EQ(std::pair(hashes_of(run->model), hashes_of(run->optimizer)), before);
        EXPECT_EQ(run->training.state(), data::LoaderState());
        EXPECT_EQ(random::state(), draws);
      }
      TestJson without = value;
      without.erase(member);
      TestJson all = whole;
      all["values"][name] = without.dump();
      write_text(file, all.dump());
      optim::ReduceOnPlateau plateau;
      if (member == "best" && std::string(name) == "trainer") continue;  // a run without one
      const Error e = error_of([&] { make(plateau)->fit(); });
      EXPECT_EQ(e.kind(), ErrorKind::kParse) << member << e.what();
      EXPECT_NE(std::string(e.what()).find(fmt::format("has no \"{}\"", member)), std::string::npos) << e.what();
    }
  }
  for (const char* member :
       {"step", "epoch", "waited", "best", "train", "batch", "skipped", "seed", "bad", "cooling"}) {
    EXPECT_TRUE(members.contains(member)) << member;
  }
  write_text(file, whole.dump());
  optim::ReduceOnPlateau plateau;
  EXPECT_EQ(make(plateau)->fit().step, 8);
}

// The checkpoint of the last update of an epoch is written before the end of that epoch, which the run that continues
// makes again: so are its lines.
TEST(Survive, TheLogHasEachLineOnce) {
  for (const std::int64_t validate_every : {0, 4}) {
    const RunFolder whole;
    TrainerOptions options{
        .epochs = 3, .out = whole.path(), .checkpoint_every = 2, .validate_every = validate_every, .log_every = 1};
    options.maximize = true;  // of the loss: only the first validation is the best
    SmallRun(options, {.device = cpu()}).fit();
    const Lines expected = lines_of(whole.path());
    EXPECT_EQ(expected.size(), 18U + 3U + (validate_every == 0 ? 3U : 5U));
    const std::vector<std::int64_t> moments{12, 6, 13};
    for (const std::int64_t last : std::span(moments).first(validate_every == 0 ? 3 : 1)) {
      const RunFolder folder;
      options.out = folder.path();
      {
        SmallRun run(options, {.device = cpu()});
        run.on_step = [&](Trainer& /*trainer*/, std::int64_t step) {
          if (step == last + 1) throw std::runtime_error("it ends here");
        };
        EXPECT_THROW(run.fit(), std::runtime_error);
      }
      EXPECT_EQ(train::Checkpoints(folder.path() / "checkpoints").latest(), last / 2 * 2);
      EXPECT_TRUE(lines_of(folder.path()).contains({last / 6 * 6, "epoch"}));
      EXPECT_EQ(SmallRun(options, {.device = cpu()}).fit().step, 18);
      expect_equal_lines(folder.path(), expected);
    }
  }
}

TEST(Survive, ADamagedLogDoesNotBlockARun) {
  TrainerOptions options{.epochs = 2, .log_every = 1};
  const RunFolder whole;
  options.out = whole.path();
  SmallRun(options, {.device = cpu()}).fit();
  const RunFolder folder;
  options.out = folder.path();
  {
    SmallRun run(options, {.device = cpu()});
    run.on_step = [](Trainer& t, std::int64_t step) {
      if (step == 8) t.stop();
    };
    run.fit();
  }
  const fs::path log = folder.path() / "log.jsonl";
  std::string text = text_of(log);
  const std::size_t middle = text.find('\n', text.size() / 2) + 1;
  text.insert(middle, "{\"step\": 3, \"kind\": \"x\", \"a\": " + std::string(1000000, '[') + "\n\xff{{{\n");
  write_text(log, text);
  EXPECT_EQ(error_of([&] { train::read_log(folder.path()); }).kind(), ErrorKind::kParse);
  EXPECT_EQ(SmallRun(options, {.device = cpu()}).fit().step, 12);
  expect_equal_lines(folder.path(), lines_of(whole.path()));
  EXPECT_EQ(text_of(folder.path() / "log.jsonl.damaged"), text);
}

/// An adapter on a layer whose weight is quantized.
struct Adapted : nn::Module {
  Adapted() : up(4, 32), base(32, 32), down(32, 3) {
    nn::lora(*this, 2, {"base"});
    base.weight = quantize(base.weight, q8_0);
  }
  void fields(nn::Fields& f) override {
    f("up", up);
    f("base", base);
    f("down", down);
  }
  Tensor forward(const Tensor& x) override { return down(relu(base(relu(up(x))))); }
  nn::Linear up, base, down;
};

TEST(Survive, AnAdapterOnAQuantizedBaseContinues) {
  cpu().set_current();
  const auto fit = [](const fs::path& out, std::uint64_t seed, std::int64_t stop_at, Losses& losses) {
    random::set_seed(seed);
    Adapted model;
    optim::AdamW optimizer(model, {.lr = 0.05});
    data::DataLoader training(points(44, 1), {.batch = 8, .shuffle = true, .seed = 5, .device = cpu()});
    Trainer trainer(
        model, optimizer, [&](const Tree& batch) { return cross_entropy(model(batch["x"]), batch["y"]); },
        SmallRun::quiet({.epochs = 3, .out = out}));
    struct Record : train::Callback {
      Record(Losses& l, std::int64_t s) : losses(l), stop_at(s) {}
      void on_step(Trainer& t, std::int64_t step, const Tensor& loss) override {
        losses[step].insert(loss.item<float>());
        if (step == stop_at) t.stop();
      }
      Losses& losses;
      std::int64_t stop_at;
    };
    trainer.callback(std::make_shared<Record>(losses, stop_at));
    trainer.fit(training);
    EXPECT_EQ(model.base.weight.dtype(), q8_0);
    return to_blocks(model.base.weight);
  };
  Losses whole;
  const auto blocks = fit({}, 1, 0, whole);
  EXPECT_EQ(whole.size(), 18U);
  EXPECT_LT(*whole.at(18).begin(), *whole.at(1).begin()) << "it learns";
  const RunFolder folder;
  Losses losses;
  fit(folder.path(), 1, 8, losses);
  EXPECT_EQ(losses.size(), 8U);
  EXPECT_EQ(fit(folder.path(), 2, 0, losses), blocks) << "of a process with other numbers";
  expect_equal(losses, whole);
}

// ---- Killed ----

constexpr std::int64_t kChildEpochs = 6;

TrainerOptions child_options(const fs::path& folder, std::int64_t epochs = kChildEpochs) {
  return {.epochs = epochs, .out = folder, .checkpoint_every = 2, .log_every = 1, .snapshot_every = 3};
}

/// A run in a process of its own, which the tests start: it appends the losses to a file.
TEST(DISABLED_Child, Runs) {
  const char* folder = std::getenv("TESSERA_TRAINER_FOLDER");
  if (folder == nullptr) GTEST_SKIP() << "the tests start it";
  SmallRun::Setup setup{.device = cpu()};
  const std::string killed = os::environment("TESSERA_TRAINER_KILLED").value_or("");
  std::atomic<int> left = 0;
  std::optional<OnSync> watch;
  if (killed.starts_with("read ")) {  // in so many reads of a sample
    left = std::stoi(killed.substr(5));
    setup.read = [&](data::Sample s) {
      if (--left == 0) ::kill(::getpid(), SIGKILL);
      return s;
    };
  } else if (killed.starts_with(
                 "sync ")) {  // before so many files and folders of the second checkpoint are on the disk
    left = std::stoi(killed.substr(5));
    watch.emplace([&](const fs::path& path) {
      std::error_code error;
      const bool is_second = path.string().find(".step-000004.tmp") != std::string::npos ||
                             (path.filename() == "checkpoints" && fs::exists(path / "step-000004", error));
      if (is_second && --left == 0) ::kill(::getpid(), SIGKILL);
    });
  }
  const std::string epochs = os::environment("TESSERA_TRAINER_EPOCHS").value_or(std::to_string(kChildEpochs));
  SmallRun run(child_options(folder, std::stoi(epochs)), setup);
  std::ofstream losses(fs::path(folder) / "losses", std::ios::app);
  run.on_step = [&](Trainer& /*trainer*/, std::int64_t step) {
    losses << fmt::format("{} {}\n", step, std::bit_cast<std::uint32_t>(*run.losses.at(step).begin())) << std::flush;
  };
  const Result result = run.fit();
  write_text(fs::path(folder) / "ending", std::to_string(static_cast<int>(result.ending)));
}

pid_t start_child(const fs::path& folder, const std::string& killed = "", std::int64_t epochs = kChildEpochs) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::setenv("TESSERA_TRAINER_FOLDER", folder.c_str(), 1);
  ::setenv("TESSERA_TRAINER_KILLED", killed.c_str(), 1);
  ::setenv("TESSERA_TRAINER_EPOCHS", std::to_string(epochs).c_str(), 1);
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

/// The run of a child, without one.
struct Uninterrupted {
  explicit Uninterrupted(std::int64_t epochs = kChildEpochs) {
    const RunFolder folder;
    SmallRun run(child_options(folder.path(), epochs), {.device = cpu()});
    run.fit();
    losses = run.losses;
    lines = lines_of(folder.path());
  }
  Losses losses;
  Lines lines;
};

TEST(Survive, KilledAtRandomMoments) {
  const Watchdog watchdog(std::chrono::seconds(600));
  const Uninterrupted expected;
  EXPECT_EQ(expected.lines.size(), 6U * kChildEpochs + 2U * kChildEpochs);
  const RunFolder alone;
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(wait_for(start_child(alone.path())), 0);
  const auto whole = std::chrono::steady_clock::now() - begin;
  expect_equal(child_losses(alone.path()), expected.losses);
  expect_equal_lines(alone.path(), expected.lines);

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
    expect_equal(child_losses(folder.path()), expected.losses);
    expect_equal_lines(folder.path(), expected.lines);
  }
}

TEST(Survive, KilledInACheckpointAndInARead) {
  const Watchdog watchdog(std::chrono::seconds(300));
  constexpr std::int64_t kEpochs = 2;
  const Uninterrupted expected(kEpochs);
  struct Case {
    std::string killed;
    std::int64_t latest;  // what the process left; -1: the threads' matter
  };
  // The files of a checkpoint are synced: model, optimizer, metrics, run.json; then their folder; then, after the
  // rename, the folder of all checkpoints. Sample 70 is of the second epoch.
  std::vector<Case> cases{{"sync 2", 2}, {"sync 5", 2}, {"sync 6", 4}, {"read 70", -1}};
  if (full()) cases.insert(cases.end(), {{"sync 1", 2}, {"sync 3", 2}, {"sync 4", 2}, {"read 1", -1}, {"read 44", -1}});
  for (const auto& [killed, left] : cases) {
    SCOPED_TRACE(killed);
    const RunFolder folder;
    const fs::path checkpoints = folder.path() / "checkpoints";
    ASSERT_EQ(wait_for(start_child(folder.path(), killed, kEpochs)), -SIGKILL);
    if (left >= 0) {
      EXPECT_EQ(train::Checkpoints(checkpoints).latest(), left);
      EXPECT_EQ(fs::exists(checkpoints / ".step-000004.tmp"), left == 2) << "in the middle of its files";
    }
    ASSERT_EQ(wait_for(start_child(folder.path(), "", kEpochs)), 0);
    expect_equal(child_losses(folder.path()), expected.losses);
    expect_equal_lines(folder.path(), expected.lines);
    for (const std::string& name : listed(checkpoints)) EXPECT_NE(name.front(), '.') << name;
  }
}

TEST(Survive, AnInterruptSavesAndLeaves) {
  const Watchdog watchdog;
  const Uninterrupted expected;
  for (const int signal : {SIGINT, SIGTERM}) {
    const RunFolder folder;
    const pid_t child = start_child(folder.path());
    while (child_losses(folder.path()).size() < 5) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ::kill(child, signal);
    ASSERT_EQ(wait_for(child), 0) << signal;
    EXPECT_EQ(text_of(folder.path() / "ending"), std::to_string(static_cast<int>(Ending::kInterrupted)));
    const std::int64_t last = child_losses(folder.path()).rbegin()->first;
    EXPECT_EQ(train::Checkpoints(folder.path() / "checkpoints").latest(), last);
    ASSERT_EQ(wait_for(start_child(folder.path())), 0);
    expect_equal(child_losses(folder.path()), expected.losses);
    expect_equal_lines(folder.path(), expected.lines);
  }
}

TEST(Survive, ASecondInterruptActsAsWithoutUs) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the thread sanitizer defers signals";
#endif
  for (const int signal : {SIGINT, SIGTERM}) {
    const pid_t child = ::fork();
    if (child == 0) {
      {
        const os::InterruptScope outer;
        {
          const os::InterruptScope inner;
          if (os::InterruptScope::interrupted()) ::_exit(10);
          ::raise(signal);
        }
        if (!os::InterruptScope::interrupted()) ::_exit(11);
      }
      {
        const os::InterruptScope later;
        if (os::InterruptScope::interrupted()) ::_exit(12);
        ::raise(signal);
        ::raise(signal);
        ::_exit(13);
      }
    }
    EXPECT_EQ(wait_for(child), -signal);
    const pid_t without = ::fork();
    if (without == 0) {
      {
        const os::InterruptScope scope;
      }
      ::raise(signal);
      ::_exit(14);
    }
    EXPECT_EQ(wait_for(without), -signal);
  }
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
  TrainerOptions options{.epochs = 4, .log_every = 1, .snapshot_every = 5};
  const RunFolder whole;
  options.out = whole.path();
  const Losses losses = expected(options);
  std::mt19937 random(std::random_device{}());
  for (int round = 0; round < (full() ? 6 : 1); ++round) {
    const RunFolder folder;
    options.out = folder.path();
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
    expect_equal_lines(folder.path(), lines_of(whole.path()));
  }
}

// Nothing is read back in this run, so that steps and checkpoints are on their way when the device goes.
TEST_F(Losing, TheDeviceAtAnyMoment) {
  TrainerOptions options{.epochs = 6, .accumulate = 2, .log_every = 1, .snapshot_every = 4};
  const RunFolder other_folder;
  options.out = other_folder.path();
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
  expect_equal_lines(folder.path(), lines_of(other_folder.path()));
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

// The checkpoint of step 12 is that of the last update of an epoch, before its end, which is made twice.
TEST_F(Losing, TheEndOfAnEpochIsMadeAgain) {
  TrainerOptions options{.epochs = 3, .checkpoint_every = 2, .log_every = 1, .snapshot_every = 0};
  options.maximize = true;  // of the loss: only the first validation is the best
  const RunFolder whole;
  options.out = whole.path();
  const Losses losses = expected(options);
  const RunFolder folder;
  options.out = folder.path();
  SmallRun run(options, {.device = device_});
  bool lost = false;
  run.on_step = [&](Trainer& /*trainer*/, std::int64_t step) {
    if (step == 13 && !std::exchange(lost, true)) lose(device_);
  };
  const Result result = run.fit();
  EXPECT_EQ(result.losses_of_device, 1);
  EXPECT_EQ(result.step, 18);
  expect_equal(run.losses, losses);
  expect_equal(run.validations, validations_);
  expect_equal_lines(folder.path(), lines_of(whole.path()));
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
