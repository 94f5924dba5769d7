// Recomputation: which elementwise results are computed again where they are read instead of being kept in memory.
#pragma once

#include "schedule/fuse/merge.h"

namespace tessera::schedule {

/// For each group, the values to keep for other groups are a minimum cut of its expressions by their bytes. So the
/// backward pass reads a matmul's result and computes the activation's derivative from it again.
void choose_recomputed(Fusion& fusion);

}  // namespace tessera::schedule
