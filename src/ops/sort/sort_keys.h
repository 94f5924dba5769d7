// Sort keys on the host: unsigned words in the order of the values, as in codegen/kernels/parts.h.
#pragma once

#include <cmath>
#include <complex>
#include <type_traits>

#include "base/fail.h"

namespace tessera::ops {

/// NaN is above all numbers, and both zeros are equal.
template <class E>
std::uint64_t sort_key(E v) {
  if constexpr (std::is_floating_point_v<E>) {
    using U = std::conditional_t<sizeof(E) == 8, std::uint64_t, std::uint32_t>;
    constexpr U kTop = U{1} << (8 * sizeof(E) - 1);
    if (std::isnan(v)) return static_cast<U>(~U{0});
    const U bits = std::bit_cast<U>(v == 0 ? E{0} : v);
    return static_cast<U>((bits & kTop) != 0 ? ~bits : bits | kTop);
  } else if constexpr (std::is_signed_v<E>) {
    using U = std::make_unsigned_t<E>;
    return static_cast<U>(static_cast<U>(v) ^ (U{1} << (8 * sizeof(E) - 1)));
  } else {
    return v;
  }
}

/// Calls f with a value of the C++ type of a wide type.
template <class F>
decltype(auto) for_wide(DType t, F&& f) {
  switch (t) {
    case DType::kF64:
      return f(double{});
    case DType::kI32:
      return f(std::int32_t{});
    case DType::kU32:
      return f(std::uint32_t{});
    case DType::kI64:
      return f(std::int64_t{});
    case DType::kU64:
      return f(std::uint64_t{});
    case DType::kF32:
      return f(float{});
    default:
      fail(ErrorKind::kDType, "Type {} has no order of its elements.", name(t));
  }
}

/// The same where elements are only moved or combined: complex types too.
template <class F>
decltype(auto) for_element(DType t, F&& f) {
  if (t == DType::kC64) return f(std::complex<float>{});
  if (t == DType::kC128) return f(std::complex<double>{});
  return for_wide(t, std::forward<F>(f));
}

}  // namespace tessera::ops
