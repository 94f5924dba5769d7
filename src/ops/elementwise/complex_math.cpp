// Functions of complex numbers that the C++ library lacks, or has in another form than NumPy.
#include "ops/elementwise/complex_math.h"

#include <limits>
#include <numbers>

namespace tessera::complex {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Complex scaled(Complex x, double by) { return {x.real() * by, x.imag() * by}; }

}  // namespace

Complex expm1(Complex x) {
  const double a = x.real();
  const double b = x.imag();
  if (b == 0) return {a == 0 ? 0 : std::expm1(a), b};  // the standard's zero has no sign
  if (!std::isfinite(a) || !std::isfinite(b)) {
    const Complex e = std::exp(x);
    return {e.real() - 1, e.imag()};
  }
  // exp(a) cos(b) - 1 loses all digits near 0.
  const double half = std::sin(b / 2);
  return {std::expm1(a) * std::cos(b) - 2 * half * half, std::exp(a) * std::sin(b)};
}

Complex log1p(Complex x) {
  const double a = x.real();
  const double b = x.imag();
  const double angle = std::atan2(b, a + 1);
  // log |1 + x| = log1p(|1 + x|^2 - 1) / 2 keeps the digits of a small x.
  if (std::fabs(a) < 0.5 && std::fabs(b) < 0.5) return {0.5 * std::log1p(a * (2 + a) + b * b), angle};
  return {std::log(std::hypot(a + 1, b)), angle};
}

Complex log2(Complex x) { return scaled(std::log(x), std::numbers::log2e); }
Complex log10(Complex x) { return scaled(std::log(x), std::numbers::log10e); }

Complex sign(Complex x) {
  const double size = std::hypot(x.real(), x.imag());
  if (!std::isfinite(x.real()) || !std::isfinite(x.imag())) return {kNan, kNan};
  if (size == 0) return {0, 0};
  return {x.real() / size, x.imag() / size};
}

Complex reciprocal(Complex x) {
  const double a = x.real();
  const double b = x.imag();
  if (std::fabs(b) <= std::fabs(a)) {
    const double r = b / a;
    const double d = a + b * r;
    return {1 / d, -r / d};
  }
  const double r = a / b;
  const double d = a * r + b;
  return {r / d, -1 / d};
}

Complex divide(Complex x, Complex y) {
  const double a = x.real();
  const double b = x.imag();
  const double c = y.real();
  const double d = y.imag();
  if (c == 0 && d == 0) return {a / std::fabs(c), b / std::fabs(c)};
  if (std::fabs(c) >= std::fabs(d)) {
    const double ratio = d / c;
    const double scale = 1 / (c + d * ratio);
    return {(a + b * ratio) * scale, (b - a * ratio) * scale};
  }
  const double ratio = c / d;
  const double scale = 1 / (d + c * ratio);
  return {(a * ratio + b) * scale, (b * ratio - a) * scale};
}

Complex power(Complex x, Complex y) {
  const double n = y.real();
  if (y == Complex(0)) return 1;
  if (x == Complex(0)) return n > 0 ? Complex(0) : Complex(kNan, kNan);
  constexpr double kMost = 100;
  if (y.imag() != 0 || n != std::nearbyint(n) || std::fabs(n) >= kMost) return std::pow(x, y);
  Complex result = 1;
  Complex base = x;
  for (auto e = static_cast<int>(std::fabs(n)); e != 0; e >>= 1) {
    if ((e & 1) != 0) result = multiply(result, base);
    base = multiply(base, base);
  }
  return n < 0 ? divide(1, result) : result;
}

}  // namespace tessera::complex
