// Groups the nodes of a simplified graph into kernels, by rules over loop nests and never by the name of an op.
#pragma once

#include <vector>

#include "schedule/fuse/guards.h"
#include "schedule/kernel.h"
#include "tessera/device_info.h"

namespace tessera::schedule {

struct Fused {
  std::vector<Kernel> kernels;  // in an order that respects their data
  std::vector<Guard> guards;    // each once
};

/// `graph` has been simplified. Every root that is not a leaf is an output of some kernel.
Fused fuse(const Graph& graph, const DeviceInfo& device);

}  // namespace tessera::schedule
