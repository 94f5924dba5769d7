// The parts of a Trainer: its objects and compiled steps, where the run is, what it writes, and how it recovers.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tessera/async.h"
#include "tessera/nn/transforms.h"
#include "tessera/optim/scaler.h"
#include "tessera/random.h"
#include "tessera/train/checkpoint.h"
#include "tessera/train/progress.h"
#include "tessera/train/trainer.h"
#include "train/host_copy.h"
#include "train/ranks.h"

namespace tessera::train {

/// The mean loss and the metrics as one object.
struct Metrics : nn::Stateful {
  explicit Metrics(const Device& device) : loss(device) {}
  void fields(nn::Fields& f) override;
  void reset();
  /// The loss, and the metrics whose value is one number. Waits.
  [[nodiscard]] Values values() const;

  Mean loss;
  std::vector<std::pair<std::string, Metric*>> others = {};
};

/// Where a run is, besides tensors.
using RunValues = std::map<std::string, std::string>;
struct RunPosition {
  std::int64_t step = 0;
  std::int64_t epoch = 0;   // complete ones
  bool epoch_over = false;  // the loader is at its end, and the end of the epoch is not done yet
  std::optional<double> best = {};
  std::int64_t waited = 0;      // epochs without a better value
  bool better = false;          // a value of this epoch was the best
  std::int64_t judged = -1;     // the latest epoch that had a value of `monitor`
  bool validation_due = false;  // of this step: the run ended before it was done
  std::int64_t validated = -1;  // the step of the latest validation
  Values train = {}, validation = {};
  [[nodiscard]] std::string text() const;
  /// The value "trainer". Error of kind parse.
  static RunPosition of(const RunValues& values);
};

/// A run at a moment, in host memory.
struct Snapshot {
  std::int64_t step = 0;
  RunValues values;
  std::shared_ptr<HostCopy> tensors;
  Async<std::vector<std::vector<std::byte>>> finite;  // whether all parameters are
};

/// Objects have their tensors of before at its end.
class Aside {
 public:
  explicit Aside(const std::vector<nn::Stateful*>& objects);
  ~Aside();
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;

 private:
  std::vector<std::pair<Tensor*, Tensor>> kept_;
};

/// The state of an optimizer of shards as checkpoints have it: for all ranks together.
class WholeState : public nn::Stateful {
 public:
  WholeState(optim::Shards& shards, optim::Optimizer& optimizer) : shards_(shards), optimizer_(optimizer) {}
  /// What the ranks have, or room for what is loaded; nothing while it is not used.
  void gather() { whole_ = shards_.whole_state(optimizer_); }
  void make_room() { whole_ = shards_.blank_state(optimizer_); }
  /// This rank's part of it, with the parameters of the model.
  void scatter(const nn::Module& model) {
    shards_.reset(model.parameters());
    shards_.set_whole_state(optimizer_, whole_);
  }
  void clear() { whole_ = {}; }
  void fields(nn::Fields& f) override;

 private:
  optim::Shards& shards_;
  optim::Optimizer& optimizer_;
  Tree whole_;
};

/// Whether a value is better than the best one.
bool is_better(double value, const std::optional<double>& best, bool maximize);

struct Trainer::State {
  State(Trainer& trainer, nn::Module& m, optim::Optimizer& o, LossFunction l, TrainerOptions given);
  [[nodiscard]] Device model_device() const;
  void check_idle(const char* what) const;
  bool load(const char* what, bool best);

  Trainer& self;
  nn::Module& model;
  optim::Optimizer& optimizer;
  LossFunction loss_function;
  TrainerOptions options;
  Ranks ranks;
  Metrics metrics;
  std::optional<optim::LossScaler> scaler;
  std::optional<WholeState> whole;                            // of an optimizer of shards
  std::vector<std::pair<std::string, nn::Stateful*>> others;  // of Trainer::state()
  std::vector<std::shared_ptr<Callback>> callbacks;
  optim::ReduceOnPlateau* plateau = nullptr;

  std::atomic<bool> running = false;
  std::atomic<bool> stopping = false;
  std::atomic<std::int64_t> step = 0;  // as run.step, for other threads

  // ---- Steps (trainer_steps.cpp) ----
  using StepFunction = std::function<Tensor(const Tree&)>;
  using UpdateFunction = std::function<Tensor(const Tensor& loss)>;
  std::optional<optim::Accumulator> accumulator;
  std::optional<nn::CompiledStepOf<StepFunction>> batch_step;     // and the update, unless gradients are accumulated
  std::optional<nn::CompiledStepOf<UpdateFunction>> update_step;  // of accumulated gradients
  std::optional<nn::CompiledStepOf<StepFunction>> validation_step;
  void make_steps();
  void forget_steps();
  Tensor train_batch(const Tree& batch);
  /// Updates the model; returns the mean of the loss over the ranks.
  Tensor apply(Tree gradients, const Tensor& loss);
  [[nodiscard]] Tensor loss_of(const Tree& batch) const;
  struct Update {
    Tensor loss = {};
    std::vector<Tree> batches = {};
  };
  /// The next one, made; none at the end of the epoch.
  std::optional<Update> update();
  /// Loss and metrics over a loader, of all ranks; none if `until` says so before its end.
  std::optional<Values> measure(data::DataLoader& from, const std::function<bool()>& until);

