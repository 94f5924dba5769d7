// Text for people: bold and colour on a terminal, plain elsewhere; sizes in bytes, times, counts.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "tessera/load_options.h"

namespace tessera::app {

enum class Style : std::uint8_t { kPlain, kBold, kDim, kGood, kBad };

/// The text in a style, when standard output is a terminal and NO_COLOR is not set.
std::string styled(Style style, std::string_view text);

/// Whether a person reads standard output and standard error, and types standard input.
bool writes_to_terminal();
bool errors_to_terminal();
bool reads_from_terminal();

/// Standard output goes nowhere from now on.
void be_quiet();

/// While it lives, Ctrl-C does not end the program. During a read of a line it writes a hint and the prompt again, and
/// otherwise it is noted.
class InterruptScope {
 public:
  explicit InterruptScope(const char* hint);
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;
  /// Whether Ctrl-C was pressed since the last call.
  static bool take();

  /// While it lives, a line is read after this prompt.
  class Prompt {
   public:
    explicit Prompt(const char* text);
    ~Prompt();
    Prompt(const Prompt&) = delete;
    Prompt& operator=(const Prompt&) = delete;
  };

 private:
  void (*before_)(int);
};

/// A bar on standard error for bytes that are done, redrawn ten times a second at most. Whoever ends it clears the
/// line.
class ProgressBar {
 public:
  explicit ProgressBar(std::string what) : what_(std::move(what)) {}
  void operator()(std::uint64_t done, std::uint64_t total);
  void operator()(const io::LoadProgress& p) { (*this)(p.loaded, p.total); }

 private:
  std::string what_;
  std::chrono::steady_clock::time_point shown_ = {};
};
/// "loading model.gguf [######..............]  30%  1.2 GiB of 4 GiB".
std::string progress_text(std::string_view what, std::uint64_t done, std::uint64_t total);

/// "4 GiB", "48 KiB", "12 bytes".
std::string bytes_text(std::uint64_t bytes);
/// "0:07", "12:34", "1:02:03".
std::string time_text(double seconds);
/// "950", "12.3k", "1.23M", "4.56B".
std::string count_text(double count);

}  // namespace tessera::app
