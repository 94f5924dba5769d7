// The gradients of a tile of keys and their values, summed over the query heads that share them: rows of a tile are
// keys, and columns are queries.
@compute @workgroup_size(TX, TY)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) id: vec3<u32>,
        @builtin(local_invocation_index) local: u32) {
  let kv = group.z * params.wrap + group.y;  // of all batches
  if (kv >= params.heads) { return; }
  let m0 = group.x * ROWS;
  let batch = kv / params.hkv;

  var keys: Rows;
  var values: Rows;
  // Query i attends to key j if i + offset - left <= j <= i + offset + right.
  let first = max(i32(m0) - offset_of(batch) - params.right, 0);
  let last = min(i32(m0 + ROWS - 1u) - offset_of(batch) + params.left, i32(params.lq) - 1);
  let starts = vec2<u32>(k_from(batch, kv % params.hkv), v_from(batch, kv % params.hkv));
  for (var g = 0u; g < params.group; g++) {
    let h = (kv % params.hkv) * params.group + g;
    let p = Place(id.x, id.y, local, m0, keys_of(batch), starts, batch, params.lq,
                  vec2<u32>(q_from(batch, h), gradient_from(batch, h)));
    for (var at = first / i32(COLS) * i32(COLS); at <= last; at += i32(COLS)) {
      let n0 = u32(at);
      var logs = vec4<f32>();
      var deltas = vec4<f32>();
      for (var c = 0u; c < 4u; c++) {
        let col = n0 + 4u * id.x + c;
        if (col < params.lq) {
          let both = row_stats((batch * params.hq + h) * params.lq + col);
          logs[c] = both.x;
          deltas[c] = both.y;
        }
      }
      var s = tile_of(0u, p, n0);
      for (var i = 0u; i < RM * 4u; i++) {
        let row = m0 + 4u * ((i / 4u) * TY + id.y) + i % 4u;
        for (var c = 0u; c < 4u; c++) {
          let score = masked_score(s[i][c], batch, h, n0 + 4u * id.x + c, row);
          s[i][c] = select(power_of_two(score - logs[c]), 0.0, score == LOWEST);
        }
      }
      keep(p, s);
      add_products(0u, p, n0, &values);
      let w = tile_of(1u, p, n0);
      for (var i = 0u; i < RM * 4u; i++) { s[i] *= w[i] - deltas; }
      keep(p, s);
      add_products(1u, p, n0, &keys);
    }
  }

  for (var i = 0u; i < RM * 4u; i++) {
    let row = m0 + 4u * ((i / 4u) * TY + id.y) + i % 4u;
    if (row >= params.lk) { continue; }
    for (var c = 0u; c < RN; c++) {
      let d = c * TX + id.x;
      if (d >= D4) { continue; }
      let at = output_row(batch, kv % params.hkv, row) * D4 + d;
      store_output(at, keys[i][c] * params.factor);
      store_output_v(at, values[i][c]);
    }
  }
}
