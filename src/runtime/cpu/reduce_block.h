// Folds blocks of values into partial results of reductions, and those into results.
#pragma once

#include <cstdint>

#include "base/compute.h"
#include "graph/op_fwd.h"

namespace tessera::runtime::cpu {

/// A partial result of a reduction. Floats are accumulated in f64, integers modulo 2^64.
struct Partial {
  double number = 0;  // floats, and the real part of complex numbers
  double imaginary = 0;
  std::uint64_t integer = 0;  // integers and bool, sign-extended
  std::uint32_t at = 0;       // kArgMax, kArgMin
  bool any = false;           // whether it has folded a value
};

/// Of no values, for a result of dtype `dtype`.
Partial identity(Op op, DType dtype);
/// For each of `rows` rows: folds `cols` values, whose first column is `first_col`, into its partial result.
void fold(Op op, Compute type, const void* values, std::int64_t rows, std::int64_t cols, std::uint32_t first_col,
          Partial* partials);
/// Folds `next`, of later columns, into `first`.
void merge(Op op, Compute type, Partial& first, const Partial& next);
/// Stores n results, contiguously, as values of `dtype`.
void finish(Op op, Compute type, DType dtype, const Partial* partials, std::int64_t n, void* out);

}  // namespace tessera::runtime::cpu
