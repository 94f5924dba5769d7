// The memory of a traced function, by its plan.
#pragma once

#include "api/transforms/traced.h"
#include "tessera/compile.h"

namespace tessera {

/// What a bound plan of the trace and the tensors of a call would hold.
MemoryEstimate estimate_memory(const PositionedTrace& trace, std::span<const Tensor> arguments,
                               const std::shared_ptr<runtime::Device>& device);

}  // namespace tessera
