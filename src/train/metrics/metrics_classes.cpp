// Metrics of classes: accuracy, top-k accuracy, the confusion matrix, precision, recall and F1.
#include <algorithm>
#include <limits>

#include "base/fail.h"
#include "nn/start.h"
#include "tessera/autocast.h"
#include "tessera/grad.h"
#include "tessera/index.h"
#include "tessera/train/metrics.h"
#include "train/metrics/metric_parts.h"

namespace tessera::train {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Tensor no_counts(const Shape& shape, const ClassOptions& options) { return zeros(shape, i64, options.device); }

void check_classes(std::string_view what, std::int64_t classes) {
  if (classes < 1) fail(ErrorKind::kValue, "{}: {} classes were given; at least 1 is expected.", what, classes);
}

/// bool [M, C]: whether a sample that counts has this class.
Tensor has_class(const Tensor& classes, const Samples& samples, std::int64_t count) {
  const Tensor column = classes.reshape({samples.size, 1});
  const Tensor flags = equal(column, arange(0, static_cast<double>(count), 1, i32, column.device()));
  return samples.counts.defined() ? logical_and(flags, samples.counts.reshape({samples.size, 1})) : flags;
}

}  // namespace

// ---- Accuracy ----

Accuracy::Accuracy(const ClassOptions& options)
    : options_(options), correct_(no_counts({}, options)), count_(no_counts({}, options)) {}

void Accuracy::fields(nn::Fields& f) {
  f.buffer("correct", correct_);
  f.buffer("count", count_);
}

void Accuracy::update(const Tensor& predictions, const Tensor& target) {
  check_state("Accuracy::update", {&correct_, &count_});
  const Autocast disabled(std::nullopt);
  const Samples samples = samples_of("Accuracy::update", predictions, target, {}, options_);
  Tensor hit = equal(samples.predicted, samples.actual);
  if (samples.counts.defined()) hit = logical_and(hit, samples.counts);
  correct_ = correct_ + count_of(hit);
  count_ = count_ + count_of(samples);
  nn::start_unless_recorded({correct_, count_});
}

Tensor Accuracy::value() const { return quotient(correct_, count_, kNan); }
void Accuracy::reset() { *this = Accuracy(options_); }

// ---- Top-k ----

TopKAccuracy::TopKAccuracy(std::int64_t k, const ClassOptions& options)
    : k_(k), options_(options), correct_(no_counts({}, options)), count_(no_counts({}, options)) {
  if (k < 1) fail(ErrorKind::kValue, "TopKAccuracy: a k of {} was given; at least 1 is expected.", k);
}

void TopKAccuracy::fields(nn::Fields& f) {
  f.buffer("correct", correct_);
  f.buffer("count", count_);
}

void TopKAccuracy::update(const Tensor& logits, const Tensor& target) {
  check_state("TopKAccuracy::update", {&correct_, &count_});
  const Autocast disabled(std::nullopt);
  check_logits("TopKAccuracy::update", logits, target);
  Tensor x = stop_gradient(logits);
  if (x.rank() > 2) {
    Axes order{0};
    for (int i = 2; i < x.rank(); ++i) order.push_back(i);
    order.push_back(1);
    x = permute(x, order);
  }
  const std::int64_t classes = x.size(-1);
  const Samples samples = targets_of("TopKAccuracy::update", target, classes, options_);
  x = x.reshape({samples.size, classes});
  // The place of the target in the order of the logits, without a sort. NaN is ahead of all numbers.
  const Tensor actual = samples.actual.reshape({samples.size, 1});
  const Tensor own = take_along_axis(x, actual, 1);
  const Tensor before = less(arange(0, static_cast<double>(classes), 1, i32, x.device()), actual);
  const Tensor ahead = logical_or(logical_not(less_equal(x, own)), logical_and(equal(x, own), before));
  Tensor hit = less(sum(ahead.astype(i32), {1}), std::min(k_, classes));
  if (samples.counts.defined()) hit = logical_and(hit, samples.counts);
  correct_ = correct_ + count_of(hit);
  count_ = count_ + count_of(samples);
  nn::start_unless_recorded({correct_, count_});
}

Tensor TopKAccuracy::value() const { return quotient(correct_, count_, kNan); }
void TopKAccuracy::reset() { *this = TopKAccuracy(k_, options_); }

