// Arithmetic of reductions on elements in host memory.
#pragma once

#include <cstddef>

#include "tessera/distributed.h"
#include "tessera/dtype.h"

namespace tessera::distributed {

/// own[i] = reduce(arrived[i], own[i]); a mean is a sum here. Not of f16 and bf16. NaN wins over other extremes.
void combine(Reduce op, DType dtype, std::byte* own, const std::byte* arrived, std::size_t count);
/// Floats and complex numbers divided by a number of ranks. Not of f16 and bf16.
void divide(DType dtype, std::byte* data, std::size_t count, int ranks);

/// f16 and bf16 as f32, and back.
void widen(DType dtype, const std::byte* from, float* to, std::size_t count);
void narrow(DType dtype, const float* from, std::byte* to, std::size_t count);

}  // namespace tessera::distributed
