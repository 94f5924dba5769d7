// Compositions: ops as formulas of other ops, each fused into one kernel.
#include "base/fail.h"
#include "graph/op.h"
#include "ops/gradient.h"

namespace tessera::ops {

namespace {

NodePtr floating(const NodePtr& x) { return is_float(x->dtype()) ? x : cast(x, DType::kF32); }
NodePtr op(Op which, const NodePtr& x) { return elementwise(which, {x}); }

}  // namespace

NodePtr relu(const NodePtr& x) {
  const NodePtr y = elementwise(Op::kMaximum, {x, scalar({std::int64_t{0}, true}, DType::kI32)});
  // The gradient at 0 is 0, where the maximum of two equal numbers would share it.
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
  const NodePtr result =
      elementwise(Op::kWhere, {elementwise(Op::kGreater, {y, number(0)}), y, op(Op::kExpm1, y) * alpha});
  // The slope alpha * exp(y) of the side that is not selected may be infinite.
  return with_gradient("elu", {y}, result, [alpha](const Gradient::Call& call) -> std::vector<NodePtr> {
    const NodePtr positive = elementwise(Op::kGreater, {call.inputs[0], number(0)});
    return {call.gradients[0] * elementwise(Op::kWhere, {positive, number(1), call.outputs[0] + alpha})};
  });
}

NodePtr leaky_relu(const NodePtr& x, double slope) {
  const NodePtr y = floating(x);
  return elementwise(Op::kWhere, {elementwise(Op::kGreater, {y, number(0)}), y, y * slope});
}

NodePtr softplus(const NodePtr& x) {
  // max(x, 0) + log(1 + exp(-|x|)) does not overflow at either end. Its parts have kinks at 0; it has none.
  const NodePtr y = floating(x);
  const NodePtr result = relu(y) + op(Op::kLog1p, op(Op::kExp, op(Op::kNegative, op(Op::kAbs, y))));
  return with_gradient("softplus", {y}, result, [](const Gradient::Call& call) -> std::vector<NodePtr> {
    return {call.gradients[0] * op(Op::kSigmoid, call.inputs[0])};
  });
}

NodePtr mish(const NodePtr& x) {
  const NodePtr y = floating(x);
  return y * op(Op::kTanh, softplus(y));
}

NodePtr clamp(const NodePtr& x, const NodePtr& low, const NodePtr& high) {
  NodePtr y = x;
  if (low != nullptr) y = elementwise(Op::kMaximum, {y, low});
  if (high != nullptr) y = elementwise(Op::kMinimum, {y, high});
  std::vector<NodePtr> inputs{x};
  if (low != nullptr) inputs.push_back(low);
  if (high != nullptr) inputs.push_back(high);
  // The bounds are inclusive, as in PyTorch: a value at a bound passes its gradient, and the bound gets none.
  const auto rule = [lower = low != nullptr](const Gradient::Call& call) {
    const NodePtr& v = call.inputs[0];
    const NodePtr l = lower ? call.inputs[1] : nullptr;
    const NodePtr h = call.inputs.size() > (lower ? 2U : 1U) ? call.inputs.back() : nullptr;
    const auto passed = [&](const NodePtr& where) {
      return elementwise(Op::kWhere, {where, call.gradients[0], number(0)});
    };
    const auto both = [](const NodePtr& a, const NodePtr& b) {
      return a == nullptr || b == nullptr ? (a == nullptr ? b : a) : elementwise(Op::kLogicalAnd, {a, b});
    };
    std::vector<NodePtr> result(call.inputs.size());
    const NodePtr above = l == nullptr ? nullptr : elementwise(Op::kGreaterEqual, {v, l});
    const NodePtr below = h == nullptr ? nullptr : elementwise(Op::kLessEqual, {v, h});
    if (const NodePtr inside = both(above, below); v->tracked()) {
      result[0] = inside == nullptr ? call.gradients[0] : passed(inside);
    }
    if (l != nullptr && l->tracked()) {
      const NodePtr ordered = h == nullptr ? nullptr : elementwise(Op::kLess, {l, h});
      result[1] = passed(both(elementwise(Op::kLess, {v, l}), ordered));
    }
    if (h != nullptr && h->tracked()) {
      NodePtr taken = elementwise(Op::kGreater, {v, h});
      if (l != nullptr) taken = elementwise(Op::kLogicalOr, {taken, elementwise(Op::kLess, {h, l})});
      result.back() = passed(taken);
    }
    return result;
  };
  return with_elementwise_gradient("clamp", std::move(inputs), y, rule);
}

NodePtr softmax(const NodePtr& x, int axis) {
  const NodePtr y = wide(x);
  const std::vector<int> axes{normal_axis("softmax", axis, y->shape().rank())};
  const NodePtr e = op(Op::kExp, y - reduce(Op::kMax, "softmax", y, axes, true));
  // The backward pass needs only the result.
  return with_gradient("softmax", {x}, cast(e / sum(e, axes, true), float_of(x)), [axes](const Gradient::Call& call) {
    const NodePtr p = wide(call.outputs[0]);
    const NodePtr g = wide(call.gradients[0]);
    return std::vector<NodePtr>{p * (g - sum(g * p, axes, true))};
  });
}

NodePtr log_softmax(const NodePtr& x, int axis) {
  const NodePtr y = wide(x);
  const std::vector<int> axes{normal_axis("log_softmax", axis, y->shape().rank())};
  const NodePtr shifted = y - reduce(Op::kMax, "log_softmax", y, axes, true);
  const NodePtr result = shifted - op(Op::kLog, sum(op(Op::kExp, shifted), axes, true));
  const auto rule = [axes](const Gradient::Call& call) -> std::vector<NodePtr> {
    return {call.gradients[0] - op(Op::kExp, call.outputs[0]) * sum(call.gradients[0], axes, true)};
  };
  return cast(with_gradient("log_softmax", {y}, result, rule), float_of(x));
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

namespace {

/// A normalized x with weight and bias, in their common dtype.
NodePtr scaled(const NodePtr& x, NodePtr y, const NodePtr& weight, const NodePtr& bias) {
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

}  // namespace

NodePtr layer_norm(const NodePtr& x, const NodePtr& weight, const NodePtr& bias, double eps) {
  const NodePtr y = wide(x);
  const std::vector<int> axes{normal_axis("layer_norm", -1, y->shape().rank())};
  check_weight("layer_norm", "weight", weight, y);
  check_weight("layer_norm", "bias", bias, y);
  const NodePtr centred = y - mean(y, axes, true);
  return scaled(x, centred * op(Op::kRsqrt, mean(op(Op::kSquare, centred), axes, true) + eps), weight, bias);
}

NodePtr rms_norm(const NodePtr& x, const NodePtr& weight, double eps) {
  const NodePtr y = wide(x);
  const std::vector<int> axes{normal_axis("rms_norm", -1, y->shape().rank())};
  check_weight("rms_norm", "weight", weight, y);
  return scaled(x, y * op(Op::kRsqrt, mean(op(Op::kSquare, y), axes, true) + eps), weight, nullptr);
}

}  // namespace tessera::ops
