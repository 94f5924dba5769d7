// Functions of f32 with NumPy's special values: NaN and infinity are detected by their bits, since WGSL may assume
// none.

// The argument keeps the bits from being a constant expression, which may not be infinite or NaN.
fn bits_f32(bits: u32) -> f32 {
  return bitcast<f32>(bits);
}

fn nan_f32() -> f32 {
  return bits_f32(0x7fc00000u);
}

fn inf_f32() -> f32 {
  return bits_f32(0x7f800000u);
}

fn is_nan_f32(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

fn is_inf_f32(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) == 0x7f800000u;
}

fn is_finite_f32(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u;
}

// An odd function returns its argument here, including the sign of zero.
fn is_zero_or_nan_f32(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) - 1u >= 0x7f800000u;
}

fn bool_from_f32(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) != 0u;
}

fn copysign_f32(magnitude: f32, sign: f32) -> f32 {
  return bitcast<f32>((bitcast<u32>(magnitude) & 0x7fffffffu) | (bitcast<u32>(sign) & 0x80000000u));
}

// GPUs need not divide by more than 2^126 properly.
fn divide_f32(a: f32, b: f32) -> f32 {
  let s = select(1.0, 0.25, abs(b) > 4e37);
  return (a * s) / (b * s);
}

fn max_f32(a: f32, b: f32) -> f32 {
  return select(select(max(a, b), b, is_nan_f32(b)), a, is_nan_f32(a));
}

fn min_f32(a: f32, b: f32) -> f32 {
  return select(select(min(a, b), b, is_nan_f32(b)), a, is_nan_f32(a));
}

fn sign_f32(x: f32) -> f32 {
  return select(sign(x), x, is_nan_f32(x));
}

// x * 2^n for n in [-252, 254], in two steps so that neither factor leaves the range.
fn scale_f32(x: f32, n: i32) -> f32 {
  let half = n >> 1u;
  return x * bitcast<f32>(u32(half + 127) << 23u) * bitcast<f32>(u32(n - half + 127) << 23u);
}

// e^r - 1 for |r| <= ln(2) / 2.
fn expm1_near_f32(r: f32) -> f32 {
  var p = fma(0.00019915044, r, 0.00139420677);
  p = fma(p, r, 0.00833327137);
  p = fma(p, r, 0.0416663401);
  p = fma(p, r, 0.166666672);
  p = fma(p, r, 0.5);
  return fma(r * r, p, r);
}

// n again, for whole numbers of at most 16 bits, as a value that no compiler knows to be n: it may otherwise merge
// n * a + n * b, and the two parts of a constant become one that is rounded.
fn veil_f32(n: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(n) & 0xffffff00u);
}

// x less n * ln(2); the first multiplication is exact, so the reduction needs no true fma.
fn exp_rest_f32(x: f32, n: f32) -> f32 {
  return fma(veil_f32(n), -1.42860677e-6, fma(n, -0.693145752, x));
}

// e^x * 2^k for a small k.
fn exp_scaled_f32(x: f32, k: i32) -> f32 {
  let c = clamp(x, -105.0, 90.0);
  let n = round(c * 1.44269504);
  let v = scale_f32(1.0 + expm1_near_f32(exp_rest_f32(c, n)), i32(n) + k);
  return select(v, x, is_nan_f32(x));
}

fn exp_f32(x: f32) -> f32 {
  return exp_scaled_f32(x, 0);
}

fn expm1_f32(x: f32) -> f32 {
  let c = clamp(x, -18.0, 89.0);
  let n = round(c * 1.44269504);
  let q = expm1_near_f32(exp_rest_f32(c, n));
  // Half of 2^n (1 + q) - 1, doubled at the end: 2^128 is out of range.
  let s = bitcast<f32>(u32(i32(n) + 126) << 23u);
  return select(2.0 * fma(s, q, s - 0.5), x, is_zero_or_nan_f32(x));
}

// log(1 + f) for f in [sqrt(1/2) - 1, sqrt(2) - 1].
fn log1p_near_f32(f: f32) -> f32 {
  var p = fma(0.067465499, f, -0.116796404);
  p = fma(p, f, 0.118903391);
  p = fma(p, f, -0.124051385);
  p = fma(p, f, 0.14219223);
  p = fma(p, f, -0.166680068);
  p = fma(p, f, 0.200021341);
  p = fma(p, f, -0.250000089);
  p = fma(p, f, 0.333333135);
  let s = f * f;
  return fma(s, fma(f, p, -0.5), f);
}

