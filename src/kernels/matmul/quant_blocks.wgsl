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

// Four bits to the third bits of four bytes, four to the fifth bits, and two bits each to the fifth and sixth.
fn third_bits(bits: u32) -> u32 {
  return ((bits & 1u) << 2u) | ((bits & 2u) << 9u) | ((bits & 4u) << 16u) | ((bits & 8u) << 23u);
}

fn fifth_bits(bits: u32) -> u32 {
  return third_bits(bits) << 2u;
}

fn upper_bits(bits: u32) -> u32 {
  return ((bits & 3u) << 4u) | ((bits & 12u) << 10u) | ((bits & 48u) << 16u) | ((bits & 192u) << 22u);
}

// The codes of IQ4_NL and IQ4_XS, in the lower nibbles of four bytes: the 16 values plus 128 are bytes of four words,
// since an array with a dynamic index would be in memory.
fn nonlinear_of(word: u32) -> vec4<f32> {
  let c = vec4<u32>(word, word >> 8u, word >> 16u, word >> 24u);
  let odd = (c & vec4<u32>(4u)) != vec4<u32>(0u);
  let low = select(vec4<u32>(0x3f2d1801u), vec4<u32>(0x766a5d4fu), odd);
  let high = select(vec4<u32>(0xa6998d81u), vec4<u32>(0xf1d9c5b5u), odd);
  let bytes = select(low, high, (c & vec4<u32>(8u)) != vec4<u32>(0u));
  return vec4<f32>((bytes >> ((c & vec4<u32>(3u)) * 8u)) & vec4<u32>(0xffu)) - 128.0;
}

// The codes of MXFP4, doubled.
fn e2m1_of(word: u32) -> vec4<f32> {
  let c = vec4<u32>(word, word >> 8u, word >> 16u, word >> 24u);
  let size = vec4<f32>((vec4<u32>(0xc8643210u) >> ((c & vec4<u32>(7u)) * 4u)) & vec4<u32>(0xfu));
  return select(size, -size, (c & vec4<u32>(8u)) != vec4<u32>(0u));
}

// 2^(e - 128): half of an E8M0 scale. 255 is NaN.
fn exponent_scale(e: u32) -> f32 {
  let bits = select((e - 1u) << 23u, 0x00200000u << (e & 1u), e < 2u);
  return bitcast<f32>(select(bits, 0x7fc00000u, e == 255u));
}

fn signed_byte_at(word: u32, which: u32) -> f32 {
  return f32(bitcast<i32>(word << (24u - 8u * which)) >> 24u);
}
