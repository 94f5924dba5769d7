// The WGSL of attention on tensor cores.
#pragma once

#include <string>

#include "schedule/calls/attention.h"

namespace tessera::codegen {

/// The part of the kernel on tensor cores below masked_score().
std::string attention_matrix_text(const schedule::AttentionVariant& variant);

/// The same for the backward pass, of the queries or of the keys and values; row_stats() is above.
std::string attention_backward_matrix_text(const schedule::AttentionBackwardTile& tile, bool over_keys, bool masked);

}  // namespace tessera::codegen
