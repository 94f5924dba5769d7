// Blocks of Philox words on the CPU.
#pragma once

#include <cstdint>

namespace tessera::runtime::cpu {

/// The words of the counters (first, 0, words[2], words[3]), (first + 1, ..), .. under the key (words[0], words[1]):
/// four for each of `groups` counters.
void random_words(const std::uint32_t* words, std::uint32_t first, std::int64_t groups, std::uint32_t* out);

}  // namespace tessera::runtime::cpu
