// Arithmetic of reductions on elements in host memory.
#include "api/distributed/elements.h"

#include <cmath>
#include <complex>
#include <cstdint>
#include <type_traits>

#include "base/fail.h"

namespace tessera::distributed {

namespace {

template <class T>
inline constexpr bool kIsComplex = std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

template <class T, class F>
void each(std::byte* own, const std::byte* arrived, std::size_t count, F f) {
  T* const mine = reinterpret_cast<T*>(own);
  const T* const other = reinterpret_cast<const T*>(arrived);
  for (std::size_t i = 0; i < count; ++i) mine[i] = f(other[i], mine[i]);
}

template <class T>
void combine_as(Reduce op, std::byte* own, const std::byte* arrived, std::size_t count) {
  if constexpr (!kIsComplex<T>) {
    if (op == Reduce::kMin) {
      return each<T>(own, arrived, count, [](T a, T b) { return a < b || a != a ? a : b; });
    }
    if (op == Reduce::kMax) {
      return each<T>(own, arrived, count, [](T a, T b) { return a > b || a != a ? a : b; });
    }
  }
  if constexpr (std::is_integral_v<T>) {  // sums wrap
    using U = std::make_unsigned_t<T>;
    each<U>(own, arrived, count, [](U a, U b) { return static_cast<U>(a + b); });
  } else {
    each<T>(own, arrived, count, [](T a, T b) { return a + b; });
  }
}

/// Calls f with a value of the C++ type of the dtype.
template <class F>
void with_type(DType dtype, F f) {
  switch (dtype) {
    case DType::kI8:
      return f(std::int8_t{});
    case DType::kBool:
    case DType::kU8:
      return f(std::uint8_t{});
    case DType::kI16:
      return f(std::int16_t{});
    case DType::kU16:
      return f(std::uint16_t{});
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
    case DType::kF64:
      return f(double{});
    case DType::kC64:
      return f(std::complex<float>{});
    case DType::kC128:
      return f(std::complex<double>{});
    default:
      fail(ErrorKind::kUnsupported, "Collectives do not reduce elements of type {}.", name(dtype));
  }
}

template <class H>
void widen_as(const std::byte* from, float* to, std::size_t count) {
  const H* const halves = reinterpret_cast<const H*>(from);
  for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<float>(halves[i]);
}

template <class H>
void narrow_as(const float* from, std::byte* to, std::size_t count) {
  H* const halves = reinterpret_cast<H*>(to);
  for (std::size_t i = 0; i < count; ++i) halves[i] = H(from[i]);
}

}  // namespace

void combine(Reduce op, DType dtype, std::byte* own, const std::byte* arrived, std::size_t count) {
  with_type(dtype, [&](auto type) { combine_as<decltype(type)>(op, own, arrived, count); });
}

void divide(DType dtype, std::byte* data, std::size_t count, int ranks) {
  with_type(dtype, [&](auto type) {
    using T = decltype(type);
    if constexpr (std::is_floating_point_v<T> || kIsComplex<T>) {
      using Real = decltype(std::abs(T{}));
      T* const values = reinterpret_cast<T*>(data);
      const Real by = static_cast<Real>(ranks);
      for (std::size_t i = 0; i < count; ++i) values[i] /= by;
    }
  });
}

void widen(DType dtype, const std::byte* from, float* to, std::size_t count) {
  dtype == DType::kF16 ? widen_as<Half>(from, to, count) : widen_as<BFloat16>(from, to, count);
}

void narrow(DType dtype, const float* from, std::byte* to, std::size_t count) {
  dtype == DType::kF16 ? narrow_as<Half>(from, to, count) : narrow_as<BFloat16>(from, to, count);
}

}  // namespace tessera::distributed
