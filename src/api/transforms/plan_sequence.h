// What a compiled function replays: bound plans, and the host steps between them.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "graph/host_step.h"
#include "runtime/eval/bound_plan.h"

namespace tessera {

/// One bound plan, or several with host steps between them: the graph is cut at its calls that the host runs. What a
/// later part reads is a result of the earlier one; its memory is donated to its last reader. One run at a time.
class PlanSequence {
 public:
  /// The arguments are those of bind_trace().
  PlanSequence(std::string_view what, const Graph& traced, const std::shared_ptr<runtime::Device>& device,
               std::span<const NodePtr> placeholders, std::span<const int> donate,
               const std::vector<RandomState>& drawn);
  /// For a concurrent run.
  [[nodiscard]] std::unique_ptr<PlanSequence> twin() const;

  /// As BoundPlan::run().
  void run(std::span<const std::shared_ptr<Storage>> inputs, std::span<const RandomState> drawn,
           std::span<std::shared_ptr<Storage>> outputs);

  /// For each input: whether a run writes into its memory.
  [[nodiscard]] const std::vector<char>& overwritten() const { return overwritten_; }
  /// For each input: whether the last run, which failed, wrote into its memory.
  [[nodiscard]] const std::vector<char>& lost() const { return lost_; }
  /// The kernels of all plans; those of a loop count once.
  [[nodiscard]] std::size_t kernel_count() const;

 private:
  /// A plan, or a host step: it reads values, and makes others.
  struct Step {
    std::unique_ptr<runtime::BoundPlan> plan;
    std::unique_ptr<HostStep::Bound> host;
    std::vector<int> reads;      // values
    std::vector<char> last;      // of each: whether no later step reads it, so that it is released
    std::vector<int> makes;      // values; -1 for none
    std::vector<int> after;      // asynchronous steps that end before it begins
    bool asynchronous = false;   // of a host step
    bool started = false;        // and it has not ended
    std::vector<int> starts;     // of a plan: the host steps that start at its stops
    std::vector<int> from_plan;  // of such a step: the results of the plan that it reads; -1 for other values
    std::vector<std::shared_ptr<Storage>> inputs;
    std::vector<std::shared_ptr<Storage>> outputs;

    [[nodiscard]] std::span<const char> overwritten() const {
      return plan != nullptr ? std::span<const char>(plan->overwritten()) : host->overwritten();
    }
  };
  class Builder;
  PlanSequence() = default;
  void find_order();
  void start(Step& step, const Step* plan);
  void finish(Step& step);

  std::vector<Step> steps_;
  std::vector<int> results_;     // values
  std::vector<NodePtr> values_;  // their dtypes and shapes; first the inputs
  std::size_t inputs_ = 0;
  std::vector<char> overwritten_;
  std::vector<char> lost_;
  std::vector<std::shared_ptr<Storage>> storages_;  // by value, during a run
};

}  // namespace tessera
