// Nodes whose memory is a range of another node's: tensors of an arena that is an input, and pieces of a kPack.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/plan.h"

namespace tessera::schedule {

/// Whether an entry of a simplified graph is a tensor of an arena that is an input.
inline bool is_range(const Graph::Entry& e) { return e.op() == kInputOp && !e.inputs.empty(); }

/// The elements of a node are those of `base` from `offset` on.
struct MemoryRange {
  int base = -1;
  std::int64_t offset = 0;
  bool part = false;  // of another node; else `base` is the node itself
};
/// Of each node of a simplified graph.
std::vector<MemoryRange> memory_ranges(const Graph& graph);

/// Where a custom kernel, with which nothing is fused, computes a piece of an arena that nobody else reads, it stores
/// into the arena, and the copy behind it goes.
void drop_copies_of_pieces(Plan& plan, const Graph& graph);

}  // namespace tessera::schedule
