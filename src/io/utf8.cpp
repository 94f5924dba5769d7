// UTF-8 by the table of well-formed byte sequences of the Unicode standard, with ASCII eight bytes at a time.
#include "io/utf8.h"

#include <cstdint>
#include <cstring>

namespace tessera::io {

bool is_utf8(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080U;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  for (std::size_t at = 0; at < text.size();) {
    std::uint64_t word = kHighBits;
    if (text.size() - at >= sizeof word) std::memcpy(&word, text.data() + at, sizeof word);
    if ((word & kHighBits) == 0) {
      at += sizeof word;
      continue;
    }
    const unsigned first = byte(at);
    if (first < 0x80) {
      ++at;
      continue;
    }
    if (first < 0xC2 || first > 0xF4) return false;
    const std::size_t length = first < 0xE0 ? 2 : (first < 0xF0 ? 3 : 4);
    if (text.size() - at < length) return false;
    const unsigned second = byte(at + 1);
    const unsigned least = first == 0xE0 ? 0xA0 : (first == 0xF0 ? 0x90 : 0x80);
    const unsigned most = first == 0xED ? 0x9F : (first == 0xF4 ? 0x8F : 0xBF);
    if (second < least || second > most) return false;
    for (std::size_t i = 2; i < length; ++i) {
      if ((byte(at + i) & 0xC0U) != 0x80) return false;
    }
    at += length;
  }
  return true;
}

}  // namespace tessera::io
