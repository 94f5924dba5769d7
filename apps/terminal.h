// Text for people: bold and colour on a terminal, plain elsewhere; sizes in bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::app {

enum class Style : std::uint8_t { kPlain, kBold, kDim, kGood, kBad };

/// The text in a style, when standard output is a terminal and NO_COLOR is not set.
std::string styled(Style style, std::string_view text);

/// "4 GiB", "48 KiB", "12 bytes".
std::string bytes_text(std::uint64_t bytes);

}  // namespace tessera::app
