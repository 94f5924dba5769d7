// The Autocast scope of a thread, and the dtypes of ops that follow from it.
#include "ops/autocast.h"

#include <algorithm>
#include <utility>

namespace tessera::ops {

namespace {

thread_local std::optional<DType> low;

bool is_half(DType t) { return t == DType::kF16 || t == DType::kBF16; }

}  // namespace

std::optional<DType> autocast_dtype() { return low; }
std::optional<DType> set_autocast_dtype(std::optional<DType> dtype) { return std::exchange(low, dtype); }

DType low_dtype(std::span<const DType> operands) {
  const bool eligible = std::ranges::all_of(operands, [](DType t) { return t == DType::kF32 || is_half(t); });
  if (low.has_value() && eligible) return *low;
  DType common = operands[0];
  for (const DType t : operands) common = promote(common, t);
  return common;
}

DType f32_dtype(DType dtype) { return low.has_value() && is_half(dtype) ? DType::kF32 : dtype; }

}  // namespace tessera::ops
