// Functions of i32 and u32 that wrap, with the results that NumPy gives for division by zero and for wide shifts.

fn i32_from_f32(x: f32) -> i32 {
  if (is_nan_f32(x)) {
    return 0;
  }
  if (x >= 2147483648.0) {
    return 2147483647;
  }
  return select(i32(max(x, -2147483648.0)), bitcast<i32>(0x80000000u), x <= -2147483648.0);
}

// A device may round f32(x) either way. Both halves are exact, and their sum is rounded to nearest.
fn f32_from_u32(x: u32) -> f32 {
  return f32(x >> 16u) * 65536.0 + f32(x & 0xffffu);
}

fn u32_from_f32(x: f32) -> u32 {
  if (is_nan_f32(x)) {
    return 0u;
  }
  if (x >= 4294967296.0) {
    return 0xffffffffu;
  }
  return u32(max(x, 0.0));
}

fn i32_sign(x: i32) -> i32 {
  return sign(x);
}

fn u32_sign(x: u32) -> u32 {
  return min(x, 1u);
}

fn i32_floor_divide(a: i32, b: i32) -> i32 {
  if (b == 0) {
    return 0;
  }
  if (b == -1) {
    return 0 - a;
  }
  let q = a / b;
  return select(q, q - 1, q * b != a && (a < 0) != (b < 0));
}

fn u32_floor_divide(a: u32, b: u32) -> u32 {
  return select(a / max(b, 1u), 0u, b == 0u);
}

fn i32_remainder(a: i32, b: i32) -> i32 {
  if (b == 0) {
    return 0;
  }
  return a - i32_floor_divide(a, b) * b;
}

fn u32_remainder(a: u32, b: u32) -> u32 {
  return select(a % max(b, 1u), 0u, b == 0u);
}

fn u32_power(base: u32, exponent: u32) -> u32 {
  var result = 1u;
  var b = base;
  var e = exponent;
  while (e != 0u) {
    if ((e & 1u) == 1u) {
      result *= b;
    }
    b *= b;
    e >>= 1u;
  }
  return result;
}

fn i32_power(base: i32, exponent: i32) -> i32 {
  if (exponent < 0) {
    // 1 / base, truncated.
    let odd = select(1, -1, (exponent & 1) == 1);
    return select(select(0, 1, base == 1), odd, base == -1);
  }
  return bitcast<i32>(u32_power(bitcast<u32>(base), u32(exponent)));
}

fn i32_left_shift(a: i32, count: i32) -> i32 {
  let n = bitcast<u32>(count);
  return select(a << (n & 31u), 0, n > 31u);
}

fn u32_left_shift(a: u32, count: u32) -> u32 {
  return select(a << (count & 31u), 0u, count > 31u);
}

fn i32_right_shift(a: i32, count: i32) -> i32 {
  return a >> min(bitcast<u32>(count), 31u);
}

fn u32_right_shift(a: u32, count: u32) -> u32 {
  return select(a >> (count & 31u), 0u, count > 31u);
}

// The full product of two words: low, high.
fn mul_wide_u32(a: u32, b: u32) -> vec2<u32> {
  let a0 = a & 0xffffu;
  let a1 = a >> 16u;
  let b0 = b & 0xffffu;
  let b1 = b >> 16u;
  let low = a0 * b0;
  let middle = a1 * b0 + (low >> 16u);
  let other = a0 * b1 + (middle & 0xffffu);
  return vec2<u32>(a * b, a1 * b1 + (middle >> 16u) + (other >> 16u));
}

fn i32_sign_bit(x: i32) -> bool {
  return x < 0;
}

fn u32_sign_bit(x: u32) -> bool {
  return false;
}

fn u32_gcd(a: u32, b: u32) -> u32 {
  var x = a;
  var y = b;
  while (y != 0u) {
    let rest = x % y;
    x = y;
    y = rest;
  }
  return x;
}

fn i32_gcd(a: i32, b: i32) -> i32 {
  return bitcast<i32>(u32_gcd(bitcast<u32>(abs(a)), bitcast<u32>(abs(b))));
}

// The place that an index means, counted from the end when it is negative; one that is out of bounds is reported.
fn i32_check_index(i: i32, n: i32) -> i32 {
  let at = select(i, i + n, i < 0);
  if (at < 0 || at >= n) {
    report_index(i, n);
    return 0;
  }
  return at;
}
