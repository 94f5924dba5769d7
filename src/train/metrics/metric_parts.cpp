// Checks and conversions of metrics.
#include "train/metrics/metric_parts.h"

#include <algorithm>

#include "base/fail.h"
#include "base/numbers.h"
#include "tessera/grad.h"
#include "tessera/index.h"

namespace tessera::train {

namespace {

Tensor flat(const Tensor& x) { return x.reshape({x.numel()}); }

/// i32 of at least as many values, flat.
Tensor flat_classes(std::string_view what, const char* which, const Tensor& x) {
  if (!is_integer(x.dtype()) && x.dtype() != boolean) {
    fail(ErrorKind::kDType, "{}: {} of dtype {} were given; classes are integers.", what, which, name(x.dtype()));
  }
  return flat(x.dtype() == boolean || size_of(x.dtype()) < size_of(i32) ? x.astype(i32) : x);
}

/// The classes with a check on the device; a gather by a class out of bounds is its Error. Negative ones do not count
/// from the end.
Tensor checked(const Tensor& x, std::int64_t classes) {
  const Tensor index = is_signed(x.dtype()) ? where(less(x, 0), x - classes, x) : x;
  return take(arange(0, static_cast<double>(classes), 1, i32, x.device()), index, 0);
}

}  // namespace

Tensor plain_f32(const Tensor& x) {
  if (is_complex(x.dtype()))
    fail(ErrorKind::kDType, "A metric was given numbers of dtype {}; real numbers are expected.", name(x.dtype()));
  return stop_gradient(x).astype(f32);
}

void check_logits(std::string_view what, const Tensor& logits, const Tensor& target) {
  const int axis = logits.rank() == 1 ? 0 : 1;
  Shape expected;
  for (int i = 0; i < logits.rank(); ++i) {
    if (i != axis) expected.push_back(logits.shape()[i]);
  }
  if (logits.rank() == 0 || target.shape() != expected || logits.shape()[axis] == 0) {
    fail(ErrorKind::kShape,
         "{}: predictions of shape {} of {} and targets of shape {} were given; logits [N, C, ...] with targets [N, "
         "...], or classes of the shape of the targets are expected.",
         what, logits.shape(), name(logits.dtype()), target.shape());
  }
}

Samples targets_of(std::string_view what, const Tensor& target, std::optional<std::int64_t> classes,
                   const ClassOptions& options) {
  Samples out;
  out.size = target.numel();
  Tensor actual = flat_classes(what, "targets", target);
  if (options.ignore_index.has_value() && holds(actual.dtype(), *options.ignore_index)) {
    out.counts = not_equal(actual, full({}, Tensor(*options.ignore_index), actual.dtype(), actual.device()));
    actual = where(out.counts, actual, 0);
  }
  out.actual = classes.has_value() ? checked(actual, *classes) : actual;
  return out;
}

Samples samples_of(std::string_view what, const Tensor& predictions, const Tensor& target,
                   std::optional<std::int64_t> classes, const ClassOptions& options) {
  if (predictions.shape() == target.shape() && (is_integer(predictions.dtype()) || predictions.dtype() == boolean)) {
    Samples out = targets_of(what, target, classes, options);
    out.predicted = flat_classes(what, "predictions", predictions);
    if (!classes.has_value()) return out;
    // What is predicted for an ignored target is ignored too.
    if (out.counts.defined()) out.predicted = where(out.counts, out.predicted, 0);
    out.predicted = checked(out.predicted, *classes);
    return out;
  }
  check_logits(what, predictions, target);
  const int axis = predictions.rank() == 1 ? 0 : 1;
  const std::int64_t given = predictions.shape()[axis];
  if (classes.has_value() && given != *classes) {
    fail(ErrorKind::kShape, "{}: logits of shape {} with {} classes were given; {} classes are expected.", what,
         predictions.shape(), given, *classes);
  }
  Samples out = targets_of(what, target, given, options);
  out.predicted = flat(argmax(stop_gradient(predictions), axis)).astype(i32);
  return out;
}

Tensor count_of(const Tensor& flags) { return sum(flags.astype(i32)).astype(i64); }
Tensor count_of(const Samples& samples) {
  return samples.counts.defined() ? count_of(samples.counts) : Tensor(samples.size);
}

Tensor quotient(const Tensor& a, const Tensor& b, double otherwise) {
  return where(greater(b, 0), a.astype(f32) / maximum(b, 1).astype(f32), otherwise).astype(f32);
}

void check_state(const char* owner, const std::vector<const Tensor*>& slots) {
  for (const Tensor* slot : slots) nn::detail::check_write(*slot, owner, "its state");
}

}  // namespace tessera::train
