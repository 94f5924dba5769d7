// Activations as formulas; each fuses with the ops around it.
#include "api/arguments.h"
#include "base/fail.h"
#include "graph/op.h"
#include "ops/gradient.h"
#include "tessera/grad.h"
#include "tessera/nn.h"

namespace tessera {

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
