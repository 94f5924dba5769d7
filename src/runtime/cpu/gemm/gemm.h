// GEMM of one pair of matrices on the CPU: C = A B, any strides.
#pragma once

#include <cstdint>

#include "tessera/dtype.h"

namespace tessera::runtime::cpu {

/// A matrix in memory: element (i, j) is at data[i * row_stride + j * col_stride].
struct Matrix {
  const void* data = nullptr;
  DType dtype = DType::kF32;
  std::int64_t row_stride = 0;
  std::int64_t col_stride = 1;
};

/// The sizes: A is m x k, B is k x n, C is m x n and row-major without gaps.
struct GemmSize {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
};

/// f32, f16 and bf16 operands, accumulated in f32. Uses oneDNN if it is available and supports the operands.
void gemm(const GemmSize& size, const Matrix& a, const Matrix& b, float* c);
/// The engine's own kernel.
void gemm_blocked(const GemmSize& size, const Matrix& a, const Matrix& b, float* c);
/// Skinny GEMM: at most kSkinny rows or columns, without packing the large operand; false for others, and for operands
/// without a unit stride.
inline constexpr std::int64_t kSkinny = 16;
bool gemm_skinny(const GemmSize& size, const Matrix& a, const Matrix& b, float* c);
/// oneDNN; false if it is not available or does not support these operands.
bool gemm_onednn(const GemmSize& size, const Matrix& a, const Matrix& b, float* c);

/// Other dtypes, in their compute type: f64, c64, c128, i32, u32, i64, u64; integers wrap.
void gemm_plain(const GemmSize& size, const Matrix& a, const Matrix& b, void* c);

}  // namespace tessera::runtime::cpu
