// Sizes from callers: computed without overflow, and rejected past the limit of a tensor.
#pragma once

#include <cstdint>
#include <string_view>

#include "tessera/dtype.h"
#include "tessera/shape.h"

namespace tessera {

/// The most bytes of one tensor: past any memory, and so far from the ends of 64 bits that a few sizes can be added.
inline constexpr std::int64_t kMaxTensorBytes = std::int64_t{1} << 60;

/// Wide enough for the product of two numbers given by a caller.
__extension__ typedef __int128 Wide;  // NOLINT(modernize-use-using): __extension__ takes no alias

/// An element count computed from arguments. Error of kind limit past kMaxTensorBytes, on either side of 0.
std::int64_t checked_size(std::string_view what, Wide size);

/// The element count of a tensor. Error of kind shape if a size is negative, of kind limit if the nonzero sizes
/// multiply to more than kMaxTensorBytes: so neither counts nor strides overflow.
std::int64_t checked_numel(std::string_view what, const Shape& shape, DType dtype = DType::kU8);

/// Error of kind limit for more elements than i32 indices can count.
void check_i32_count(std::string_view what, Wide count);

/// How many of start, start + step, .. are before stop; the step is not 0.
constexpr std::int64_t range_count(std::int64_t start, std::int64_t stop, std::int64_t step) {
  if (step > 0 ? start >= stop : start <= stop) return 0;
  // In unsigned numbers the distances cannot overflow.
  const auto from = static_cast<std::uint64_t>(step > 0 ? start : stop);
  const auto to = static_cast<std::uint64_t>(step > 0 ? stop : start);
  const std::uint64_t by = step > 0 ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
  return static_cast<std::int64_t>((to - from - 1) / by + 1);
}

}  // namespace tessera
