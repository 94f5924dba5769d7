// A bound plan of one step of a loop, which runs for each step.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "api/transforms/loops/body.h"
#include "graph/graph.h"
#include "runtime/eval/bound_plan.h"

namespace tessera::loops {

using StoragePtr = std::shared_ptr<Storage>;
using Storages = std::vector<StoragePtr>;

/// One step as a graph: from placeholders to results, the first of which are carried to the next step.
struct StepGraph {
  Nodes carried = {};            // placeholders
  Nodes others = {};             // placeholders that are the same, or set, in each step
  Nodes results = {};            // those that are carried, then others
  std::vector<int> donate = {};  // positions among the carried
  // Nodes behind the results, and those that the plan uses instead of them.
  Nodes replaced = {};
  Nodes instead = {};

  /// The results with what is used instead, without what only the replaced nodes need.
  [[nodiscard]] Graph snapshot() const;
};

class Replay {
 public:
  /// `drawn`: the positions of the draws in the graph, which change from step to step.
  Replay(std::string_view what, const DevicePtr& device, const StepGraph& step, std::vector<RandomState> drawn);
  /// For a concurrent run.
  [[nodiscard]] Replay twin() const { return {carried_, plan_->twin(), outputs_.size()}; }

  /// The arguments of the next step, carried ones first.
  Storages inputs;

  /// `owned`: nobody else uses the carried storages; else those that others hold are copied before they are
  /// overwritten.
  void run(std::span<const RandomState> drawn, bool owned = false);
  /// The results of the last step that are not carried.
  [[nodiscard]] Storages others();
  /// For each argument: whether a step writes into its memory.
  [[nodiscard]] const std::vector<char>& overwritten() const { return plan_->overwritten(); }
  [[nodiscard]] std::size_t kernel_count() const { return plan_->kernel_count(); }

 private:
  Replay(Nodes carried, std::unique_ptr<runtime::BoundPlan> plan, std::size_t results);

  Nodes carried_;
  std::unique_ptr<runtime::BoundPlan> plan_;
  Storages outputs_;
};

/// Positions from `from` to before `to`.
std::vector<int> range(std::size_t from, std::size_t to);
/// A storage with the number of a row (i32).
StoragePtr row_storage(const Loop& loop, std::int64_t row);

}  // namespace tessera::loops
