// The variants of the kernels over quantized matrices, which schedule/calls chooses and codegen/kernels writes.
#pragma once

#include <tuple>

#include "ops/quant/quant.h"

namespace tessera::schedule {

struct DequantizeVariant {
  DType dtype = DType::kQ4_0;
  static auto fields(auto& s) { return std::tie(s.dtype); }
};

struct QuantizeVariant {
  DType dtype = DType::kQ4_0;
  static auto fields(auto& s) { return std::tie(s.dtype); }
};

/// A skinny matmul with the transpose of a quantized matrix.
struct QuantMatmulVariant {
  DType dtype = DType::kQ4_0;
  int rows = 1;     // of x at most
  int outputs = 1;  // of a workgroup for each of these rows, which it reads once for all of them
  int units = 1;    // of 16 elements of a row of the matrix in flight at once
  static auto fields(auto& s) { return std::tie(s.dtype, s.rows, s.outputs, s.units); }
};

}  // namespace tessera::schedule
