// Rows of quantized matrices on the CPU: matmuls of few rows by integer dot products, and dequantization.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tessera/dtype.h"

namespace tessera::ops {

/// x [m, k] of f32, f16 or bf16 times the transpose of a matrix [n, k] of a block dtype, to out [m, n] of f32.
struct IntegerMatmul {
  DType dtype = DType::kQ4_0;
  std::span<const std::span<const std::byte>> planes;  // of the matrix, in the order of repack()
  std::size_t n = 0, k = 0, m = 0;
  DType x_dtype = DType::kF32;
  const std::byte* x = nullptr;
  std::ptrdiff_t x_stride = 0;  // bytes from row to row
  float* out = nullptr;
  bool vnni = true;  // if the CPU has it
};

/// Each row of x is quantized once, in blocks of 32 elements to integers of 8 bits with an f32 scale: an element is off
/// by at most 1/254 of the largest magnitude in its block. Sums inside of the blocks are exact. A block of
/// x with an infinity or a NaN makes its row of the result NaN. False if the CPU has no vectors.
bool integer_matmul(const IntegerMatmul& call);

/// The elements of a matrix [n, k] as f32, to the bit of dequantize_block(). False if the CPU has no vectors.
bool dequantize_rows(DType dtype, std::span<const std::span<const std::byte>> planes, std::size_t n, std::size_t k,
                     float* out);

}  // namespace tessera::ops
