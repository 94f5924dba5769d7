// The state of the compiled step that this thread traces: what is no constant in it, and what may be written.
#pragma once

#include <unordered_set>
#include <vector>

#include "tessera/tensor.h"

namespace tessera::nn {

/// While it lives, members are part of the trace on this thread: those of a step's state, which may be written, or
/// those that functional_call replaced.
class StateScope {
 public:
  explicit StateScope(const std::vector<Tensor*>& slots, bool writable = true)
      : slots_(slots.begin(), slots.end()), writable_(writable), outer_(current) {
    current = this;
  }
  ~StateScope() { current = outer_; }
  StateScope(const StateScope&) = delete;
  StateScope& operator=(const StateScope&) = delete;

  /// Whether the member is part of the trace.
  static bool has(const Tensor* slot) {
    for (const StateScope* s = current; s != nullptr; s = s->outer_) {
      if (s->slots_.contains(slot)) return true;
    }
    return false;
  }
  /// Whether what is written to the member is kept: it is in the state of the innermost step.
  static bool keeps(const Tensor* slot) {
    const StateScope* s = current;
    while (s != nullptr && !s->writable_) s = s->outer_;
    return s != nullptr && s->slots_.contains(slot);
  }

 private:
  static thread_local const StateScope* current;
  std::unordered_set<const Tensor*> slots_;
  bool writable_;
  const StateScope* outer_;
};

}  // namespace tessera::nn
