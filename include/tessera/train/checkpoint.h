// Checkpoints: the state of a run in a folder, written beside the next steps and never half.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tessera/export.h"
#include "tessera/nn/module.h"

namespace TESSERA_API tessera {
namespace train {

/// Where a run is, beside the tensors of its objects.
struct RunState {
  std::int64_t step = 0;                           // updates so far
  std::map<std::string, std::string> values = {};  // of those who take part: "loader", "random", "plateau", ...
};

/// The objects whose tensors are saved, by name: {{"model", &model}, {"optimizer", &optimizer}}.
using Saved = std::vector<std::pair<std::string, nn::Stateful*>>;

struct CheckpointOptions {
  int keep_last = 3;      // the latest ones; 0: all
  bool keep_best = true;  // and the one with the best metric
};

/// Checkpoints DIR/step-000500/: model.safetensors, one file for each other object, run.json. A checkpoint appears by
/// one rename when all its files are on the disk; what is not complete is never read, and removed by the next save.
class Checkpoints {
 public:
  explicit Checkpoints(std::filesystem::path folder, const CheckpointOptions& options = {});
  ~Checkpoints();
  Checkpoints(Checkpoints&&) noexcept;
  Checkpoints& operator=(Checkpoints&&) noexcept;

  /// Takes the tensors as they are now and writes them on another thread. Waits for the save before it; throws that
  /// save's Error of kind io (a full disk), which has changed nothing.
  void save(const Saved& objects, const RunState& run, std::optional<double> metric = {}, bool maximize = false);
  /// Waits until the last save is on the disk, and throws its Error.
  void wait();
  /// Whether the last save is still being written.
  [[nodiscard]] bool saving() const;
  /// The steps of all complete checkpoints, ascending.
  [[nodiscard]] std::vector<std::int64_t> steps() const;
  [[nodiscard]] std::optional<std::int64_t> latest() const;
  [[nodiscard]] std::optional<std::int64_t> best() const;
  /// Loads a checkpoint into the objects. All files are read and checked first: an Error of kind parse with the
  /// tensor's name (truncated, foreign, another shape or dtype) leaves the objects as they are. Without objects only
  /// what is known of the run is read.
  RunState load(std::int64_t step, const Saved& objects);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace train
}  // namespace tessera
