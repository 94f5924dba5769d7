// The public functions: each hands its tensors' nodes to the op of the same name.
#include "tessera/ops.h"

#include <atomic>
#include <mutex>

#include "base/fail.h"
#include "ops/build.h"
#include "runtime/registry.h"

namespace tessera {

namespace {

const NodePtr& node(const Tensor& t) {
  if (!t.defined()) fail(ErrorKind::kValue, "An empty Tensor was given as an operand; it holds no value.");
  return t.node();
}

NodePtr maybe(const Tensor& t) { return t.node(); }

std::vector<NodePtr> nodes(const std::vector<Tensor>& tensors) {
  std::vector<NodePtr> result;
  result.reserve(tensors.size());
  for (const Tensor& t : tensors) result.push_back(node(t));
  return result;
}

std::vector<Tensor> tensors(const std::vector<NodePtr>& list) { return {list.begin(), list.end()}; }

std::shared_ptr<runtime::Device> device_of(const Device& device) {
  return device.impl() != nullptr ? device.impl() : runtime::default_device();
}

Tensor unary(Op op, const Tensor& x) { return Tensor(ops::elementwise(op, {node(x)})); }
Tensor binary(Op op, const Tensor& a, const Tensor& b) { return Tensor(ops::elementwise(op, {node(a), node(b)})); }

}  // namespace

Tensor negative(const Tensor& x) { return unary(Op::kNegative, x); }
Tensor abs(const Tensor& x) { return unary(Op::kAbs, x); }
Tensor sign(const Tensor& x) { return unary(Op::kSign, x); }
Tensor exp(const Tensor& x) { return unary(Op::kExp, x); }
Tensor expm1(const Tensor& x) { return unary(Op::kExpm1, x); }
Tensor log(const Tensor& x) { return unary(Op::kLog, x); }
Tensor log2(const Tensor& x) { return unary(Op::kLog2, x); }
Tensor log10(const Tensor& x) { return unary(Op::kLog10, x); }
Tensor log1p(const Tensor& x) { return unary(Op::kLog1p, x); }
Tensor sqrt(const Tensor& x) { return unary(Op::kSqrt, x); }
Tensor rsqrt(const Tensor& x) { return unary(Op::kRsqrt, x); }
Tensor square(const Tensor& x) { return unary(Op::kSquare, x); }
Tensor reciprocal(const Tensor& x) { return unary(Op::kReciprocal, x); }
Tensor sin(const Tensor& x) { return unary(Op::kSin, x); }
Tensor cos(const Tensor& x) { return unary(Op::kCos, x); }
Tensor tan(const Tensor& x) { return unary(Op::kTan, x); }
Tensor asin(const Tensor& x) { return unary(Op::kAsin, x); }
Tensor acos(const Tensor& x) { return unary(Op::kAcos, x); }
Tensor atan(const Tensor& x) { return unary(Op::kAtan, x); }
Tensor sinh(const Tensor& x) { return unary(Op::kSinh, x); }
Tensor cosh(const Tensor& x) { return unary(Op::kCosh, x); }
Tensor tanh(const Tensor& x) { return unary(Op::kTanh, x); }
Tensor asinh(const Tensor& x) { return unary(Op::kAsinh, x); }
Tensor acosh(const Tensor& x) { return unary(Op::kAcosh, x); }
Tensor atanh(const Tensor& x) { return unary(Op::kAtanh, x); }
Tensor erf(const Tensor& x) { return unary(Op::kErf, x); }
Tensor sigmoid(const Tensor& x) { return unary(Op::kSigmoid, x); }
Tensor floor(const Tensor& x) { return unary(Op::kFloor, x); }
Tensor ceil(const Tensor& x) { return unary(Op::kCeil, x); }
Tensor round(const Tensor& x) { return unary(Op::kRound, x); }
Tensor trunc(const Tensor& x) { return unary(Op::kTrunc, x); }
Tensor isnan(const Tensor& x) { return unary(Op::kIsNan, x); }
Tensor isinf(const Tensor& x) { return unary(Op::kIsInf, x); }
Tensor isfinite(const Tensor& x) { return unary(Op::kIsFinite, x); }
Tensor logical_not(const Tensor& x) { return unary(Op::kLogicalNot, x); }
Tensor bitwise_not(const Tensor& x) { return unary(Op::kBitwiseNot, x); }
Tensor relu(const Tensor& x) { return Tensor(ops::relu(node(x))); }
Tensor gelu(const Tensor& x) { return Tensor(ops::gelu(node(x), false)); }
Tensor gelu_tanh(const Tensor& x) { return Tensor(ops::gelu(node(x), true)); }
Tensor silu(const Tensor& x) { return Tensor(ops::silu(node(x))); }
Tensor softplus(const Tensor& x) { return Tensor(ops::softplus(node(x))); }

Tensor add(const Tensor& a, const Tensor& b) { return binary(Op::kAdd, a, b); }
Tensor subtract(const Tensor& a, const Tensor& b) { return binary(Op::kSubtract, a, b); }
Tensor multiply(const Tensor& a, const Tensor& b) { return binary(Op::kMultiply, a, b); }
Tensor divide(const Tensor& a, const Tensor& b) { return binary(Op::kDivide, a, b); }
Tensor floor_divide(const Tensor& a, const Tensor& b) { return binary(Op::kFloorDivide, a, b); }
Tensor remainder(const Tensor& a, const Tensor& b) { return binary(Op::kRemainder, a, b); }
Tensor power(const Tensor& a, const Tensor& b) { return binary(Op::kPower, a, b); }
Tensor maximum(const Tensor& a, const Tensor& b) { return binary(Op::kMaximum, a, b); }
Tensor minimum(const Tensor& a, const Tensor& b) { return binary(Op::kMinimum, a, b); }
Tensor atan2(const Tensor& a, const Tensor& b) { return binary(Op::kAtan2, a, b); }
Tensor equal(const Tensor& a, const Tensor& b) { return binary(Op::kEqual, a, b); }
Tensor not_equal(const Tensor& a, const Tensor& b) { return binary(Op::kNotEqual, a, b); }
Tensor less(const Tensor& a, const Tensor& b) { return binary(Op::kLess, a, b); }
Tensor less_equal(const Tensor& a, const Tensor& b) { return binary(Op::kLessEqual, a, b); }
Tensor greater(const Tensor& a, const Tensor& b) { return binary(Op::kGreater, a, b); }
Tensor greater_equal(const Tensor& a, const Tensor& b) { return binary(Op::kGreaterEqual, a, b); }
Tensor logical_and(const Tensor& a, const Tensor& b) { return binary(Op::kLogicalAnd, a, b); }
Tensor logical_or(const Tensor& a, const Tensor& b) { return binary(Op::kLogicalOr, a, b); }
Tensor logical_xor(const Tensor& a, const Tensor& b) { return binary(Op::kLogicalXor, a, b); }
Tensor bitwise_and(const Tensor& a, const Tensor& b) { return binary(Op::kBitwiseAnd, a, b); }
Tensor bitwise_or(const Tensor& a, const Tensor& b) { return binary(Op::kBitwiseOr, a, b); }
Tensor bitwise_xor(const Tensor& a, const Tensor& b) { return binary(Op::kBitwiseXor, a, b); }
Tensor left_shift(const Tensor& a, const Tensor& b) { return binary(Op::kLeftShift, a, b); }
Tensor right_shift(const Tensor& a, const Tensor& b) { return binary(Op::kRightShift, a, b); }

Tensor elu(const Tensor& x, double alpha) { return Tensor(ops::elu(node(x), alpha)); }
Tensor leaky_relu(const Tensor& x, double slope) { return Tensor(ops::leaky_relu(node(x), slope)); }
Tensor cast(const Tensor& x, DType dtype) {
  const NodePtr& n = node(x);
  if (dtype == DType::kF64 && n->device() != nullptr && !n->device()->info().features.f64) {
    fail(ErrorKind::kUnsupported, "cast: f64 tensors run on the CPU backend only; {} has none.",
         n->device()->info().name);
  }
  return Tensor(ops::cast(n, dtype));
}
Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) {
  return Tensor(ops::elementwise(Op::kWhere, {node(condition), node(a), node(b)}));
}
Tensor clamp(const Tensor& x, const Tensor& low, const Tensor& high) {
  return Tensor(ops::clamp(node(x), maybe(low), maybe(high)));
}

