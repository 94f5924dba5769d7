// Text for people: bold and colour on a terminal, plain elsewhere; sizes in bytes, times, counts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::app {

enum class Style : std::uint8_t { kPlain, kBold, kDim, kGood, kBad };

/// The text in a style, when standard output is a terminal and NO_COLOR is not set.
std::string styled(Style style, std::string_view text);

/// Whether a person reads standard output, and types standard input.
bool writes_to_terminal();
bool reads_from_terminal();

/// "4 GiB", "48 KiB", "12 bytes".
std::string bytes_text(std::uint64_t bytes);
/// "0:07", "12:34", "1:02:03".
std::string time_text(double seconds);
/// "950", "12.3k", "1.23M", "4.56B".
std::string count_text(double count);

}  // namespace tessera::app
