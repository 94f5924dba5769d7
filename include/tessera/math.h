// More elementwise functions, with the names and semantics of NumPy and the array API standard.
#pragma once

#include "tessera/export.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

// ---- Special functions ----
Tensor erfinv(const Tensor& x);
Tensor erfc(const Tensor& x);
Tensor lgamma(const Tensor& x);
Tensor digamma(const Tensor& x);
Tensor xlogy(const Tensor& x, const Tensor& y);  // x * log(y); 0 where x is 0, unless y is NaN
Tensor logaddexp(const Tensor& a, const Tensor& b);
Tensor hypot(const Tensor& a, const Tensor& b);  // without intermediate overflow

// ---- Signs and remainders ----
Tensor positive(const Tensor& x);
Tensor signbit(const Tensor& x);
Tensor copysign(const Tensor& magnitude, const Tensor& sign);
Tensor nextafter(const Tensor& a, const Tensor& b);  // the next representable number after a towards b; f32 and f64
Tensor fmod(const Tensor& a, const Tensor& b);       // the remainder has the sign of a, as in C
Tensor gcd(const Tensor& a, const Tensor& b);
Tensor lcm(const Tensor& a, const Tensor& b);

// ---- Cleaning and comparing ----
Tensor clip(const Tensor& x, const Tensor& low = {}, const Tensor& high = {});  // NumPy's name for clamp
/// NaN becomes `nan`, infinities become the largest finite numbers of the dtype, or the given values.
Tensor nan_to_num(const Tensor& x, double nan = 0, const Tensor& posinf = {}, const Tensor& neginf = {});
/// |a - b| <= atol + rtol * |b|; infinities equal themselves, NaN equals NaN if `equal_nan`. For integers |a - b| is
/// exact.
Tensor isclose(const Tensor& a, const Tensor& b, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false);
/// Whether all elements are close; reads the result.
bool allclose(const Tensor& a, const Tensor& b, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false);

}  // namespace tessera

#include "tessera/members/math.h"  // IWYU pragma: export
