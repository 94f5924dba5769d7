// Epilogue of q, k and v: RoPE of the heads of q and k; k and v are written to the caches.
// A tile of q and k has two pairs of one head: outputs i, i + 1, i + D / 2 and i + D / 2 + 1, or neighbors if
// interleaved. Outputs 2w and 2w + 1 of a tile are neighbors and are stored together.
fn row_of(part: u32, tile: u32, r: u32) -> u32 {
  if (INTERLEAVED || part == 2u) { return tile * 4u + r; }
  let half = params.head_size / 2u;
  let pair = tile * 2u;
  return pair / half * params.head_size + pair % half + (r & 1u) + (r >> 1u) * half;
}

fn finish(part: u32, tile: u32, i: u32) {
  let w = i / M;
  let m = i % M;
  if (m >= params.m) { return; }
  let n = row_of(part, tile, 2u * w);
  let own = vec2<f32>(value(part, n, 2u * w, m), value(part, n + 1u, 2u * w + 1u, m));
  let d = n % params.head_size;
  var y = own * params.value_scale;
  if (part != 2u) {
    let half = params.head_size / 2u;
    let at = m * params.rotation_stride;
    if (INTERLEAVED) {
      let c = rotation[at + d / 2u];
      let s = rotation[at + half + d / 2u];
      y = own * c + vec2<f32>(-own.y, own.x) * s;
    } else {
      let v = 1u - w;
      let n2 = row_of(part, tile, 2u * v);
      let other = vec2<f32>(value(part, n2, 2u * v, m), value(part, n2 + 1u, 2u * v + 1u, m));
      let pair = at + d % half;
      let c = vec2<f32>(rotation[pair], rotation[pair + 1u]);
      let s = vec2<f32>(rotation[pair + half], rotation[pair + half + 1u]);
      y = own * c + other * select(s, -s, w == 0u);
    }
  }
  if (part == 0u) {
    queries[(m * params.n0 + n) / 2u] = packed(y);
    return;
  }
  let position = u32(starts[m]);
  if (position >= params.context) { return; }
  let head = m * (params.n1 / params.head_size) + n / params.head_size;
  let at = ((head * params.context + position) * params.head_size + d) / 2u;
  if (part == 1u) {
    keys[at] = packed(y);
  } else {
    values[at] = packed(y);
  }
}
