// Learning rates as functions of the step.
#include "tessera/optim/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "nn/fail.h"
#include "tessera/ops.h"

namespace tessera::optim {

using nn::fail;

namespace {

void check_positive(const char* schedule, const char* what, double value) {
  if (!(value > 0)) fail(ErrorKind::kValue, "{}: {} is {}; a positive number is expected.", schedule, what, value);
}

/// From a to b in half a cosine, as `part` goes from 0 to 1.
Tensor half_cosine(double a, double b, const Tensor& part) {
  return b + (a - b) * 0.5 * (1 + cos(part * std::numbers::pi));
}

Tensor at_most(const Tensor& x, double most) { return minimum(x, most); }

}  // namespace

Schedule constant(double rate) {
  return [rate](const Tensor& step) { return full({}, rate, f32, step.device()); };
}

Schedule step_decay(double rate, std::int64_t every, double gamma) {
  check_positive("step_decay", "every", static_cast<double>(every));
  check_positive("step_decay", "gamma", gamma);
  return [=](const Tensor& step) {
    // Half a step more, so that rounding does not delay a decay.
    const Tensor count = floor((step + 0.5) / static_cast<double>(every));
    return exp(count * std::log(gamma)) * rate;
  };
}

Schedule multistep(double rate, const std::vector<std::int64_t>& milestones, double gamma) {
  return [=](const Tensor& step) {
    Tensor result = full({}, rate, f32, step.device());
    for (const std::int64_t m : milestones) {
      result = result * where(greater_equal(step, static_cast<double>(m)), gamma, 1.0);
    }
    return result;
  };
}

Schedule exponential(double rate, double gamma) {
  check_positive("exponential", "gamma", gamma);
  return [=](const Tensor& step) { return exp(step * std::log(gamma)) * rate; };
}

Schedule cosine(double rate, std::int64_t steps, const CosineOptions& options) {
  if (options.warmup < 0 || options.warmup >= steps) {
    fail(ErrorKind::kValue, "cosine: a warm-up of {} steps was given for {} steps; it must be shorter.", options.warmup,
         steps);
  }
  return [=](const Tensor& step) {
    const auto warmup = static_cast<double>(options.warmup);
    const Tensor part = clamp((step - warmup) / (static_cast<double>(steps) - warmup), 0.0, 1.0);
    const Tensor falling = half_cosine(rate, options.minimum, part);
    if (options.warmup == 0) return falling;
    return where(less(step, warmup), step * (rate / warmup), falling);
  };
}

Schedule cosine_restarts(double rate, std::int64_t first, std::int64_t factor, double minimum) {
  check_positive("cosine_restarts", "first", static_cast<double>(first));
  check_positive("cosine_restarts", "factor", static_cast<double>(factor));
  const auto length = static_cast<double>(first);
  if (factor == 1) {
    return [=](const Tensor& step) {
      return half_cosine(rate, minimum, (step - floor((step + 0.5) / length) * length) / length);
    };
  }
  const auto f = static_cast<double>(factor);
  return [=](const Tensor& step) {
    // Restart n is at length * (f^n - 1) / (f - 1); the logarithm of a number between two steps is never near a whole.
    const Tensor n = floor(log((step + 0.5) * ((f - 1) / length) + 1) * (1 / std::log(f)));
    const Tensor power = round(exp(n * std::log(f)));
    const Tensor since = step - (power - 1) * (length / (f - 1));
    return half_cosine(rate, minimum, since / (power * length));
  };
}

Schedule linear(double from, double to, std::int64_t steps) {
  check_positive("linear", "steps", static_cast<double>(steps));
  return [=](const Tensor& step) { return from + (to - from) * at_most(step / static_cast<double>(steps), 1.0); };
}

Schedule polynomial(double rate, std::int64_t steps, double power) {
  check_positive("polynomial", "steps", static_cast<double>(steps));
  return [=](const Tensor& step) {
    const Tensor left = 1 - at_most(step / static_cast<double>(steps), 1.0);
    return (power == 1 ? left : tessera::power(left, power)) * rate;
  };
}

Schedule one_cycle(double max, std::int64_t steps, const OneCycleOptions& options) {
  check_positive("one_cycle", "steps", static_cast<double>(steps));
  if (!(options.start > 0 && options.start < 1)) {
    fail(ErrorKind::kValue, "one_cycle: a start of {} was given; a part between 0 and 1 is expected.", options.start);
  }
  return [=](const Tensor& step) {
    const double first = max / options.divide;
    const double last = first / options.final_div;
    const double end = static_cast<double>(steps) - 1;
    const double top = std::max(options.start * static_cast<double>(steps) - 1, 0.0);  // 0: no rise
    const auto between = [&](double a, double b, const Tensor& part) {
      return options.linear ? a + (b - a) * part : half_cosine(a, b, part);
    };
    const double fall_steps = std::max(end - top, 1.0);
    const Tensor fall = between(max, last, clamp((step - top) / fall_steps, 0.0, 1.0));
    if (top == 0) return fall;
    return where(less_equal(step, top), between(first, max, clamp(step / top, 0.0, 1.0)), fall);
  };
}

Schedule inverse_sqrt(double rate, std::int64_t warmup) {
  check_positive("inverse_sqrt", "warmup", static_cast<double>(warmup));
  return [=](const Tensor& step) {
    const auto w = static_cast<double>(warmup);
    return where(less(step, w), step * (rate / w), rsqrt(maximum(step, w)) * (rate * std::sqrt(w)));
  };
}

Schedule join(std::vector<Schedule> schedules, std::vector<std::int64_t> boundaries) {
  if (schedules.empty() || boundaries.size() + 1 != schedules.size()) {
    fail(ErrorKind::kValue, "join: {} schedules and {} boundaries were given; one boundary less is expected.",
         schedules.size(), boundaries.size());
  }
  if (!std::ranges::is_sorted(boundaries)) {
    fail(ErrorKind::kValue, "join: the boundaries must be in ascending order.");
  }
  return [schedules = std::move(schedules), boundaries = std::move(boundaries)](const Tensor& step) {
    Tensor result = schedules[0](step);
    for (std::size_t i = 0; i < boundaries.size(); ++i) {
      const auto from = static_cast<double>(boundaries[i]);
      result = where(greater_equal(step, from), schedules[i + 1](maximum(step - from, 0.0)), result);
    }
    return result;
  };
}

}  // namespace tessera::optim