// x = (1 + f) * 2^e for a positive, finite x, with f in log1p_near_f32's range: (f, e).
fn log_split_f32(x: f32) -> vec2<f32> {
  // A subnormal is its mantissa times 2^-149; GPUs may take it for zero in arithmetic, but not as bits.
  let b = bitcast<u32>(x);
  let tiny = b < 0x00800000u;
  let t = bitcast<u32>(select(x, f32(b), tiny)) - 0x3f3504f3u;
  let m = bitcast<f32>((t & 0x007fffffu) + 0x3f3504f3u);
  return vec2<f32>(m - 1.0, f32(bitcast<i32>(t) >> 23u) - select(0.0, 149.0, tiny));
}

// v, the logarithm of x, or what the logarithm is where x is not positive and finite.
fn log_edges_f32(x: f32, v: f32) -> f32 {
  let b = bitcast<u32>(x);
  let edge = select(select(0x7fc00000u, 0x7f800000u, b == 0x7f800000u), 0xff800000u, (b << 1u) == 0u);
  return select(v, bits_f32(edge), b - 1u >= 0x7f7fffffu);
}

fn log_f32(x: f32) -> f32 {
  let s = log_split_f32(x);
  return log_edges_f32(x, fma(s.y, 0.693145752, fma(s.y, 1.42860677e-6, log1p_near_f32(s.x))));
}

fn log2_f32(x: f32) -> f32 {
  let s = log_split_f32(x);
  return log_edges_f32(x, fma(log1p_near_f32(s.x), 1.44269504, s.y));
}

fn log10_f32(x: f32) -> f32 {
  let s = log_split_f32(x);
  return log_edges_f32(x, fma(s.y, 0.301025391, fma(s.y, 4.60503907e-6, log1p_near_f32(s.x) * 0.434294482)));
}

fn log1p_f32(x: f32) -> f32 {
  if (x > -0.292893219 && x < 0.414213562) {
    return select(log1p_near_f32(x), x, is_zero_or_nan_f32(x));
  }
  return select(log_f32(1.0 + x), x, is_nan_f32(x));
}

fn sigmoid_f32(x: f32) -> f32 {
  return 1.0 / (1.0 + exp_f32(-x));
}

fn tanh_f32(x: f32) -> f32 {
  // Of -2|x|, so that nothing overflows.
  let c = max(-2.0 * abs(x), -18.0);
  let n = round(c * 1.44269504);
  let s = bitcast<f32>(u32(i32(n) + 127) << 23u);
  let e = fma(s, expm1_near_f32(exp_rest_f32(c, n)), s - 1.0);
  return select(copysign_f32(e / (2.0 + e), x), x, is_nan_f32(x));
}

fn sinh_f32(x: f32) -> f32 {
  let a = abs(x);
  let z = a * a;
  let p = fma(fma(fma(2.81695134e-6, z, 0.000198361595), z, 0.0083333496), z, 0.166666672);
  let e = exp_scaled_f32(a, -1);
  let v = select(e - 0.25 / e, fma(a * z, p, a), a < 1.0);
  return select(copysign_f32(v, x), x, is_nan_f32(x));
}

fn cosh_f32(x: f32) -> f32 {
  let e = exp_scaled_f32(abs(x), -1);
  return e + 0.25 / e;
}

fn asinh_f32(x: f32) -> f32 {
  let a = abs(x);
  // From 2^12 on the root of a^2 + 1 is a.
  let z = min(a, 4096.0) * min(a, 4096.0);
  let near = log1p_f32(a + z / (1.0 + sqrt(z + 1.0)));
  let v = select(near, log_f32(a) + 0.693147181, a >= 4096.0);
  return select(copysign_f32(v, x), x, is_nan_f32(x));
}

fn acosh_f32(x: f32) -> f32 {
  let t = min(x, 4096.0) - 1.0;
  let v = select(log1p_f32(t + sqrt(t * (t + 2.0))), log_f32(x) + 0.693147181, x >= 4096.0);
  return select(v, nan_f32(), x < 1.0 || is_nan_f32(x));
}

fn atanh_f32(x: f32) -> f32 {
  let a = abs(x);
  let v = 0.5 * log1p_f32(2.0 * a / (1.0 - a));
  let edge = select(select(v, inf_f32(), a == 1.0), nan_f32(), a > 1.0 || is_nan_f32(x));
  return copysign_f32(edge, x);
}