  // ---- The loop (trainer_fit.cpp) ----
  data::DataLoader* loader = nullptr;
  data::DataLoader* validation = nullptr;
  RunPosition run;
  std::optional<Ending> ending;
  double done = 0;                // units in this process
  std::int64_t epoch_begin = -1;  // the step at which this epoch began, if it began in this fit()
  bool changed = false;           // since the last checkpoint
  bool fresh = true;              // the next fit() begins a new run
  Result fit(data::DataLoader& train, data::DataLoader* valid);
  Result run_to_end();
  void begin();
  /// Error of kind value, on all ranks, if they were given different runs.
  void check_alike() const;
  void check_part(const data::DataLoader& given) const;
  void loop();
  void after_update(const Update& update);
  void end_epoch();
  /// Whether it was done; not if the run is to end first.
  bool validate();
  /// Objects that a validation may change by the loss function, besides metrics.
  [[nodiscard]] std::vector<nn::Stateful*> changed_by_loss();
  /// Of the metrics so far, over all ranks.
  [[nodiscard]] Values values_so_far();
  Values evaluate(data::DataLoader& from);
  void monitored(const Values& values);
  /// Sets `ending` if the run is to end: by its limits, or by a wish.
  void check_limits();
  void check_wishes();
  [[nodiscard]] bool interrupted() const;
  /// What any rank wishes, or has found, is known to all: after each update, in the order of updates.
  struct Wishes {
    bool interrupted = false;
    bool stopping = false;
  };
  Wishes agree();
  void call(const std::function<void(Callback&)>& f);

  // ---- What is shown and written (trainer_output.cpp) ----
  struct Reading {  // of a loss that is on its way
    std::int64_t step = 0;
    double done = 0;
    bool shown = false;
    bool logged = false;
    Async<std::vector<std::vector<std::byte>>> numbers = {};  // loss and rate, f32
  };
  std::optional<Progress> progress;
  std::int64_t planned = 0;  // updates of the whole run, where there is progress
  std::optional<RunLog> log;
  bool saves = false;  // this rank, or the first one
  std::optional<Checkpoints> checkpoints;
  std::vector<Reading> readings;
  std::optional<double> save_metric;  // the monitored value of this very step
  bool save_better = false;           // it is the best
  std::int64_t saving_step = -1;      // on_checkpoint was not called for it yet
  std::exception_ptr save_failed;     // of the last save
  int not_finite = 0;                 // losses in a row
  std::chrono::steady_clock::time_point started;
  double logged_done = 0, logged_seconds = 0;
  void open_output();
  void close_output() noexcept;
  void read_loss(const Update& update, bool now);
  void take_reading(Reading reading);
  /// Takes the readings that are there, or all.
  void take_readings(bool all);
  void take_next_reading();
  void write_log(std::int64_t at, std::string_view kind, const Values& values);
  /// A line that stays. Without progress it is a warning, or less.
  void note(const std::string& text, bool warns = true);
  void on_log(const std::function<void(RunLog&)>& f);
  /// Leaves the lines in the log that belong to the state of the run.
  void continue_log();
  void save();
  void check_saved(bool wait);
  [[nodiscard]] Saved saved(bool with_metrics);
  /// What a checkpoint has besides tensors.
  [[nodiscard]] RunValues values() const;
  /// Calls `load` for the tensors, after all checks; if it throws, nothing is changed.
  void set_values(const RunValues& given, const std::function<void()>& load);
  void resume();
  /// Whether there was a checkpoint.
  bool load_latest();
  /// Gives the other ranks the state of the first one.
  void share_state(bool loaded);
  void load_checkpoint(std::int64_t at);

  // ---- Recovery (trainer_recovery.cpp) ----
  std::optional<Snapshot> snapshot, next_snapshot;  // the latest, and one on its way
  std::int64_t proven = 0;                          // the latest step whose loss or state was read
  std::int64_t proven_before = -1;                  // at the last device loss
  std::int64_t careful_until = 0;                   // losses of the steps up to it are read at once
  int lost_in_a_row = 0;
  int lost = 0;
  bool hopeless = false;  // the Error of a lost device ends the run
  void take_snapshot(bool wait);
  void look_at_snapshot(bool wait);
  void recover(const Error& loss);
  void go_back();
  void restore_snapshot();
  /// Of an optimizer of shards: room for what is loaded, and what becomes of it.
  void make_room();
  void take_whole();
  void save_after_loss_of_peer() noexcept;
  /// Fails now, or with the other ranks at the next agree().
  void found_not_finite(std::int64_t at, const std::string& what);
  [[noreturn]] void fail_not_finite(std::int64_t at, const std::string& what);
  std::optional<std::pair<std::int64_t, std::string>> found;  // what this rank found
  bool together = false;                                      // all ranks throw
  [[nodiscard]] std::string find_anomaly(std::int64_t at);
  [[nodiscard]] Tensor finite_parameters() const;
};

}  // namespace tessera::train
