// What the tests of scans and sorts share: random data as vectors and as tensors.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "support/devices.h"
#include "support/errors.h"
#include "support/values.h"
#include "tessera/tessera.h"

namespace tessera::test {

inline constexpr float kInf = std::numeric_limits<float>::infinity();
inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;

/// Numbers in [low, high].
template <class E>
std::vector<E> numbers(std::int64_t n, std::uint32_t seed, double low = -4, double high = 4) {
  std::mt19937 random(seed);
  std::vector<E> v(static_cast<std::size_t>(n));
  for (E& x : v) {
    if constexpr (std::is_floating_point_v<E>) {
      x = static_cast<E>(std::uniform_real_distribution<double>(low, high)(random));
    } else {
      x = static_cast<E>(std::uniform_int_distribution<std::int64_t>(static_cast<std::int64_t>(low),
                                                                     static_cast<std::int64_t>(high))(random));
    }
  }
  return v;
}

/// Equal, and NaN where NaN is.
template <class E>
bool same(E a, E b) {
  return a == b || (a != a && b != b);
}

template <class E>
void expect_same(const std::vector<E>& got, const std::vector<E>& expected, const std::string& what) {
  ASSERT_EQ(got.size(), expected.size()) << what;
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_TRUE(same(got[i], expected[i])) << what << " at " << i << ": " << got[i] << " instead of " << expected[i];
}

/// Whether the two are within `relative` of the sum of magnitudes that went into each.
inline void expect_near(const std::vector<float>& got, const std::vector<double>& expected,
                        const std::vector<double>& bound, const std::string& what) {
  ASSERT_EQ(got.size(), expected.size()) << what;
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], expected[i], bound[i]) << what << " at " << i;
}

}  // namespace tessera::test
