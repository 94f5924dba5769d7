// Brings a snapshot to the form that is scheduled: common subexpressions once, no dead nodes, and rewrites that depend
// on sizes (long reductions in stages, skinny matmuls as reductions), so that the plan key sees their result.
#pragma once

#include "graph/graph.h"
#include "tessera/device_info.h"

namespace tessera::schedule {

/// `roots` keeps its order; several roots may end at one position. Roots that are reshapes end at what they reshape.
Graph simplify(const Graph& graph, const DeviceInfo& device);

}  // namespace tessera::schedule
