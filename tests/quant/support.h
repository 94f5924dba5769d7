// Random blocks for the tests of block dtypes.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "tessera/tessera.h"

namespace tessera::test {

using Bytes = std::vector<std::byte>;

/// Where the first f16 scale of a block is.
inline std::size_t scale_at(DType dtype) {
  switch (dtype) {
    case DType::kQ2_K:
      return 80;
    case DType::kQ3_K:
      return 108;
    case DType::kQ6_K:
      return 208;
    default:
      return 0;
  }
}

/// Whether there is a second one behind it.
inline bool has_minimum(DType t) { return t == q4_1 || t == q5_1 || t == q2_k || t == q4_k || t == q5_k; }

/// Random blocks with scales between 2^-6 and 2^-2.
inline Bytes random_blocks(DType dtype, std::int64_t elements, std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto count = static_cast<std::size_t>(elements / info(dtype).elements);
  Bytes b(count * size_of(dtype));
  for (std::byte& x : b) x = static_cast<std::byte>(random());
  for (std::size_t i = 0; i < count; ++i) {
    std::byte* block = b.data() + i * size_of(dtype);
    if (dtype == mxfp4) {
      block[0] = static_cast<std::byte>(121 + random() % 5);
      continue;
    }
    const std::size_t at = scale_at(dtype);
    block[at + 1] = static_cast<std::byte>(0x24 + random() % 16);
    if (has_minimum(dtype)) block[at + 3] = static_cast<std::byte>(0x24 + random() % 16);
  }
  return b;
}

/// What a sum of k products x[i] * w[i] is off by at most if x is rounded to 8 bits in blocks of 32, as the CPU does
/// for few rows: half a step of 1/127 of a block's largest element for each of its weights.
template <class X>
double rounding_of_row(const X* x, const float* w, std::size_t k) {
  double bound = 0;
  for (std::size_t first = 0; first < k; first += 32) {
    double most = 0;
    double weights = 0;
    for (std::size_t i = first; i < std::min(first + 32, k); ++i) {
      most = std::max(most, std::abs(static_cast<double>(x[i])));
      weights += std::abs(static_cast<double>(w[i]));
    }
    bound += most / 254 * weights * (1 + 0x1p-20);  // the step is rounded to f32
  }
  return bound;
}

/// The same of the products x [.., k] times the transpose of w [n, k], if a CPU has blocks for w; else 0.
inline std::vector<double> rounding_of_products(const Tensor& x, const Tensor& w) {
  const auto k = static_cast<std::size_t>(w.size(1));
  const std::vector<float> a = x.astype(f32).to_vector<float>();
  const std::vector<float> b = w.astype(f32).to_vector<float>();
  std::vector<double> bounds(a.size() / k * (b.size() / k));
  if (x.device().info().type != DeviceType::kCpu || a.size() / k > 8) return bounds;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const std::size_t n = b.size() / k;
    bounds[i] = rounding_of_row(a.data() + i / n * k, b.data() + i % n * k, k);
  }
  return bounds;
}

}  // namespace tessera::test
