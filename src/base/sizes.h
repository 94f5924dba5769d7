// Sizes that callers give: computed without overflow, and refused past what a tensor may hold.
#pragma once

#include <cstdint>
#include <string_view>

#include "tessera/dtype.h"
#include "tessera/shape.h"

namespace tessera {

/// The most bytes of one tensor: past any memory, and so far from the ends of 64 bits that a few sizes can be added.
inline constexpr std::int64_t kMaxTensorBytes = std::int64_t{1} << 60;

/// Holds the product of any two numbers that a caller may give.
__extension__ typedef __int128 Wide;  // NOLINT(modernize-use-using): __extension__ takes no alias

/// A number of elements that was computed from what a caller gave. Error of kind limit past kMaxTensorBytes, on either
/// side of 0.
std::int64_t checked_size(std::string_view what, Wide size);

/// The element count of a tensor. Error of kind shape where a size is negative, of kind limit where the sizes other
/// than 0 come to more than kMaxTensorBytes: so neither counts nor strides overflow.
std::int64_t checked_numel(std::string_view what, const Shape& shape, DType dtype = DType::kU8);

/// Error of kind limit for more elements than i32 indices count.
void check_i32_count(std::string_view what, Wide count);

/// How many of start, start + step, .. lie before stop; the step is not 0.
constexpr std::int64_t range_count(std::int64_t start, std::int64_t stop, std::int64_t step) {
  if (step > 0 ? start >= stop : start <= stop) return 0;
  // In unsigned numbers the distances cannot overflow.
  const auto from = static_cast<std::uint64_t>(step > 0 ? start : stop);
  const auto to = static_cast<std::uint64_t>(step > 0 ? stop : start);
  const std::uint64_t by = step > 0 ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
  return static_cast<std::int64_t>((to - from - 1) / by + 1);
}

}  // namespace tessera
