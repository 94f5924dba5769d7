// Random blocks for the tests of block dtypes.
#pragma once

#include <random>
#include <vector>

#include "tessera/quant.h"

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

}  // namespace tessera::test
