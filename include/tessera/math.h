// More elementwise functions, with the names and the meaning of NumPy and the array API standard.
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
Tensor hypot(const Tensor& a, const Tensor& b);  // does not overflow on the way

// ---- Signs and rests ----
Tensor positive(const Tensor& x);
Tensor signbit(const Tensor& x);
Tensor copysign(const Tensor& magnitude, const Tensor& sign);
Tensor nextafter(const Tensor& a, const Tensor& b);  // the next number after a towards b; f32 and f64
Tensor fmod(const Tensor& a, const Tensor& b);       // the rest has the sign of a, as in C
Tensor gcd(const Tensor& a, const Tensor& b);
Tensor lcm(const Tensor& a, const Tensor& b);

// ---- Cleaning and comparing ----
Tensor clip(const Tensor& x, const Tensor& low = {}, const Tensor& high = {});  // clamp by NumPy's name
/// NaN becomes `nan`, infinities become the largest numbers of the type, or what is given for them.
Tensor nan_to_num(const Tensor& x, double nan = 0, const Tensor& posinf = {}, const Tensor& neginf = {});
/// |a - b| <= atol + rtol * |b|; infinities equal themselves, NaN equals NaN where asked. Of integers |a - b| is exact.
Tensor isclose(const Tensor& a, const Tensor& b, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false);
/// Whether all are close; reads the result.
bool allclose(const Tensor& a, const Tensor& b, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false);

}  // namespace tessera
