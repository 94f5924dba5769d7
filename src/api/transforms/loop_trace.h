// Whether a thread is tracing the function of a loop, and how loops become part of a trace.
#pragma once

#include <cstdint>
#include <utility>

namespace tessera {

/// While it lives, its thread is inside a function that scan() traces by itself, outside of compile().
class LoopTrace {
 public:
  LoopTrace() { ++count; }
  ~LoopTrace() { --count; }
  LoopTrace(const LoopTrace&) = delete;
  LoopTrace& operator=(const LoopTrace&) = delete;
  static bool now() { return count > 0; }

 private:
  static thread_local int count;
};

/// Loops in a function that compile() traces on this thread: calls of its graph, which replay a plan of one step, or
/// unrolled. The innermost one counts.
class LoopCalls {
 public:
  enum class Use : std::uint8_t { kCalls, kUnrolled, kInsideBody };
  explicit LoopCalls(Use use) : use_(use), outer_(std::exchange(current, this)) {}
  ~LoopCalls() { current = outer_; }
  LoopCalls(const LoopCalls&) = delete;
  LoopCalls& operator=(const LoopCalls&) = delete;

  static bool allowed() { return current != nullptr && current->use_ == Use::kCalls; }
  /// Whether the thread is in the function of a loop that becomes a call.
  static bool inside_body() { return current != nullptr && current->use_ == Use::kInsideBody; }
  /// A loop becomes a call.
  static void note_call() { current->calls_ = true; }
  /// The function of a loop has effects that a replay would not repeat.
  static void note_write() {
    if (current == nullptr || current->use_ != Use::kInsideBody) return;
    for (LoopCalls* c = current; c != nullptr; c = c->outer_) c->refused_ = true;
  }

  /// Whether there are calls, and whether loops must be unrolled instead.
  [[nodiscard]] bool any() const { return calls_; }
  [[nodiscard]] bool refused() const { return refused_; }

 private:
  static thread_local LoopCalls* current;
  Use use_;
  LoopCalls* outer_;
  bool calls_ = false;
  bool refused_ = false;
};

}  // namespace tessera
