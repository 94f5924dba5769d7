// Tensors of block dtypes: weights quantized in the block formats of GGUF files.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tessera/export.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

// A tensor [.., K] of a block dtype (q4_0 to mxfp4 in tessera/dtype.h) has blocks of 32 or 256 elements along its last
// axis, packed on the device so that kernels read whole words. matmul, take, embedding, slices of whole rows, T(), to()
// and compiled functions take it; astype(f16) dequantizes it; other ops are an Error of kind dtype. It has no gradient.

/// A tensor of a block dtype from the bytes of a file: rows of K / info(dtype).elements blocks. The device defaults to
/// Device::current().
Tensor from_blocks(DType dtype, std::span<const std::byte> blocks, const Shape& shape, const Device& device = {});
/// The bytes of a tensor of a block dtype, as a file has them; waits for its value.
std::vector<std::byte> to_blocks(const Tensor& q);

/// x [.., K] in a block dtype. To Q4_0, Q4_1, Q5_0, Q5_1, Q8_0 and MXFP4 on the device, with the bytes of gguf: a block
/// with NaN, an infinity or a number beyond the range of its f16 scale becomes NaN. To the others on the host, which
/// searches for the scales with the least squared error: waits for x, and errors are those of quantize_blocks().
Tensor quantize(const Tensor& x, DType dtype);
/// A tensor of a block dtype in a float dtype. Matmuls and gathers dequantize on load, without a copy in memory.
Tensor dequantize(const Tensor& q, DType dtype = f32);

/// Dequantizes whole blocks on the host.
std::vector<float> dequantize_blocks(DType dtype, std::span<const std::byte> blocks);
/// Quantizes whole blocks on the host. Error of kind value for NaN, infinities, and numbers beyond the range of an f16
/// scale.
std::vector<std::byte> quantize_blocks(DType dtype, std::span<const float> elements);

}  // namespace tessera

#include "tessera/members/quant.h"  // IWYU pragma: export
