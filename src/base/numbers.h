// What the dtypes hold: the ranges of integers, and numbers rounded to floats.
#pragma once

#include <utility>

#include "base/sizes.h"
#include "tessera/dtype.h"

namespace tessera {

/// The least and the most of an integer type.
constexpr std::pair<Wide, Wide> range_of(DType t) {
  const auto bits = static_cast<unsigned>(8 * size_of(t));
  if (!is_signed(t)) return {0, (Wide{1} << bits) - 1};
  return {-(Wide{1} << (bits - 1)), (Wide{1} << (bits - 1)) - 1};
}

constexpr bool holds(DType t, Wide v) {
  const auto [least, most] = range_of(t);
  return v >= least && v <= most;
}

/// v as a half where t is one; else v.
inline float rounded_to_half(float v, DType t) {
  if (t == DType::kF16) return static_cast<float>(Half(v));
  return t == DType::kBF16 ? static_cast<float>(BFloat16(v)) : v;
}

}  // namespace tessera