fn erf_f32(x: f32) -> f32 {
  let a = abs(x);
  let z = a * a;
  var p = fma(7.85385782e-5, z, -0.000801019254);
  p = fma(p, z, 0.00518832775);
  p = fma(p, z, -0.026853811);
  p = fma(p, z, 0.112835854);
  p = fma(p, z, -0.37612626);
  p = fma(p, z, 0.128379166);
  // log(erfc(t)) / t beyond 1; erf is 1 in f32 from 3.92 on.
  let t = min(a, 4.0);
  var q = fma(-1.36592389e-5, t, 0.0003474564);
  q = fma(q, t, -0.00374426995);
  q = fma(q, t, 0.0239810571);
  q = fma(q, t, -0.10649579);
  q = fma(q, t, -0.634991646);
  q = fma(q, t, -1.12868857);
  // If a * p may underflow, one multiplication is enough.
  let small = select(fma(a, p, a), a * 1.12837917, a < 1e-20);
  let v = select(1.0 - exp_f32(q * t), small, a < 1.0);
  return select(copysign_f32(v, x), x, is_nan_f32(x));
}

// log2 of a positive, finite x as a sum of two: the first with 12 bits, both together good to 2^-29 of the sum. Low
// bits are masked off, not subtracted off: a compiler may undo the latter.
fn log2_pair_f32(x: f32) -> vec2<f32> {
  let tiny = x < 1.17549435e-38;
  let b = bitcast<u32>(select(x, x * 8388608.0, tiny)) - 0x3f3504f3u;
  let e = f32(bitcast<i32>(b) >> 23u) - select(0.0, 23.0, tiny);
  let m = bitcast<f32>((b & 0x007fffffu) + 0x3f3504f3u);
  // s = (m - 1) / (m + 1), in two parts.
  let f = m - 1.0;
  let m_high = bitcast<f32>(bitcast<u32>(m) & 0xffffe000u);
  let m_low = m - m_high;
  let t = m + 1.0;
  let s_high = bitcast<f32>(bitcast<u32>(f / t) & 0xffffe000u);
  let s_low = ((f - s_high * (1.0 + m_high)) - s_high * m_low) / t;
  // log2(m) = 2 / ln(2) * atanh(s).
  let s = s_high + s_low;
  let z = s * s;
  let tail = s * z * fma(fma(fma(0.117981762, z, 0.142683014), z, 0.200001732), z, 0.333333313);
  let high = s_high * 2.88525391;
  let low = fma(s_high, 0.000136175528, 2.88539008 * (s_low + tail));
  let sum = bitcast<f32>(bitcast<u32>(e + high) & 0xfffff000u);
  return vec2<f32>(sum, (high - (sum - e)) + low);
}

fn power_f32(x: f32, y: f32) -> f32 {
  let a = abs(x);
  let b = abs(y);
  let whole = b >= 16777216.0 || b == floor(b);
  let odd = b < 16777216.0 && whole && (u32(min(b, 16777216.0)) & 1u) == 1u;
  var v = 0.0;
  if (x == 1.0 || y == 0.0) {
    return 1.0;
  } else if (is_nan_f32(x) || is_nan_f32(y)) {
    return nan_f32();
  } else if (is_inf_f32(y)) {
    v = select(select(0.0, inf_f32(), (a > 1.0) == (y > 0.0)), 1.0, a == 1.0);
  } else if (a == 0.0 || is_inf_f32(x)) {
    v = select(0.0, inf_f32(), (a == 0.0) == (y < 0.0));
  } else if (x < 0.0 && !whole) {
    return nan_f32();
  } else {
    let l = log2_pair_f32(a);
    // Past 2^32 every base but 1 over- or underflows.
    let c = clamp(y, -4294967296.0, 4294967296.0);
    let c_high = bitcast<f32>(bitcast<u32>(c) & 0xfffff000u);
    let high = c_high * l.x;
    let low = fma(c, l.y, (c - c_high) * l.x);
    let n = round(clamp(high + low, -160.0, 140.0));
    let r = clamp((high - n) + low, -0.51, 0.51);
    v = scale_f32(1.0 + expm1_near_f32(r * 0.693147181), i32(n));
  }
  return select(v, -v, odd && (bitcast<u32>(x) >> 31u) == 1u);
}

