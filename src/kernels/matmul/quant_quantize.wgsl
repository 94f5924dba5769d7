// Quantizes blocks of 32 elements: eight invocations for each, with four neighbors each.
// From the header: SYMMETRIC, RANGE, BYTES or E2M1 is true, STEPS (the largest code of a range, or the zero of symmetric
// codes), FIFTH (whether codes have a fifth bit) and put_fifths, SHARED (blocks in a word of scales), LIMIT (of the elements).
const BLOCKS: u32 = workgroup_x / 8u;

var<workgroup> ends: array<vec2<f32>, workgroup_x>;
var<workgroup> broken: array<u32, workgroup_x>;
var<workgroup> codes: array<u32, workgroup_x>;
var<workgroup> fifths: array<u32, workgroup_x>;
var<workgroup> words: array<u32, BLOCKS>;

// Divisions of GPUs may be off by some steps. Those here are corrected by the exact remainder, in integers.
fn exponent_bits(x: f32) -> u32 {
  return (bitcast<u32>(x) >> 23u) & 255u;
}

fn mantissa_of(x: f32) -> u32 {
  return (bitcast<u32>(x) & 0x007fffffu) | 0x00800000u;
}

fn is_normal(x: f32) -> bool {
  let e = exponent_bits(x);
  return e != 0u && e != 255u;
}

// x / n, rounded to the nearest; n is a power of two or odd, and at most 127.
fn divided(x: f32, n: i32) -> f32 {
  var q = x / f32(n);
  if (!is_normal(x) || !is_normal(q)) { return q; }
  for (var i = 0; i < 4; i++) {
    let rest = i32(mantissa_of(x) << (exponent_bits(x) - exponent_bits(q))) - n * i32(mantissa_of(q));
    if (abs(2 * rest) <= n) { break; }
    q = bitcast<f32>(select(bitcast<u32>(q) - 1u, bitcast<u32>(q) + 1u, rest > 0));
  }
  return q;
}

// 1 / d, rounded to the nearest, or 0 where that overflows.
fn inverse_of(d: f32) -> f32 {
  if ((bitcast<u32>(d) & 0x7fffffffu) <= 0x00200000u) { return 0.0; }
  var q = 1.0 / d;
  if (!is_normal(d) || !is_normal(q)) { return q; }
  let m = mantissa_of(d);
  for (var i = 0; i < 4; i++) {
    let rest = bitcast<i32>(0u - m * mantissa_of(q));  // of a power of two, whose lower 32 bits are 0
    if (abs(2 * rest) <= i32(m)) { break; }
    q = bitcast<f32>(select(bitcast<u32>(q) - 1u, bitcast<u32>(q) + 1u, rest > 0));
  }
  return q;
}

// The clamp keeps the product from being fused into a sum.
fn scaled(x: vec4<f32>, inverse: f32) -> vec4<f32> {
  return clamp(x * inverse, vec4<f32>(-16384.0), vec4<f32>(16384.0));
}

// Halves away from zero.
fn rounded(x: vec4<f32>) -> vec4<f32> {
  let a = abs(x);
  let t = trunc(a);
  return sign(x) * (t + select(vec4<f32>(0.0), vec4<f32>(1.0), a - t >= vec4<f32>(0.5)));
}

fn pack(codes: vec4<u32>) -> u32 {
  return codes.x | (codes.y << 8u) | (codes.z << 16u) | (codes.w << 24u);
}

// floor(log2(x)), with the logarithm rounded to f32: just below a power of two it is that of the power.
fn exponent_of(x: f32) -> i32 {
  let bits = bitcast<u32>(x);
  let above = i32(bits >> 23u) - 126;
  let below = 0x00800000u - (bits & 0x007fffffu);
  let size = u32(abs(above));
  if (size == 0u) { return above - 1; }
  var digits = firstLeadingBit(size);
  if (above > 0 && size == (1u << digits)) { digits -= 1u; }
  // ln(2) * 2^digits, of steps of 2^-24.
  var most = array<u32, 8>(0u, 1u, 2u, 5u, 11u, 22u, 44u, 88u);
  let near = digits < 8u && below <= most[min(digits, 7u)];
  return select(above - 1, above, near);
}

// An integer in the order of numbers, the same for zeros of both signs: min() may return either of these.
fn order_of(x: f32) -> i32 {
  let bits = bitcast<i32>(x);
  return select(bits, -(bits & 0x7fffffff), bits < 0);
}

