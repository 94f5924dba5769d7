// Rewrites graphs whose kernels would need more of a buffer at once than can be bound.
#pragma once

#include <vector>

#include "graph/graph.h"
#include "schedule/kernel.h"
#include "tessera/device_info.h"

namespace tessera::schedule {

/// Whether every kernel can run on the device, whole or in chunks.
bool bindable(const std::vector<Kernel>& kernels, const Graph& graph, const DeviceInfo& device);

/// Simplifies `snapshot` as simplify() does, with all rows and sums short enough to be bound, and with copies (see
/// InRanges) of what is read in an order that jumps about in a buffer that is too large.
Graph fit(const Graph& snapshot, const DeviceInfo& device);

/// simplify(), or fit() where that is needed.
Graph simplify_to_fit(const Graph& snapshot, const DeviceInfo& device);

}  // namespace tessera::schedule
