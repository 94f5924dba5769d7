// The state of the compiled step that this thread traces: what may be written inside of it.
#pragma once

#include <unordered_set>
#include <vector>

#include "tessera/tensor.h"

namespace tessera::nn {

/// While it lives, the tensors of these members may be written in a trace on this thread.
class StateScope {
 public:
  explicit StateScope(const std::vector<Tensor*>& slots) : slots_(slots.begin(), slots.end()), outer_(current) {
    current = this;
  }
  ~StateScope() { current = outer_; }
  StateScope(const StateScope&) = delete;
  StateScope& operator=(const StateScope&) = delete;

  static bool covers(const Tensor* slot) { return current != nullptr && current->slots_.contains(slot); }

 private:
  static thread_local const StateScope* current;
  std::unordered_set<const Tensor*> slots_;
  const StateScope* outer_;
};

}  // namespace tessera::nn
