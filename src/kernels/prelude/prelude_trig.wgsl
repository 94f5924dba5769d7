// sin, cos, tan and their inverses on f32, good to a few ulps for every argument.

fn sin_near_f32(r: f32) -> f32 {
  let z = r * r;
  return fma(r * z, fma(fma(-0.000195108383, z, 0.00833213143), z, -0.166666538), r);
}

fn cos_near_f32(r: f32) -> f32 {
  let z = r * r;
  return fma(z * z, fma(fma(2.44256789e-5, z, -0.00138872513), z, 0.0416666456), fma(z, -0.5, 1.0));
}

// a less the nearest multiple n of pi / 2, and n modulo 4, for a >= 1: (rest, n). a's mantissa is multiplied by those 96
// bits of 2 / pi that decide: the ones before give multiples of 4, the ones after less than 2^-70.
fn trig_rest_far_f32(a: f32) -> vec2<f32> {
  var two_over_pi = array<u32, 9>(0u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u,
                                  0xfe5163abu, 0xdebbc561u);
  let bits = bitcast<u32>(a);
  let mantissa = (bits & 0x007fffffu) | 0x00800000u;
  let first = min(bits >> 23u, 254u) - 120u;
  let word = first >> 5u;
  let n = first & 31u;
  var x = vec3<u32>();
  for (var i = 0u; i < 3u; i++) {
    x[i] = (two_over_pi[word + i] << n) | ((two_over_pi[word + i + 1u] >> 1u) >> (31u - n));
  }
  let low = mul_wide_u32(mantissa, x.z);
  let middle = i64_add(mul_wide_u32(mantissa, x.y), vec2<u32>(low.y, 0u));
  // In units of 2^-62 with low.x cut off; the two bits before them are the whole part, which is rounded.
  let p = vec2<u32>(middle.x, mantissa * x.x + middle.y);
  let whole = (p.y >> 30u) + ((p.y >> 29u) & 1u);
  let rest = vec2<u32>(p.x, p.y - (whole << 30u));
  return vec2<f32>(i64_to_f32(rest) * 3.40612158e-19, f32(whole & 3u));
}

// The same for every a >= 0: in three steps while n has at most 13 bits and the first two multiplications are exact.
fn trig_rest_f32(a: f32) -> vec2<f32> {
  if (a > 10000.0) {
    return trig_rest_far_f32(a);
  }
  let n = round(a * 0.636619772);
  return vec2<f32>(fma(n, -7.54978995e-8, fma(veil_f32(n), -0.000483751297, fma(n, -1.5703125, a))), n);
}

fn sin_f32(x: f32) -> f32 {
  let r = trig_rest_f32(abs(x));
  let q = u32(r.y);
  let v = select(sin_near_f32(r.x), cos_near_f32(r.x), (q & 1u) == 1u);
  let sign = ((q & 2u) << 30u) ^ (bitcast<u32>(x) & 0x80000000u);
  return select(nan_f32(), bitcast<f32>(bitcast<u32>(v) ^ sign), is_finite_f32(x));
}

fn cos_f32(x: f32) -> f32 {
  let r = trig_rest_f32(abs(x));
  let q = u32(r.y);
  let v = select(cos_near_f32(r.x), sin_near_f32(r.x), (q & 1u) == 1u);
  let sign = ((q + 1u) & 2u) << 30u;
  return select(nan_f32(), bitcast<f32>(bitcast<u32>(v) ^ sign), is_finite_f32(x));
}

fn tan_f32(x: f32) -> f32 {
  let r = trig_rest_f32(abs(x));
  let odd = (u32(r.y) & 1u) == 1u;
  let s = sin_near_f32(r.x);
  let c = cos_near_f32(r.x);
  let v = select(s, -c, odd) / select(c, s, odd);
  return select(nan_f32(), bitcast<f32>(bitcast<u32>(v) ^ (bitcast<u32>(x) & 0x80000000u)), is_finite_f32(x));
}

// asin(z) for z in [0, 0.5].
fn asin_near_f32(z: f32) -> f32 {
  let s = z * z;
  var p = fma(0.0376300886, s, 0.0143584935);
  p = fma(p, s, 0.0318286866);
  p = fma(p, s, 0.0445144698);
  p = fma(p, s, 0.0750051737);
  p = fma(p, s, 0.166666597);
  return fma(z * s, p, z);
}

fn asin_f32(x: f32) -> f32 {
  let a = abs(x);
  let far = a > 0.5;
  let p = asin_near_f32(select(a, sqrt(max(0.0, 0.5 - 0.5 * a)), far));
  let v = select(p, fma(-2.0, p, 1.57079633), far);
  return select(copysign_f32(v, x), nan_f32(), a > 1.0 || is_nan_f32(x));
}

fn acos_f32(x: f32) -> f32 {
  let a = abs(x);
  let far = a > 0.5;
  let p = asin_near_f32(select(a, sqrt(max(0.0, 0.5 - 0.5 * a)), far));
  let positive = select(1.57079633 - p, 2.0 * p, far);
  let negative = select(1.57079633 + p, fma(-2.0, p, 3.14159265), far);
  return select(select(positive, negative, x < 0.0), nan_f32(), a > 1.0 || is_nan_f32(x));
}

// atan(t) for t in [0, 1].
fn atan_near_f32(t: f32) -> f32 {
  let z = t * t;
  var p = fma(-0.00179359387, z, 0.0109144812);
  p = fma(p, z, -0.0311776139);
  p = fma(p, z, 0.0579573587);
  p = fma(p, z, -0.0840343684);
  p = fma(p, z, 0.109521814);
  p = fma(p, z, -0.142642409);
  p = fma(p, z, 0.199985489);
  p = fma(p, z, -0.333332986);
  return fma(t * z, p, t);
}

fn atan_f32(x: f32) -> f32 {
  let a = abs(x);
  let far = a > 1.0;
  let p = atan_near_f32(select(a, 1.0 / a, far));
  return select(copysign_f32(select(p, 1.57079633 - p, far), x), x, is_nan_f32(x));
}

fn atan2_f32(y: f32, x: f32) -> f32 {
  // Both scaled down where a division by the larger one would leave the range that devices divide well in.
  let s = select(1.0, 5.42101086e-20, max(abs(x), abs(y)) > 1e30);
  let ax = abs(x) * s;
  let ay = abs(y) * s;
  let large = max(ax, ay);
  let both_inf = is_inf_f32(x) && is_inf_f32(y);
  let t = select(select(min(ax, ay) / large, 0.0, large == 0.0), 1.0, both_inf);
  let p = atan_near_f32(t);
  let first = select(p, 1.57079633 - p, ay > ax);
  let v = select(first, 3.14159265 - first, (bitcast<u32>(x) >> 31u) == 1u);
  return select(copysign_f32(v, y), nan_f32(), is_nan_f32(x) || is_nan_f32(y));
}
