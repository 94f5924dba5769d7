// Whether a thread is differentiating a function.
#pragma once

namespace tessera {

/// While one lives, its thread is inside of grad, vjp or jvp: variables may be captured by whatever it calls.
class Differentiating {
 public:
  Differentiating();
  ~Differentiating();
  Differentiating(const Differentiating&) = delete;
  Differentiating& operator=(const Differentiating&) = delete;
  static bool now();
};

}  // namespace tessera
