// The equations of the cart pole.
#include "train/cart_pole.h"

#include <cmath>
#include <numbers>

namespace tessera::app {

namespace {

constexpr double kTrack = 2.4;  // m from the middle
constexpr double kLean = 12 * std::numbers::pi / 180;

}  // namespace

double uniform_of(std::mt19937_64& random) { return static_cast<double>(random() >> 11U) * 0x1p-53; }

void CartPole::reset(std::mt19937_64& random) {
  for (double& x : x_) x = 0.1 * uniform_of(random) - 0.05;
  steps_ = 0;
}

void CartPole::step(int action) {
  constexpr double kGravity = 9.8;
  constexpr double kPole = 0.1;  // masses
  constexpr double kTotal = 1.1;
  constexpr double kHalfLength = 0.5;
  constexpr double kForce = 10;
  constexpr double kSeconds = 0.02;
  auto& [position, speed, angle, turn] = x_;
  const double sine = std::sin(angle);
  const double cosine = std::cos(angle);
  const double pushed = ((action == 1 ? kForce : -kForce) + kPole * kHalfLength * turn * turn * sine) / kTotal;
  const double turn_rate =
      (kGravity * sine - cosine * pushed) / (kHalfLength * (4.0 / 3 - kPole * cosine * cosine / kTotal));
  const double speed_rate = pushed - kPole * kHalfLength * turn_rate * cosine / kTotal;
  position += kSeconds * speed;
  speed += kSeconds * speed_rate;
  angle += kSeconds * turn;
  turn += kSeconds * turn_rate;
  ++steps_;
}

CartPole::State CartPole::state() const {
  constexpr double kSpeed = 2;  // m/s, and rad/s
  const auto part = [](double x, double of) { return static_cast<float>(x / of); };
  return {part(x_[0], kTrack), part(x_[1], kSpeed), part(x_[2], kLean), part(x_[3], kSpeed)};
}

bool CartPole::fallen() const { return !(std::abs(x_[0]) <= kTrack && std::abs(x_[2]) <= kLean); }

}  // namespace tessera::app
