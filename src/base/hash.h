// Mixing of 64-bit hashes.
#pragma once

#include <cstdint>

namespace tessera {

constexpr std::uint64_t hash_mix(std::uint64_t h, std::uint64_t v) {
  h ^= v + 0x9e3779b97f4a7c15ULL + (h << 6U) + (h >> 2U);
  h *= 0xff51afd7ed558ccdULL;
  return h ^ (h >> 32U);
}

}  // namespace tessera
