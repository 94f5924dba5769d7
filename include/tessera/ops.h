// The functions on tensors, with NumPy's names. Activations and normalizations have headers of their own, which this
// one includes.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "tessera/activations.h"  // IWYU pragma: export
#include "tessera/export.h"
#include "tessera/norms.h"  // IWYU pragma: export
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

using Axes = std::vector<int>;  // empty: all axes; negative counts from the end

// ---- Creation. The device defaults to Device::current(). ----
Tensor empty(const Shape& shape, DType dtype = f32, const Device& device = {});
Tensor full(const Shape& shape, const Tensor& value, std::optional<DType> dtype = {}, const Device& device = {});
Tensor zeros(const Shape& shape, DType dtype = f32, const Device& device = {});
Tensor ones(const Shape& shape, DType dtype = f32, const Device& device = {});
/// Without a dtype: f32 if one of the arguments has a fraction, else i32, or i64 outside the range of i32.
Tensor arange(double start, double stop, double step = 1, std::optional<DType> dtype = {}, const Device& device = {});
inline Tensor arange(double stop, std::optional<DType> dtype = {}, const Device& device = {}) {  // from 0
  return arange(0, stop, 1, dtype, device);
}
/// Integer dtypes are computed exactly and rounded down.
Tensor linspace(double start, double stop, std::int64_t count, DType dtype = f32, const Device& device = {});
Tensor eye(std::int64_t rows, std::int64_t cols = -1, int diagonal = 0, DType dtype = f32, const Device& device = {});

namespace random {
/// Reseeds the default generator: the same seed gives the same numbers on every device.
void set_seed(std::uint64_t seed);
/// In [low, high), in every dtype.
Tensor uniform(const Shape& shape, const Tensor& low = 0.0, const Tensor& high = 1.0, DType dtype = f32,
               const Device& device = {});
Tensor normal(const Shape& shape, const Tensor& mean = 0.0, const Tensor& deviation = 1.0, DType dtype = f32,
              const Device& device = {});
Tensor bernoulli(const Shape& shape, const Tensor& probability = 0.5, const Device& device = {});
/// In [low, high). Error of kind value if the dtype cannot represent all values.
Tensor randint(const Shape& shape, std::int64_t low, std::int64_t high, DType dtype = i32, const Device& device = {});
}  // namespace random

// ---- Elementwise, one operand ----
Tensor negative(const Tensor& x);
Tensor abs(const Tensor& x);
Tensor sign(const Tensor& x);
Tensor exp(const Tensor& x);
Tensor expm1(const Tensor& x);
Tensor log(const Tensor& x);
Tensor log2(const Tensor& x);
Tensor log10(const Tensor& x);
Tensor log1p(const Tensor& x);
Tensor sqrt(const Tensor& x);
Tensor rsqrt(const Tensor& x);
Tensor square(const Tensor& x);
Tensor reciprocal(const Tensor& x);
Tensor sin(const Tensor& x);
Tensor cos(const Tensor& x);
Tensor tan(const Tensor& x);
Tensor asin(const Tensor& x);
Tensor acos(const Tensor& x);
Tensor atan(const Tensor& x);
Tensor sinh(const Tensor& x);
Tensor cosh(const Tensor& x);
Tensor tanh(const Tensor& x);
Tensor asinh(const Tensor& x);
Tensor acosh(const Tensor& x);
Tensor atanh(const Tensor& x);
Tensor erf(const Tensor& x);
Tensor sigmoid(const Tensor& x);
Tensor softsign(const Tensor& x);
Tensor floor(const Tensor& x);
Tensor ceil(const Tensor& x);
Tensor round(const Tensor& x);  // halves to even
Tensor trunc(const Tensor& x);
Tensor isnan(const Tensor& x);
Tensor isinf(const Tensor& x);
Tensor isfinite(const Tensor& x);
Tensor real(const Tensor& x);  // of complex numbers; a real tensor is returned unchanged
Tensor imag(const Tensor& x);
Tensor conj(const Tensor& x);
Tensor logical_not(const Tensor& x);
Tensor bitwise_not(const Tensor& x);
Tensor cast(const Tensor& x, DType dtype);

// ---- Elementwise, several operands; they broadcast and promote ----
Tensor add(const Tensor& a, const Tensor& b);
Tensor subtract(const Tensor& a, const Tensor& b);
Tensor multiply(const Tensor& a, const Tensor& b);
Tensor divide(const Tensor& a, const Tensor& b);
Tensor floor_divide(const Tensor& a, const Tensor& b);
Tensor remainder(const Tensor& a, const Tensor& b);
Tensor power(const Tensor& a, const Tensor& b);
Tensor maximum(const Tensor& a, const Tensor& b);
Tensor minimum(const Tensor& a, const Tensor& b);
Tensor atan2(const Tensor& a, const Tensor& b);
Tensor equal(const Tensor& a, const Tensor& b);
Tensor not_equal(const Tensor& a, const Tensor& b);
Tensor less(const Tensor& a, const Tensor& b);
Tensor less_equal(const Tensor& a, const Tensor& b);
Tensor greater(const Tensor& a, const Tensor& b);
Tensor greater_equal(const Tensor& a, const Tensor& b);
Tensor logical_and(const Tensor& a, const Tensor& b);
Tensor logical_or(const Tensor& a, const Tensor& b);
Tensor logical_xor(const Tensor& a, const Tensor& b);
Tensor bitwise_and(const Tensor& a, const Tensor& b);
Tensor bitwise_or(const Tensor& a, const Tensor& b);
Tensor bitwise_xor(const Tensor& a, const Tensor& b);
Tensor left_shift(const Tensor& a, const Tensor& b);
Tensor right_shift(const Tensor& a, const Tensor& b);
Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b);
Tensor clamp(const Tensor& x, const Tensor& low, const Tensor& high);  // Tensor(): no bound on that side

