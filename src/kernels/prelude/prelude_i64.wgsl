// 64-bit integers as pairs of words, low first, for devices without them: i64_<name> and u64_<name> for each integer op
// of the table, and the conversions.

alias I64 = vec2<u32>;
alias U64 = vec2<u32>;

fn i64_from_i32(x: i32) -> I64 {
  return vec2<u32>(bitcast<u32>(x), bitcast<u32>(x >> 31u));
}

fn i64_from_u32(x: u32) -> I64 {
  return vec2<u32>(x, 0u);
}

fn u64_from_i32(x: i32) -> U64 {
  return i64_from_i32(x);
}

fn u64_from_u32(x: u32) -> U64 {
  return vec2<u32>(x, 0u);
}

fn i64_from_bool(x: bool) -> I64 {
  return vec2<u32>(select(0u, 1u, x), 0u);
}

fn u64_from_bool(x: bool) -> U64 {
  return i64_from_bool(x);
}

fn u64_from_f32(x: f32) -> U64 {
  let bits = bitcast<u32>(x);
  if (is_nan_f32(x) || x < 1.0) {
    return vec2<u32>(0u, 0u);
  }
  if (x >= 18446744073709551616.0) {
    return vec2<u32>(0xffffffffu, 0xffffffffu);
  }
  let mantissa = vec2<u32>((bits & 0x007fffffu) | 0x00800000u, 0u);
  let exponent = bits >> 23u;
  if (exponent < 150u) {
    return vec2<u32>(mantissa.x >> ((150u - exponent) & 31u), 0u);
  }
  return u64_shl(mantissa, exponent - 150u);
}

fn i64_from_f32(x: f32) -> I64 {
  if (x >= 9223372036854775808.0) {
    return vec2<u32>(0xffffffffu, 0x7fffffffu);
  }
  if (x <= -9223372036854775808.0) {
    return vec2<u32>(0u, 0x80000000u);
  }
  let magnitude = u64_from_f32(abs(x));
  return select(magnitude, i64_negative(magnitude), x < 0.0);
}

// To nearest even.
fn u64_to_f32(x: U64) -> f32 {
  if ((x.x | x.y) == 0u) {
    return 0.0;
  }
  let zeros = u64_leading_zeros(x);
  let n = u64_shl(x, zeros);
  // The top word's 24 upper bits are the mantissa; what is below decides the rounding.
  let mantissa = n.y >> 8u;
  let rest = (n.y & 0xffu) | select(0u, 1u, n.x != 0u);
  let up = select(0u, 1u, rest > 128u || (rest == 128u && (n.x != 0u || (mantissa & 1u) == 1u)));
  return bitcast<f32>(((189u - zeros) << 23u) + mantissa + up);
}

fn i64_to_f32(x: I64) -> f32 {
  let v = u64_to_f32(i64_abs(x));
  return select(v, -v, i64_is_negative(x));
}

fn i64_to_i32(x: I64) -> i32 {
  return bitcast<i32>(x.x);
}

fn i64_to_u32(x: I64) -> u32 {
  return x.x;
}

fn u64_to_i32(x: U64) -> i32 {
  return bitcast<i32>(x.x);
}

fn u64_to_u32(x: U64) -> u32 {
  return x.x;
}

fn i64_to_bool(x: I64) -> bool {
  return (x.x | x.y) != 0u;
}

fn u64_to_bool(x: U64) -> bool {
  return (x.x | x.y) != 0u;
}

fn i64_is_negative(x: I64) -> bool {
  return (x.y >> 31u) == 1u;
}

fn u64_leading_zeros(x: U64) -> u32 {
  return select(countLeadingZeros(x.y), 32u + countLeadingZeros(x.x), x.y == 0u);
}

// Shifts by counts below 64.
fn u64_shl(x: U64, count: u32) -> U64 {
  let n = count & 31u;
  // A shift by 32 - n in two steps, so that n = 0 stays in range.
  let near = vec2<u32>(x.x << n, (x.y << n) | ((x.x >> 1u) >> (31u - n)));
  return select(near, vec2<u32>(0u, x.x << n), count >= 32u);
}

fn u64_shr(x: U64, count: u32) -> U64 {
  let n = count & 31u;
  let near = vec2<u32>((x.x >> n) | ((x.y << 1u) << (31u - n)), x.y >> n);
  return select(near, vec2<u32>(x.y >> n, 0u), count >= 32u);
}

