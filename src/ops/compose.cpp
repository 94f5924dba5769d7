// Ops that are formulas of other ops; fusion makes one kernel of each.
#include "base/fail.h"
#include "ops/build.h"

namespace tessera::ops {

namespace {

NodePtr floating(const NodePtr& x) { return is_float(x->dtype()) ? x : cast(x, DType::kF32); }
NodePtr op(Op which, const NodePtr& x) { return elementwise(which, {x}); }

}  // namespace

NodePtr relu(const NodePtr& x) {
  const NodePtr y = elementwise(Op::kMaximum, {x, scalar({std::int64_t{0}, true}, DType::kI32)});
  // No slope at 0, where the maximum of two equal numbers would share it.
  return with_gradient("relu", {x}, y, [](const Gradient::Call& call) -> std::vector<NodePtr> {
    const NodePtr positive = elementwise(Op::kGreater, {call.inputs[0], number(0)});
    return {elementwise(Op::kWhere, {positive, call.gradients[0], number(0)})};
  });
}

NodePtr gelu(const NodePtr& x, bool tanh_form) {
  const NodePtr y = floating(x);
  if (tanh_form) {
    const NodePtr inner = (y + y * y * y * 0.044715) * 0.7978845608028654;
    return y * 0.5 * (op(Op::kTanh, inner) + 1.0);
  }
  return y * 0.5 * (op(Op::kErf, y * 0.7071067811865476) + 1.0);
}

NodePtr silu(const NodePtr& x) {
  const NodePtr y = floating(x);
  return y * op(Op::kSigmoid, y);
}

NodePtr elu(const NodePtr& x, double alpha) {
  const NodePtr y = floating(x);
  return elementwise(Op::kWhere, {elementwise(Op::kGreater, {y, number(0)}), y, op(Op::kExpm1, y) * alpha});
}

NodePtr leaky_relu(const NodePtr& x, double slope) {
  const NodePtr y = floating(x);
  return elementwise(Op::kWhere, {elementwise(Op::kGreater, {y, number(0)}), y, y * slope});
}

NodePtr softplus(const NodePtr& x) {
  // max(x, 0) + log(1 + exp(-|x|)) does not overflow at either end.
  const NodePtr y = floating(x);
  return relu(y) + op(Op::kLog1p, op(Op::kExp, op(Op::kNegative, op(Op::kAbs, y))));
}

NodePtr mish(const NodePtr& x) {
  const NodePtr y = floating(x);
  return y * op(Op::kTanh, softplus(y));
}

NodePtr clamp(const NodePtr& x, const NodePtr& low, const NodePtr& high) {
  NodePtr y = x;
  if (low != nullptr) y = elementwise(Op::kMaximum, {y, low});
  if (high != nullptr) y = elementwise(Op::kMinimum, {y, high});
  return y;
}

NodePtr softmax(const NodePtr& x, int axis) {
  const NodePtr y = floating(x);
  const std::vector<int> axes{normal_axis("softmax", axis, y->shape().rank())};
  // The largest cancels out of the value, so no gradient need go through it.
  const NodePtr e = op(Op::kExp, y - stop_gradient(reduce(Op::kMax, "softmax", y, axes, true)));
  return e / sum(e, axes, true);
}

NodePtr log_softmax(const NodePtr& x, int axis) {
  const NodePtr y = floating(x);
  const std::vector<int> axes{normal_axis("log_softmax", axis, y->shape().rank())};
  const NodePtr shifted = y - stop_gradient(reduce(Op::kMax, "log_softmax", y, axes, true));
  return shifted - op(Op::kLog, sum(op(Op::kExp, shifted), axes, true));
}

namespace {

void check_weight(std::string_view what, std::string_view which, const NodePtr& w, const NodePtr& x) {
  if (w == nullptr) return;
  if (w->shape().rank() != 1 || w->shape()[0] != x->shape().back()) {
    fail(ErrorKind::kShape, "{}: {} has shape {}, and the last axis of {} has size {}.", what, which, w->shape().str(),
         x->shape().str(), x->shape().back());
  }
}

}  // namespace

NodePtr layer_norm(const NodePtr& x, const NodePtr& weight, const NodePtr& bias, double eps) {
  const NodePtr y = floating(x);
  const std::vector<int> axes{normal_axis("layer_norm", -1, y->shape().rank())};
  check_weight("layer_norm", "weight", weight, y);
  check_weight("layer_norm", "bias", bias, y);
  const NodePtr centred = y - mean(y, axes, true);
  NodePtr result = centred * op(Op::kRsqrt, mean(op(Op::kSquare, centred), axes, true) + eps);
  if (weight != nullptr) result = result * weight;
  if (bias != nullptr) result = result + bias;
  return result;
}

NodePtr rms_norm(const NodePtr& x, const NodePtr& weight, double eps) {
  const NodePtr y = floating(x);
  const std::vector<int> axes{normal_axis("rms_norm", -1, y->shape().rank())};
  check_weight("rms_norm", "weight", weight, y);
  const NodePtr result = y * op(Op::kRsqrt, mean(op(Op::kSquare, y), axes, true) + eps);
  return weight != nullptr ? result * weight : result;
}

}  // namespace tessera::ops
