// Written by tools/members.py: the members of Tensor that are ops of tessera/ops.h, which includes this at its end.
#pragma once

namespace TESSERA_API tessera {
namespace detail {

inline Tensor Members::abs() const { return tessera::abs(self()); }
inline Tensor Members::acos() const { return tessera::acos(self()); }
inline Tensor Members::acosh() const { return tessera::acosh(self()); }
inline Tensor Members::add(const Tensor& b) const { return tessera::add(self(), b); }
inline Tensor Members::all(const Axes& axes = {}, bool keepdims = false) const {
  return tessera::all(self(), axes, keepdims);
}
inline Tensor Members::any(const Axes& axes = {}, bool keepdims = false) const {
  return tessera::any(self(), axes, keepdims);
}
inline Tensor Members::argmax(std::optional<int> axis = {}, bool keepdims = false) const {
  return tessera::argmax(self(), axis, keepdims);
}
inline Tensor Members::argmin(std::optional<int> axis = {}, bool keepdims = false) const {
  return tessera::argmin(self(), axis, keepdims);
}
inline Tensor Members::asin() const { return tessera::asin(self()); }
inline Tensor Members::asinh() const { return tessera::asinh(self()); }
inline Tensor Members::atan() const { return tessera::atan(self()); }
inline Tensor Members::atan2(const Tensor& b) const { return tessera::atan2(self(), b); }
inline Tensor Members::atanh() const { return tessera::atanh(self()); }
inline Tensor Members::bitwise_and(const Tensor& b) const { return tessera::bitwise_and(self(), b); }
inline Tensor Members::bitwise_not() const { return tessera::bitwise_not(self()); }
inline Tensor Members::bitwise_or(const Tensor& b) const { return tessera::bitwise_or(self(), b); }
inline Tensor Members::bitwise_xor(const Tensor& b) const { return tessera::bitwise_xor(self(), b); }
inline Tensor Members::broadcast_to(const Shape& shape) const { return tessera::broadcast_to(self(), shape); }
inline Tensor Members::cast(DType dtype) const { return tessera::cast(self(), dtype); }
inline Tensor Members::ceil() const { return tessera::ceil(self()); }
inline Tensor Members::clamp(const Tensor& low, const Tensor& high) const { return tessera::clamp(self(), low, high); }
inline Tensor Members::conj() const { return tessera::conj(self()); }
inline Tensor Members::contiguous() const { return tessera::contiguous(self()); }
inline Tensor Members::cos() const { return tessera::cos(self()); }
inline Tensor Members::cosh() const { return tessera::cosh(self()); }
inline Tensor Members::divide(const Tensor& b) const { return tessera::divide(self(), b); }
inline Tensor Members::equal(const Tensor& b) const { return tessera::equal(self(), b); }
inline Tensor Members::erf() const { return tessera::erf(self()); }
inline Tensor Members::exp() const { return tessera::exp(self()); }
inline Tensor Members::expand_dims(int axis) const { return tessera::expand_dims(self(), axis); }
inline Tensor Members::expm1() const { return tessera::expm1(self()); }
inline Tensor Members::flip(const Axes& axes = {}) const { return tessera::flip(self(), axes); }
inline Tensor Members::floor() const { return tessera::floor(self()); }
inline Tensor Members::floor_divide(const Tensor& b) const { return tessera::floor_divide(self(), b); }
inline Tensor Members::greater(const Tensor& b) const { return tessera::greater(self(), b); }
inline Tensor Members::greater_equal(const Tensor& b) const { return tessera::greater_equal(self(), b); }
inline Tensor Members::imag() const { return tessera::imag(self()); }
inline Tensor Members::isfinite() const { return tessera::isfinite(self()); }
inline Tensor Members::isinf() const { return tessera::isinf(self()); }
inline Tensor Members::isnan() const { return tessera::isnan(self()); }
inline Tensor Members::left_shift(const Tensor& b) const { return tessera::left_shift(self(), b); }
inline Tensor Members::less(const Tensor& b) const { return tessera::less(self(), b); }
inline Tensor Members::less_equal(const Tensor& b) const { return tessera::less_equal(self(), b); }
inline Tensor Members::log() const { return tessera::log(self()); }
inline Tensor Members::log10() const { return tessera::log10(self()); }
inline Tensor Members::log1p() const { return tessera::log1p(self()); }
inline Tensor Members::log2() const { return tessera::log2(self()); }
inline Tensor Members::logical_and(const Tensor& b) const { return tessera::logical_and(self(), b); }
inline Tensor Members::logical_not() const { return tessera::logical_not(self()); }
inline Tensor Members::logical_or(const Tensor& b) const { return tessera::logical_or(self(), b); }
inline Tensor Members::logical_xor(const Tensor& b) const { return tessera::logical_xor(self(), b); }
inline Tensor Members::logsumexp(const Axes& axes = {}, bool keepdims = false) const {
  return tessera::logsumexp(self(), axes, keepdims);
}
inline Tensor Members::matmul(const Tensor& b) const { return tessera::matmul(self(), b); }
inline Tensor Members::max(const Axes& axes = {}, bool keepdims = false) const {
  return tessera::max(self(), axes, keepdims);
}
inline Tensor Members::maximum(const Tensor& b) const { return tessera::maximum(self(), b); }
inline Tensor Members::mean(const Axes& axes = {}, bool keepdims = false) const {
  return tessera::mean(self(), axes, keepdims);
}
inline Tensor Members::min(const Axes& axes = {}, bool keepdims = false) const {
  return tessera::min(self(), axes, keepdims);
}
inline Tensor Members::minimum(const Tensor& b) const { return tessera::minimum(self(), b); }
inline Tensor Members::multiply(const Tensor& b) const { return tessera::multiply(self(), b); }
inline Tensor Members::negative() const { return tessera::negative(self()); }
inline Tensor Members::not_equal(const Tensor& b) const { return tessera::not_equal(self(), b); }
inline Tensor Members::pad(const std::vector<std::pair<std::int64_t, std::int64_t>>& widths,
                           const Tensor& value = 0) const {
  return tessera::pad(self(), widths, value);
}
inline Tensor Members::permute(const Axes& order) const { return tessera::permute(self(), order); }
inline Tensor Members::pow(const Tensor& b) const { return tessera::pow(self(), b); }
inline Tensor Members::power(const Tensor& b) const { return tessera::power(self(), b); }
inline Tensor Members::prod(const Axes& axes = {}, bool keepdims = false) const {
  return tessera::prod(self(), axes, keepdims);
}
inline Tensor Members::real() const { return tessera::real(self()); }
inline Tensor Members::reciprocal() const { return tessera::reciprocal(self()); }
inline Tensor Members::remainder(const Tensor& b) const { return tessera::remainder(self(), b); }
inline Tensor Members::right_shift(const Tensor& b) const { return tessera::right_shift(self(), b); }
inline Tensor Members::round() const { return tessera::round(self()); }
inline Tensor Members::rsqrt() const { return tessera::rsqrt(self()); }
inline Tensor Members::sigmoid() const { return tessera::sigmoid(self()); }
inline Tensor Members::sign() const { return tessera::sign(self()); }
inline Tensor Members::sin() const { return tessera::sin(self()); }
inline Tensor Members::sinh() const { return tessera::sinh(self()); }
inline Tensor Members::slice(const std::vector<Slice>& ranges) const { return tessera::slice(self(), ranges); }
inline Tensor Members::softsign() const { return tessera::softsign(self()); }
inline std::vector<Tensor> Members::split(std::int64_t parts, int axis = 0) const {
  return tessera::split(self(), parts, axis);
}
inline std::vector<Tensor> Members::split(const std::vector<std::int64_t>& sizes, int axis = 0) const {
  return tessera::split(self(), sizes, axis);
}
inline Tensor Members::sqrt() const { return tessera::sqrt(self()); }
inline Tensor Members::square() const { return tessera::square(self()); }
inline Tensor Members::squeeze(const Axes& axes = {}) const { return tessera::squeeze(self(), axes); }
inline Tensor Members::stddev(const Axes& axes = {}, bool keepdims = false, int correction = 0) const {
  return tessera::stddev(self(), axes, keepdims, correction);
}
inline Tensor Members::subtract(const Tensor& b) const { return tessera::subtract(self(), b); }
inline Tensor Members::sum(const Axes& axes = {}, bool keepdims = false) const {
  return tessera::sum(self(), axes, keepdims);
}
inline Tensor Members::tan() const { return tessera::tan(self()); }
inline Tensor Members::tanh() const { return tessera::tanh(self()); }
inline Tensor Members::transpose(int a = -2, int b = -1) const { return tessera::transpose(self(), a, b); }
inline Tensor Members::trunc() const { return tessera::trunc(self()); }
inline Tensor Members::var(const Axes& axes = {}, bool keepdims = false, int correction = 0) const {
  return tessera::var(self(), axes, keepdims, correction);
}
inline Tensor Members::where(const Tensor& a, const Tensor& b) const { return tessera::where(self(), a, b); }

}  // namespace detail
}  // namespace tessera
