// Text that goes to terminals and files: valid UTF-8 without control characters, measured in characters.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/utf8.h"

namespace tessera::train {

/// Bytes that are not valid UTF-8 become U+FFFD.
inline std::string well_formed(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t good = valid_utf8(text);
    out += text.substr(0, good);
    text.remove_prefix(good);
    if (text.empty()) break;
    out += "\xEF\xBF\xBD";
    text.remove_prefix(1);
  }
  return out;
}

/// The same, with control characters as '?': a name from a file cannot move the cursor.
inline std::string printable(std::string_view text) {
  const std::string good = well_formed(text);
  std::string out;
  for (std::size_t i = 0; i < good.size(); ++i) {
    const auto c = static_cast<unsigned char>(good[i]);
    if (c == 0xC2 && static_cast<unsigned char>(good[i + 1]) < 0xA0) {  // U+0080 to U+009F
      out += '?';
      ++i;
    } else {
      out += c < 0x20 || c == 0x7F ? '?' : good[i];
    }
  }
  return out;
}

inline bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }

/// The number of characters (code points) of valid UTF-8.
inline std::size_t length_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

/// Its first characters.
inline std::string_view first_of(std::string_view text, std::size_t characters) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!starts_character(text[i])) continue;
    if (characters == 0) return text.substr(0, i);
    --characters;
  }
  return text;
}

}  // namespace tessera::train
