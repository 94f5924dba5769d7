// f16 and bf16 as bits in words, for devices without f16: one value in the low half, or two in a word, low half first.

fn f16_to_f32(bits: u32) -> f32 {
  return unpack2x16float(bits).x;
}

// To nearest even; integers, because pack2x16float says nothing of overflow and NaN.
fn f16_from_f32(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let a = bits & 0x7fffffffu;
  let normal = (a + 0x0fffu + ((a >> 13u) & 1u) - 0x38000000u) >> 13u;
  let small = u32(round(min(bitcast<f32>(a), 1.0) * 16777216.0));
  let finite = select(normal, small, a < 0x38800000u);
  let edge = select(0x7c00u, 0x7e00u, a > 0x7f800000u);
  return ((bits >> 16u) & 0x8000u) | select(finite, edge, a >= 0x47800000u);
}

fn f16_unpack(word: u32) -> vec2<f32> {
  return unpack2x16float(word);
}

fn f16_pack(v: vec2<f32>) -> u32 {
  return f16_from_f32(v.x) | (f16_from_f32(v.y) << 16u);
}

fn bf16_to_f32(bits: u32) -> f32 {
  return bitcast<f32>(bits << 16u);
}

fn bf16_from_f32(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let rounded = (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
  return select(rounded, (bits >> 16u) | 0x0040u, (bits & 0x7fffffffu) > 0x7f800000u);
}

fn bf16_unpack(word: u32) -> vec2<f32> {
  return vec2<f32>(bitcast<f32>(word << 16u), bitcast<f32>(word & 0xffff0000u));
}

fn bf16_pack(v: vec2<f32>) -> u32 {
  return bf16_from_f32(v.x) | (bf16_from_f32(v.y) << 16u);
}
