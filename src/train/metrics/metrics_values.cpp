// Metrics of numbers: the area under the ROC curve, perplexity, absolute and squared errors.
#include <limits>

#include "base/fail.h"
#include "nn/start.h"
#include "tessera/autocast.h"
#include "tessera/grad.h"
#include "tessera/losses.h"
#include "tessera/sort.h"
#include "tessera/train/metrics.h"
#include "train/metrics/metric_parts.h"

namespace tessera::train {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kLargestLogit = 1e9;  // far beyond all bins but the last one

/// prediction - target in f32; broadcasting would hide a mistake.
Tensor difference(std::string_view what, const Tensor& prediction, const Tensor& target) {
  if (prediction.shape() != target.shape()) {
    fail(ErrorKind::kShape,
         "{}: predictions of shape {} and targets of shape {} were given; equal shapes are expected.", what,
         prediction.shape(), target.shape());
  }
  return plain_f32(prediction) - plain_f32(target);
}

}  // namespace

// ---- Auc ----

Auc::Auc(const AucOptions& options) : options_(options) {
  if (options.bins < 2 || options.bins > (1 << 24)) {
    fail(ErrorKind::kValue, "Auc: {} bins were given; 2 to {} are expected.", options.bins, 1 << 24);
  }
  reset();
}

void Auc::reset() {
  counts_ = zeros({2, options_.bins}, i64, options_.device);
  nans_ = zeros({}, i64, options_.device);
}

void Auc::fields(nn::Fields& f) {
  f.buffer("counts", counts_);
  f.buffer("nans", nans_);
}

void Auc::update(const Tensor& scores, const Tensor& target) {
  check_state("Auc::update", {&counts_, &nans_});
  const Autocast disabled(std::nullopt);
  if (!is_float(scores.dtype()) || scores.shape() != target.shape()) {
    fail(ErrorKind::kShape,
         "Auc::update: scores of shape {} of {} and targets of shape {} were given; floats, and targets of their "
         "shape are expected.",
         scores.shape(), name(scores.dtype()), target.shape());
  }
  const Samples samples = targets_of("Auc::update", target, 2, {});
  if (samples.size == 0) return;
  const Tensor given = plain_f32(scores).reshape({samples.size});
  const Tensor nan = isnan(given);
  Tensor x = where(nan, 0.0, given).astype(f32);
  if (options_.logits) {
    x = clamp(x, -kLargestLogit, kLargestLogit);
    x = (x / (abs(x) + 1.0) + 1.0) * 0.5;
  }
  const auto bins = static_cast<double>(options_.bins);
  const Tensor bin = clamp(floor(x * bins), 0.0, bins - 1).astype(i32);
  const Tensor at = samples.actual * options_.bins + bin;
  const Tensor added = scatter_add(zeros({2 * options_.bins}, i32, counts_.device()), at,
                                   broadcast_to(ones({}, i32, counts_.device()), {samples.size}), 0);
  counts_ = counts_ + added.reshape({2, options_.bins}).astype(i64);
  nans_ = nans_ + count_of(nan);
  nn::start_unless_recorded({counts_, nans_});
}

Tensor Auc::value() const {
  const Tensor negative = slice(counts_, {{0, 1}}).reshape({options_.bins});
  const Tensor positive = slice(counts_, {{1, 2}}).reshape({options_.bins});
  const Tensor negatives = sum(negative);
  const Tensor positives = sum(positive);
  // Of each bin: its share of class 1, times the share of class 0 below it and half of that inside.
  const Tensor below = quotient(cumsum(negative, 0) * 2 - negative, negatives, 0) * 0.5;
  const Tensor area = sum(quotient(positive, positives, 0) * below);
  const Tensor defined = logical_and(equal(nans_, 0), logical_and(greater(negatives, 0), greater(positives, 0)));
  return where(defined, area, kNan).astype(f32);
}

// ---- Perplexity ----

Perplexity::Perplexity(const ClassOptions& options) : options_(options), loss_(options.device) {}

void Perplexity::update(const Tensor& logits, const Tensor& target) {
  const Autocast disabled(std::nullopt);
  check_logits("Perplexity::update", logits, target);
  const Tensor x = stop_gradient(logits).astype(f32);
  const Tensor total = cross_entropy(x, target, {.ignore_index = options_.ignore_index, .reduction = Reduction::kSum});
  const Samples samples = targets_of("Perplexity::update", target, {}, options_);
  const Tensor tokens = count_of(samples);
  loss_.update(total / maximum(tokens, 1).astype(f32), tokens);
}

void Perplexity::update_loss(const Tensor& mean_loss, const Tensor& tokens) { loss_.update(mean_loss, tokens); }

Tensor Perplexity::value() const { return exp(loss_.value()); }

// ---- Errors ----

void MeanAbsoluteError::update(const Tensor& prediction, const Tensor& target) {
  const Autocast disabled(std::nullopt);
  mean_.update(abs(difference("MeanAbsoluteError::update", prediction, target)));
}

void MeanSquaredError::update(const Tensor& prediction, const Tensor& target) {
  const Autocast disabled(std::nullopt);
  mean_.update(square(difference("MeanSquaredError::update", prediction, target)));
}

Tensor MeanSquaredError::value() const { return root_ ? sqrt(mean_.value()) : mean_.value(); }

}  // namespace tessera::train
