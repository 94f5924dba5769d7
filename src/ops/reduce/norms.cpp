// Normalizations: statistics over axes, and formulas of them.
#include "ops/reduce/norms.h"

#include <cmath>

#include "base/fail.h"
#include "base/sizes.h"
#include "graph/op.h"
#include "ops/conv/conv.h"
#include "ops/linalg/linalg.h"

namespace tessera::ops {

namespace {

void check_weight(std::string_view what, std::string_view which, const NodePtr& w, const NodePtr& x) {
  if (w == nullptr) return;
  if (w->shape().rank() != 1 || w->shape()[0] != x->shape().back()) {
    fail(ErrorKind::kShape, "{}: {} has shape {}, and the last axis of {} has size {}.", what, which, w->shape().str(),
         x->shape().str(), x->shape().back());
  }
}

/// A normalized x with weight and bias along its last axis, in their common dtype.
NodePtr scaled_last(const NodePtr& x, NodePtr y, const NodePtr& weight, const NodePtr& bias) {
  DType t = float_of(x);
  if (weight != nullptr) {
    t = promote(t, weight->dtype());
    y = y * weight;
  }
  if (bias != nullptr) {
    t = promote(t, bias->dtype());
    y = y + bias;
  }
  return cast(y, t);
}

/// One number for each channel, as [C, 1, ..].
NodePtr along_channels(std::string_view what, std::string_view which, const NodePtr& w, const NodePtr& x) {
  if (w->shape().rank() != 1 || w->shape()[0] != x->shape()[1]) {
    fail(ErrorKind::kShape, "{}: {} has shape {}; [{}] is expected, one for each channel of {}.", what, which,
         w->shape().str(), x->shape()[1], x->shape().str());
  }
  Shape shape{x->shape()[1]};
  for (int i = 2; i < x->shape().rank(); ++i) shape.push_back(1);
  return reshape(w, shape);
}

void check_channels(std::string_view what, const NodePtr& x) {
  if (x->shape().rank() < 2) {
    fail(ErrorKind::kShape, "{}: the input has shape {}; at least 2 axes, [N, C, ..], are expected.", what,
         x->shape().str());
  }
}

NodePtr scaled(std::string_view what, NodePtr y, const NodePtr& x, const NodePtr& weight, const NodePtr& bias) {
  if (weight != nullptr) y = y * along_channels(what, "the weight", weight, x);
  if (bias != nullptr) y = y + along_channels(what, "the bias", bias, x);
  return cast(y, float_of(x));
}

}  // namespace

NodePtr layer_norm(const NodePtr& x, const NodePtr& weight, const NodePtr& bias, double eps) {
  const NodePtr y = wide(x);
  const std::vector<int> axes{normal_axis("layer_norm", -1, y->shape().rank())};
  check_weight("layer_norm", "weight", weight, y);
  check_weight("layer_norm", "bias", bias, y);
  const NodePtr centred = y - mean(y, axes, true);
  return scaled_last(x,
                     centred * elementwise(Op::kRsqrt, {mean(elementwise(Op::kSquare, {centred}), axes, true) + eps}),
                     weight, bias);
}

NodePtr rms_norm(const NodePtr& x, const NodePtr& weight, double eps) {
  const NodePtr y = wide(x);
  const std::vector<int> axes{normal_axis("rms_norm", -1, y->shape().rank())};
  check_weight("rms_norm", "weight", weight, y);
  return scaled_last(x, y * elementwise(Op::kRsqrt, {mean(elementwise(Op::kSquare, {y}), axes, true) + eps}), weight,
                     nullptr);
}

NodePtr batch_norm(const NodePtr& x, const NodePtr& mean, const NodePtr& var, const NodePtr& weight,
                   const NodePtr& bias, double eps) {
  check_channels("batch_norm", x);
  const NodePtr m = along_channels("batch_norm", "the mean", mean, x);
  const NodePtr v = along_channels("batch_norm", "the variance", var, x);
  return scaled("batch_norm", (wide(x) - m) * elementwise(Op::kRsqrt, {v + eps}), x, weight, bias);
}

BatchNormed batch_norm_training(const NodePtr& x, const NodePtr& running_mean, const NodePtr& running_var,
                                const NodePtr& weight, const NodePtr& bias, double momentum, double eps) {
  check_channels("batch_norm", x);
  std::vector<int> axes{0};
  for (int i = 2; i < x->shape().rank(); ++i) axes.push_back(i);
  const std::int64_t channels = x->shape()[1];
  const std::int64_t count = channels == 0 ? 0 : x->numel() / channels;
  if (count < 2) {
    fail(ErrorKind::kValue, "batch_norm: {} has {} values for each channel; training needs at least 2.",
         x->shape().str(), count);
  }
  const NodePtr y = wide(x);
  const NodePtr m = mean(y, axes, false);
  const NodePtr v = var(y, axes, false, 0);
  BatchNormed result;
  result.result = batch_norm(x, m, v, weight, bias, eps);
  const double unbiased = static_cast<double>(count) / static_cast<double>(count - 1);
  const auto moved = [&](std::string_view which, const NodePtr& old, const NodePtr& now) -> NodePtr {
    if (old == nullptr) return nullptr;
    static_cast<void>(along_channels("batch_norm", which, old, x));
    return cast(stop_gradient(wide(old) * (1 - momentum) + now * momentum), old->dtype());
  };
  result.mean = moved("the running mean", running_mean, m);
  result.var = moved("the running variance", running_var, v * unbiased);
  return result;
}

NodePtr group_norm(std::string_view what, const NodePtr& x, std::int64_t groups, const NodePtr& weight,
                   const NodePtr& bias, double eps) {
  check_channels(what, x);
  const std::int64_t channels = x->shape()[1];
  if (groups < 1 || channels % groups != 0) {
    fail(ErrorKind::kShape, "{}: {} channels do not divide into {} groups.", what, channels, groups);
  }
  if (x->numel() == 0) return cast(x, float_of(x));
  const NodePtr y = reshape(wide(x), {x->shape()[0] * groups, x->numel() / (x->shape()[0] * groups)});
  const std::vector<int> last{-1};
  const NodePtr centred = y - mean(y, last, true);
  const NodePtr normal =
      centred * elementwise(Op::kRsqrt, {mean(elementwise(Op::kSquare, {centred}), last, true) + eps});
  return scaled(what, reshape(normal, x->shape()), x, weight, bias);
}

NodePtr normalize(const NodePtr& x, double p, int axis, double eps) {
  const std::vector<int> axes{normal_axis("normalize", axis, x->shape().rank())};
  const NodePtr y = wide(x);
  if (!(p > 0)) fail(ErrorKind::kValue, "normalize: p is {}; a number above 0 is expected.", p);
  const NodePtr norm = vector_norm(y, p, axes, true);
  return cast(y / clamp(norm, number(eps), nullptr), float_of(x));
}

NodePtr local_response_norm(const NodePtr& x, std::int64_t size, double alpha, double beta, double k) {
  check_channels("local_response_norm", x);
  if (size < 1) fail(ErrorKind::kValue, "local_response_norm: the size is {}; at least 1 is expected.", size);
  if (x->numel() == 0) return cast(x, float_of(x));
  static_cast<void>(checked_size("local_response_norm", Wide{x->shape()[1]} + size));
  const NodePtr y = wide(x);
  const NodePtr padded = resize_ends(elementwise(Op::kSquare, {y}), 1, {size / 2}, {(size - 1) / 2}, number(0));
  const std::vector<Slide> slides{{1, x->shape()[1], size, 1, 1}};
  const NodePtr near = sum(sliding(padded, slides), std::vector<int>{-1}, false) / static_cast<double>(size);
  return cast(y / elementwise(Op::kPower, {near * alpha + k, number(beta)}), float_of(x));
}

}  // namespace tessera::ops
