// Philox4x32-10: 32 random bits for each index, the same on every device.

fn philox_round(c: vec4<u32>, key: vec2<u32>) -> vec4<u32> {
  let p = mul_wide_u32(0xd2511f53u, c.x);
  let q = mul_wide_u32(0xcd9e8d57u, c.z);
  return vec4<u32>(q.y ^ c.y ^ key.x, q.x, p.y ^ c.w ^ key.y, p.x);
}

// Word index % 4 of the block at counter (index / 4, 0, ctr_lo, ctr_hi) under the key (seed_lo, seed_hi).
fn philox(index: u32, seed_lo: u32, seed_hi: u32, ctr_lo: u32, ctr_hi: u32) -> u32 {
  var c = vec4<u32>(index >> 2u, 0u, ctr_lo, ctr_hi);
  var key = vec2<u32>(seed_lo, seed_hi);
  for (var i = 0u; i < 10u; i++) {
    c = philox_round(c, key);
    key += vec2<u32>(0x9e3779b9u, 0xbb67ae85u);
  }
  return c[index & 3u];
}
