// Captured tensors of traced functions, and the step from a trace to a bound plan.
#include "api/transforms/traced.h"

#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/fail.h"
#include "graph/op.h"
#include "ops/quant/quant.h"
#include "runtime/eval/evaluate.h"
#include "schedule/lower/fit.h"
#include "schedule/ranges.h"

namespace tessera {

std::vector<NodePtr> nodes_of(std::span<const Tensor> tensors) {
  std::vector<NodePtr> nodes;
  for (const Tensor& t : tensors) nodes.push_back(t.node());
  return nodes;
}

void evaluate_captured(std::span<const NodePtr> roots, const MadeNodes& made,
                       const std::shared_ptr<runtime::Device>& device) {
  std::vector<NodePtr> wanted;
  std::unordered_set<const Node*> seen;
  std::vector<NodePtr> stack(roots.begin(), roots.end());
  while (!stack.empty()) {
    const NodePtr node = std::move(stack.back());
    stack.pop_back();
    if (!seen.insert(node.get()).second) continue;
    const auto inputs = node->inputs();
    if (node->storage() != nullptr || inputs == nullptr || inputs->empty()) {
      if (node->op() == Op::kRandom && node->storage() == nullptr && !made.contains(node.get())) wanted.push_back(node);
      continue;
    }
    const bool read_in_place = node->op() == Op::kView || node->op() == Op::kMark || ops::is_dequantize(*node);
    if (made.contains(node.get()) || read_in_place || node->device() == nullptr) {
      stack.insert(stack.end(), inputs->begin(), inputs->end());
    } else {
      wanted.push_back(node);
    }
  }
  runtime::evaluate(wanted, device);
}

PositionedTrace position_trace(std::string_view what, const Graph& taken, const DeviceInfo& device,
                               std::span<const NodePtr> placeholders, std::span<const int> donate) {
  PositionedTrace trace{schedule::simplify_to_fit(taken, device), {}, {}};
  const Graph& graph = trace.graph;
  std::unordered_map<const Node*, int> positions;  // of arguments and captured tensors
  for (int n = 0; n < graph.size(); ++n) {
    if (graph[n].op() == Op::kInput && !schedule::is_range(graph[n])) positions.emplace(graph[n].node.get(), n);
  }
  const std::set<int> returned(graph.roots.begin(), graph.roots.end());
  const std::set<int> to_donate(donate.begin(), donate.end());
  for (std::size_t i = 0; i < placeholders.size(); ++i) {
    const auto it = positions.find(placeholders[i].get());
    trace.inputs.push_back(it != positions.end() ? it->second : -1);
    if (it == positions.end()) continue;
    if (to_donate.contains(static_cast<int>(i)) && !returned.contains(it->second)) trace.donated.push_back(it->second);
    positions.erase(it);
  }
  for (const auto& [node, position] : positions) {
    if (graph[position].storage == nullptr) {
      fail(ErrorKind::kValue, "{}: the function uses a tensor of shape {} that has no data.", what,
           node->shape().str());
    }
  }
  return trace;
}

std::unique_ptr<runtime::BoundPlan> bind_trace(std::string_view what, const Graph& taken,
                                               std::shared_ptr<runtime::Device> device,
                                               std::span<const NodePtr> placeholders, std::span<const int> donate,
                                               std::vector<RandomState> drawn) {
  PositionedTrace trace = position_trace(what, taken, device->info(), placeholders, donate);
  return std::make_unique<runtime::BoundPlan>(std::move(device), std::move(trace.graph), std::move(trace.inputs),
                                              std::move(trace.donated), std::move(drawn));
}

}  // namespace tessera
