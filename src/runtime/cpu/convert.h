// Moves blocks of values between memory and registers: dtypes to compute types and back, and casts.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/compute.h"

namespace tessera::runtime::cpu {

constexpr std::size_t size_of(Compute t) {
  switch (t) {
    case Compute::kBool:
      return 1;
    case Compute::kI32:
    case Compute::kU32:
    case Compute::kF32:
      return 4;
    case Compute::kC128:
      return 16;
    default:
      return 8;
  }
}

/// Whether a block of the dtype has the same layout in memory and in a register.
constexpr bool is_plain(DType t) { return tessera::size_of(t) == size_of(compute_type(t)); }
/// Whether memory may be read in place: not for bool, whose bytes are 0 or 1 in registers but may be others in memory.
constexpr bool is_plain_load(DType t) { return is_plain(t) && t != DType::kBool; }

/// n elements from memory, widened to their compute type; bytes of bool other than 0 become 1.
void widen(DType from, const void* source, std::int64_t n, void* out);
/// n values narrowed to `to`: integers keep their low bits, floats round to nearest even.
void narrow(DType to, const void* source, std::int64_t n, void* out);
/// Wraps n values to the range of a sub-word integer dtype, in place; other dtypes are unchanged.
void wrap(DType type, void* values, std::int64_t n);

/// n values of the compute type `from` as values of `to`. Floats become integers by truncation; they are clamped to the
/// range of the compute type, NaN gives 0, and sub-word dtypes keep the low bits. Anything but 0 is true.
void cast(Compute from, DType to, const void* source, std::int64_t n, void* out);

/// n elements of `size` bytes at source[base + i * stride], indices modulo 2^32.
void take_strided(std::size_t size, const void* source, std::uint32_t base, std::uint32_t stride, std::int64_t n,
                  void* out);
/// rows x cols elements of `size` bytes, row after row, at source[base + r * row_stride + c * col_stride].
void take_rectangle(std::size_t size, const void* source, std::uint32_t base, std::uint32_t row_stride,
                    std::uint32_t col_stride, std::int64_t rows, std::int64_t cols, void* out);
/// n elements of `size` bytes at source[at[i]].
void take(std::size_t size, const void* source, const std::uint32_t* at, std::int64_t n, void* out);
/// n copies of one element of `size` bytes.
void fill(std::size_t size, const void* element, std::int64_t n, void* out);
/// `times` copies of each of n elements.
void repeat(std::size_t size, const void* elements, std::int64_t n, std::int64_t times, void* out);

}  // namespace tessera::runtime::cpu