// ---- Creation ----

Tensor empty(const Shape& shape, DType dtype, const Device& device) { return zeros(shape, dtype, device); }
Tensor full(const Shape& shape, const Tensor& value, std::optional<DType> dtype, const Device& device) {
  const NodePtr v = dtype.has_value() ? ops::cast(node(value), *dtype) : node(value);
  return Tensor(ops::full(shape, v, device_of(device)));
}
Tensor zeros(const Shape& shape, DType dtype, const Device& device) { return full(shape, 0, dtype, device); }
Tensor ones(const Shape& shape, DType dtype, const Device& device) { return full(shape, 1, dtype, device); }
Tensor arange(double start, double stop, double step, DType dtype, const Device& device) {
  return Tensor(ops::arange(start, stop, step, dtype, device_of(device)));
}
Tensor linspace(double start, double stop, std::int64_t count, DType dtype, const Device& device) {
  return Tensor(ops::linspace(start, stop, count, dtype, device_of(device)));
}
Tensor eye(std::int64_t rows, std::int64_t cols, int diagonal, DType dtype, const Device& device) {
  return Tensor(ops::eye(rows, cols < 0 ? rows : cols, diagonal, dtype, device_of(device)));
}

namespace random {

namespace {

struct Generator {
  std::mutex mutex;
  std::uint64_t seed = 0;
  std::uint64_t counter = 0;
};
Generator& generator() {
  static Generator g;
  return g;
}

NodePtr draw(const Shape& shape, const Device& device) {
  Generator& g = generator();
  RandomState state;
  {
    const std::lock_guard lock(g.mutex);
    state = {g.seed, g.counter++};
  }
  return ops::random_bits(shape, state, device_of(device));
}

}  // namespace

void set_seed(std::uint64_t seed) {
  Generator& g = generator();
  const std::lock_guard lock(g.mutex);
  g.seed = seed;
  g.counter = 0;
}

Tensor uniform(const Shape& shape, const Tensor& low, const Tensor& high, DType dtype, const Device& device) {
  return Tensor(ops::random_uniform(draw(shape, device), node(low), node(high), dtype));
}
Tensor normal(const Shape& shape, const Tensor& mean, const Tensor& deviation, DType dtype, const Device& device) {
  const NodePtr first = draw(shape, device);
  const NodePtr second = draw(shape, device);
  return Tensor(ops::random_normal(first, second, node(mean), node(deviation), dtype));
}
Tensor bernoulli(const Shape& shape, const Tensor& probability, const Device& device) {
  return less(uniform(shape, 0.0, 1.0, DType::kF32, device), probability);
}
Tensor randint(const Shape& shape, std::int64_t low, std::int64_t high, DType dtype, const Device& device) {
  return Tensor(ops::random_integers(draw(shape, device), low, high, dtype));
}

}  // namespace random

