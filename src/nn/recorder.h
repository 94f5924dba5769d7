// What summary() learns from the calls of modules.
#pragma once

#include <functional>

#include "tessera/nn/module.h"

namespace tessera::nn {

/// While it lives, the calls of modules on this thread are reported.
class Recorder {
 public:
  using Note = std::function<void(const Module&, const Shape& input, const Shape& output)>;
  explicit Recorder(Note note) : note_(std::move(note)), outer_(current) { current = this; }
  ~Recorder() { current = outer_; }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  static void note(const Module& module, const Shape& input, const Shape& output) {
    if (current != nullptr) current->note_(module, input, output);
  }

 private:
  static thread_local const Recorder* current;
  Note note_;
  const Recorder* outer_;
};

}  // namespace tessera::nn
