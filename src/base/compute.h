// The types in which kernels compute: small integers widen to 32 bits, small floats to f32.
#pragma once

#include "tessera/dtype.h"

namespace tessera {

/// bool is a byte of 0 or 1 on the CPU and a bool in WGSL; 64-bit integers are pairs of u32 in WGSL.
enum class Compute : std::uint8_t { kBool, kI32, kU32, kI64, kU64, kF32, kF64, kC64, kC128 };

/// The type in which sums of floats and other partial results are kept.
constexpr DType wide_float(DType t) { return t == DType::kF16 || t == DType::kBF16 ? DType::kF32 : t; }

constexpr Compute compute_type(DType t) {
  switch (t) {
    case DType::kBool:
      return Compute::kBool;
    case DType::kI8:
    case DType::kI16:
    case DType::kI32:
      return Compute::kI32;
    case DType::kU8:
    case DType::kU16:
    case DType::kU32:
      return Compute::kU32;
    case DType::kI64:
      return Compute::kI64;
    case DType::kU64:
      return Compute::kU64;
    case DType::kF16:
    case DType::kBF16:
    case DType::kF32:
      return Compute::kF32;
    case DType::kF64:
      return Compute::kF64;
    case DType::kC64:
      return Compute::kC64;
    case DType::kC128:
      return Compute::kC128;
    default:  // block dtypes are not computed with
      return Compute::kF32;
  }
}

constexpr bool is_complex(Compute t) { return t == Compute::kC64 || t == Compute::kC128; }

/// i8, u8, i16, u16: after an op the values are wrapped to the dtype's range.
constexpr bool is_subword_integer(DType t) { return is_integer(t) && size_of(t) < 4; }

}  // namespace tessera
