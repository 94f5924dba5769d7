// Learning rates as functions of the step, a tensor: evaluated inside a step, compiled or not.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <vector>

#include "tessera/export.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {
namespace optim {

/// The rate for the update after `step` updates: f32 of rank 0, as the result is. One trace serves all steps.
using Schedule = std::function<Tensor(const Tensor& step)>;

/// A learning rate: a number or a schedule.
class Rate {
 public:
  template <Number V>
  Rate(V value) : value_(static_cast<double>(value)) {}  // NOLINT(google-explicit-constructor)
  template <class F>
    requires(std::constructible_from<Schedule, F> && !Number<F>)
  Rate(F schedule) : schedule_(std::move(schedule)) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] double value() const { return value_; }
  [[nodiscard]] const Schedule& schedule() const { return schedule_; }

 private:
  double value_ = 0;
  Schedule schedule_;
};

Schedule constant(double rate);
/// rate * gamma^(step / every), rounded down.
Schedule step_decay(double rate, std::int64_t every, double gamma = 0.1);
/// rate * gamma^n behind n of the milestones.
Schedule multistep(double rate, const std::vector<std::int64_t>& milestones, double gamma = 0.1);
/// rate * gamma^step.
Schedule exponential(double rate, double gamma);
struct CosineOptions {
  double minimum = 0;
  std::int64_t warmup = 0;  // steps that rise in a line from 0 to the rate, before the others
};
/// From the rate to the minimum in half a cosine over `steps`, which include the warm-up, then the minimum.
Schedule cosine(double rate, std::int64_t steps, const CosineOptions& options = {});
/// Half cosines one after the other; each is `factor` times as long as the one before it.
Schedule cosine_restarts(double rate, std::int64_t first, std::int64_t factor = 1, double minimum = 0);
/// A line over `steps`, then its end.
Schedule linear(double from, double to, std::int64_t steps);
/// rate * (1 - step / steps)^power, then 0.
Schedule polynomial(double rate, std::int64_t steps, double power = 1);
struct OneCycleOptions {
  double start = 0.3;      // the part of the steps that rises
  double divide = 25;      // the first rate is max / divide,
  double final_div = 1e4;  // the last one is the first / final_div
  bool linear = false;     // else half cosines
};
Schedule one_cycle(double max, std::int64_t steps, const OneCycleOptions& options = {});
/// Rises in a line to the rate at `warmup` steps, then falls as 1 / sqrt(step).
Schedule inverse_sqrt(double rate, std::int64_t warmup);
/// schedules[i] from step boundaries[i - 1] on, where its own steps begin at 0. Error of kind value if there are not
/// one boundary less than schedules, in ascending order.
Schedule join(std::vector<Schedule> schedules, std::vector<std::int64_t> boundaries);

}  // namespace optim
}  // namespace tessera
