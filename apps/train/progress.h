// The progress of a training job: step, loss, rate, speed and time left, on one line of a terminal or as plain lines.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "tessera/tessera.h"

namespace tessera::app {

class Progress {
 public:
  /// Each step processes `per_step` units ("tokens", "images"). Where standard output is not a terminal, a line is
  /// printed every `every` steps.
  Progress(std::int64_t steps, double per_step, std::string unit, std::int64_t every);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// After each step. Reads the loss and the rate only if they are shown.
  void step(const Tensor& loss, const optim::Optimizer& optimizer);
  /// A line that stays.
  void line(const std::string& text);
  /// Seconds since the first step began.
  [[nodiscard]] double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;
  void clear();

  std::int64_t steps_, every_, done_ = 0;
  double per_step_;
  std::string unit_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point traced_ = start_;  // the end of the first step, which is traced and compiled
  Clock::time_point shown_ = {};
  bool open_ = false;  // the line of the terminal has text
};

}  // namespace tessera::app
