// The WGSL of attention.
#pragma once

#include <string>

#include "graph/call.h"
#include "schedule/calls/attention.h"

namespace tessera::codegen {

/// The text of the variant of a schedule::AttentionVariant.
std::string attention_text(const Attributes& variant);
/// The part of the kernel on tensor cores below masked_score().
std::string attention_matrix_text(const schedule::AttentionTile& tile, bool masked);

}  // namespace tessera::codegen
