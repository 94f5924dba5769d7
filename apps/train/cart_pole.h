// The cart pole: a cart on a track, pushed left or right, balances a pole.
#pragma once

#include <array>
#include <cstdint>
#include <random>

namespace tessera::app {

/// The equations of Barto, Sutton and Anderson (1983), with the constants of Gymnasium's CartPole-v1: forces of 10 N,
/// steps of 0.02 s. Each step gives a reward of 1. An episode ends if the cart leaves the track or the pole leans more
/// than 12 degrees, and after kMostSteps.
class CartPole {
 public:
  static constexpr int kMostSteps = 500;
  static constexpr std::size_t kSize = 4;  // position, speed, angle, angular speed
  using State = std::array<float, kSize>;

  /// A new episode, almost upright.
  void reset(std::mt19937_64& random);
  /// Pushes left (0) or right (1).
  void step(int action);

  /// Position and angle as parts of their limits, and speeds that are about as large.
  [[nodiscard]] State state() const;
  [[nodiscard]] bool fallen() const;
  [[nodiscard]] int steps() const { return steps_; }
  [[nodiscard]] bool over() const { return fallen() || steps_ >= kMostSteps; }

 private:
  std::array<double, kSize> x_ = {};
  int steps_ = 0;
};

/// In [0, 1); the same on every system.
double uniform_of(std::mt19937_64& random);

}  // namespace tessera::app
