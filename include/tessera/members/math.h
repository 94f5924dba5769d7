// Written by tools/members.py: the members of Tensor that are ops of tessera/math.h, which includes this at its end.
#pragma once

namespace TESSERA_API tessera {
namespace detail {

inline bool Members::allclose(const Tensor& b, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false) const {
  return tessera::allclose(self(), b, rtol, atol, equal_nan);
}
inline Tensor Members::clip(const Tensor& low = {}, const Tensor& high = {}) const {
  return tessera::clip(self(), low, high);
}
inline Tensor Members::copysign(const Tensor& sign) const { return tessera::copysign(self(), sign); }
inline Tensor Members::digamma() const { return tessera::digamma(self()); }
inline Tensor Members::erfc() const { return tessera::erfc(self()); }
inline Tensor Members::erfinv() const { return tessera::erfinv(self()); }
inline Tensor Members::fmod(const Tensor& b) const { return tessera::fmod(self(), b); }
inline Tensor Members::gcd(const Tensor& b) const { return tessera::gcd(self(), b); }
inline Tensor Members::hypot(const Tensor& b) const { return tessera::hypot(self(), b); }
inline Tensor Members::isclose(const Tensor& b, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false) const {
  return tessera::isclose(self(), b, rtol, atol, equal_nan);
}
inline Tensor Members::lcm(const Tensor& b) const { return tessera::lcm(self(), b); }
inline Tensor Members::lgamma() const { return tessera::lgamma(self()); }
inline Tensor Members::logaddexp(const Tensor& b) const { return tessera::logaddexp(self(), b); }
inline Tensor Members::nan_to_num(double nan = 0, const Tensor& posinf = {}, const Tensor& neginf = {}) const {
  return tessera::nan_to_num(self(), nan, posinf, neginf);
}
inline Tensor Members::nextafter(const Tensor& b) const { return tessera::nextafter(self(), b); }
inline Tensor Members::positive() const { return tessera::positive(self()); }
inline Tensor Members::signbit() const { return tessera::signbit(self()); }
inline Tensor Members::xlogy(const Tensor& y) const { return tessera::xlogy(self(), y); }

}  // namespace detail
}  // namespace tessera
