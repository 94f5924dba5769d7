// Tensors of block dtypes on nodes: their planes, their blocks on the host, dequantization and matmuls.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <tuple>
#include <vector>

#include "base/host_memory.h"
#include "ops/build.h"

namespace tessera::ops {

// ---- Blocks on the host (quant_blocks.cpp) ----

/// The scales of a block dtype in the plane `scales`. A unit is 16 elements.
enum class BlockScales : std::uint8_t {
  kHalf,         // an f16 for 32 elements, two in a word
  kHalfPair,     // an f16 and the f16 that is added, for 32 elements
  kBytes16,      // an i8 for each unit, times the super-block's scale
  kBytes32,      // an i8 for 32 elements, times the super-block's scale
  kBytePairs,    // a scale and a minimum of 8 bits for 32 elements, times those of the super-block
  kNibblePairs,  // the same in 4 bits, for each unit
  kExponent,     // an E8M0 exponent for 32 elements, four in a word
};
/// The value of an element before its scale.
enum class BlockCodes : std::uint8_t { kInteger, kNonlinear, kE2M1 };

/// The layout of a block dtype in planes of words. An element is scale * (value - zero) - minimum.
struct BlockLayout {
  int bits;       // per element, in the plane `quants`: 2, 4 or 8 (signed)
  int high_bits;  // per element, in the plane `high`, above the others
  int zero;
  BlockScales scales;
  BlockCodes codes = BlockCodes::kInteger;

  /// Whether blocks of 256 elements have a scale of their own, in the plane `supers`.
  [[nodiscard]] constexpr bool has_supers() const {
    return scales != BlockScales::kHalf && scales != BlockScales::kHalfPair && scales != BlockScales::kExponent;
  }
  [[nodiscard]] constexpr bool has_minimum() const {
    return scales == BlockScales::kHalfPair || scales == BlockScales::kBytePairs || scales == BlockScales::kNibblePairs;
  }
};
const BlockLayout& block_layout(DType dtype);

/// The value of a code of 4 bits before its scale, as an integer.
int code_value(BlockCodes codes, std::uint32_t code);
/// An E8M0 scale times 1/2, as MXFP4 has it; 255 is NaN.
float exponent_scale(std::uint32_t exponent);

/// Dequantizes one block, by the definition of its dtype.
void dequantize_block(DType dtype, const std::byte* block, float* out);

/// The blocks repacked as planes of u32 words for kernels:
/// - quants: 16 elements in a unit of 1 word (2 bits), 2 words (4 bits) or 4 words (8 bits);
/// - scales;
/// - supers, if the layout has them: d and dmin of 256 elements, as two f16 in a word;
/// - high, if the layout has any: the upper bits of 32 elements (1 bit) or 16 (2 bits) in a word.
using Words = std::vector<std::uint32_t, HostAllocator<std::uint32_t>>;
using Planes = std::vector<Words>;
Planes repack(DType dtype, std::span<const std::byte> blocks);
/// The reverse, for `count` blocks.
std::vector<std::byte> unpack(DType dtype, const Planes& planes, std::size_t count);

/// What a block of a dtype with f16 scales stores, before it is packed.
struct BlockParts {
  std::array<std::uint8_t, 256> codes{};  // of each element, without sign
  std::array<int, 16> scales{}, mins{};   // of each unit, if there are supers
  Half scale{0.0F}, min{0.0F};            // of the block
};
void pack_block(DType dtype, const BlockParts& parts, std::byte* block);

// ---- Quantization on the host (quantize_block.cpp, quantize_search.cpp) ----
/// Whether a graph of ops quantizes this dtype on any device; the others are quantized by a search on the host.
bool quantizes_by_formula(DType dtype);
/// Quantizes one block: to the bytes that gguf and ggml make where there is a formula, else with the scales that a
/// search for the least squared error finds. Error of kind value for NaN, infinities and numbers whose scale is beyond
/// the range of f16: `first` is the index of the first element, which the error names.
void quantize_block(DType dtype, const float* elements, std::size_t first, std::byte* block);
/// The search, of elements that were checked: false if a scale is beyond the range of f16.
bool quantize_by_search(DType dtype, const float* elements, std::byte* block);

// ---- Tensors of block dtypes (block_tensor.cpp) ----
/// A tensor [.., k] of a block dtype is a call "blocks" of its planes. It is never computed: ops that take block dtypes
/// read the planes. `transposed`: its last two axes are swapped.
struct BlocksCall {
  bool transposed = false;
  static auto fields(auto& s) { return std::tie(s.transposed); }
};
NodePtr blocks(DType dtype, const Shape& shape, std::vector<NodePtr> planes, bool transposed = false);
bool is_transposed(const Node& blocks);
/// Its planes, in the order of repack().
const std::vector<NodePtr>& planes_of(const Node& blocks, std::shared_ptr<const Node::Inputs>& hold);

/// Whether `shape` has whole blocks along its last axis; the error names `what`.
void check_block_shape(std::string_view what, DType dtype, const Shape& shape);
/// Error of kind dtype: `what` takes no tensor of a block dtype.
[[noreturn]] void refuse_blocks(std::string_view what, DType dtype);

// Movement of whole rows, which ops/movement.cpp calls for tensors of block dtypes.
void check_reshape_of_blocks(const Node& x, const Shape& shape);
NodePtr reshape_blocks(const NodePtr& x, const Shape& shape);
NodePtr permute_blocks(const NodePtr& x, std::span<const int> order);
NodePtr slice_blocks(const NodePtr& x, const Shape& shape, std::span<const Range> ranges);
/// The rows [.., k] at positions of x [n, k], or the matrices of x [n, .., k].
NodePtr take_blocks(const NodePtr& x, const NodePtr& positions);

// ---- Dequantization and matmuls (quant.cpp) ----
/// A matrix [n, k] as nodes of its planes.
struct QuantizedNode {
  DType dtype = DType::kQ4_0;
  std::int64_t n = 0, k = 0;
  std::vector<NodePtr> planes;
};
/// The attributes of the calls "dequantize" (planes -> [n, k] of f32) and "quantized_matmul" (planes, x of [m, k] ->
/// [m, n] of x's dtype).
struct QuantCall {
  DType dtype = DType::kQ4_0;
  static auto fields(auto& s) { return std::tie(s.dtype); }
};
NodePtr dequantize(const QuantizedNode& q, DType dtype);
/// A tensor of a block dtype in a float dtype.
NodePtr dequantize(const NodePtr& q, DType dtype);
/// matmul() where an operand has a block dtype.
NodePtr matmul_blocks(const NodePtr& a, const NodePtr& b);
/// Whether a node is the call of dequantize, which matmuls and gathers do on load.
bool is_dequantize(const Node& node);

/// x [.., K] in a block dtype that quantizes_by_formula(): a call "quantize" of QuantCall, blocks [count, 32] of f32 ->
/// planes. A block with NaN, an infinity or a number beyond the range of its f16 scale becomes NaN.
NodePtr quantize(const NodePtr& x, DType dtype);
/// Dtypes and shapes of the planes of so many blocks.
std::vector<TensorSpec> plane_specs(DType dtype, std::int64_t count);
void quantize_host(DType dtype, const CustomHostCall& call);

/// The kernels on the host. Their params are n, units of 16 elements in a row, m rows of x.
void dequantize_host(DType dtype, const CustomHostCall& call);
void quantized_matmul_host(DType dtype, const CustomHostCall& call);

}  // namespace tessera::ops
