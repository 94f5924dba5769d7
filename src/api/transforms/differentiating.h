// Whether a thread is differentiating a function.
#pragma once

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

}  // namespace tessera
