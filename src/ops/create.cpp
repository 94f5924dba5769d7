// Leaves: constants, ranges and random draws.
#include <cmath>

#include "base/fail.h"
#include "ops/build.h"

namespace tessera::ops {

namespace {

void check_shape(std::string_view what, const Shape& shape) {
  for (const std::int64_t d : shape) {
    if (d < 0) fail(ErrorKind::kShape, "{}: the shape {} has a negative size.", what, shape.str());
  }
}

NodePtr iota(std::int64_t n, DType dtype, std::shared_ptr<runtime::Device> device) {
  return std::make_shared<const Node>(Op::kIota, dtype, Shape{n}, std::move(device), Node::Inputs{});
}

}  // namespace

NodePtr scalar(Scalar value, DType dtype) {
  return std::make_shared<const Node>(Op::kScalar, dtype, Shape{}, nullptr, Node::Inputs{}, value);
}

NodePtr number(double value) { return scalar({value, true}, DType::kF32); }

NodePtr full(const Shape& shape, const NodePtr& value, std::shared_ptr<runtime::Device> device) {
  check_shape("full", shape);
  NodePtr v = value;
  if (v->op() == Op::kScalar) {
    Scalar s = v->scalar();
    s.weak = false;
    v = std::make_shared<const Node>(Op::kScalar, v->dtype(), Shape{}, std::move(device), Node::Inputs{}, s);
  }
  return broadcast_to(v, shape);
}

NodePtr arange(double start, double stop, double step, DType dtype, std::shared_ptr<runtime::Device> device) {
  if (step == 0 || !std::isfinite(start) || !std::isfinite(stop) || !std::isfinite(step)) {
    fail(ErrorKind::kValue, "arange: start {}, stop {} and step {} must be finite, and the step not 0.", start, stop,
         step);
  }
  if (is_complex(dtype)) fail(ErrorKind::kDType, "arange: type {} was given; it makes real numbers.", name(dtype));
  const double count = std::max(0.0, std::ceil((stop - start) / step));
  if (count > 4294967295.0)
    fail(ErrorKind::kLimit, "arange: {} elements were asked for; the most are 4294967295.", count);
  const DType t = dtype == DType::kBool ? DType::kI32 : dtype;
  const NodePtr steps = iota(static_cast<std::int64_t>(count), t, std::move(device));
  if (is_float(t)) return cast(scalar({start}, t) + steps * scalar({step}, t), dtype);
  const auto first = static_cast<std::int64_t>(start);
  const auto by = static_cast<std::int64_t>(step);
  return cast(scalar({first}, t) + steps * scalar({by}, t), dtype);
}

NodePtr linspace(double start, double stop, std::int64_t count, DType dtype, std::shared_ptr<runtime::Device> device) {
  if (count < 0) fail(ErrorKind::kValue, "linspace: a count of {} was given; it must not be negative.", count);
  const NodePtr i = iota(count, real_of(dtype) == DType::kF64 ? DType::kF64 : DType::kF32, std::move(device));
  const double step = count > 1 ? (stop - start) / static_cast<double>(count - 1) : 0.0;
  // Each half is counted from its own end, so that both ends are exact.
  const auto last = static_cast<double>(count - 1);
  const NodePtr up = i * step + start;
  const NodePtr down = (i - last) * step + stop;
  const NodePtr first_half = elementwise(Op::kLess, {i, number(static_cast<double>(count) / 2)});
  const NodePtr result = elementwise(Op::kWhere, {first_half, up, down});
  // Integers are rounded down, as in NumPy.
  return cast(is_float(dtype) || is_complex(dtype) ? result : elementwise(Op::kFloor, {result}), dtype);
}

NodePtr eye(std::int64_t rows, std::int64_t cols, int diagonal, DType dtype,
            const std::shared_ptr<runtime::Device>& device) {
  check_shape("eye", Shape{rows, cols});
  const NodePtr r = reshape(iota(rows, DType::kI32, device), {rows, 1});
  const NodePtr c = reshape(iota(cols, DType::kI32, device), {1, cols});
  return cast(elementwise(Op::kEqual, {r + scalar({std::int64_t{diagonal}}, DType::kI32), c}), dtype);
}

NodePtr random_bits(const Shape& shape, RandomState state, std::shared_ptr<runtime::Device> device) {
  check_shape("random", shape);
  return std::make_shared<const Node>(Op::kRandom, DType::kU32, shape, std::move(device), Node::Inputs{}, state);
}

namespace {

/// The upper 24 bits as a number in [0, 1).
NodePtr unit(const NodePtr& bits) {
  const NodePtr top = elementwise(Op::kRightShift, {bits, scalar({std::int64_t{8}}, DType::kU32)});
  return cast(top, DType::kF32) * 0x1p-24;
}

}  // namespace

NodePtr random_uniform(const NodePtr& bits, const NodePtr& low, const NodePtr& high, DType dtype) {
  return cast(unit(bits) * (high - low) + low, dtype);
}

NodePtr random_normal(const NodePtr& bits_a, const NodePtr& bits_b, const NodePtr& mean, const NodePtr& deviation,
                      DType dtype) {
  // Box-Muller; 1 - u keeps the logarithm's argument above 0.
  const NodePtr radius = elementwise(Op::kSqrt, {elementwise(Op::kLog, {number(1) - unit(bits_a)}) * -2.0});
  const NodePtr angle = elementwise(Op::kCos, {unit(bits_b) * 6.283185307179586});
  return cast(radius * angle * deviation + mean, dtype);
}

NodePtr random_integers(const NodePtr& bits, std::int64_t low, std::int64_t high, DType dtype) {
  if (!is_integer(dtype)) fail(ErrorKind::kDType, "randint: type {} was given; it makes integers.", name(dtype));
  if (low >= high || high - low > 0xffffffffLL) {
    fail(ErrorKind::kValue, "randint: the range [{}, {}) must hold at least one and fewer than 2^32 numbers.", low,
         high);
  }
  const NodePtr offset = elementwise(Op::kRemainder, {bits, scalar({high - low}, DType::kU32)});
  return cast(offset, dtype) + scalar({low}, dtype);
}

}  // namespace tessera::ops
