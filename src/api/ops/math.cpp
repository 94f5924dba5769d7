// Elementwise compositions; the plain rows of the table are defined in ops.cpp.
#include "tessera/math.h"

#include <limits>

#include "api/arguments.h"
#include "api/catalog_rows.h"
#include "base/fail.h"
#include "ops/elementwise/nextafter.h"
#include "ops/gradient.h"
#include "ops/quant/quant.h"
#include "tessera/grad.h"
#include "tessera/ops.h"

namespace tessera {

catalog::Rows catalog::math() {
  static constexpr std::array kRows{
      Row{"Elementwise", kAny, kGradient, kComposed, "clip, nan_to_num, copysign"},
      Row{"Elementwise", kAnyComplex, kGradient, kComposed, "positive"},
      Row{"Elementwise", kFloats, kGradient, kComposed, "erfc"},
      Row{"Elementwise", kFloats, kGradient, kComposed, "xlogy, logaddexp, hypot", kInF32},
      Row{"Elementwise", kNumbers, kGradient, kComposed, "fmod"},
      Row{"Elementwise", "f32, f64", kGradient, kKernel, "nextafter"},
      Row{"Elementwise", "integers", kNoGradient, kComposed, "lcm"},
      Row{"Elementwise", kNumbersComplex, kNoGradient, kComposed, "isclose, allclose"},
  };
  return kRows;
}

namespace {

double largest(DType t) {
  switch (t) {
    case DType::kF16:
      return 65504;
    case DType::kBF16:
      return 3.3895313892515355e38;
    case DType::kF64:
      return std::numeric_limits<double>::max();
    default:
      return std::numeric_limits<float>::max();
  }
}

}  // namespace

Tensor erfc(const Tensor& x) { return 1.0 - erf(x); }

Tensor xlogy(const Tensor& x, const Tensor& y) {
  const Tensor zero = logical_and(equal(x, 0), logical_not(isnan(y)));
  const Tensor result = where(zero, 0.0, x * log(y));
  const auto rule = [](const Gradient::Call& call) -> std::vector<NodePtr> {
    const Tensor a(call.inputs[0]);
    const Tensor b(call.inputs[1]);
    const Tensor g(call.gradients[0]);
    const Tensor flat = logical_and(equal(a, 0.0), less_equal(b, 0.0));  // 0 on this side of b; along b at 0, NaN
    const Tensor none = logical_and(equal(a, 0.0), equal(b, 0.0));
    return {where(flat, 0.0, g * log(where(flat, 1.0, b))).node(),
            where(none, 0.0, g * a / where(none, 1.0, b)).node()};
  };
  return Tensor(ops::with_elementwise_gradient("xlogy", {x.node(), y.node()}, result.node(), rule));
}

Tensor logaddexp(const Tensor& a, const Tensor& b) {
  const Tensor top = stop_gradient(maximum(a, b));
  const Tensor shift = where(isfinite(top), top, 0.0);  // inf - inf would be NaN
  const Tensor result = log(exp(a - shift) + exp(b - shift)) + shift;
  const auto rule = [](const Gradient::Call& call) -> std::vector<NodePtr> {
    const Tensor x(call.inputs[0]);
    const Tensor y(call.inputs[1]);
    const Tensor g(call.gradients[0]);
    const Tensor apart = where(equal(x, y), 0.0, x - y);  // two infinities share, like any two equal values
    return {(g * sigmoid(apart)).node(), (g * sigmoid(negative(apart))).node()};
  };
  return Tensor(ops::with_elementwise_gradient("logaddexp", {a.node(), b.node()}, result.node(), rule));
}

Tensor hypot(const Tensor& a, const Tensor& b) {
  const Tensor x = floating(a);
  const Tensor y = floating(b);
  const Tensor big = stop_gradient(maximum(abs(x), abs(y)));
  const Tensor usable = logical_and(greater(big, 0.0), isfinite(big));
  const Tensor scale = where(usable, big, 1.0);
  const Tensor result = sqrt(square(x / scale) + square(y / scale)) * scale;
  // An infinite side wins over NaN.
  const Tensor infinite = logical_or(isinf(x), isinf(y));
  return where(infinite, std::numeric_limits<double>::infinity(), result);
}

Tensor positive(const Tensor& x) {
  if (x.dtype() == boolean) fail(ErrorKind::kDType, "positive: a tensor of bool was given; it takes numbers.");
  return x;
}

Tensor copysign(const Tensor& magnitude, const Tensor& sign) {
  const Tensor size = abs(floating(magnitude));
  return where(signbit(floating(sign)), negative(size), size);
}

Tensor nextafter(const Tensor& a, const Tensor& b) {
  if (!a.defined() || !b.defined()) fail(ErrorKind::kValue, "nextafter: an empty Tensor was given.");
  return Tensor(ops::nextafter(a.node(), b.node()));
}

Tensor fmod(const Tensor& a, const Tensor& b) {
  if (!is_float(a.dtype()) && !is_float(b.dtype())) {
    // remainder() follows the divisor's sign: take that of the dividend.
    const Tensor r = remainder(a, b);
    const Tensor opposite = logical_and(not_equal(r, 0), not_equal(less(a, 0), less(r, 0)));
    return where(opposite, r - b, r);
  }
  const Tensor rest = copysign(remainder(abs(a), abs(b)), a);
  const auto rule = [](const Gradient::Call& call) -> std::vector<NodePtr> {
    const Tensor times = trunc(Tensor(call.inputs[0]) / Tensor(call.inputs[1]));
    return {call.gradients[0], negative(Tensor(call.gradients[0]) * times).node()};
  };
  return Tensor(ops::with_elementwise_gradient("fmod", {a.node(), b.node()}, rest.node(), rule));
}

Tensor lcm(const Tensor& a, const Tensor& b) {
  const Tensor g = gcd(a, b);
  return abs(floor_divide(a, maximum(g, 1)) * b);
}

Tensor clip(const Tensor& x, const Tensor& low, const Tensor& high) { return clamp(x, low, high); }

Tensor nan_to_num(const Tensor& x, double nan, const Tensor& posinf, const Tensor& neginf) {
  if (is_complex(x.dtype()))
    fail(ErrorKind::kDType, "nan_to_num: a tensor of type {} was given; it takes real numbers.", name(x.dtype()));
  if (is_block(x.dtype())) ops::refuse_blocks("nan_to_num", x.dtype());
  if (!is_float(x.dtype())) return x;
  const double most = largest(x.dtype());
  const Tensor finite = where(
      isinf(x),
      where(greater(x, 0.0), posinf.defined() ? posinf : Tensor(most), neginf.defined() ? neginf : Tensor(-most)), x);
  return cast(where(isnan(x), nan, finite), x.dtype());
}

namespace {

/// isclose() of integers: the distance is exact, in the unsigned dtype of the same width; the tolerance is a float.
Tensor close_integers(const Tensor& a, const Tensor& b, DType t, double rtol, double atol) {
  const DType wide = size_of(t) < 4 ? i32 : t;
  const DType distance = size_of(wide) == 4 ? u32 : u64;
  const Tensor x = cast(a, wide);
  const Tensor y = cast(b, wide);
  const Device device = x.node()->device() != nullptr ? x.device() : y.device();
  const DType real = device.info().features.f64 ? f64 : f32;
  const Tensor apart = cast(maximum(x, y) - minimum(x, y), distance);
  const Tensor size = is_signed(wide) ? cast(abs(y), distance) : y;
  return logical_or(equal(x, y), less_equal(cast(apart, real), cast(size, real) * rtol + atol));
}

}  // namespace

Tensor isclose(const Tensor& a, const Tensor& b, double rtol, double atol, bool equal_nan) {
  if (!a.defined() || !b.defined()) fail(ErrorKind::kValue, "isclose: an empty Tensor was given.");
  if (const DType t = promote(a.dtype(), b.dtype()); !is_float(t) && !is_complex(t)) {
    return close_integers(a, b, t, rtol, atol);
  }
  const Tensor x = is_complex(a.dtype()) ? a : floating(a);
  const Tensor y = is_complex(b.dtype()) ? b : floating(b);
  const Tensor near = less_equal(abs(x - y), abs(y) * rtol + atol);
  const Tensor same = logical_or(equal(x, y), logical_and(near, logical_and(isfinite(x), isfinite(y))));
  return equal_nan ? logical_or(same, logical_and(isnan(x), isnan(y))) : same;
}

bool allclose(const Tensor& a, const Tensor& b, double rtol, double atol, bool equal_nan) {
  return all(isclose(a, b, rtol, atol, equal_nan)).item<bool>();
}

}  // namespace tessera
