// Block-quantized weights in the formats of GGUF files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tessera/export.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

/// The block formats of ggml. A block of 32 elements (256 for the K formats) shares scales.
enum class QuantFormat : std::uint8_t { kQ4_0, kQ4_1, kQ5_0, kQ8_0, kQ4_K, kQ5_K, kQ6_K };

std::string_view name(QuantFormat format);        // "Q4_K"
std::int64_t block_elements(QuantFormat format);  // 32 or 256
std::size_t block_bytes(QuantFormat format);      // bytes of a block in a file

/// Dequantizes whole blocks on the host.
std::vector<float> dequantize_blocks(QuantFormat format, std::span<const std::byte> blocks);
/// Quantizes to blocks, each element to the nearest value of the block's scale: Q4_0 and Q8_0. Error of kind value for
/// NaN, infinities, and numbers beyond the range of an f16 scale.
std::vector<std::byte> quantize_blocks(QuantFormat format, std::span<const float> elements);

/// A matrix [N, K] of blocks along its rows, packed on the device so that kernels read whole words. Cheap to copy.
class QuantizedTensor {
 public:
  QuantizedTensor() = default;
  /// From the bytes of a file: rows of K / block_elements blocks. The device defaults to Device::current().
  static QuantizedTensor from_blocks(QuantFormat format, std::span<const std::byte> blocks, const Shape& shape,
                                     const Device& device = {});
  /// Quantizes a float matrix, on its device; waits for its values. Q4_0 and Q8_0.
  static QuantizedTensor quantize(const Tensor& x, QuantFormat format);

  [[nodiscard]] bool defined() const { return !planes_.empty(); }
  [[nodiscard]] QuantFormat format() const { return format_; }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] Device device() const;
  [[nodiscard]] std::size_t bytes() const;  // on the device
  /// Words of quants, scales and other data of the format; the layout is internal to the kernels.
  [[nodiscard]] const std::vector<Tensor>& planes() const { return planes_; }

 private:
  QuantFormat format_ = QuantFormat::kQ4_0;
  Shape shape_;
  std::vector<Tensor> planes_;
};

/// The matrix [N, K] in a float dtype.
Tensor dequantize(const QuantizedTensor& q, DType dtype = f32);
/// x [.., K] times the transpose of q [N, K]: [.., N], with x's dtype. Up to eight rows of x use a kernel that reads
/// the packed blocks once; more rows dequantize on load on a GPU, or use a dequantized copy if there are too many.
/// Gradients pass to x.
Tensor matmul(const Tensor& x, const QuantizedTensor& q);

}  // namespace tessera

#include "tessera/members/quant.h"  // IWYU pragma: export
