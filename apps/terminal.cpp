// Styles and sizes as text.
#include "terminal.h"

#include <cstdlib>

#include <fmt/format.h>
#include <unistd.h>

namespace tessera::app {

std::string styled(Style style, std::string_view text) {
  static const bool kColours = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  constexpr const char* kCodes[] = {"", "\033[1m", "\033[2m", "\033[32m", "\033[31m"};
  if (!kColours || style == Style::kPlain) return std::string(text);
  return fmt::format("{}{}\033[0m", kCodes[static_cast<int>(style)], text);
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  int unit = 0;
  for (; value >= 1024 && unit < 4; ++unit) value /= 1024;
  return fmt::format("{:.4g} {}", value, kUnits[unit]);
}

}  // namespace tessera::app
