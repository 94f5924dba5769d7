// How long the passes of planning take, while a thread measures them.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tessera {

/// Milliseconds by the name of the pass, in the order in which passes first ran.
struct PassTimes {
  struct Pass {
    std::string_view name;  // a literal
    double ms = 0;
  };
  std::uint64_t nodes = 0;  // of the graphs that were planned
  std::vector<Pass> passes;
  void add(std::string_view name, double ms);
  void add(const PassTimes& more);
};

/// While it lives, PassTimers of this thread add to `times`; null: they measure nothing.
class MeasurePasses {
 public:
  explicit MeasurePasses(PassTimes* times);
  ~MeasurePasses();
  MeasurePasses(const MeasurePasses&) = delete;
  MeasurePasses& operator=(const MeasurePasses&) = delete;
  /// Counts nodes for the measurement under way, if there is one.
  static void count_nodes(std::uint64_t nodes);

 private:
  PassTimes* outer_;
};

/// Measures its own life, less that of PassTimers inside it. Costs next to nothing where nobody measures.
class PassTimer {
 public:
  explicit PassTimer(std::string_view name);
  ~PassTimer();
  PassTimer(const PassTimer&) = delete;
  PassTimer& operator=(const PassTimer&) = delete;

 private:
  std::string_view name_;
  PassTimes* times_;
  PassTimer* outer_ = nullptr;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::duration inside_{};  // spent in other PassTimers
};

}  // namespace tessera
