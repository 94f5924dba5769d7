// Trainer: the loop around a step, with validation, metrics, logs, checkpoints and recovery.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/data/loader.h"
#include "tessera/distributed.h"
#include "tessera/dtype.h"
#include "tessera/export.h"
#include "tessera/nn/module.h"
#include "tessera/optim/optimizer.h"
#include "tessera/optim/shards.h"
#include "tessera/train/log.h"
#include "tessera/train/metric.h"

namespace TESSERA_API tessera {
namespace train {

class Trainer;

/// The loss of a batch, a float of rank 0. It may update metrics and other objects that were given to state(). Called
/// once per trace: in training mode inside a compiled step, and in evaluation mode for validation.
using LossFunction = std::function<Tensor(const Tree& batch)>;

struct TrainerOptions {
  std::int64_t epochs = 1;
  std::int64_t steps = 0;              // updates at most; 0: all of the epochs
  std::int64_t accumulate = 1;         // batches of one update
  double clip_norm = 0;                // the largest norm of the gradients; 0: any
  std::optional<DType> autocast = {};  // f16, with loss scaling, or bf16; none: in the dtypes of the parameters
  std::filesystem::path out = {};      // the folder of the run: checkpoints, logs; empty: nothing is written
  bool resume = true;                  // continue from the latest checkpoint of `out`
  std::int64_t checkpoint_every = 0;   // updates; 0: at the end of each epoch
  int keep_last = 3;
  std::string monitor = "loss";       // the validation value that decides which checkpoint is the best
  bool maximize = false;              // the best is the largest
  std::int64_t patience = 0;          // epochs without a better value before the run ends (early stopping); 0: no limit
  std::int64_t validate_every = 0;    // updates; 0: at the end of each epoch
  std::int64_t log_every = 0;         // updates between lines of the log; 0: as often as progress is shown
  std::int64_t snapshot_every = 100;  // updates between host copies of the state, for device loss; 0: checkpoints only
  bool progress = true;
  std::function<void(std::string_view)> print = {};  // takes the text of the progress instead of standard output
  int terminal = -1;                                 // whether progress rewrites its line: ProgressOptions::terminal
  bool stop_on_interrupt = true;                     // Ctrl-C, SIGTERM: finish the step, save, leave
  std::string unit = "samples";                      // of the speed; "tokens" counts the elements of the first field
  distributed::Group group = {};                     // the ranks that train together, by default all of the job
  distributed::GradientOptions exchange = {};        // how they average gradients
  optim::Shards* shards = nullptr;                   // of the model, for an optimizer that was made for its parameters
};

/// What happens in a run, in order. Callbacks may use the whole API, and trainer.stop(). What they throw ends fit(),
/// which saves nothing then. After a device was lost, updates since the last snapshot are made again, with their
/// callbacks.
struct Callback {
  Callback() = default;
  Callback(const Callback&) = default;
  Callback& operator=(const Callback&) = default;
  virtual ~Callback() = default;
  virtual void on_start(Trainer& /*trainer*/) {}
  /// After each update; `loss` is not read back yet.
  virtual void on_step(Trainer& /*trainer*/, std::int64_t /*step*/, const Tensor& /*loss*/) {}
  /// Metrics have the sums of the validation.
  virtual void on_validation(Trainer& /*trainer*/, std::int64_t /*step*/, const Values& /*values*/) {}
  /// After the epoch's validation. Metrics have the sums of its training; epochs count from 0.
  virtual void on_epoch(Trainer& /*trainer*/, std::int64_t /*epoch*/, const Values& /*values*/) {}
  /// A checkpoint is on the disk.
  virtual void on_checkpoint(Trainer& /*trainer*/, std::int64_t /*step*/) {}
  virtual void on_end(Trainer& /*trainer*/) {}
  /// What the callback remembers, saved with each checkpoint and snapshot, and how it is set when a run continues.
  [[nodiscard]] virtual std::string state() const { return {}; }
  virtual void set_state(const std::string& /*text*/) {}
};

enum class Ending : std::uint8_t { kDone, kStopped, kEarly, kInterrupted };
struct Result {
  std::int64_t step = 0;
  Ending ending = Ending::kDone;
  Values train, validation;         // of the last epoch
  std::optional<double> best = {};  // the best value of `monitor`
  int losses_of_device = 0;         // how often the device was lost and restored
};

/// Trains a model by an optimizer:
///
///   train::Accuracy accuracy;
///   train::Trainer trainer(model, optimizer, [&](const Tree& batch) {
///     const Tensor logits = model(batch["image"]);
///     accuracy.update(logits, batch["label"]);
///     return cross_entropy(logits, batch["label"]);
///   }, {.epochs = 3, .out = "runs/digits"});
///   trainer.metric("accuracy", accuracy);
///   trainer.fit(train_loader, &validation_loader);
///
/// The objects are referred to and must exist as long as the trainer.
///
/// In a job of several ranks (tessera/distributed.h) they train one model together: all of them make the same calls,
/// with loaders that share each batch (LoaderOptions::group). The first rank's parameters, state and checkpoint are
/// everyone's at the beginning of fit(); gradients and losses are means over the ranks, fields of metrics their sums.
/// The first rank shows, logs and saves; `out` of the others is not used. Draws differ from rank to rank. A device loss
/// ends the run.
class Trainer {
 public:
  Trainer(nn::Module& model, optim::Optimizer& optimizer, LossFunction loss, TrainerOptions options = {});
  ~Trainer();
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  /// A metric that the loss function updates: reset before each epoch and each validation.
  void metric(std::string name, Metric& metric);
  /// An object that the loss function or a callback changes (an Ema, a second optimizer): part of the compiled step and
  /// of checkpoints.
  void state(std::string name, nn::Stateful& object);
  void callback(std::shared_ptr<Callback> callback);
  /// Steps with the value of `monitor` at the end of each epoch; its state is saved.
  void plateau(optim::ReduceOnPlateau& plateau);

  /// Trains until the epochs or the steps are done, or something else ends the run. The model is set to training mode
  /// if it is in evaluation mode. With `out` the run continues from its latest checkpoint; without, after an end by
  /// stop() or an interrupt, where it ended. Error of kind value, with the step, for a loss that is not finite.
  Result fit(data::DataLoader& train, data::DataLoader* validation = nullptr);
  /// Loss and metrics over a loader from its first batch on, in evaluation mode. Afterwards the metrics have these
  /// sums, unless fit() is running.
  Values evaluate(data::DataLoader& loader);
  /// Ends fit() after this update, a later fit() after at most one; the state is saved. From any thread.
  void stop();

  [[nodiscard]] std::int64_t step() const;
  [[nodiscard]] const TrainerOptions& options() const;
  /// Loads the best or the latest checkpoint of `out` into the model, the optimizer and the objects of state(); false
  /// if there is none. Not during fit().
  bool load_best();
  bool load_latest();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace train
}  // namespace tessera
