// Ranges of memory that follow from the graph, and copies that are not needed then.
#include "schedule/ranges.h"

#include <algorithm>

#include "base/ints.h"
#include "graph/op.h"

namespace tessera::schedule {

std::vector<MemoryRange> memory_ranges(const Graph& graph) {
  std::vector<MemoryRange> ranges(graph.entries.size());
  for (int n = 0; n < graph.size(); ++n) {
    const Graph::Entry& e = graph[n];
    if (is_range(e)) {
      ranges[as_index(n)] = {e.inputs[0], e.node->view().levels.at(0).offset, true};
    } else if (ranges[as_index(n)].base < 0) {
      ranges[as_index(n)].base = n;
    }
    if (e.op() != Op::kPack) continue;
    std::int64_t offset = 0;
    for (const int piece : e.inputs) {
      ranges[as_index(piece)] = {n, offset, true};
      offset += graph.node(piece).numel();
    }
  }
  return ranges;
}

namespace {

/// The node that a kernel copies as it is to a piece; -1: it does something else.
int copied_to_piece(const Kernel& kernel, const std::vector<MemoryRange>& ranges, const Graph& graph) {
  if (kernel.kind != Kernel::Kind::kMap || kernel.inputs.size() != 1 || kernel.outputs.size() != 1 ||
      kernel.instrs.size() != 1 || !kernel.aliases.empty() || kernel.table.is_dequantized() || kernel.in_ranges)
    return -1;
  const Instr& load = kernel.instrs[0];
  const MemoryRange& to = ranges[as_index(kernel.outputs[0].node)];
  if (load.kind != Instr::Kind::kLoad || load.index != 0 || !to.part || graph[to.base].op() != Op::kPack) return -1;
  return kernel.inputs[0].node;
}

}  // namespace

void drop_copies_of_pieces(Plan& plan, const Graph& graph) {
  const auto has = [&](Op op) {
    return std::ranges::any_of(graph.entries, [op](const Graph::Entry& e) { return e.op() == op; });
  };
  if (!has(Op::kPack) || !has(Op::kCustom)) return;
  const std::vector<MemoryRange> ranges = memory_ranges(graph);
  std::vector<int> reads(graph.entries.size(), 0);
  std::vector<Slot*> made(graph.entries.size(), nullptr);  // results of custom kernels
  for (Kernel& kernel : plan.kernels) {
    for (const Slot& slot : kernel.inputs) ++reads[as_index(slot.node)];
    if (kernel.kind != Kernel::Kind::kCustom || !kernel.aliases.empty()) continue;
    for (Slot& slot : kernel.outputs) made[as_index(slot.node)] = &slot;
  }
  for (const int root : graph.roots) ++reads[as_index(root)];
  std::vector<char> gone(plan.kernels.size(), 0);
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    const int from = copied_to_piece(plan.kernels[k], ranges, graph);
    if (from < 0 || made[as_index(from)] == nullptr || reads[as_index(from)] != 1) continue;
    made[as_index(from)]->node = plan.kernels[k].outputs[0].node;
    gone[k] = 1;
  }
  std::size_t k = 0;
  std::erase_if(plan.kernels, [&](const Kernel&) { return gone[k++] != 0; });
}

}  // namespace tessera::schedule