// The bits of a positive, finite float as mantissa and exponent: x = mantissa * 2^exponent, 2^23 <= mantissa < 2^24.
fn mantissa_exponent_f32(bits: u32) -> vec2<u32> {
  let normal = bits >= 0x00800000u;
  let shift = select(countLeadingZeros(bits) - 8u, 0u, normal);
  let mantissa = (bits & 0x007fffffu) | select(0u, 0x00800000u, normal);
  return vec2<u32>(mantissa << (shift & 31u), max(bits >> 23u, 1u) - shift);
}

// a / b of positive, finite a >= b given as bits, exact: the bits of the rest, and the quotient modulo 2^32.
fn divmod_bits_f32(a: u32, b: u32) -> vec2<u32> {
  let ma = mantissa_exponent_f32(a);
  let mb = mantissa_exponent_f32(b);
  // Subnormals count below 1: the difference is right modulo 2^32.
  var left = ma.y - mb.y;
  var quotient = ma.x / mb.x;
  var rest = ma.x - quotient * mb.x;
  while (left > 0u && (rest != 0u || left < 32u)) {
    let step = min(left, 8u);
    let digits = (rest << step) / mb.x;
    rest = (rest << step) - digits * mb.x;
    quotient = (quotient << step) + digits;
    left -= step;
  }
  if (rest == 0u) {
    return vec2<u32>(0u, quotient);
  }
  // Up to 24 bits, at b's exponent.
  let shift = countLeadingZeros(rest) - 8u;
  let exponent = bitcast<i32>(mb.y) - i32(shift);
  let mantissa = rest << shift;
  let normal = (u32(max(exponent, 1)) << 23u) | (mantissa & 0x007fffffu);
  return vec2<u32>(select(mantissa >> (u32(1 - exponent) & 31u), normal, exponent >= 1), quotient);
}

// The rest of the division that truncates, with the sign of a.
fn fmod_f32(a: f32, b: f32) -> f32 {
  let ua = bitcast<u32>(a) & 0x7fffffffu;
  let ub = bitcast<u32>(b) & 0x7fffffffu;
  if (ua >= 0x7f800000u || ub > 0x7f800000u || ub == 0u) {
    return nan_f32();
  }
  if (ua < ub) {
    return a;
  }
  return copysign_f32(bitcast<f32>(divmod_bits_f32(ua, ub).x), a);
}

fn remainder_f32(a: f32, b: f32) -> f32 {
  let rest = fmod_f32(a, b);
  if (rest == 0.0) {
    return copysign_f32(0.0, b);
  }
  return select(rest, rest + b, (rest < 0.0) != (b < 0.0));
}

fn floor_divide_f32(a: f32, b: f32) -> f32 {
  let ua = bitcast<u32>(a) & 0x7fffffffu;
  let ub = bitcast<u32>(b) & 0x7fffffffu;
  if (ua > 0x7f800000u || ub > 0x7f800000u || (ua == 0x7f800000u && ub != 0u)) {
    return nan_f32();
  }
  if (ub == 0u) {
    return a / b;
  }
  let negative = ((bitcast<u32>(a) ^ bitcast<u32>(b)) >> 31u) == 1u;
  var d = vec2<u32>(ua, 0u);
  var far = false;
  if (ua >= ub) {
    d = divmod_bits_f32(ua, ub);
    far = mantissa_exponent_f32(ua).y - mantissa_exponent_f32(ub).y > 30u;
  }
  // A quotient past 32 bits is rounded anyway.
  let whole = d.y + select(0u, 1u, negative && d.x != 0u);
  let v = select(f32(whole), abs(trunc(a / b)), far);
  return select(v, -v, negative);
}

fn sign_bit_f32(x: f32) -> bool {
  return (bitcast<u32>(x) >> 31u) != 0u;
}

