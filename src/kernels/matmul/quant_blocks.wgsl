// Elements of a quantized matrix: scale * q - low. Each format has scale_of(words, unit), and load_raw(unit) and
// block_of(raw, unit) for sixteen elements or dequantize_quad(quad) for four.
struct Raw {
  w: vec4<u32>,
  s: u32,
  d: u32,
  h: u32,
}

struct Block {
  q: array<vec4<f32>, 4>,
  scale: f32,
  low: f32,
}

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

fn bytes_of(word: u32) -> vec4<f32> {
  return placed(halves(word), vec4<u32>(0xffu, 0xff00u, 0xffu, 0xff00u), vec4<f32>(1.0, 0x1p-8, 1.0, 0x1p-8),
                vec4<f32>(8388608.0, 32768.0, 8388608.0, 32768.0));
}

fn signed_bytes_of(word: u32) -> vec4<f32> {
  return placed(halves(word ^ 0x80808080u), vec4<u32>(0xffu, 0xff00u, 0xffu, 0xff00u),
                vec4<f32>(1.0, 0x1p-8, 1.0, 0x1p-8), vec4<f32>(8388736.0, 32896.0, 8388736.0, 32896.0));
}

// The lower and the upper nibbles of a word's bytes.
fn lower_nibbles(word: u32) -> vec4<f32> {
  return placed(halves(word), vec4<u32>(0xfu, 0xf00u, 0xfu, 0xf00u), vec4<f32>(1.0, 0x1p-8, 1.0, 0x1p-8),
                vec4<f32>(8388608.0, 32768.0, 8388608.0, 32768.0));
}

fn upper_nibbles(word: u32) -> vec4<f32> {
  return placed(halves(word), vec4<u32>(0xf0u, 0xf000u, 0xf0u, 0xf000u), vec4<f32>(0x1p-4, 0x1p-12, 0x1p-4, 0x1p-12),
                vec4<f32>(524288.0, 2048.0, 524288.0, 2048.0));
}

// Four bits to the fifth bits of four bytes, and two bits each to the fifth and sixth.
fn fifth_bits(bits: u32) -> u32 {
  return ((bits & 1u) << 4u) | ((bits & 2u) << 11u) | ((bits & 4u) << 18u) | ((bits & 8u) << 25u);
}

fn upper_bits(bits: u32) -> u32 {
  return ((bits & 3u) << 4u) | ((bits & 12u) << 10u) | ((bits & 48u) << 16u) | ((bits & 192u) << 22u);
}
