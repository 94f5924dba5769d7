// Philox4x32-10: four random words from a counter and a key, the same on every device.
#pragma once

#include <array>
#include <cstdint>

namespace tessera {

using PhiloxWords = std::array<std::uint32_t, 4>;

/// Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011).
constexpr PhiloxWords philox(PhiloxWords counter, std::uint32_t key0, std::uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t x = std::uint64_t{0xd2511f53U} * counter[0];
    const std::uint64_t y = std::uint64_t{0xcd9e8d57U} * counter[2];
    counter = {static_cast<std::uint32_t>(y >> 32U) ^ counter[1] ^ key0, static_cast<std::uint32_t>(y),
               static_cast<std::uint32_t>(x >> 32U) ^ counter[3] ^ key1, static_cast<std::uint32_t>(x)};
    key0 += 0x9e3779b9U;
    key1 += 0xbb67ae85U;
  }
  return counter;
}

}  // namespace tessera
