// Flash attention of a tile of queries: a loop over tiles of keys with an online softmax.
// Scores are in powers of two: params.scale holds log2(e). The mark is replaced by the start at a sink, if any.
@compute @workgroup_size(TX, TY)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) id: vec3<u32>,
        @builtin(local_invocation_index) local: u32) {
  let head = group.z * params.wrap + group.y;  // of all batches
  if (head >= params.heads) { return; }
  // With a causal mask the last queries attend to the most keys: they start first.
  let m0 = (params.tiles - 1u - group.x) * ROWS;
  let batch = head / params.hq;
  let h = head % params.hq;
  let kv = h / params.group;
  let p = Place(id.x, id.y, local, m0, params.lq, vec2<u32>(q_from(batch, h), 0u), batch, keys_of(batch),
                vec2<u32>(k_from(batch, kv), v_from(batch, kv)));

  var acc: Rows;
  var top: array<f32, RM * 4u>;
  var total: array<f32, RM * 4u>;  // of this invocation's columns
  for (var i = 0u; i < RM * 4u; i++) { top[i] = LOWEST;/*sink*/ }

  let first = max(i32(m0) + offset_of(batch) - params.left, 0);
  let last = min(i32(m0 + ROWS - 1u) + offset_of(batch) + params.right, i32(keys_of(batch)) - 1);
  for (var at = first / i32(COLS) * i32(COLS); at <= last; at += i32(COLS)) {
    let n0 = u32(at);
    var s = tile_of(0u, p, n0);
    for (var i = 0u; i < RM * 4u; i++) {
      let row = m0 + 4u * ((i / 4u) * TY + id.y) + i % 4u;
      for (var c = 0u; c < 4u; c++) {
        let col = n0 + 4u * id.x + c;
        s[i][c] = masked_score(s[i][c], batch, h, row, col);
      }
    }
    // The largest of each row over the invocations that share it.
    for (var r = 0u; r < RM; r++) {
      var own = vec4<f32>();
      for (var i = 0u; i < 4u; i++) {
        let v = s[4u * r + i];
        own[i] = max(max(v.x, v.y), max(v.z, v.w));
      }
      weights[id.x * PITCH_R + r * TY + id.y] = own;
    }
    workgroupBarrier();
    for (var r = 0u; r < RM; r++) {
      var most = vec4<f32>(LOWEST);
      for (var t = 0u; t < TX; t++) { most = max(most, weights[t * PITCH_R + r * TY + id.y]); }
      for (var i = 0u; i < 4u; i++) {
        let k = 4u * r + i;
        let next = max(top[k], most[i]);
        let shrink = power_of_two(top[k] - next);
        top[k] = next;
        for (var c = 0u; c < RN; c++) { acc[k][c] *= shrink; }
        let x = s[k] - next;
        s[k] = select(exp2(x), vec4<f32>(), (x < vec4<f32>(-150.0)) | (s[k] == vec4<f32>(LOWEST)));
        total[k] = total[k] * shrink + (s[k].x + s[k].y) + (s[k].z + s[k].w);
      }
    }
    workgroupBarrier();
    keep(p, s);
    add_products(0u, p, n0, &acc);
  }

  // The sums of each row over the invocations that share it.
  workgroupBarrier();
  for (var r = 0u; r < RM; r++) {
    weights[id.x * PITCH_R + r * TY + id.y] =
      vec4<f32>(total[4u * r], total[4u * r + 1u], total[4u * r + 2u], total[4u * r + 3u]);
  }
  workgroupBarrier();
  for (var r = 0u; r < RM; r++) {
    var sums = vec4<f32>();
    for (var t = 0u; t < TX; t++) { sums += weights[t * PITCH_R + r * TY + id.y]; }
    for (var i = 0u; i < 4u; i++) {
      let row = m0 + 4u * (r * TY + id.y) + i;
      if (row >= params.lq) { continue; }
      let none = sums[i] == 0.0;  // every key is masked
      let inverse = select(1.0 / sums[i], 0.0, none);
      for (var c = 0u; c < RN; c++) {
        let d = c * TX + id.x;
        if (d < D4) { store_output(output_row(batch, h, row) * D4 + d, acc[4u * r + i][c] * inverse); }
      }
      if (id.x == 0u) {
        logsum[head * params.lq + row] = select(top[4u * r + i] + log2(sums[i]), LOWEST, none);
      }
    }
  }
}
