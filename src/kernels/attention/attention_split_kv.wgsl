// Split-KV attention (flash decode) for few queries: a workgroup processes KEYS keys of a head for the ROWS queries
// that share it, and writes partial sums of values with the statistics to combine them. Scores are in powers of two.
// From the header: D4, ROWS, KEYS, LANES (a power of two, at least D4), KEY_LANES (invocations that share a key; they
// divide D4), sum_of_lanes (over them), HELD (whether they hold their part of the queries in registers), HELD_QUADS and
// SHARED_QUADS (of the queries in registers and in workgroup memory), TOGETHER (rows
// whose sums are combined at once), load_q, load_k, load_v, masked_score, params.
const THREADS: u32 = 128u;
const PARTS: u32 = THREADS / LANES;
const SHARE: u32 = THREADS / ROWS;  // invocations per row of scores
const STEPS: u32 = D4 / KEY_LANES;

var<workgroup> query: array<vec4<f32>, SHARED_QUADS>;
var<workgroup> scores: array<f32, ROWS * KEYS>;
var<workgroup> parts: array<vec4<f32>, TOGETHER * THREADS>;

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
  let lane = local % KEY_LANES;
  var held: array<vec4<f32>, HELD_QUADS>;
  if (HELD) {
    for (var r = 0u; r < ROWS; r++) {
      let row = min(r0 + r, rows - 1u);
      let start = q_at(q_from(batch, h0 + row / params.lq), batch, row % params.lq) + lane;
      for (var i = 0u; i < STEPS; i++) { held[r * STEPS + i] = load_q(start + i * KEY_LANES); }
    }
  } else {
    for (var slot = local; slot < ROWS * D4; slot += THREADS) {
      let r = min(r0 + slot / D4, rows - 1u);
      query[slot] = load_q(q_at(q_from(batch, h0 + r / params.lq), batch, r % params.lq) + slot % D4);
    }
    workgroupBarrier();
  }

  // Each step loads a key of the sequence, so that control flow is uniform.
  let keys_from = k_from(batch, kv % params.hkv);
  for (var first = 0u; first < KEYS; first += THREADS / KEY_LANES) {
    let k = first + local / KEY_LANES;
    let j = split * KEYS + k;
    let key_at = k_at(keys_from, batch, min(j, length - 1u)) + lane;
    var sums: array<vec4<f32>, ROWS>;
    for (var r = 0u; r < ROWS; r++) { sums[r] = vec4<f32>(); }  // naga does so only before the loop
    for (var i = 0u; i < STEPS; i++) {
      let key = load_k(key_at + i * KEY_LANES);
      for (var r = 0u; r < ROWS; r++) {
        if (HELD) {
          sums[r] = fma(held[r * STEPS + i], key, sums[r]);
        } else {
          sums[r] = fma(query[r * D4 + lane + i * KEY_LANES], key, sums[r]);
        }
      }
    }
    for (var r = 0u; r < ROWS; r++) {
      let row = min(r0 + r, rows - 1u);
      let v = sum_of_lanes((sums[r].x + sums[r].y) + (sums[r].z + sums[r].w));
      let s = masked_score(v, batch, h0 + row / params.lq, row % params.lq, j);
      if (lane == 0u && k < KEYS) { scores[r * KEYS + k] = s; }
    }
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
    var k = part;
    for (; k + 3u * PARTS < end; k += 4u * PARTS) {
      let v0 = load_v(v_at(values_from, batch, split * KEYS + k) + d);
      let v1 = load_v(v_at(values_from, batch, split * KEYS + k + PARTS) + d);
      let v2 = load_v(v_at(values_from, batch, split * KEYS + k + 2u * PARTS) + d);
      let v3 = load_v(v_at(values_from, batch, split * KEYS + k + 3u * PARTS) + d);
      for (var r = 0u; r < ROWS; r++) {
        let at = r * KEYS + k;
        acc[r] = fma(vec4<f32>(scores[at]), v0, acc[r]);
        acc[r] = fma(vec4<f32>(scores[at + PARTS]), v1, acc[r]);
        acc[r] = fma(vec4<f32>(scores[at + 2u * PARTS]), v2, acc[r]);
        acc[r] = fma(vec4<f32>(scores[at + 3u * PARTS]), v3, acc[r]);
      }
    }
    for (; k < end; k += PARTS) {
      let v = load_v(v_at(values_from, batch, split * KEYS + k) + d);
      for (var r = 0u; r < ROWS; r++) { acc[r] = fma(vec4<f32>(scores[r * KEYS + k]), v, acc[r]); }
    }
  }
  for (var some = 0u; some < ROWS; some += TOGETHER) {
    workgroupBarrier();
    for (var r = 0u; r < TOGETHER; r++) { parts[r * THREADS + local] = acc[some + r]; }
    workgroupBarrier();
    for (var slot = local; slot < TOGETHER * LANES; slot += THREADS) {
      let row = r0 + some + slot / LANES;
      let column = slot % LANES;
      if (column < D4 && row < rows) {
        var sum = vec4<f32>();
        for (var t = 0u; t < PARTS; t++) { sum += parts[slot / LANES * THREADS + t * LANES + column]; }
        let at = output_row(batch, h0 + row / params.lq, row % params.lq) + split;
        output[at * D4 + column] = sum;
      }
    }
  }
}
