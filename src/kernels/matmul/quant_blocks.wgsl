// Elements of a quantized matrix: scale * q - low, where q is centered. Each block dtype has scale_of(words, unit) for a
// unit of sixteen elements, and functions on top of it.
// The halves of a plane of f16.
fn half_at(word: u32, which: u32) -> f32 {
  return unpack2x16float(word >> (16u * which)).x;
}

// Small integers as floats without a conversion, which is slow on GPUs: bits in the mantissa of 2^23 are 2^23 + q, and
// one fused multiply-add scales them and subtracts 2^23 exactly.
fn placed(bits: vec4<u32>, mask: vec4<u32>, scale: vec4<f32>, low: vec4<f32>) -> vec4<f32> {
  return fma(bitcast<vec4<f32>>((bits & mask) | vec4<u32>(0x4b000000u)), scale, -low);
}

fn halves(word: u32) -> vec4<u32> {
  return vec4<u32>(word, word, word >> 16u, word >> 16u);
}

fn bytes_of(word: u32, zero: f32) -> vec4<f32> {
  return placed(halves(word), vec4<u32>(0xffu, 0xff00u, 0xffu, 0xff00u), vec4<f32>(1.0, 0x1p-8, 1.0, 0x1p-8),
                vec4<f32>(8388608.0, 32768.0, 8388608.0, 32768.0) + zero);
}

fn signed_bytes_of(word: u32) -> vec4<f32> {
  return bytes_of(word ^ 0x80808080u, 128.0);
}

// The lower and the upper nibbles of a word's bytes.
fn lower_nibbles(word: u32, zero: f32) -> vec4<f32> {
  return placed(halves(word), vec4<u32>(0xfu, 0xf00u, 0xfu, 0xf00u), vec4<f32>(1.0, 0x1p-8, 1.0, 0x1p-8),
                vec4<f32>(8388608.0, 32768.0, 8388608.0, 32768.0) + zero);
}

fn upper_nibbles(word: u32, zero: f32) -> vec4<f32> {
  return placed(halves(word), vec4<u32>(0xf0u, 0xf000u, 0xf0u, 0xf000u), vec4<f32>(0x1p-4, 0x1p-12, 0x1p-4, 0x1p-12),
                vec4<f32>(524288.0, 2048.0, 524288.0, 2048.0) + zero);
}

// Four bits to the third bits of four bytes, four to the fifth bits, and two bits each to the fifth and sixth. Copies at
// distances of seven bits put bit i in byte i, and none of them overlap.
fn third_bits(bits: u32) -> u32 {
  return (((bits & 15u) * 0x204081u) & 0x01010101u) << 2u;
}

fn fifth_bits(bits: u32) -> u32 {
  return (((bits & 15u) * 0x204081u) & 0x01010101u) << 4u;
}

fn upper_bits(bits: u32) -> u32 {
  let pairs = ((bits & 0xfu) | ((bits & 0xf0u) << 12u));
  return ((pairs | (pairs << 6u)) & 0x03030303u) << 4u;
}

// The codes of IQ4_NL and IQ4_XS, in the lower nibbles of four bytes: the 16 values plus 128 are bytes of four words,
// since an array with a dynamic index would be in memory.
fn nonlinear_codes(word: u32) -> vec4<u32> {
  let c = vec4<u32>(word, word >> 8u, word >> 16u, word >> 24u);
  let odd = (c & vec4<u32>(4u)) != vec4<u32>(0u);
  let low = select(vec4<u32>(0x3f2d1801u), vec4<u32>(0x766a5d4fu), odd);
  let high = select(vec4<u32>(0xa6998d81u), vec4<u32>(0xf1d9c5b5u), odd);
  let bytes = select(low, high, (c & vec4<u32>(8u)) != vec4<u32>(0u));
  return (bytes >> ((c & vec4<u32>(3u)) * 8u)) & vec4<u32>(0xffu);
}

fn nonlinear_of(word: u32) -> vec4<f32> {
  return vec4<f32>(nonlinear_codes(word)) - 128.0;
}

// The codes of MXFP4, doubled, without their signs.
fn e2m1_sizes(c: vec4<u32>) -> vec4<u32> {
  return (vec4<u32>(0xc8643210u) >> ((c & vec4<u32>(7u)) * 4u)) & vec4<u32>(0xfu);
}

fn e2m1_of(word: u32) -> vec4<f32> {
  let c = vec4<u32>(word, word >> 8u, word >> 16u, word >> 24u);
  let size = vec4<f32>(e2m1_sizes(c));
  return select(size, -size, (c & vec4<u32>(8u)) != vec4<u32>(0u));
}

// The low bytes of four words.
fn low_bytes(v: vec4<u32>) -> u32 {
  let b = v & vec4<u32>(0xffu);
  return (b.x | (b.y << 8u)) | ((b.z << 16u) | (b.w << 24u));
}

// Codes as signed bytes.
fn nonlinear_bytes(word: u32) -> u32 {
  return low_bytes(nonlinear_codes(word)) ^ 0x80808080u;
}

// Four at once: codes from 4 on grow by what their lower bits are, and 7 by 2 more. Zeros have no sign.
fn e2m1_bytes(word: u32) -> u32 {
  let large = ((word >> 2u) & 0x01010101u) * 255u;
  let both = word & (word >> 1u) & 0x01010101u;
  let size = (word & 0x07070707u) + (((word & 0x03030303u) + (both << 1u)) & large);
  let negative = (word >> 3u) & ((size + 0x7f7f7f7fu) >> 7u) & 0x01010101u;
  return (size ^ (negative * 255u)) + negative;
}

// Numbers of at most 127 rounded to signed bytes: the integer is in the low bits of 1.5 * 2^23 + x.
fn rounded_bytes(x: vec4<f32>) -> u32 {
  return low_bytes(bitcast<vec4<u32>>(x + 12582912.0));
}

// 2^(e - 128): half of an E8M0 scale. 255 is NaN.
fn exponent_scale(e: u32) -> f32 {
  let bits = select((e - 1u) << 23u, 0x00200000u << (e & 1u), e < 2u);
  return bitcast<f32>(select(bits, 0x7fc00000u, e == 255u));
}

fn signed_byte_at(word: u32, which: u32) -> f32 {
  return f32(bitcast<i32>(word << (24u - 8u * which)) >> 24u);
}
