// Activations as formulas; each fuses with the ops around it.
#include "tessera/activations.h"

#include "api/arguments.h"
#include "api/catalog_rows.h"
#include "base/fail.h"
#include "graph/op.h"
#include "ops/gradient.h"
#include "tessera/grad.h"
#include "tessera/ops.h"

namespace tessera {

catalog::Rows catalog::activations() {
  static constexpr std::array kRows{
      Row{"Activations", kFloats, kGradient, kComposed,
          "relu, relu6, gelu, gelu_tanh, silu, leaky_relu, prelu, rrelu, hardtanh, hardsigmoid, hardswish, threshold, "
          "tanhshrink, softshrink, hardshrink, glu, swiglu, geglu, dropout"},
      Row{"Activations", kFloats, kGradient, kComposed,
          "elu, selu, celu, softplus, mish, logsigmoid, softmax, log_softmax, softmin, gumbel_softmax", kInF32},
  };
  return kRows;
}

namespace {

void check_probability(std::string_view what, double p) {
  if (!(p >= 0 && p <= 1)) fail(ErrorKind::kValue, "{}: a probability of {} was given; 0 to 1 is expected.", what, p);
}

/// clamp(x, low, high) with zero slope at the bounds too, like PyTorch's activations and unlike its clamp.
Tensor flat_at_bounds(const char* name, const Tensor& x, const Tensor& clamped, double low, double high) {
  return Tensor(ops::with_gradient(
      name, {x.node()}, clamped.node(), [low, high](const Gradient::Call& call) -> std::vector<NodePtr> {
        const NodePtr above = ops::elementwise(Op::kGreater, {call.inputs[0], ops::number(low)});
        const NodePtr below = ops::elementwise(Op::kLess, {call.inputs[0], ops::number(high)});
        const NodePtr inside = ops::elementwise(Op::kLogicalAnd, {above, below});
        return {ops::elementwise(Op::kWhere, {inside, call.gradients[0], ops::number(0)})};
      }));
}

}  // namespace

Tensor relu(const Tensor& x) {
  const NodePtr y = maximum(x, 0).node();
  // The gradient at 0 is 0, where the maximum of two equal numbers would share it.
  return Tensor(ops::with_gradient("relu", {x.node()}, y, [](const Gradient::Call& call) -> std::vector<NodePtr> {
    const NodePtr positive = ops::elementwise(Op::kGreater, {call.inputs[0], ops::number(0)});
    return {ops::elementwise(Op::kWhere, {positive, call.gradients[0], ops::number(0)})};
  }));
}

Tensor gelu(const Tensor& x) {
  const Tensor y = floating(x);
  return y * 0.5 * (erf(y * 0.7071067811865476) + 1.0);
}
Tensor gelu_tanh(const Tensor& x) {
  const Tensor y = floating(x);
  return y * 0.5 * (tanh((y + y * y * y * 0.044715) * 0.7978845608028654) + 1.0);
}

Tensor silu(const Tensor& x) {
  const Tensor y = floating(x);
  return y * sigmoid(y);
}

Tensor elu(const Tensor& x, double alpha) {
  const Tensor y = floating(x);
  const Tensor result = where(greater(y, 0.0), y, expm1(y) * alpha);
  // The slope alpha * exp(y) of the side that is not selected may be infinite.
  const auto rule = [alpha](const Gradient::Call& call) -> std::vector<NodePtr> {
    const NodePtr positive = ops::elementwise(Op::kGreater, {call.inputs[0], ops::number(0)});
    return {call.gradients[0] * ops::elementwise(Op::kWhere, {positive, ops::number(1), call.outputs[0] + alpha})};
  };
  return Tensor(ops::with_gradient("elu", {y.node()}, result.node(), rule));
}

Tensor leaky_relu(const Tensor& x, double slope) {
  const Tensor y = floating(x);
  return where(greater(y, 0.0), y, y * slope);
}

Tensor softplus(const Tensor& x) {
  // max(x, 0) + log(1 + exp(-|x|)) does not overflow at either end. Its parts have kinks at 0; it has none.
  const Tensor y = floating(x);
  const Tensor result = relu(y) + log1p(exp(negative(abs(y))));
  const auto rule = [](const Gradient::Call& call) -> std::vector<NodePtr> {
    return {call.gradients[0] * ops::elementwise(Op::kSigmoid, {call.inputs[0]})};
  };
  return Tensor(ops::with_gradient("softplus", {y.node()}, result.node(), rule));
}

Tensor mish(const Tensor& x) {
  const Tensor y = floating(x);
  return y * tanh(softplus(y));
}

Tensor softmax(const Tensor& x, int axis) {
  const NodePtr y = ops::wide(node_of(x));
  const std::vector<int> axes{ops::normal_axis("softmax", axis, y->shape().rank())};
  const NodePtr e = ops::elementwise(Op::kExp, {y - ops::reduce(Op::kMax, "softmax", y, axes, true)});
  const NodePtr result = ops::cast(e / ops::sum(e, axes, true), ops::float_of(x.node()));
  // The backward pass needs only the result.
  const auto rule = [axes](const Gradient::Call& call) -> std::vector<NodePtr> {
    const NodePtr p = ops::wide(call.outputs[0]);
    const NodePtr g = ops::wide(call.gradients[0]);
    return {p * (g - ops::sum(g * p, axes, true))};
  };
  return Tensor(ops::with_gradient("softmax", {x.node()}, result, rule));
}

Tensor log_softmax(const Tensor& x, int axis) {
  const NodePtr y = ops::wide(node_of(x));
  const std::vector<int> axes{ops::normal_axis("log_softmax", axis, y->shape().rank())};
  const NodePtr shifted = y - ops::reduce(Op::kMax, "log_softmax", y, axes, true);
  const NodePtr total = ops::sum(ops::elementwise(Op::kExp, {shifted}), axes, true);
  const NodePtr result = shifted - ops::elementwise(Op::kLog, {total});
  const auto rule = [axes](const Gradient::Call& call) -> std::vector<NodePtr> {
    const NodePtr p = ops::elementwise(Op::kExp, {call.outputs[0]});
    return {call.gradients[0] - p * ops::sum(call.gradients[0], axes, true)};
  };
  return Tensor(ops::cast(ops::with_gradient("log_softmax", {y}, result, rule), ops::float_of(x.node())));
}

Tensor relu6(const Tensor& x) { return flat_at_bounds("relu6", x, clamp(x, 0, 6), 0, 6); }
Tensor hardtanh(const Tensor& x, double low, double high) {
  const Tensor y = floating(x);
  return flat_at_bounds("hardtanh", y, clamp(y, low, high), low, high);
}
Tensor hardsigmoid(const Tensor& x) { return hardtanh(floating(x) * (1.0 / 6) + 0.5, 0, 1); }
Tensor hardswish(const Tensor& x) { return x * hardsigmoid(x); }

Tensor selu(const Tensor& x) {
  constexpr double kAlpha = 1.6732632423543772;
  constexpr double kScale = 1.0507009873554805;
  return elu(x, kAlpha) * kScale;
}

Tensor celu(const Tensor& x, double alpha) {
  if (alpha == 0) fail(ErrorKind::kValue, "celu: an alpha of 0 was given; it divides by it.");
  const Tensor y = floating(x);
  const Tensor result = where(greater(y, 0.0), y, expm1(minimum(y, 0.0) / alpha) * alpha);
  const auto rule = [alpha](const Gradient::Call& call) -> std::vector<NodePtr> {
    const NodePtr positive = ops::elementwise(Op::kGreater, {call.inputs[0], ops::number(0)});
    const NodePtr slope = ops::elementwise(Op::kWhere, {positive, ops::number(1), call.outputs[0] / alpha + 1.0});
    return {call.gradients[0] * slope};
  };
  return Tensor(ops::with_gradient("celu", {y.node()}, result.node(), rule));
}

Tensor prelu(const Tensor& x, const Tensor& slope) {
  const Tensor y = floating(x);
  Tensor s = slope.numel() == 1 ? reshape(slope, {}) : slope;
  if (slope.numel() > 1) {  // one per channel, which is axis 1
    if (y.rank() < 2 || slope.rank() != 1 || slope.numel() != y.shape()[1]) {
      fail(ErrorKind::kShape,
           "prelu: slopes of shape {} were given for {}; one, or one for each of axis 1 is expected.", slope.shape(),
           y.shape());
    }
    Shape shape;
    for (int i = 0; i < y.rank(); ++i) shape.push_back(i == 1 ? slope.numel() : 1);
    s = reshape(slope, shape);
  }
  return where(greater(y, 0.0), y, y * s);
}

Tensor threshold(const Tensor& x, double at, double value) { return where(less_equal(x, at), value, x); }

Tensor logsigmoid(const Tensor& x) { return negative(softplus(negative(floating(x)))); }
Tensor tanhshrink(const Tensor& x) { return floating(x) - tanh(x); }

Tensor softshrink(const Tensor& x, double lambda) {
  if (lambda < 0) fail(ErrorKind::kValue, "softshrink: a lambda of {} was given; it must not be negative.", lambda);
  const Tensor y = floating(x);
  return where(greater(y, lambda), y - lambda, where(less(y, -lambda), y + lambda, y * 0.0));
}

Tensor hardshrink(const Tensor& x, double lambda) {
  const Tensor y = floating(x);
  return where(less_equal(abs(y), lambda), 0.0, y);
}

Tensor softmin(const Tensor& x, int axis) { return softmax(negative(floating(x)), axis); }

Tensor glu(const Tensor& x, int axis) {
  const std::vector<Tensor> halves = split(x, 2, axis);
  return halves[0] * sigmoid(halves[1]);
}

Tensor swiglu(const Tensor& gate, const Tensor& x) { return silu(gate) * x; }
Tensor geglu(const Tensor& gate, const Tensor& x) { return gelu(gate) * x; }

Tensor gumbel_softmax(const Tensor& logits, double tau, bool hard, int axis) {
  if (!(tau > 0)) fail(ErrorKind::kValue, "gumbel_softmax: a tau of {} was given; above 0 is expected.", tau);
  const Tensor x = floating(logits);
  // The draw is in [0, 1): away from both ends the logarithms are finite.
  const Tensor u = random::uniform(x.shape(), 1e-7, 1.0 - 1e-7, f32, x.device());
  Tensor soft = softmax((x - cast(log(negative(log(u))), x.dtype())) / tau, axis);
  if (!hard) return soft;
  // Only the first of equal values is 1.
  Shape along = soft.shape();
  const int at = axis < 0 ? axis + soft.rank() : axis;
  for (int i = 0; i < along.rank(); ++i) along[i] = i == at ? along[i] : 1;
  const Tensor number = reshape(arange(0, static_cast<double>(along[at]), 1, i32, soft.device()), along);
  const Tensor best = cast(equal(number, argmax(soft, axis, true)), soft.dtype());
  return stop_gradient(best - soft) + soft;
}

Tensor dropout(const Tensor& x, double p, bool training) {
  check_probability("dropout", p);
  if (!training || p == 0) return x;
  if (p == 1) return x * 0.0;
  const Tensor kept = random::bernoulli(x.shape(), 1 - p, x.device());
  return where(kept, floating(x) * (1 / (1 - p)), 0.0);
}

Tensor rrelu(const Tensor& x, double low, double high, bool training) {
  if (low > high)
    fail(ErrorKind::kValue, "rrelu: slopes from {} to {} were given; the first is the larger.", low, high);
  const Tensor y = floating(x);
  if (!training) return leaky_relu(y, (low + high) / 2);
  const Tensor slope = cast(random::uniform(y.shape(), low, high, f32, y.device()), y.dtype());
  return where(greater_equal(y, 0.0), y, y * slope);
}

}  // namespace tessera
