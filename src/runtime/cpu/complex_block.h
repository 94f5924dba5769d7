// Casts and reductions of blocks of complex numbers.
#pragma once

#include "runtime/cpu/reduce_block.h"

namespace tessera::runtime::cpu {

/// Like cast(), if `from` or `to` is complex.
void cast_complex(Compute from, DType to, const void* source, std::int64_t n, void* out);
/// Like fold() and merge(): sums and products, in f64.
void fold_complex(Op op, Compute type, const void* values, std::int64_t rows, std::int64_t cols, Partial* partials);
void merge_complex(Op op, Partial& first, const Partial& next);

}  // namespace tessera::runtime::cpu
