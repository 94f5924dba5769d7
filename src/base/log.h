// A logger to standard error. TESSERA_LOG=off|error|warn|info|debug sets the level; the default is warn.
#pragma once

#include <cstdint>
#include <string_view>

#include <fmt/format.h>

namespace tessera {

enum class LogLevel : std::uint8_t { kOff, kError, kWarn, kInfo, kDebug };

/// The current level.
LogLevel log_level();
void set_log_level(LogLevel level);
inline bool log_enabled(LogLevel level) { return level <= log_level(); }
/// Writes a line, whatever the level.
void log_line(LogLevel level, std::string_view text);

// Arguments are formatted only when the level is shown.
template <class... Args>
void log_at(LogLevel level, fmt::format_string<Args...> format, Args&&... args) {
  if (log_enabled(level)) log_line(level, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void log_error(fmt::format_string<Args...> format, Args&&... args) {
  log_at(LogLevel::kError, format, std::forward<Args>(args)...);
}
template <class... Args>
void log_warn(fmt::format_string<Args...> format, Args&&... args) {
  log_at(LogLevel::kWarn, format, std::forward<Args>(args)...);
}
template <class... Args>
void log_info(fmt::format_string<Args...> format, Args&&... args) {
  log_at(LogLevel::kInfo, format, std::forward<Args>(args)...);
}
template <class... Args>
void log_debug(fmt::format_string<Args...> format, Args&&... args) {
  log_at(LogLevel::kDebug, format, std::forward<Args>(args)...);
}

}  // namespace tessera