inline Tensor pow(const Tensor& a, const Tensor& b) { return power(a, b); }

// ---- Operators. a += b makes a new tensor and binds the handle a to it; other handles keep the old value. ----
inline Tensor operator-(const Tensor& a) { return negative(a); }
inline Tensor operator~(const Tensor& a) { return bitwise_not(a); }
inline Tensor operator+(const Tensor& a, const Tensor& b) { return add(a, b); }
inline Tensor operator-(const Tensor& a, const Tensor& b) { return subtract(a, b); }
inline Tensor operator*(const Tensor& a, const Tensor& b) { return multiply(a, b); }
inline Tensor operator/(const Tensor& a, const Tensor& b) { return divide(a, b); }
inline Tensor operator%(const Tensor& a, const Tensor& b) { return remainder(a, b); }
inline Tensor operator&(const Tensor& a, const Tensor& b) { return bitwise_and(a, b); }
inline Tensor operator|(const Tensor& a, const Tensor& b) { return bitwise_or(a, b); }
inline Tensor operator^(const Tensor& a, const Tensor& b) { return bitwise_xor(a, b); }
inline Tensor& operator+=(Tensor& a, const Tensor& b) { return a = a + b; }
inline Tensor& operator-=(Tensor& a, const Tensor& b) { return a = a - b; }
inline Tensor& operator*=(Tensor& a, const Tensor& b) { return a = a * b; }
inline Tensor& operator/=(Tensor& a, const Tensor& b) { return a = a / b; }
inline Tensor& operator%=(Tensor& a, const Tensor& b) { return a = a % b; }
inline Tensor& operator&=(Tensor& a, const Tensor& b) { return a = a & b; }
inline Tensor& operator|=(Tensor& a, const Tensor& b) { return a = a | b; }
inline Tensor& operator^=(Tensor& a, const Tensor& b) { return a = a ^ b; }

// ---- Movement ----
Tensor reshape(const Tensor& x, const Shape& shape);  // one size may be -1
Tensor permute(const Tensor& x, const Axes& order);
Tensor transpose(const Tensor& x, int a = -2, int b = -1);
Tensor broadcast_to(const Tensor& x, const Shape& shape);
Tensor expand_dims(const Tensor& x, int axis);
Tensor squeeze(const Tensor& x, const Axes& axes = {});
Tensor flip(const Tensor& x, const Axes& axes = {});
Tensor contiguous(const Tensor& x);
/// A slice of an axis with NumPy's rules: negative bounds count from the end, bounds are clipped, steps may be
/// negative.
struct Slice {
  std::optional<std::int64_t> start;
  std::optional<std::int64_t> stop;
  std::int64_t step = 1;
};
Tensor slice(const Tensor& x, const std::vector<Slice>& ranges);  // missing trailing ranges select the whole axis
Tensor pad(const Tensor& x, const std::vector<std::pair<std::int64_t, std::int64_t>>& widths, const Tensor& value = 0);
Tensor concat(const std::vector<Tensor>& parts, int axis = 0);
Tensor stack(const std::vector<Tensor>& parts, int axis = 0);
std::vector<Tensor> split(const Tensor& x, std::int64_t parts, int axis = 0);
std::vector<Tensor> split(const Tensor& x, const std::vector<std::int64_t>& sizes, int axis = 0);

// ---- Reductions ----
Tensor sum(const Tensor& x, const Axes& axes = {}, bool keepdims = false);
Tensor prod(const Tensor& x, const Axes& axes = {}, bool keepdims = false);
Tensor mean(const Tensor& x, const Axes& axes = {}, bool keepdims = false);
Tensor max(const Tensor& x, const Axes& axes = {}, bool keepdims = false);
Tensor min(const Tensor& x, const Axes& axes = {}, bool keepdims = false);
Tensor var(const Tensor& x, const Axes& axes = {}, bool keepdims = false, int correction = 0);
Tensor stddev(const Tensor& x, const Axes& axes = {}, bool keepdims = false, int correction = 0);
Tensor any(const Tensor& x, const Axes& axes = {}, bool keepdims = false);
Tensor all(const Tensor& x, const Axes& axes = {}, bool keepdims = false);
Tensor argmax(const Tensor& x, std::optional<int> axis = {}, bool keepdims = false);
Tensor argmin(const Tensor& x, std::optional<int> axis = {}, bool keepdims = false);
Tensor logsumexp(const Tensor& x, const Axes& axes = {}, bool keepdims = false);

// ---- Contractions ----
Tensor matmul(const Tensor& a, const Tensor& b);

}  // namespace tessera

#include "tessera/members/ops.h"  // IWYU pragma: export
