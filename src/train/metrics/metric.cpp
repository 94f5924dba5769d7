// The mean of numbers, summed in two parts.
#include "tessera/train/metric.h"

#include <limits>

#include "nn/start.h"
#include "tessera/autocast.h"
#include "tessera/ops.h"
#include "train/metrics/metric_parts.h"

namespace tessera::train {

namespace {

/// Updates that are summed before they are added to the total: f32 holds the sum of so many counts below 2^12 exactly.
constexpr std::int32_t kUpdates = 4096;

}  // namespace

Mean::Mean(const Device& device)
    : sum_(zeros({}, f32, device)),
      weight_(zeros({}, f32, device)),
      total_sum_(zeros({}, f32, device)),
      total_weight_(zeros({}, f32, device)),
      updates_(zeros({}, i32, device)) {}

void Mean::fields(nn::Fields& f) {
  f.buffer("sum", sum_);
  f.buffer("weight", weight_);
  f.buffer("total_sum", total_sum_);
  f.buffer("total_weight", total_weight_);
  f.buffer("updates", updates_);
}

void Mean::update(const Tensor& value, const Tensor& weight) {
  check_state("Mean::update", {&sum_, &weight_, &total_sum_, &total_weight_, &updates_});
  const Autocast disabled(std::nullopt);
  const Tensor v = plain_f32(value);
  const Tensor w = plain_f32(weight) + zeros(v.shape(), f32, sum_.device());  // one for each value
  const Tensor sum = sum_ + tessera::sum(where(equal(w, 0.0), 0.0, v * w).astype(f32));
  const Tensor shares = weight_ + tessera::sum(w);
  const Tensor updates = updates_ + 1;
  const Tensor full = greater_equal(updates, kUpdates);
  total_sum_ = where(full, total_sum_ + sum, total_sum_);
  total_weight_ = where(full, total_weight_ + shares, total_weight_);
  sum_ = where(full, 0.0, sum).astype(f32);
  weight_ = where(full, 0.0, shares).astype(f32);
  updates_ = where(full, 0, updates).astype(i32);
  nn::start_unless_recorded({sum_, weight_, total_sum_, total_weight_, updates_});
}

Tensor Mean::value() const {
  const Tensor weight = total_weight_ + weight_;
  const Tensor none = equal(weight, 0.0);
  const Tensor mean = (total_sum_ + sum_) / where(none, 1.0, weight);
  return where(none, std::numeric_limits<double>::quiet_NaN(), mean).astype(f32);
}

void Mean::reset() { *this = Mean(sum_.device()); }

}  // namespace tessera::train
