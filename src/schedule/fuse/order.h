// Chooses the order of kernels: producers first, and whoever gives back memory as soon as it can.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace tessera::schedule {

/// A kernel to be, as its order needs it: nodes of the graph.
struct Stage {
  std::vector<int> reads;   // what other stages write
  std::vector<int> writes;  // what others read, and roots
  /// Stages that are placed before, though it does not read from them: they read what it overwrites. With the reads
  /// they must not form a cycle.
  std::vector<int> after = {};
};

/// The positions of the stages in an order that respects their data. They must have no cycle.
std::vector<int> order_stages(const Graph& graph, const std::vector<Stage>& stages);

}  // namespace tessera::schedule
