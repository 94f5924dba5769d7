// The memory of a bound plan: which buffers hold the results of its kernels.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "schedule/plan.h"

namespace tessera::runtime {

struct MemoryPlan {
  std::vector<int> holder;                 // by node: the node whose memory it has, often itself
  std::vector<int> owned;                  // by node: its intermediate buffer; -1: an input, a result, or not stored
  std::vector<std::size_t> offsets;        // by node: where it begins in that buffer, a multiple of 256 bytes
  std::vector<std::size_t> sizes;          // bytes of the intermediate buffers
  std::vector<int> made;                   // results with new memory in each run
  std::vector<std::pair<int, int>> taken;  // (donated input, result written into its memory)
};

/// Intermediate values reuse memory whose last reader is done, and results that of donated inputs. Large values may be
/// ranges of one buffer at the same time, if no kernel reads one and writes the other: WebGPU does not bind a buffer
/// for both in one dispatch.
MemoryPlan plan_memory(const schedule::Plan& plan, const Graph& graph, std::span<const int> donated);

}  // namespace tessera::runtime
