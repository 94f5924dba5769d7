// Integer helpers: casts to an index, division that rounds up.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace tessera {

/// A nonnegative number as the index of a container.
template <std::integral T>
constexpr std::size_t as_index(T i) {
  return static_cast<std::size_t>(i);
}

/// a / b rounded up, for b > 0, without overflow.
template <std::integral T>
constexpr T ceil_div(T a, std::type_identity_t<T> b) {
  return static_cast<T>(a / b + (a % b > 0 ? 1 : 0));
}

/// The least multiple of `step` that is not less than n, for n >= 0 and step > 0.
template <std::integral T>
constexpr T round_up(T n, std::type_identity_t<T> step) {
  return static_cast<T>(ceil_div(n, step) * step);
}

}  // namespace tessera
