// Whether a model fits a device, before it is loaded.
#pragma once

#include <cstdint>
#include <optional>

#include "tessera/gguf.h"
#include "tessera/hf_folder.h"
#include "tessera/llm/config.h"

namespace tessera::llm {

struct WeightBytes {
  std::uint64_t bytes = 0;     // on the device
  std::uint64_t elements = 0;  // of matrices
};
WeightBytes weight_bytes(const io::GgufFile& file, std::optional<DType> dtype);
WeightBytes weight_bytes(const io::HfFolder& folder, std::optional<DType> dtype);

/// Of keys and values of one token.
std::uint64_t cache_bytes(const Config& config, DType dtype);

/// Error of kind out_of_memory, with what would fit, if the weights and one context do not fit into `memory` bytes of
/// the device; 0: those that are not in use.
void check_fit(const WeightBytes& weights, std::uint64_t token_bytes, std::int64_t context, const Device& device,
               std::uint64_t memory);

}  // namespace tessera::llm
