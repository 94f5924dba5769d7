// Prints the progress of a training job.
#include "train/progress.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "terminal.h"

namespace tessera::app {

namespace {

constexpr std::chrono::milliseconds kBetween(200);  // updates of a terminal's line

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

Progress::Progress(std::int64_t steps, double per_step, std::string unit, std::int64_t every)
    : steps_(steps), every_(std::max<std::int64_t>(every, 1)), per_step_(per_step), unit_(std::move(unit)) {}

double Progress::seconds() const { return seconds_between(start_, Clock::now()); }

void Progress::clear() {
  if (open_) fmt::print("\r\033[K");
  open_ = false;
}

void Progress::line(const std::string& text) {
  clear();
  fmt::print("{}\n", text);
  std::fflush(stdout);
}

void Progress::step(const Tensor& loss, const optim::Optimizer& optimizer) {
  ++done_;
  const bool terminal = writes_to_terminal();
  const bool due = terminal ? Clock::now() - shown_ >= kBetween : done_ % every_ == 0;
  if (done_ > 1 && !due && done_ != steps_) return;
  const auto value = loss.item<double>();  // waits for the steps so far
  const Clock::time_point now = Clock::now();
  if (done_ == 1) traced_ = now;
  shown_ = now;
  const double per_second = done_ == 1 ? 0 : static_cast<double>(done_ - 1) / seconds_between(traced_, now);
  std::string text = fmt::format("step {:>{}}/{}  loss {:.4f}  rate {:.2e}", done_, std::to_string(steps_).size(),
                                 steps_, value, optimizer.rate().item<double>());
  if (per_second > 0) {
    text += fmt::format("  {} {}/s  {} left", count_text(per_second * per_step_), unit_,
                        time_text(static_cast<double>(steps_ - done_) / per_second));
  }
  if (!terminal) return line(text);
  fmt::print("\r\033[K{:.110}", text);
  std::fflush(stdout);
  open_ = true;
}

}  // namespace tessera::app
