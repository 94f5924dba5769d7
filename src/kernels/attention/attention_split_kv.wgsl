// Split-KV attention (flash decode) for few queries: a workgroup processes KEYS keys of a head for the ROWS queries
// that share it, and writes partial sums of values with the statistics to combine them. Scores are in powers of two.
// From the header: D4, ROWS, KEYS, LANES (a power of two, at least D4), load_q, load_k, load_v, masked_score, params.
const THREADS: u32 = 128u;
const PARTS: u32 = THREADS / LANES;
const SHARE: u32 = THREADS / ROWS;  // invocations per row of scores

var<workgroup> query: array<vec4<f32>, ROWS * D4>;
var<workgroup> scores: array<f32, ROWS * KEYS>;
var<workgroup> parts: array<vec4<f32>, THREADS>;

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let split = group.x;
  let kv = group.y;  // of all batches
  let batch = kv / params.hkv;
  let r0 = group.z * ROWS;
  let rows = params.group * params.lq;  // that share this head
  let h0 = (kv % params.hkv) * params.group;
  let length = keys_of(batch);
  if (split * KEYS >= length) {  // past the end of this sequence
    for (var slot = local; slot < ROWS * D4; slot += THREADS) {
      let r = r0 + slot / D4;
      if (r < rows) {
        let at = output_row(batch, h0 + r / params.lq, r % params.lq) + split;
        output[at * D4 + slot % D4] = vec4<f32>();
        if (slot % D4 == 0u) { stats[at] = vec2<f32>(LOWEST, 0.0); }
      }
    }
    return;
  }
  for (var slot = local; slot < ROWS * D4; slot += THREADS) {
    let r = min(r0 + slot / D4, rows - 1u);
    query[slot] = load_q(q_at(q_from(batch, h0 + r / params.lq), batch, r % params.lq) + slot % D4);
  }
  workgroupBarrier();

  let keys_from = k_from(batch, kv % params.hkv);
  for (var k = local; k < KEYS; k += THREADS) {
    let j = split * KEYS + k;
    var s: array<f32, ROWS>;
    if (j < length) {
      let key_at = k_at(keys_from, batch, j);
      var sums: array<vec4<f32>, ROWS>;
      for (var r = 0u; r < ROWS; r++) { sums[r] = vec4<f32>(); }  // naga does so only before the loop
      for (var d = 0u; d < D4; d++) {
        let key = load_k(key_at + d);
        for (var r = 0u; r < ROWS; r++) { sums[r] = fma(query[r * D4 + d], key, sums[r]); }
      }
      for (var r = 0u; r < ROWS; r++) {
        let row = min(r0 + r, rows - 1u);
        let v = (sums[r].x + sums[r].y) + (sums[r].z + sums[r].w);
        s[r] = masked_score(v, batch, h0 + row / params.lq, row % params.lq, j);
      }
    } else {
      for (var r = 0u; r < ROWS; r++) { s[r] = LOWEST; }
    }
    for (var r = 0u; r < ROWS; r++) { scores[r * KEYS + k] = s[r]; }
  }
  workgroupBarrier();

  // The largest score of each row, then the weights and their sum.
  let mine = local / SHARE;
  var top = LOWEST;
  for (var k = local % SHARE; k < KEYS; k += SHARE) { top = max(top, scores[mine * KEYS + k]); }
  parts[local] = vec4<f32>(top);
  workgroupBarrier();
  for (var t = 0u; t < SHARE; t++) { top = max(top, parts[mine * SHARE + t].x); }
  var total = 0.0;
  for (var k = local % SHARE; k < KEYS; k += SHARE) {
    let s = scores[mine * KEYS + k];
    let w = select(power_of_two(s - top), 0.0, s == LOWEST);
    scores[mine * KEYS + k] = w;
    total += w;
  }
  workgroupBarrier();
  parts[local] = vec4<f32>(total);
  workgroupBarrier();
  if (local % SHARE == 0u && r0 + mine < rows) {
    total = 0.0;
    for (var t = 0u; t < SHARE; t++) { total += parts[local + t].x; }
    let r = r0 + mine;
    let at = output_row(batch, h0 + r / params.lq, r % params.lq) + split;
    stats[at] = vec2<f32>(top, total);
  }

  let d = local % LANES;
  let part = local / LANES;
  var acc: array<vec4<f32>, ROWS>;
  if (d < D4) {
    let end = min(KEYS, length - split * KEYS);
    let values_from = v_from(batch, kv % params.hkv);
    for (var k = part; k < end; k += PARTS) {
      let v = load_v(v_at(values_from, batch, split * KEYS + k) + d);
      for (var r = 0u; r < ROWS; r++) { acc[r] = fma(vec4<f32>(scores[r * KEYS + k]), v, acc[r]); }
    }
  }
  for (var r = 0u; r < ROWS; r++) {
    workgroupBarrier();
    parts[local] = acc[r];
    workgroupBarrier();
    if (part == 0u && d < D4 && r0 + r < rows) {
      var sum = vec4<f32>();
      for (var t = 0u; t < PARTS; t++) { sum += parts[t * LANES + d]; }
      let row = r0 + r;
      let at = output_row(batch, h0 + row / params.lq, row % params.lq) + split;
      output[at * D4 + d] = sum;
    }
  }
}