// Two polynomials in log(1 - x * x), by Giles.
fn erfinv_f32(x: f32) -> f32 {
  let w = -log_f32((1.0 - x) * (1.0 + x));
  let a = w - 2.5;
  var p = fma(2.81022636e-8, a, 3.43273939e-7);
  p = fma(p, a, -3.5233877e-6);
  p = fma(p, a, -4.39150654e-6);
  p = fma(p, a, 0.00021858087);
  p = fma(p, a, -0.00125372503);
  p = fma(p, a, -0.00417768164);
  p = fma(p, a, 0.246640727);
  p = fma(p, a, 1.50140941);
  let b = sqrt(max(w, 0.0)) - 3.0;
  var q = fma(-0.000200214257, b, 0.000100950558);
  q = fma(q, b, 0.00134934322);
  q = fma(q, b, -0.00367342844);
  q = fma(q, b, 0.00573950773);
  q = fma(q, b, -0.0076224613);
  q = fma(q, b, 0.00943887047);
  q = fma(q, b, 1.00167406);
  q = fma(q, b, 2.83297682);
  let y = select(q, p, w < 5.0) * x;
  let edge = abs(x) >= 1.0;
  let at_edge = select(nan_f32(), copysign_f32(inf_f32(), x), abs(x) == 1.0);
  return select(select(y, at_edge, edge), x, is_nan_f32(x));
}

// log of the gamma function for x >= 0.5. From 1 to 2 by a polynomial that leaves its zeros out; next to that by the
// recurrence, whose terms have one sign, and further up by Stirling's series.
fn lgamma_positive_f32(x: f32) -> f32 {
  if (x >= 8.0) {
    let z = 1.0 / x;
    let series = z * fma(z * z, fma(z * z, 0.0007936508, -0.0027777778), 0.083333336);
    return (x - 0.5) * (log_f32(x) - 1.0) + 0.4189385 + series;
  }
  var y = x;
  var product = 1.0;
  for (var i = 0; i < 7 && y >= 2.0; i++) {
    y -= 1.0;
    product *= y;
  }
  let below = y < 1.0;
  let u = select(y, y + 1.0, below);
  let t = u - 1.5;
  var p = fma(-0.00148748489, t, 0.00244674484);
  p = fma(p, t, -0.0031377362);
  p = fma(p, t, 0.00532599193);
  p = fma(p, t, -0.0094324115);
  p = fma(p, t, 0.0168080978);
  p = fma(p, t, -0.0313082732);
  p = fma(p, t, 0.0629110539);
  p = fma(p, t, -0.145959897);
  p = fma(p, t, 0.483128952);
  // u - 1 as y or y - 1: both are exact.
  let near = p * select(u - 1.0, y, below) * (u - 2.0);
  return near + log_f32(product) - select(0.0, log_f32(y), below);
}

fn lgamma_f32(x: f32) -> f32 {
  let inf = inf_f32();
  if (is_nan_f32(x)) { return x; }
  if (abs(x) == inf) { return inf; }
  if (x >= 0.5) { return select(lgamma_positive_f32(x), inf, x > 4.085003e36); }
  if (x <= 0.0 && x == floor(x)) { return inf; }
  let r = x - round(x);
  if (abs(x) < 1.0e-10) { return -log_f32(abs(x)); }
  if (x > 0.0) { return lgamma_positive_f32(x + 1.0) - log_f32(x); }
  return 1.1447299 - log_f32(abs(sin_f32(3.1415927 * r))) - lgamma_positive_f32(1.0 - x);
}

// psi(y) for y >= 0.5: eight steps up where Stirling's series does not hold yet.
fn digamma_positive_f32(y: f32) -> f32 {
  let near = y < 8.0;
  let u = select(y, y + 8.0, near);
  let low = 1.0 / y + 1.0 / (y + 1.0) + 1.0 / (y + 2.0) + 1.0 / (y + 3.0);
  let high = 1.0 / (y + 4.0) + 1.0 / (y + 5.0) + 1.0 / (y + 6.0) + 1.0 / (y + 7.0);
  let z = 1.0 / (u * u);
  let series = z * fma(z, fma(z, 0.003968254, -0.008333334), 0.083333336);
  let far = log_f32(u) - 0.5 / u - series;
  return select(far, far - (high + low), near);
}

fn digamma_f32(x: f32) -> f32 {
  if (is_nan_f32(x)) { return x; }
  if (x >= 0.5) { return select(digamma_positive_f32(x), x, is_inf_f32(x)); }
  if (x == 0.0) { return -copysign_f32(inf_f32(), x); }
  if (x == floor(x)) { return nan_f32(); }
  // Next to the pole at 0 the tangent would be lost.
  if (abs(x) < 1.0e-6) { return -1.0 / x - 0.57721566; }
  return digamma_positive_f32(1.0 - x) - 3.1415927 / tan_f32(3.1415927 * (x - round(x)));
}
