// Replays of one step of a loop: its graph, its plan, and the storages that are carried from step to step.
#include "api/transforms/loops/replay.h"

#include <iterator>
#include <unordered_map>

#include "api/transforms/traced.h"
#include "base/ints.h"
#include "graph/part.h"
#include "runtime/eval/evaluate.h"
#include "runtime/memory/new_storage.h"
#include "runtime/planning.h"

namespace tessera::loops {

Graph StepGraph::snapshot() const {
  if (replaced.empty()) return runtime::current_snapshot(results);
  Nodes all = instead;  // first, so that they come before their readers
  append(all, results);
  Graph graph = runtime::current_snapshot(all);
  std::unordered_map<const Node*, int> by_node;
  for (std::size_t i = 0; i < replaced.size(); ++i) by_node.emplace(replaced[i].get(), graph.roots[i]);
  const auto other = [&](int& at) {
    if (const auto it = by_node.find(graph[at].node.get()); it != by_node.end()) at = it->second;
  };
  for (Graph::Entry& e : graph.entries) {
    for (int& in : e.inputs) other(in);
  }
  graph.roots.erase(graph.roots.begin(), graph.roots.begin() + static_cast<std::ptrdiff_t>(instead.size()));
  for (int& r : graph.roots) other(r);
  return part_of(graph, graph.roots);
}

Replay::Replay(std::string_view what, const DevicePtr& device, const StepGraph& step, std::vector<RandomState> drawn)
    : carried_(step.carried) {
  Nodes all = carried_;
  append(all, step.others);
  const runtime::PlanningMeasurement measurement(*device);
  const Graph taken = step.snapshot();
  MeasurePasses::count_nodes(taken.entries.size());
  plan_ = bind_trace(what, taken, device, all, step.donate, std::move(drawn));
  inputs.resize(all.size());
  outputs_.resize(step.results.size());
}

Replay::Replay(Nodes carried, std::unique_ptr<runtime::BoundPlan> plan, std::size_t results)
    : carried_(std::move(carried)), plan_(std::move(plan)), outputs_(results) {
  inputs.resize(plan_->overwritten().size());
}

void Replay::run(std::span<const RandomState> drawn, bool owned) {
  for (std::size_t i = 0; i < carried_.size() && !owned; ++i) {
    const bool alone = inputs[i].use_count() == 1 && inputs[i]->parent() == nullptr;
    if (overwritten()[i] == 0 || alone) continue;  // others would see the data change
    inputs[i] = runtime::copy_of_storage(*carried_[i], inputs[i]);
  }
  plan_->run(inputs, drawn, outputs_);
  for (std::size_t i = 0; i < carried_.size(); ++i) inputs[i] = std::move(outputs_[i]);
}

Storages Replay::others() {
  return {std::make_move_iterator(outputs_.begin() + static_cast<std::ptrdiff_t>(carried_.size())),
          std::make_move_iterator(outputs_.end())};
}

std::vector<int> range(std::size_t from, std::size_t to) {
  std::vector<int> all;
  for (std::size_t i = from; i < to; ++i) all.push_back(static_cast<int>(i));
  return all;
}

StoragePtr row_storage(const Loop& loop, std::int64_t row) {
  const auto value = static_cast<std::int32_t>(row);
  return runtime::storage_from(loop.device, 1, DType::kI32, std::as_bytes(std::span(&value, 1)));
}

}  // namespace tessera::loops