fn i64_add(a: I64, b: I64) -> I64 {
  let low = a.x + b.x;
  return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn i64_subtract(a: I64, b: I64) -> I64 {
  return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

fn i64_multiply(a: I64, b: I64) -> I64 {
  let low = mul_wide_u32(a.x, b.x);
  return vec2<u32>(low.x, low.y + a.x * b.y + a.y * b.x);
}

fn i64_negative(x: I64) -> I64 {
  return i64_subtract(vec2<u32>(0u, 0u), x);
}

fn i64_abs(x: I64) -> I64 {
  return select(x, i64_negative(x), i64_is_negative(x));
}

fn i64_sign(x: I64) -> I64 {
  return select(vec2<u32>(select(0u, 1u, i64_to_bool(x)), 0u), vec2<u32>(0xffffffffu, 0xffffffffu), i64_is_negative(x));
}

fn u64_sign(x: U64) -> U64 {
  return vec2<u32>(select(0u, 1u, u64_to_bool(x)), 0u);
}

fn i64_square(x: I64) -> I64 {
  return i64_multiply(x, x);
}

// Quotient and remainder, both 0 where b is: (quotient low, high, remainder low, high).
fn u64_divmod(a: U64, b: U64) -> vec4<u32> {
  if ((b.x | b.y) == 0u) {
    return vec4<u32>(0u, 0u, 0u, 0u);
  }
  if ((a.y | b.y) == 0u) {
    return vec4<u32>(a.x / b.x, 0u, a.x % b.x, 0u);
  }
  var quotient = vec2<u32>(0u, 0u);
  var rest = vec2<u32>(0u, 0u);
  let zeros = u64_leading_zeros(a);
  var digits = u64_shl(a, zeros);
  for (var i = zeros; i < 64u; i++) {
    let carry = rest.y >> 31u;
    rest = u64_shl(rest, 1u) | vec2<u32>(digits.y >> 31u, 0u);
    digits = u64_shl(digits, 1u);
    quotient = u64_shl(quotient, 1u);
    if (carry == 1u || !u64_less(rest, b)) {
      rest = i64_subtract(rest, b);
      quotient.x |= 1u;
    }
  }
  return vec4<u32>(quotient, rest);
}

fn u64_floor_divide(a: U64, b: U64) -> U64 {
  return u64_divmod(a, b).xy;
}

fn u64_remainder(a: U64, b: U64) -> U64 {
  return u64_divmod(a, b).zw;
}

fn i64_floor_divide(a: I64, b: I64) -> I64 {
  let r = u64_divmod(i64_abs(a), i64_abs(b));
  let differ = i64_is_negative(a) != i64_is_negative(b);
  let towards_zero = select(r.xy, i64_negative(r.xy), differ);
  return select(towards_zero, i64_subtract(towards_zero, vec2<u32>(1u, 0u)), differ && i64_to_bool(r.zw));
}

fn i64_remainder(a: I64, b: I64) -> I64 {
  let r = u64_divmod(i64_abs(a), i64_abs(b)).zw;
  let signed = select(r, i64_negative(r), i64_is_negative(a));
  return select(signed, i64_add(signed, b), i64_to_bool(r) && i64_is_negative(a) != i64_is_negative(b));
}

fn u64_power(base: U64, exponent: U64) -> U64 {
  var result = vec2<u32>(1u, 0u);
  var b = base;
  var e = exponent;
  while (u64_to_bool(e)) {
    if ((e.x & 1u) == 1u) {
      result = i64_multiply(result, b);
    }
    b = i64_multiply(b, b);
    e = u64_shr(e, 1u);
  }
  return result;
}

fn i64_power(base: I64, exponent: I64) -> I64 {
  if (i64_is_negative(exponent)) {
    // 1 / base, truncated.
    let one = base.x == 1u && base.y == 0u;
    let minus_one = base.x == 0xffffffffu && base.y == 0xffffffffu;
    let unit = select(vec2<u32>(1u, 0u), base, minus_one && (exponent.x & 1u) == 1u);
    return select(vec2<u32>(0u, 0u), unit, one || minus_one);
  }
  return u64_power(base, exponent);
}

fn i64_less(a: I64, b: I64) -> bool {
  return u64_less(a ^ vec2<u32>(0u, 0x80000000u), b ^ vec2<u32>(0u, 0x80000000u));
}

fn u64_less(a: U64, b: U64) -> bool {
  return a.y < b.y || (a.y == b.y && a.x < b.x);
}

fn i64_left_shift(a: I64, count: I64) -> I64 {
  return select(u64_shl(a, count.x & 63u), vec2<u32>(0u, 0u), count.y != 0u || count.x > 63u);
}

fn u64_right_shift(a: U64, count: U64) -> U64 {
  return select(u64_shr(a, count.x & 63u), vec2<u32>(0u, 0u), count.y != 0u || count.x > 63u);
}

fn i64_right_shift(a: I64, count: I64) -> I64 {
  // Negative values are shifted as their complement, which is not.
  let fill = vec2<u32>(bitcast<u32>(bitcast<i32>(a.y) >> 31u));
  return u64_right_shift(a ^ fill, count) ^ fill;
}

fn u64_add(a: U64, b: U64) -> U64 {
  return i64_add(a, b);
}

fn u64_subtract(a: U64, b: U64) -> U64 {
  return i64_subtract(a, b);
}

fn u64_multiply(a: U64, b: U64) -> U64 {
  return i64_multiply(a, b);
}

fn u64_negative(x: U64) -> U64 {
  return i64_negative(x);
}

fn u64_square(x: U64) -> U64 {
  return i64_square(x);
}

fn u64_left_shift(a: U64, b: U64) -> U64 {
  return i64_left_shift(a, b);
}

fn u64_abs(x: U64) -> U64 {
  return x;
}

fn i64_floor(x: I64) -> I64 {
  return x;
}

fn i64_ceil(x: I64) -> I64 {
  return x;
}

fn i64_round(x: I64) -> I64 {
  return x;
}

fn i64_trunc(x: I64) -> I64 {
  return x;
}

fn i64_isnan(x: I64) -> bool {
  return false;
}

fn i64_isinf(x: I64) -> bool {
  return false;
}

fn i64_isfinite(x: I64) -> bool {
  return true;
}

fn i64_maximum(a: I64, b: I64) -> I64 {
  return select(a, b, i64_less(a, b));
}

fn i64_minimum(a: I64, b: I64) -> I64 {
  return select(a, b, i64_less(b, a));
}

fn i64_bitwise_and(a: I64, b: I64) -> I64 {
  return a & b;
}

fn i64_bitwise_or(a: I64, b: I64) -> I64 {
  return a | b;
}

fn i64_bitwise_xor(a: I64, b: I64) -> I64 {
  return a ^ b;
}

fn i64_bitwise_not(x: I64) -> I64 {
  return ~x;
}

fn i64_equal(a: I64, b: I64) -> bool {
  return all(a == b);
}

fn i64_not_equal(a: I64, b: I64) -> bool {
  return any(a != b);
}

fn i64_greater(a: I64, b: I64) -> bool {
  return i64_less(b, a);
}

fn i64_less_equal(a: I64, b: I64) -> bool {
  return !i64_less(b, a);
}

fn i64_greater_equal(a: I64, b: I64) -> bool {
  return !i64_less(a, b);
}

fn u64_floor(x: U64) -> U64 {
  return x;
}

fn u64_ceil(x: U64) -> U64 {
  return x;
}

fn u64_round(x: U64) -> U64 {
  return x;
}

fn u64_trunc(x: U64) -> U64 {
  return x;
}

fn u64_isnan(x: U64) -> bool {
  return false;
}

fn u64_isinf(x: U64) -> bool {
  return false;
}

fn u64_isfinite(x: U64) -> bool {
  return true;
}

fn u64_maximum(a: U64, b: U64) -> U64 {
  return select(a, b, u64_less(a, b));
}

fn u64_minimum(a: U64, b: U64) -> U64 {
  return select(a, b, u64_less(b, a));
}

fn u64_bitwise_and(a: U64, b: U64) -> U64 {
  return a & b;
}

fn u64_bitwise_or(a: U64, b: U64) -> U64 {
  return a | b;
}

fn u64_bitwise_xor(a: U64, b: U64) -> U64 {
  return a ^ b;
}

fn u64_bitwise_not(x: U64) -> U64 {
  return ~x;
}

fn u64_equal(a: U64, b: U64) -> bool {
  return all(a == b);
}

fn u64_not_equal(a: U64, b: U64) -> bool {
  return any(a != b);
}

fn u64_greater(a: U64, b: U64) -> bool {
  return u64_less(b, a);
}

fn u64_less_equal(a: U64, b: U64) -> bool {
  return !u64_less(b, a);
}

fn u64_greater_equal(a: U64, b: U64) -> bool {
  return !u64_less(a, b);
}

fn i64_signbit(x: I64) -> bool {
  return i64_is_negative(x);
}

fn u64_signbit(x: U64) -> bool {
  return false;
}

fn u64_gcd(a: U64, b: U64) -> U64 {
  var x = a;
  var y = b;
  while (u64_to_bool(y)) {
    let rest = u64_remainder(x, y);
    x = y;
    y = rest;
  }
  return x;
}

fn i64_gcd(a: I64, b: I64) -> I64 {
  return u64_gcd(i64_abs(a), i64_abs(b));
}
