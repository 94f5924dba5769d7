// Tensors whose elements say which rank made them, and the plain loops that collectives are compared with.
#pragma once

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {

namespace dist = distributed;

inline std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Element i of rank r: whole numbers, so that sums are exact in every dtype and in every order.
inline int element(int r, std::int64_t i) { return static_cast<int>((i * 7 + r * 5 + (i >> 3)) % 11); }

template <class T>
std::vector<T> elements(int r, std::int64_t count) {
  std::vector<T> all;
  all.reserve(at(count));
  for (std::int64_t i = 0; i < count; ++i) {
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
      all.push_back(T(static_cast<float>(element(r, i))));
    } else {
      all.push_back(static_cast<T>(element(r, i)));
    }
  }
  return all;
}

template <class T>
double as_double(const T& v) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return static_cast<double>(static_cast<float>(v));
  } else if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<double>(v);
  } else {
    return static_cast<double>(v.real());
  }
}

/// The reduction of element i over all ranks.
inline double reduced(dist::Reduce op, std::int64_t i, int ranks) {
  double value = element(0, i);
  for (int r = 1; r < ranks; ++r) {
    const double other = element(r, i);
    if (op == dist::Reduce::kMin) {
      value = std::min(value, other);
    } else if (op == dist::Reduce::kMax) {
      value = std::max(value, other);
    } else {
      value += other;
    }
  }
  return op == dist::Reduce::kMean ? value / ranks : value;
}

/// The tensors of all ranks, one behind the other.
inline std::vector<float> of_all_ranks(const Tensor& x) {
  return dist::all_gather(x.reshape({x.numel()})).to_vector<float>();
}

/// Whether all ranks have the same bits.
inline void expect_equal_on_all_ranks(const Tensor& x) {
  const std::vector<float> all = of_all_ranks(x);
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(std::bit_cast<std::uint32_t>(all[i]), std::bit_cast<std::uint32_t>(all[i % at(x.numel())])) << i;
  }
}

}  // namespace tessera::test
