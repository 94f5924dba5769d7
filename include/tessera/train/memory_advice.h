// What to do about a step that does not fit into memory.
#pragma once

#include <string>

#include "tessera/compile.h"
#include "tessera/export.h"

namespace TESSERA_API tessera {
namespace train {

/// Two or three sentences for an Error of kind out_of_memory: the peak and its largest holders, and what would need
/// less: a smaller batch, gradient checkpointing and mixed precision where intermediate values dominate, else fewer
/// trainable parameters. `estimate` is that of the step: step.memory(batch).
std::string memory_advice(const MemoryEstimate& estimate);

}  // namespace train
}  // namespace tessera
