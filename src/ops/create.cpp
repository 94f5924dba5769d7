// Leaves: constants, ranges and random draws.
#include <cmath>
#include <limits>

#include "base/compute.h"
#include "base/fail.h"
#include "base/numbers.h"
#include "graph/op.h"
#include "ops/build.h"

namespace tessera::ops {

namespace {

void check_shape(std::string_view what, const Shape& shape, DType dtype) {
  static_cast<void>(checked_numel(what, shape, dtype));
}

/// Error of kind value if integers from `low` to `high` do not all fit the dtype.
void check_fits(std::string_view what, Wide low, Wide high, DType t) {
  if (holds(t, low) && holds(t, high)) return;
  const auto [least, most] = range_of(t);
  fail(ErrorKind::kValue, "{}: numbers from {} to {} were asked for; {} holds {} to {}.", what, low, high, name(t),
       least, most);
}

NodePtr iota(std::string_view what, std::int64_t n, DType dtype, std::shared_ptr<runtime::Device> device) {
  if (n > 0xffffffffLL) {
    throw Error(ErrorKind::kLimit, fmt::format("{}: {} elements were asked for; the most are 4294967295.", what, n),
                {.requested = static_cast<std::uint64_t>(n), .available = 0xffffffffULL, .op = std::string(what)});
  }
  return std::make_shared<const Node>(Op::kIota, dtype, Shape{n}, std::move(device), Node::Inputs{});
}

}  // namespace

NodePtr scalar(Scalar value, DType dtype) {
  return std::make_shared<const Node>(Op::kScalar, dtype, Shape{}, nullptr, Node::Inputs{}, value);
}

NodePtr number(double value) { return scalar({value, true}, DType::kF32); }

NodePtr full(const Shape& shape, const NodePtr& value, std::shared_ptr<runtime::Device> device) {
  check_shape("full", shape, value->dtype());
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
  if (is_block(dtype)) {
    fail(ErrorKind::kDType, "arange: the block dtype {} was given; quantize(x, {}) makes one of floats.", name(dtype),
         name(dtype));
  }
  const double count = std::max(0.0, std::ceil((stop - start) / step));
  if (count > 4294967295.0)
    fail(ErrorKind::kLimit, "arange: {} elements were asked for; the most are 4294967295.", count);
  const auto n = static_cast<std::int64_t>(count);
  const DType t = dtype == DType::kBool ? DType::kI32 : dtype;
  if (is_float(t)) {
    const DType w = wide_float(t);  // f16 and bf16 cannot count past 2048
    return cast(scalar({start}, w) + iota("arange", n, w, std::move(device)) * scalar({step}, w), dtype);
  }
  // Fractional arguments are truncated, as in NumPy.
  constexpr double kMost = 0x1p64;
  if (n > 0 && (std::abs(start) > kMost || (n > 1 && std::abs(step) > kMost))) {
    fail(ErrorKind::kValue, "arange: numbers from {} on in steps of {} were asked for; {} does not hold them.", start,
         step, name(t));
  }
  const Wide first = n > 0 ? static_cast<Wide>(start) : 0;
  const Wide by = n > 1 ? static_cast<Wide>(step) : 0;
  const Wide last = first + by * std::max<std::int64_t>(n - 1, 0);
  check_fits("arange", std::min(first, last), std::max(first, last), t);
  const auto whole = [t](Wide v) { return scalar({static_cast<std::int64_t>(v)}, t); };
  return cast(whole(first) + iota("arange", n, t, std::move(device)) * whole(by), dtype);
}

namespace {

/// Whole numbers floor(start + i * (stop - start) / (count - 1)), exact if 64 bits are enough.
NodePtr whole_linspace(double start, double stop, std::int64_t count, DType dtype,
                       std::shared_ptr<runtime::Device> device) {
  constexpr double kMost = 0x1p64;
  if (!(std::abs(start) <= kMost && std::abs(stop) <= kMost)) {
    fail(ErrorKind::kValue, "linspace: numbers from {} to {} were asked for; {} does not hold them.", start, stop,
         name(dtype));
  }
  const auto first = static_cast<Wide>(std::floor(start));
  if (count > 0) {
    const auto last = count > 1 ? static_cast<Wide>(std::floor(stop)) : first;
    check_fits("linspace", std::min(first, last), std::max(first, last), dtype);
  }
  const NodePtr i = iota("linspace", count, DType::kI64, std::move(device));
  const auto whole = [](Wide v) { return scalar({static_cast<std::int64_t>(v)}, DType::kI64); };
  if (count < 2) return cast(i * whole(0) + whole(first), dtype);
  // Both ends in units of 2^-bits: as many bits as they have, or as count^2 leaves room for.
  const std::int64_t steps = count - 1;
  int bits = 0;
  while (bits < 62 && Wide{steps} * count << (bits + 1) < Wide{1} << 62 &&
         (std::ldexp(start, bits) != std::floor(std::ldexp(start, bits)) ||
          std::ldexp(stop, bits) != std::floor(std::ldexp(stop, bits)))) {
    ++bits;
  }
  const auto low = static_cast<Wide>(std::floor(std::ldexp(start, bits)));
  const Wide distance = static_cast<Wide>(std::floor(std::ldexp(stop, bits))) - low;
  const Wide divisor = Wide{steps} << bits;
  const Wide each = distance / divisor - (distance % divisor < 0 ? 1 : 0);
  const Wide rest = distance - each * divisor;
  const Wide fraction = low - (first << bits);
  NodePtr result = whole(first) + i * whole(each);
  if (rest != 0 || fraction != 0) {
    result = result + elementwise(Op::kFloorDivide, {i * whole(rest) + whole(fraction * steps), whole(divisor)});
  }
  return cast(result, dtype);
}

}  // namespace

NodePtr linspace(double start, double stop, std::int64_t count, DType dtype, std::shared_ptr<runtime::Device> device) {
  if (count < 0) fail(ErrorKind::kValue, "linspace: a count of {} was given; it must not be negative.", count);
  check_shape("linspace", Shape{count}, dtype);
  if (is_integer(dtype)) return whole_linspace(start, stop, count, dtype, std::move(device));
  const NodePtr i =
      iota("linspace", count, real_of(dtype) == DType::kF64 ? DType::kF64 : DType::kF32, std::move(device));
  const double step = count > 1 ? (stop - start) / static_cast<double>(count - 1) : 0.0;
  // Each half is counted from its own end, so that both ends are exact.
  const auto last = static_cast<double>(count - 1);
  const NodePtr up = i * step + start;
  const NodePtr down = (i - last) * step + stop;
  const NodePtr first_half = elementwise(Op::kLess, {i, number(static_cast<double>(count) / 2)});
  const NodePtr result = elementwise(Op::kWhere, {first_half, up, down});
  return cast(dtype == DType::kBool ? elementwise(Op::kFloor, {result}) : result, dtype);
}

NodePtr eye(std::int64_t rows, std::int64_t cols, int diagonal, DType dtype,
            const std::shared_ptr<runtime::Device>& device) {
  check_shape("eye", Shape{rows, cols}, dtype);
  const DType t = rows + cols <= INT32_MAX ? DType::kI32 : DType::kI64;
  const NodePtr r = reshape(iota("eye", rows, t, device), {rows, 1});
  const NodePtr c = reshape(iota("eye", cols, t, device), {1, cols});
  const std::int64_t shift = std::clamp<std::int64_t>(diagonal, -rows, cols);
  return cast(elementwise(Op::kEqual, {r + scalar({shift}, t), c}), dtype);
}

NodePtr random_bits(const Shape& shape, RandomState state, std::shared_ptr<runtime::Device> device) {
  check_shape("random", shape, DType::kU32);
  return std::make_shared<const Node>(Op::kRandom, DType::kU32, shape, std::move(device), Node::Inputs{}, state);
}

namespace {

/// The upper 24 bits as a number in [0, 1).
NodePtr unit(const NodePtr& bits) {
  const NodePtr top = elementwise(Op::kRightShift, {bits, scalar({std::int64_t{8}}, DType::kU32)});
  return cast(top, DType::kF32) * 0x1p-24;
}

}  // namespace

namespace {

/// v in the float dtype, as a cast gives it.
double rounded(double v, DType t) {
  if (t == DType::kF64) return v;
  return rounded_to_half(static_cast<float>(v), t);
}

/// The largest number of the float dtype below `high`; for f64 that of f32 draws.
double largest_below(double high, DType t) {
  const auto below = [](float v) { return std::nextafter(v, -std::numeric_limits<float>::infinity()); };
  const double near = rounded(high, t == DType::kF64 ? DType::kF32 : t);
  if (near < high) return near;
  // Devices may flush subnormal numbers to 0.
  const double least = t == DType::kF16 ? 0x1p-14 : 0x1p-126;
  if (std::abs(near) <= least) return near - least;
  if (t != DType::kF16 && t != DType::kBF16) return below(static_cast<float>(near));
  const double step = std::abs(near) * (t == DType::kF16 ? 0x1p-11 : 0x1p-8);  // between half a step and one
  const double less = rounded(near - step, t);
  return less < high ? less : rounded(near - 2 * step, t);
}

}  // namespace

NodePtr random_uniform(const NodePtr& bits, const NodePtr& low, const NodePtr& high, DType dtype) {
  const NodePtr drawn = unit(bits) * (high - low) + low;
  NodePtr result = cast(drawn, dtype);
  // Sums and casts may round up to the end, which is excluded.
  if (low->op() == Op::kScalar && high->op() == Op::kScalar) {
    const double from = low->scalar().as_double();
    const double to = high->scalar().as_double();
    constexpr float kLargest = 1 - 0x1p-24F;
    const auto width = static_cast<float>(to) - static_cast<float>(from);
    const float most = std::fma(kLargest, width, static_cast<float>(from));
    const float apart = kLargest * width + static_cast<float>(from);
    if (!(from < to) || is_complex(dtype) || rounded(std::max(most, apart), dtype) < to) return result;
    return elementwise(Op::kMinimum, {result, scalar({largest_below(to, dtype)}, dtype)});
  }
  // Down by more than half a step and less than two of the dtype.
  const double step = dtype == DType::kF16 ? 0x1.8p-11 : dtype == DType::kBF16 ? 0x1.8p-8 : 0x1.8p-24;
  const double least = dtype == DType::kF16 ? 0x1p-14 : 0x1p-126;
  const NodePtr wide = cast(result, dtype == DType::kF64 ? dtype : DType::kF32);
  const NodePtr down = elementwise(Op::kMaximum, {elementwise(Op::kAbs, {wide}) * step, number(least)});
  const NodePtr reached =
      elementwise(Op::kLogicalAnd, {elementwise(Op::kGreaterEqual, {wide, high}), elementwise(Op::kLess, {low, high})});
  return elementwise(Op::kWhere, {reached, cast(wide - down, dtype), result});
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
  if (low >= high || Wide{high} - low > 0xffffffffLL) {
    fail(ErrorKind::kValue, "randint: the range [{}, {}) must hold at least one and fewer than 2^32 numbers.", low,
         high);
  }
  check_fits("randint", low, Wide{high} - 1, dtype);
  const NodePtr offset = elementwise(Op::kRemainder, {bits, scalar({high - low}, DType::kU32)});
  return cast(offset, dtype) + scalar({low}, dtype);
}

}  // namespace tessera::ops
