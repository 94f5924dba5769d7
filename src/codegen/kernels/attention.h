// The WGSL of attention on tensor cores.
#pragma once

#include <string>

#include "schedule/calls/attention.h"

namespace tessera::codegen {

/// The part of the kernel on tensor cores below masked_score().
std::string attention_matrix_text(const schedule::AttentionTile& tile, bool masked);

}  // namespace tessera::codegen
