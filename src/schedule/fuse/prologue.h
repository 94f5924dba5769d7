// Prologues: elementwise ops on the operands of matmuls that are computed on load.
#pragma once

#include <vector>

#include "schedule/fuse/guards.h"
#include "tessera/device_info.h"

namespace tessera::schedule {

/// Adds to `inlined` (see find_inline) the expressions that matmuls compute instead of reading them from memory. What
/// sizes decided is added to the guards.
void find_prologues(const Graph& graph, const DeviceInfo& device, std::vector<int>& inlined,
                    std::vector<Guard>& guards);

/// Whether the operand of a matmul that lies at node `base` is such an expression, where it has no memory of its own.
bool is_prologue(const Graph& graph, int base);

}  // namespace tessera::schedule
