// The logger's level and its output.
#include "base/log.h"

#include <array>
#include <atomic>
#include <cstdio>
#include <optional>

#include "base/os/system.h"

namespace tessera {

namespace {

constexpr std::array<std::string_view, 5> kNames{"off", "error", "warn", "info", "debug"};

LogLevel level_of_environment() {
  const std::optional<std::string> text = os::environment("TESSERA_LOG");
  if (!text || text->empty()) return LogLevel::kWarn;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == *text) return static_cast<LogLevel>(i);
  }
  log_line(LogLevel::kWarn, fmt::format("TESSERA_LOG is '{}'; expected off, error, warn, info or debug.", *text));
  return LogLevel::kWarn;
}

std::atomic<LogLevel>& current() {
  static std::atomic<LogLevel> level{level_of_environment()};
  return level;
}

}  // namespace

LogLevel log_level() { return current().load(std::memory_order_relaxed); }

void set_log_level(LogLevel level) { current().store(level, std::memory_order_relaxed); }

void log_line(LogLevel level, std::string_view text) {
  // One call, so that lines of several threads do not mix.
  const std::string line = fmt::format("tessera: {}: {}\n", kNames[static_cast<std::size_t>(level)], text);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace tessera
