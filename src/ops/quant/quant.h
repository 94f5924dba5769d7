// Quantized matrices on nodes: their planes, block formats on the host, dequantization and matmuls.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "ops/build.h"

namespace tessera::ops {

/// In the order of QuantFormat in tessera/quant.h.
enum class BlockFormat : std::uint8_t { kQ4_0, kQ4_1, kQ5_0, kQ8_0, kQ4_K, kQ5_K, kQ6_K };

struct BlockInfo {
  std::string_view name;
  std::int64_t elements;  // of a block
  std::size_t bytes;      // of a block in a file
  int bits;               // per element, in the plane `quants`
  int high_bits;          // per element, in the plane `high`
};
const BlockInfo& block_info(BlockFormat format);

// ---- Blocks on the host (quant_blocks.cpp) ----
/// Dequantizes one block, by the definition of its format.
void dequantize_block(BlockFormat format, const std::byte* block, float* out);
/// Quantizes one block to Q4_0 or Q8_0.
void quantize_block(BlockFormat format, const float* elements, std::byte* block);

/// The blocks repacked as planes of u32 words for kernels; unused planes are empty.
struct Planes {
  std::vector<std::uint32_t> quants;  // 16 elements in a unit of 2 words (4 bits) or 4 words (8 bits)
  std::vector<std::uint32_t> scales;
  std::vector<std::uint32_t> supers;  // d and dmin of 256 elements, as two f16 in a word
  std::vector<std::uint32_t> high;    // the upper bits of 32 elements (1 bit) or 16 (2 bits) in a word
  [[nodiscard]] std::vector<const std::vector<std::uint32_t>*> all() const;
};
Planes repack(BlockFormat format, std::span<const std::byte> blocks);

// ---- Nodes (quant.cpp) ----
/// A matrix [n, k] as nodes of its planes, in the order of Planes::all().
struct QuantizedNode {
  BlockFormat format = BlockFormat::kQ4_0;
  std::int64_t n = 0, k = 0;
  std::vector<NodePtr> planes;
};
/// The attributes of the calls "dequantize" (planes -> [n, k] of f32) and "quantized_matmul" (planes, x of [m, k] ->
/// [m, n] of x's dtype).
struct QuantCall {
  BlockFormat format = BlockFormat::kQ4_0;
  static auto fields(auto& s) { return std::tie(s.format); }
};
NodePtr dequantize(const QuantizedNode& q, DType dtype);
NodePtr quantized_matmul(const NodePtr& x, const QuantizedNode& q);
/// Whether a node is the call of dequantize, which matmuls and gathers do on load.
bool is_dequantize(const Node& node);

/// The kernels on the host. Their params are n, units of 16 elements in a row, m rows of x.
void dequantize_host(BlockFormat format, const CustomHostCall& call);
void quantized_matmul_host(BlockFormat format, const CustomHostCall& call);

}  // namespace tessera::ops