// ---- Movement ----

Tensor reshape(const Tensor& x, const Shape& shape) { return Tensor(ops::reshape(node(x), shape)); }
Tensor permute(const Tensor& x, const Axes& order) { return Tensor(ops::permute(node(x), order)); }
Tensor transpose(const Tensor& x, int a, int b) { return Tensor(ops::swap_axes(node(x), a, b)); }
Tensor broadcast_to(const Tensor& x, const Shape& shape) { return Tensor(ops::broadcast_to(node(x), shape)); }
Tensor expand_dims(const Tensor& x, int axis) { return Tensor(ops::expand_dims(node(x), axis)); }
Tensor squeeze(const Tensor& x, const Axes& axes) { return Tensor(ops::squeeze(node(x), axes)); }
Tensor flip(const Tensor& x, const Axes& axes) { return Tensor(ops::flip(node(x), axes)); }
Tensor contiguous(const Tensor& x) { return Tensor(ops::contiguous(node(x))); }

Tensor slice(const Tensor& x, const std::vector<Slice>& ranges) {
  std::vector<ops::Range> result;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const Slice& s = ranges[i];
    if (static_cast<int>(i) >= x.rank()) {
      fail(ErrorKind::kShape, "slice: {} ranges were given for a tensor of rank {}.", ranges.size(), x.rank());
    }
    if (s.step == 0) fail(ErrorKind::kValue, "slice: the step of axis {} is 0.", i);
    const std::int64_t size = x.shape()[static_cast<int>(i)];
    const bool up = s.step > 0;
    const auto bound = [&](std::optional<std::int64_t> v, std::int64_t whole) {
      if (!v.has_value()) return whole;
      const std::int64_t at = *v < 0 ? *v + size : *v;
      return up ? std::clamp<std::int64_t>(at, 0, size) : std::clamp<std::int64_t>(at, -1, size - 1);
    };
    result.push_back({bound(s.start, up ? 0 : size - 1), bound(s.stop, up ? size : -1), s.step});
  }
  return Tensor(ops::slice(node(x), result));
}