// ---- The confusion matrix ----

ConfusionMatrix::ConfusionMatrix(std::int64_t classes, Normalize normalize, const ClassOptions& options)
    : classes_(classes), normalize_(normalize), options_(options) {
  check_classes("ConfusionMatrix", classes);
  counts_ = no_counts({classes, classes}, options);
}

void ConfusionMatrix::fields(nn::Fields& f) { f.buffer("counts", counts_); }

void ConfusionMatrix::update(const Tensor& predictions, const Tensor& target) {
  check_state("ConfusionMatrix::update", {&counts_});
  const Autocast disabled(std::nullopt);
  const Samples samples = samples_of("ConfusionMatrix::update", predictions, target, classes_, options_);
  if (samples.size == 0) return;
  // A matmul of ones and zeros: exact in f32 for batches below 2^24.
  const Tensor actual = has_class(samples.actual, samples, classes_).astype(f32);
  const Tensor predicted = has_class(samples.predicted, samples, classes_).astype(f32);
  counts_ = counts_ + matmul(actual.T(), predicted).astype(i64);
  nn::start_unless_recorded({counts_});
}

Tensor ConfusionMatrix::value() const {
  switch (normalize_) {
    case Normalize::kNone:
      return counts_.astype(f32);
    case Normalize::kAll:
      return quotient(counts_, sum(counts_), kNan);
    case Normalize::kTarget:
    case Normalize::kPrediction:
      break;
  }
  const Axes axis{normalize_ == Normalize::kTarget ? 1 : 0};
  const Tensor parts = quotient(counts_, sum(counts_, axis, true), 0);
  return where(greater(sum(counts_), 0), parts, kNan).astype(f32);
}

void ConfusionMatrix::reset() { counts_ = no_counts({classes_, classes_}, options_); }

// ---- Precision, recall, F1 ----

ClassScore::ClassScore(const char* name, std::int64_t classes, Average average, const ClassOptions& options)
    : name_(name), classes_(classes), average_(average), options_(options) {
  check_classes(name, classes);
  reset();
}

void ClassScore::fields(nn::Fields& f) {
  f.buffer("correct", correct_);
  f.buffer("predicted", predicted_);
  f.buffer("actual", actual_);
}

void ClassScore::reset() { correct_ = predicted_ = actual_ = no_counts({classes_}, options_); }

void ClassScore::update(const Tensor& predictions, const Tensor& target) {
  check_state(name_, {&correct_, &predicted_, &actual_});
  const Autocast disabled(std::nullopt);
  const Samples samples = samples_of(name_, predictions, target, classes_, options_);
  if (samples.size == 0) return;
  const Tensor predicted = has_class(samples.predicted, samples, classes_);
  const Tensor actual = has_class(samples.actual, samples, classes_);
  const auto column_sums = [](const Tensor& flags) { return sum(flags.astype(i32), {0}).astype(i64); };
  correct_ = correct_ + column_sums(logical_and(predicted, actual));
  predicted_ = predicted_ + column_sums(predicted);
  actual_ = actual_ + column_sums(actual);
  nn::start_unless_recorded({correct_, predicted_, actual_});
}

Tensor ClassScore::value() const {
  const Tensor all = sum(actual_);
  const auto result = [&](const Tensor& x) { return where(greater(all, 0), x, kNan).astype(f32); };
  if (average_ == Average::kMicro) return result(score(sum(correct_), sum(predicted_), all));
  const Tensor scores = score(correct_, predicted_, actual_);
  if (average_ == Average::kNone) return result(scores);
  if (average_ == Average::kWeighted) return result(sum(scores * quotient(actual_, all, 0)));
  const Tensor occurs = greater(predicted_ + actual_, 0);
  return result(quotient(sum(where(occurs, scores, 0.0)), count_of(occurs), 0));
}

Tensor Precision::score(const Tensor& correct, const Tensor& predicted, const Tensor& /*actual*/) const {
  return quotient(correct, predicted, 0);
}
Tensor Recall::score(const Tensor& correct, const Tensor& /*predicted*/, const Tensor& actual) const {
  return quotient(correct, actual, 0);
}
Tensor F1::score(const Tensor& correct, const Tensor& predicted, const Tensor& actual) const {
  return quotient(correct * 2, predicted + actual, 0);
}

}  // namespace tessera::train
