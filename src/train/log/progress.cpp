// Prints the progress of a run.
#include "tessera/train/progress.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>

#include <fmt/format.h>

#include "base/fail.h"
#include "base/os/terminal.h"
#include "train/log/text.h"

namespace tessera::train {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBetween(200);  // updates of a terminal's line
constexpr std::int64_t kLines = 20;                 // of a run, where there is no terminal
constexpr std::int64_t kUnknownRun = 100;           // steps between lines of a run of unknown length
constexpr int kColumns = 80;                        // of a terminal that does not tell

double seconds_since(Clock::time_point time) { return std::chrono::duration<double>(Clock::now() - time).count(); }

std::string value_text(const std::string& name, double v) {
  const double size = std::abs(v);
  const bool small = size < 1e-3 && v != 0;
  if (name == "rate" || name == "lr" || (std::isfinite(v) && (small || size >= 1e5))) return fmt::format("{:.2e}", v);
  return fmt::format("{:.4f}", v);
}

std::string count_text(double count) {
  if (count < 10) return fmt::format("{:.1f}", count);
  if (count < 1e3) return fmt::format("{:.0f}", count);
  if (count < 1e6) return fmt::format("{:.3g}k", count / 1e3);
  return count < 1e9 ? fmt::format("{:.3g}M", count / 1e6) : fmt::format("{:.3g}G", count / 1e9);
}

/// "12 s", "1 min 10 s", "2 h 05 min".
std::string duration_text(double seconds) {
  constexpr double kYear = 365.0 * 24 * 3600;
  if (!(seconds < kYear)) return "more than a year";
  const auto all = static_cast<std::int64_t>(std::llround(std::max(seconds, 0.0)));
  if (all < 60) return fmt::format("{} s", all);
  if (all < 3600) return fmt::format("{} min {:02} s", all / 60, all % 60);
  return fmt::format("{} h {:02} min", all / 3600, all / 60 % 60);
}

}  // namespace

struct Progress::State {
  explicit State(ProgressOptions given) : options(std::move(given)) {
    if (options.steps < 0 || options.plain_every < 0) {
      fail(ErrorKind::kValue, "Progress: {} steps and a line every {} steps were given; 0 or more are expected.",
           options.steps, options.plain_every);
    }
    terminal = options.terminal < 0 ? !options.print && os::writes_to_terminal() : options.terminal != 0;
    every = options.plain_every;
    if (every == 0) every = options.steps > 0 ? std::max<std::int64_t>(options.steps / kLines, 1) : kUnknownRun;
  }

  void print(std::string_view text) const {
    if (options.print) return options.print(text);
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  }

  ProgressOptions options;
  bool terminal = false;
  std::int64_t every = 1;
  Clock::time_point start = Clock::now();
  // The first call of show(): the first step is traced and compiled.
  std::optional<Clock::time_point> first = {};
  std::int64_t first_step = 0;
  double first_done = 0;
  Clock::time_point shown = {};
  bool open = false;  // the line of the terminal has text
};

Progress::Progress(ProgressOptions options) : state_(std::make_unique<State>(std::move(options))) {}

Progress::~Progress() {
  if (state_ == nullptr || !state_->open) return;
  try {
    state_->print("\r\033[K");
  } catch (...) {  // the user's print
    state_->open = false;
  }
}

Progress::Progress(Progress&&) noexcept = default;

Progress& Progress::operator=(Progress&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

double Progress::seconds() const { return seconds_since(state_->start); }

bool Progress::due(std::int64_t step) const {
  const State& s = *state_;
  if (!s.first.has_value() || step == s.options.steps) return true;
  return s.terminal ? Clock::now() - s.shown >= kBetween : step % s.every == 0;
}

void Progress::line(const std::string& text) {
  State& s = *state_;
  const std::string before = s.open ? "\r\033[K" : "";
  s.open = false;
  s.print(before + well_formed(text) + "\n");
}

void Progress::show(std::int64_t step, double done, const Values& values) {
  State& s = *state_;
  const Clock::time_point now = Clock::now();
  std::string text = fmt::format("step {}", step);
  if (const std::int64_t steps = s.options.steps; steps > 0) {
    text = fmt::format("step {:>{}}/{}", step, std::to_string(steps).size(), steps);
  }
  for (const auto& [name, value] : values) text += fmt::format("  {} {}", printable(name), value_text(name, value));
  if (!s.first.has_value()) {
    s.first = now;
    s.first_step = step;
    s.first_done = done;
  } else if (const double seconds = std::chrono::duration<double>(now - *s.first).count(); seconds > 0) {
    if (done > s.first_done) {
      text += fmt::format("  {} {}/s", count_text((done - s.first_done) / seconds), printable(s.options.unit));
    }
    if (s.options.steps > step && step > s.first_step) {
      const double per_step = seconds / static_cast<double>(step - s.first_step);
      text += fmt::format("  {} left", duration_text(per_step * static_cast<double>(s.options.steps - step)));
    }
  }
  s.shown = now;
  if (!s.terminal) return line(text);
  const int columns = os::terminal_columns();
  // The last column stays empty: a full line would wrap.
  const std::string_view part = first_of(text, static_cast<std::size_t>(columns > 1 ? columns - 1 : kColumns - 1));
  s.open = true;
  s.print(fmt::format("\r\033[K{}", part));
}

}  // namespace tessera::train
