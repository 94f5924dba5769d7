// Frequencies of rotary position embeddings, by the scaling that a config names.
#pragma once

#include <cstdint>

#include "llm/load/reader.h"
#include "tessera/llm/config.h"

namespace tessera::llm {

/// What the frequencies depend on besides the scaling.
struct RopeSizes {
  double base = 1e4;
  std::int64_t size = 0;              // rotated elements of a head: even
  std::int64_t context = 0;           // max_position_embeddings
  std::int64_t original_context = 0;  // before scaling, if the config has it outside of the scaling; else 0
};

/// RoPE without scaling.
Rope plain_rope(const RopeSizes& sizes);
/// RoPE with the scaling of `scaling`, an object with "rope_type" (or "type"). Error of kind unsupported for a type
/// that is not known.
Rope scaled_rope(const RopeSizes& sizes, const Reader& scaling);

}  // namespace tessera::llm
