// Sixteen elements of a quantized matrix: scale * q - low. From the header: load_block(unit) for the format.
struct Block {
  q: array<vec4<f32>, 4>,
  scale: f32,
  low: f32,
}

// The halves of a plane of f16.
fn half_at(word: u32, which: u32) -> f32 {
  return unpack2x16float(word >> (16u * which)).x;
}

fn bytes_of(word: u32) -> vec4<f32> {
  return vec4<f32>(f32(word & 0xffu), f32((word >> 8u) & 0xffu), f32((word >> 16u) & 0xffu), f32(word >> 24u));
}

fn signed_bytes_of(word: u32) -> vec4<f32> {
  return vec4<f32>(vec4<i32>(bitcast<i32>(word << 24u) >> 24u, bitcast<i32>(word << 16u) >> 24u,
                             bitcast<i32>(word << 8u) >> 24u, bitcast<i32>(word) >> 24u));
}

// Four bits to the fifth bits of four bytes, and two bits each to the fifth and sixth.
fn fifth_bits(bits: u32) -> u32 {
  return ((bits & 1u) << 4u) | ((bits & 2u) << 11u) | ((bits & 4u) << 18u) | ((bits & 8u) << 25u);
}

fn upper_bits(bits: u32) -> u32 {
  return ((bits & 3u) << 4u) | ((bits & 12u) << 10u) | ((bits & 48u) << 16u) | ((bits & 192u) << 22u);
}
