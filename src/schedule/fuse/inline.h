// Which computed nodes need no memory of their own: those that are cheap to compute where they are read.
#pragma once

#include <vector>

#include "graph/op.h"
#include "schedule/fuse/guards.h"
#include "tessera/device_info.h"

namespace tessera::schedule {

/// Whether a node reads its inputs from memory, wherever it likes.
inline bool reads_memory(Op op) { return op == Op::kMatmul || op == Op::kCustom || op == Op::kPack; }
/// Whether it reads its input k so.
inline bool reads_memory(Op op, std::size_t k) {
  return reads_memory(op) || ((op == Op::kGather || op == Op::kPut) && k == 0);
}

/// For each node 0, or the depth of inlined nodes from it on: it is computed wherever it is read. A custom kernel's
/// result among them is dequantized on load by the matmuls and gathers that read it. What sizes decided is added to the
/// guards.
std::vector<int> find_inline(const Graph& graph, const DeviceInfo& device, std::vector<Guard>& guards);

/// Of a matmul's operand, or of what lies under its view: the custom call that can be dequantized on load; -1:
/// none.
int dequantizable(const Graph& graph, int node);

/// The call that a gather dequantized_by elements of, since it was inlined; -1: none.
int dequantized_by(const Graph& graph, int gather, const std::vector<int>& inlined);

}  // namespace tessera::schedule
