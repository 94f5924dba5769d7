// The values of each dtype: ranges of integers, and rounding to floats.
#pragma once

#include <utility>

#include "base/sizes.h"
#include "tessera/dtype.h"

namespace tessera {

/// The smallest and the largest value of an integer dtype.
constexpr std::pair<Wide, Wide> range_of(DType t) {
  const auto bits = static_cast<unsigned>(8 * size_of(t));
  if (!is_signed(t)) return {0, (Wide{1} << bits) - 1};
  return {-(Wide{1} << (bits - 1)), (Wide{1} << (bits - 1)) - 1};
}

constexpr bool holds(DType t, Wide v) {
  const auto [least, most] = range_of(t);
  return v >= least && v <= most;
}

/// v rounded to f16 or bf16 if t is one of them; else v.
inline float rounded_to_half(float v, DType t) {
  if (t == DType::kF16) return static_cast<float>(Half(v));
  return t == DType::kBF16 ? static_cast<float>(BFloat16(v)) : v;
}

}  // namespace tessera
