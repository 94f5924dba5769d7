// Special functions that the standard library lacks, or has with a global variable.
#include "ops/elementwise/special.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "base/fail.h"

namespace tessera {

double erfinv(double x) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  if (!(std::abs(x) <= 1)) return std::numeric_limits<double>::quiet_NaN();
  if (std::abs(x) == 1) return std::copysign(kInf, x);
  if (x == 0) return x;
  const double a = std::abs(x);
  // Winitzki's formula is good to some 1e-3; each of Halley's steps triples the digits.
  constexpr double kA = 0.147;
  const double log = std::log1p(-a * a);
  const double t = 2 / (std::numbers::pi * kA) + log / 2;
  double y = std::sqrt(std::max(0.0, std::sqrt(t * t - log / kA) - t));
  for (int i = 0; i < 4; ++i) {
    const double error = a < 0.5 ? std::erf(y) - a : (1 - a) - std::erfc(y);
    const double u = error / (2 * std::numbers::inv_sqrtpi * std::exp(-y * y));
    y -= u / (1 + y * u);
  }
  return std::copysign(y, x);
}

double lgamma(double x) {
  if (std::isinf(x)) return std::numeric_limits<double>::infinity();
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

double digamma(double x) {
  if (x == 0) return std::copysign(std::numeric_limits<double>::infinity(), -x);
  if (x <= 0 && x == std::floor(x)) return std::numeric_limits<double>::quiet_NaN();
  if (x < 0.5) return digamma(1 - x) - std::numbers::pi / std::tan(std::numbers::pi * x);
  if (std::isinf(x)) return x;
  double shift = 0;
  for (; x < 16; ++x) shift -= 1 / x;
  const double z = 1 / (x * x);
  // The asymptotic series: Bernoulli numbers over 2k.
  const double series =
      z * (1.0 / 12 - z * (1.0 / 120 - z * (1.0 / 252 - z * (1.0 / 240 - z * (1.0 / 132 - z * (691.0 / 32760))))));
  return shift + std::log(x) - 0.5 / x - series;
}

void fail_index(std::int64_t index, std::int64_t size) {
  if (size <= 0) fail(ErrorKind::kValue, "Index {} was given for an axis of size 0, which has no elements.", index);
  fail(ErrorKind::kValue, "Index {} was given for an axis of size {}; from {} to {} is expected.", index, size, -size,
       size - 1);
}

}  // namespace tessera
