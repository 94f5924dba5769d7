// Puts tensors of a module back after a call with others.
#pragma once

#include <utility>
#include <vector>

#include "tessera/grad.h"

namespace tessera::nn {

/// Puts tensors back when it is destroyed.
class Restore {
 public:
  explicit Restore(std::vector<Tensor*> slots) : slots_(std::move(slots)) {
    for (const Tensor* s : slots_) before_.push_back(*s);
  }
  ~Restore() {
    for (std::size_t i = 0; i < slots_.size(); ++i) *slots_[i] = before_[i];
  }
  Restore(const Restore&) = delete;
  Restore& operator=(const Restore&) = delete;
  [[nodiscard]] const Tensors& before() const { return before_; }

 private:
  std::vector<Tensor*> slots_;
  Tensors before_;
};

}  // namespace tessera::nn
