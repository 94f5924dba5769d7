// Brings a snapshot to the form that is scheduled: common subexpressions once, no dead nodes, and rewrites that depend
// on sizes (long reductions in stages, skinny matmuls as reductions), so that the plan key sees their result.
#pragma once

#include <cstdint>
#include <limits>

#include "graph/graph.h"
#include "tessera/device_info.h"

namespace tessera::schedule {

inline constexpr std::int64_t kAnyRow = std::numeric_limits<std::int64_t>::max();

/// `roots` keeps its order; several roots may end at one position. Roots that are reshapes end at what they reshape.
/// Rows of more than `longest_row` columns are reduced in stages, and sums of so many matmuls are cut.
Graph simplify(const Graph& graph, const DeviceInfo& device, std::int64_t longest_row = kAnyRow);

}  // namespace tessera::schedule
