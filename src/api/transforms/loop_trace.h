// Whether a thread is tracing the function of a loop.
#pragma once

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

}  // namespace tessera