Tensor pad(const Tensor& x, const std::vector<std::pair<std::int64_t, std::int64_t>>& widths, const Tensor& value) {
  return Tensor(ops::pad(node(x), widths, node(value)));
}
Tensor concat(const std::vector<Tensor>& parts, int axis) { return Tensor(ops::concat(nodes(parts), axis)); }
Tensor stack(const std::vector<Tensor>& parts, int axis) { return Tensor(ops::stack(nodes(parts), axis)); }
std::vector<Tensor> split(const Tensor& x, std::int64_t parts, int axis) {
  const std::int64_t size = x.size(axis);
  if (parts <= 0 || size % parts != 0) {
    fail(ErrorKind::kShape, "split: axis {} of {} has size {}, which {} parts do not divide.", axis, x.shape().str(),
         size, parts);
  }
  return split(x, std::vector<std::int64_t>(static_cast<std::size_t>(parts), size / parts), axis);
}
std::vector<Tensor> split(const Tensor& x, const std::vector<std::int64_t>& sizes, int axis) {
  return tensors(ops::split(node(x), sizes, axis));
}

// ---- Reductions ----

Tensor sum(const Tensor& x, const Axes& axes, bool keepdims) { return Tensor(ops::sum(node(x), axes, keepdims)); }
Tensor prod(const Tensor& x, const Axes& axes, bool keepdims) {
  return Tensor(ops::reduce(Op::kProd, "prod", node(x), axes, keepdims));
}
Tensor mean(const Tensor& x, const Axes& axes, bool keepdims) { return Tensor(ops::mean(node(x), axes, keepdims)); }
Tensor max(const Tensor& x, const Axes& axes, bool keepdims) {
  return Tensor(ops::reduce(Op::kMax, "max", node(x), axes, keepdims));
}
Tensor min(const Tensor& x, const Axes& axes, bool keepdims) {
  return Tensor(ops::reduce(Op::kMin, "min", node(x), axes, keepdims));
}
Tensor var(const Tensor& x, const Axes& axes, bool keepdims, int correction) {
  return Tensor(ops::var(node(x), axes, keepdims, correction));
}
Tensor stddev(const Tensor& x, const Axes& axes, bool keepdims, int correction) {
  return sqrt(var(x, axes, keepdims, correction));
}
Tensor any(const Tensor& x, const Axes& axes, bool keepdims) { return Tensor(ops::any(node(x), axes, keepdims)); }
Tensor all(const Tensor& x, const Axes& axes, bool keepdims) { return Tensor(ops::all(node(x), axes, keepdims)); }
Tensor argmax(const Tensor& x, std::optional<int> axis, bool keepdims) {
  return Tensor(ops::arg_extreme(Op::kArgMax, node(x), axis, keepdims));
}
Tensor argmin(const Tensor& x, std::optional<int> axis, bool keepdims) {
  return Tensor(ops::arg_extreme(Op::kArgMin, node(x), axis, keepdims));
}
Tensor logsumexp(const Tensor& x, const Axes& axes, bool keepdims) {
  return Tensor(ops::logsumexp(node(x), axes, keepdims));
}

// ---- Contractions and compositions ----

Tensor matmul(const Tensor& a, const Tensor& b) { return Tensor(ops::matmul(node(a), node(b))); }
Tensor softmax(const Tensor& x, int axis) { return Tensor(ops::softmax(node(x), axis)); }
Tensor log_softmax(const Tensor& x, int axis) { return Tensor(ops::log_softmax(node(x), axis)); }
Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double eps) {
  return Tensor(ops::layer_norm(node(x), maybe(weight), maybe(bias), eps));
}
Tensor rms_norm(const Tensor& x, const Tensor& weight, double eps) {
  return Tensor(ops::rms_norm(node(x), maybe(weight), eps));
}

}  // namespace tessera