@compute @workgroup_size(workgroup_x)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let first = (group.y * params.wrap + group.x) * BLOCKS;
  let block = first + local / 8u;
  let quad = first * 8u + local;
  let valid = block < params.n;
  var x = vec4<f32>(0.0);
  if (valid) { x = load_input(quad); }
  var end = vec2<f32>(x.x, select(abs(x.x), x.x, RANGE));
  var bad = 0u;
  for (var i = 0u; i < 4u; i++) {
    if (!is_finite_f32(x[i])) { bad = 1u; }
    if (i == 0u) { continue; }
    if (SYMMETRIC && abs(x[i]) > abs(end.x)) { end.x = x[i]; }
    if (RANGE && order_of(x[i]) < order_of(end.x)) { end.x = x[i]; }
    if (RANGE && x[i] > end.y) { end.y = x[i]; }
    if (!RANGE) { end.y = max(end.y, abs(x[i])); }
  }
  ends[local] = end;
  broken[local] = bad;
  workgroupBarrier();
  let base = local & ~7u;
  end = ends[base];
  bad = broken[base];
  for (var i = 1u; i < 8u; i++) {
    let e = ends[base + i];
    bad |= broken[base + i];
    if (SYMMETRIC && abs(e.x) > abs(end.x)) { end.x = e.x; }
    if (RANGE && order_of(e.x) < order_of(end.x)) { end.x = e.x; }
    if (RANGE && e.y > end.y) { end.y = e.y; }
    if (!RANGE) { end.y = max(end.y, e.y); }
  }

  var word = 0u;  // of the scales
  var q = vec4<u32>(0u);
  if (SYMMETRIC) {
    let d = end.x / -f32(STEPS);
    word = f16_from_f32(d);
    if (end.y == 0.0) { word = (~bitcast<u32>(end.x) >> 16u) & 0x8000u; }
    let t = trunc(scaled(x, inverse_of(d)) + vec4<f32>(f32(STEPS) + 0.5));
    q = vec4<u32>(clamp(t, vec4<f32>(0.0), vec4<f32>(f32(max(2u * STEPS, 1u)) - 1.0)));
    if (!(end.y <= LIMIT)) { bad = 1u; }
  } else if (RANGE) {
    let d = divided(end.y - end.x, i32(STEPS));
    word = (f16_from_f32(d) & 0x7fffu) | (f16_from_f32(end.x) << 16u);
    let t = trunc(scaled(x - vec4<f32>(end.x), inverse_of(d)) + vec4<f32>(0.5));
    q = vec4<u32>(clamp(t, vec4<f32>(0.0), vec4<f32>(f32(STEPS))));
    if (!(abs(end.x) <= 65504.0) || !(end.y - end.x <= LIMIT)) { bad = 1u; }
  } else if (BYTES) {
    let d = divided(end.y, 127);
    word = f16_from_f32(d);
    q = vec4<u32>(vec4<i32>(rounded(scaled(x, inverse_of(d))))) & vec4<u32>(255u);
    if (!(end.y <= LIMIT)) { bad = 1u; }
  } else {
    let e = u32(max(select(exponent_of(end.y) + 125, 0, end.y == 0.0), 0));
    word = e;
    // Small scales are compared in a larger unit, as they may be denormal.
    let small = e < 64u;
    let unit = bits_f32((select(e, e + 64u, small) - 1u) << 23u);
    let a = abs(x) * select(1.0, 18446744073709551616.0, small);
    var mids = array<f32, 7>(0.5, 1.5, 2.5, 3.5, 5.0, 7.0, 10.0);
    for (var i = 0u; i < 7u; i++) { q += select(vec4<u32>(0u), vec4<u32>(1u), a > vec4<f32>(mids[i] * unit)); }
    q += select(vec4<u32>(0u), vec4<u32>(8u), (x < vec4<f32>(0.0)) & (q > vec4<u32>(0u)));
  }
  if (bad != 0u) {
    word = select(0x7e00u, 255u, E2M1);  // NaN
    if (RANGE) { word |= 0x7e000000u; }
    q = vec4<u32>(0u);
  }

  if (BYTES) {
    if (valid) { quants[quad] = pack(q); }
  } else {
    codes[local] = pack(q & vec4<u32>(15u));
    let f = q >> vec4<u32>(4u);
    fifths[local] = f.x | (f.y << 1u) | (f.z << 2u) | (f.w << 3u);
  }
  if (local % 8u == 0u) { words[local / 8u] = select(0u, word, valid); }
  workgroupBarrier();
  if (!BYTES && valid && local % 2u == 0u) { quants[quad / 2u] = codes[local] | (codes[local + 1u] << 4u); }
  if (FIFTH && valid && local % 8u == 0u) {
    var all = 0u;
    for (var i = 0u; i < 8u; i++) { all |= fifths[local + i] << (4u * i); }
    put_fifths(block, all);
  }
  if (local < BLOCKS / SHARED) {
    var all = 0u;
    for (var i = 0u; i < SHARED; i++) { all |= words[local * SHARED + i] << (32u / SHARED * i); }
    let at = first / SHARED + local;
    if (at * SHARED < params.n) { scales[at] = all; }
  }
}
