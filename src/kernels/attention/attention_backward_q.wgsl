// The gradient of a tile of queries: scores are recomputed from the logarithms of their sums.
@compute @workgroup_size(TX, TY)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) id: vec3<u32>,
        @builtin(local_invocation_index) local: u32) {
  let head = group.z * params.wrap + group.y;
  if (head >= params.heads) { return; }
  let m0 = (params.tiles - 1u - group.x) * ROWS;
  let batch = head / params.hq;
  let h = head % params.hq;
  let kv = h / params.group;
  let p = Place(id.x, id.y, local, m0, params.lq, vec2<u32>(q_from(batch, h), gradient_from(batch, h)), batch,
                keys_of(batch), vec2<u32>(k_from(batch, kv), v_from(batch, kv)));

  var acc: Rows;
  var logs: array<f32, RM * 4u>;
  var deltas: array<f32, RM * 4u>;
  for (var i = 0u; i < RM * 4u; i++) {
    let row = m0 + 4u * ((i / 4u) * TY + id.y) + i % 4u;
    if (row < params.lq) {
      let both = row_stats(head * params.lq + row);
      logs[i] = both.x;
      deltas[i] = both.y;
    }
  }

  let first = max(i32(m0) + offset_of(batch) - params.left, 0);
  let last = min(i32(m0 + ROWS - 1u) + offset_of(batch) + params.right, i32(keys_of(batch)) - 1);
  for (var at = first / i32(COLS) * i32(COLS); at <= last; at += i32(COLS)) {
    let n0 = u32(at);
    var s = tile_of(0u, p, n0);
    for (var i = 0u; i < RM * 4u; i++) {
      let row = m0 + 4u * ((i / 4u) * TY + id.y) + i % 4u;
      for (var c = 0u; c < 4u; c++) {
        let score = masked_score(s[i][c], batch, h, row, n0 + 4u * id.x + c);
        s[i][c] = select(power_of_two(score - logs[i]), 0.0, score == LOWEST);
      }
    }
    let g = tile_of(1u, p, n0);
    for (var i = 0u; i < RM * 4u; i++) { s[i] *= g[i] - deltas[i]; }
    keep(p, s);
    add_products(0u, p, n0, &acc);
  }

  for (var i = 0u; i < RM * 4u; i++) {
    let row = m0 + 4u * ((i / 4u) * TY + id.y) + i % 4u;
    if (row >= params.lq) { continue; }
    for (var c = 0u; c < RN; c++) {
      let d = c * TX + id.x;
      if (d < D4) { store_output(output_row(batch, h, row) * D4 + d, acc[i][c] * params.factor); }
    }
  }
}
