// Plans: their keys, and the lives of intermediates.
#include "schedule/plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/ints.h"
#include "base/pass_timer.h"
#include "graph/op.h"
#include "schedule/fuse/fuse.h"
#include "schedule/in_place.h"
#include "schedule/lower/operand.h"
#include "schedule/ranges.h"

namespace tessera::schedule {

bool Plan::serves(const Graph& graph) const {
  const PassTimer timer("guards");
  return std::all_of(guards.begin(), guards.end(), [&](const Guard& guard) { return guard.holds(graph); });
}

namespace {

void append(std::string& key, int value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof(value));  // compact: keys are compared, not read
}

/// Appends the layout of a matmul's operand: its kernel is written for it. Of an im2col view, the layouts over the
/// first pad, which may be in memory, and under it.
void append_operand(std::string& key, const Graph& graph, int node) {
  if (is_strided_operand(graph, node)) {
    key += strided_layout(graph, node).matrix_str();
    return;
  }
  int first = graph[node].inputs[0];
  while (graph[first].op() == Op::kView) first = graph[first].inputs[0];
  key += im2col_view(graph, node, first)->layout().str() + ';' + im2col_view(graph, node)->layout().str() + ';';
}

}  // namespace

std::string plan_key(const Graph& graph, const std::vector<int>& donated) {
  const PassTimer timer("key");
  std::string key;
  key.reserve(graph.entries.size() * 24);
  for (const Graph::Entry& e : graph.entries) {
    key += static_cast<char>(e.op());
    key += static_cast<char>(e.node->dtype());
    key += static_cast<char>(e.node->shape().rank());
    for (const int in : e.inputs) append(key, in);
    if (e.op() == Op::kPack || is_range(e)) append(key, static_cast<int>(e.inputs.size()));
    if (e.op() == Op::kView) {
      key += static_cast<char>(e.inputs.size());
      key += e.node->view().layout().str();
      key += graph.node(e.inputs[0]).numel() == 1 ? '1' : 'm';
    }
    if (e.op() == Op::kCustom) {
      const CustomResult& result = e.node->custom();
      key.append(reinterpret_cast<const char*>(&result.call->kernel->id), sizeof(result.call->kernel->id));
      append(key, result.output);
    }
    if (e.op() == Op::kCopy && e.node->in_ranges()) key += '\xff';
    if (e.op() == Op::kMatmul) {
      for (const int operand : e.inputs) append_operand(key, graph, operand);
    }
  }
  key += '|';
  for (const int root : graph.roots) append(key, root);
  key += '|';
  for (const int d : donated) append(key, d);
  return key;
}

Plan make_plan(const Graph& graph, const std::vector<int>& donated, const DeviceInfo& device) {
  Fused fused = fuse(graph, device);
  const PassTimer timer("lifetimes");
  Plan plan;
  plan.key = plan_key(graph, donated);
  plan.guards = std::move(fused.guards);
  plan.kernels = std::move(fused.kernels);
  drop_copies_of_pieces(plan, graph);
  place_updates(plan, graph, donated);
  const std::vector<MemoryRange> ranges = memory_ranges(graph);
  const auto memory = [&](const Slot& slot) { return as_index(ranges[as_index(slot.node)].base); };
  plan.last_use.resize(plan.kernels.size());
  std::vector<int> last(graph.entries.size(), -1);
  std::vector<char> made(graph.entries.size(), 0);
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    for (const Slot& slot : plan.kernels[k].inputs) last[memory(slot)] = static_cast<int>(k);
    for (const Slot& slot : plan.kernels[k].outputs) {
      made[memory(slot)] = 1;
      last[memory(slot)] = static_cast<int>(k);  // a result that nobody reads
    }
  }
  for (const int root : graph.roots) last[as_index(root)] = -1;
  for (const Kernel& kernel : plan.kernels) {
    for (const auto& [in, out] : kernel.aliases) {  // its memory goes on as that of the result
      const int from = kernel.inputs[as_index(in)].node;
      if (from != kernel.outputs[as_index(out)].node) last[as_index(from)] = -1;
    }
  }
  for (std::size_t n = 0; n < last.size(); ++n) {
    if (last[n] >= 0 && made[n] != 0) plan.last_use[as_index(last[n])].push_back(static_cast<int>(n));
  }
  place_donated(plan, graph, donated, device);
  return plan;
}

}  // namespace tessera::schedule
