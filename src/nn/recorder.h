// What summary() and the search for anomalies learn from the calls of modules.
#pragma once

#include <functional>

#include "tessera/nn/module.h"

namespace tessera::nn {

/// While it lives, the calls of modules on this thread are reported.
class Recorder {
 public:
  using Note = std::function<void(const Module&, const Shape& input, const Shape& output)>;
  /// A call begins, or ends. A call may be reported twice, one inside of the other.
  using Move = std::function<void(const Module&, bool begins)>;
  explicit Recorder(Note note, Move move = {}) : note_(std::move(note)), move_(std::move(move)), outer_(current) {
    current = this;
  }
  ~Recorder() { current = outer_; }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  static void note(const Module& module, const Shape& input, const Shape& output) {
    if (current != nullptr && current->note_) current->note_(module, input, output);
  }

  /// A call of a module, while it lives.
  class Inside {
   public:
    explicit Inside(const Module& module) : module_(module), recorder_(current) {
      if (recorder_ != nullptr && recorder_->move_) recorder_->move_(module_, true);
    }
    ~Inside() {
      if (recorder_ != nullptr && recorder_->move_) recorder_->move_(module_, false);
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    const Module& module_;
    const Recorder* recorder_;
  };

 private:
  static thread_local const Recorder* current;
  Note note_;
  Move move_;
  const Recorder* outer_;
};

}  // namespace tessera::nn
