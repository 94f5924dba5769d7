// Styles, sizes and times as text.
#include "terminal.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

namespace tessera::app {

bool writes_to_terminal() { return isatty(STDOUT_FILENO) != 0; }
bool errors_to_terminal() { return isatty(STDERR_FILENO) != 0; }
bool reads_from_terminal() { return isatty(STDIN_FILENO) != 0; }

void be_quiet() {
#ifdef _WIN32
  constexpr const char* kNowhere = "NUL";
#else
  constexpr const char* kNowhere = "/dev/null";
#endif
  if (std::freopen(kNowhere, "w", stdout) == nullptr) std::fclose(stdout);
}

namespace {

std::atomic<bool> interrupted = false;
std::atomic<const char*> hint_text = nullptr;
std::atomic<const char*> prompt_text = nullptr;  // null: no line is read

// A signal handler: it may write, and not print.
void on_interrupt(int) {
  const char* prompt = prompt_text.load();
  if (prompt == nullptr) {
    interrupted = true;
    return;
  }
  for (const char* text : {"\n", hint_text.load(), "\n", prompt}) {
    if (write(STDOUT_FILENO, text, std::strlen(text)) < 0) return;
  }
}

}  // namespace

InterruptScope::InterruptScope(const char* hint) {
  hint_text = hint;
  interrupted = false;
  before_ = std::signal(SIGINT, on_interrupt);
}
InterruptScope::~InterruptScope() { std::signal(SIGINT, before_ != SIG_ERR ? before_ : SIG_DFL); }
bool InterruptScope::take() { return interrupted.exchange(false); }
InterruptScope::Prompt::Prompt(const char* text) { prompt_text = text; }
InterruptScope::Prompt::~Prompt() { prompt_text = nullptr; }

std::string styled(Style style, std::string_view text) {
  static const bool kColours = writes_to_terminal() && std::getenv("NO_COLOR") == nullptr;
  constexpr const char* kCodes[] = {"", "\033[1m", "\033[2m", "\033[32m", "\033[31m"};
  if (!kColours || style == Style::kPlain) return std::string(text);
  return fmt::format("{}{}\033[0m", kCodes[static_cast<int>(style)], text);
}

std::string progress_text(std::string_view what, std::uint64_t done, std::uint64_t total) {
  constexpr std::size_t kWidth = 20;
  const double share = total > 0 ? std::min(static_cast<double>(done) / static_cast<double>(total), 1.0) : 1.0;
  const auto full = static_cast<std::size_t>(share * kWidth);
  return fmt::format("{} [{}{}] {:3.0f}%  {} of {}", what, std::string(full, '#'), std::string(kWidth - full, '.'),
                     std::floor(share * 100), bytes_text(done), bytes_text(total));
}

void ProgressBar::operator()(std::uint64_t done, std::uint64_t total) {
  const auto now = std::chrono::steady_clock::now();
  if (done < total && now - shown_ < std::chrono::milliseconds(100)) return;
  shown_ = now;
  fmt::print(stderr, "\r\033[K{}", progress_text(what_, done, total));
  std::fflush(stderr);
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  int unit = 0;
  for (; value >= 1024 && unit < 4; ++unit) value /= 1024;
  return fmt::format("{:.4g} {}", value, kUnits[unit]);
}

std::string time_text(double seconds) {
  const auto all = static_cast<std::int64_t>(std::llround(std::max(seconds, 0.0)));
  if (all < 3600) return fmt::format("{}:{:02}", all / 60, all % 60);
  return fmt::format("{}:{:02}:{:02}", all / 3600, all / 60 % 60, all % 60);
}

std::string count_text(double count) {
  if (count < 1e3) return fmt::format("{:.0f}", count);
  if (count < 1e6) return fmt::format("{:.3g}k", count / 1e3);
  return count < 1e9 ? fmt::format("{:.3g}M", count / 1e6) : fmt::format("{:.3g}B", count / 1e9);
}

}  // namespace tessera::app
