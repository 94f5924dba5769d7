// Whether text is well-formed UTF-8: no overlong forms, surrogates, or code points past U+10FFFF.
#pragma once

#include <cstddef>
#include <string_view>

namespace tessera {

/// How many bytes of a text are valid UTF-8 from its beginning on: all of them, or the position of the first bad one.
inline std::size_t valid_utf8(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  std::size_t i = 0;
  while (i < text.size()) {
    const unsigned char first = at(i);
    if (first < 0x80) {
      ++i;
      continue;
    }
    const std::size_t more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    if (first < 0xC2 || first > 0xF4 || text.size() - i <= more) return i;
    // The second byte rules out overlong forms, surrogates and what is past U+10FFFF.
    const unsigned char low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (at(i + 1) < low || at(i + 1) > high) return i;
    for (std::size_t k = 2; k <= more; ++k) {
      if ((at(i + k) & 0xC0U) != 0x80) return i;
    }
    i += more + 1;
  }
  return i;
}

inline bool is_utf8(std::string_view text) { return valid_utf8(text) == text.size(); }

}  // namespace tessera
