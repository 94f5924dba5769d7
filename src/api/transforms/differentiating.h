// Whether a thread is differentiating a function, and tracking for gradient rules.
#pragma once

#include "graph/gradient.h"

namespace tessera {

/// While it lives, its thread is inside grad, vjp or jvp: functions that it calls may capture variables.
class Differentiating {
 public:
  Differentiating();
  ~Differentiating();
  Differentiating(const Differentiating&) = delete;
  Differentiating& operator=(const Differentiating&) = delete;
  static bool now();
};

/// While it lives, nodes created by its thread are tracked, also inside of backward(), which disables it.
class Tracking {
 public:
  Tracking() : was_(enable_gradients(true)) {}
  ~Tracking() { enable_gradients(was_); }
  Tracking(const Tracking&) = delete;
  Tracking& operator=(const Tracking&) = delete;

 private:
  bool was_;
};

}  // namespace tessera
