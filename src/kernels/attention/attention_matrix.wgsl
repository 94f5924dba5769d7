// Flash attention of a tile of queries on tensor cores: a loop over tiles of keys with an online softmax. Scores are in
// powers of two. The marks in the text are replaced by one statement per cooperative matrix: drivers do not keep arrays
// of matrices in registers.
//
// The rows of a cooperative matrix cannot be scaled. So weights are relative to a level per row, which stays while
// scores are below 2^HEADROOM times it (within the range of f16). When a score exceeds that, which is rare after the
// first tile, all results go through workgroup memory to be rescaled to the new level.
//
// From the header: D4 (quads in a row of a head), UNIT, LANES, ROWS, COLS (of a tile), PARTS (subgroups that share rows: each
// has a part of the keys, then of the columns of the result), STRIP (rows of a subgroup), THREADS, MASKED, masked_score.
const PITCH: u32 = D4 + 2u;           // quads from row to row: matrices are loaded without bank conflicts
const PITCH_S: u32 = COLS / 4u + 2u;  // the same for scores and weights
const SHARE: u32 = THREADS / ROWS;    // invocations per row of scores
const QUADS: u32 = COLS / 4u / SHARE;
const LOADS: u32 = COLS * D4 / THREADS;
const HEADROOM: f32 = 8.0;

// Matrices must start at multiples of 16 bytes, so all sizes are multiples of that.
var<workgroup> keys: array<vec4<f16>, COLS * PITCH>;
var<workgroup> values: array<vec4<f16>, COLS * PITCH>;
var<workgroup> scores: array<vec4<f32>, ROWS * PITCH_S>;
var<workgroup> weights: array<vec4<f16>, ROWS * PITCH_S>;
var<workgroup> factors: array<vec4<f32>, ROWS / 4u>;
var<workgroup> moved: vec4<u32>;  // x: one more than the first key of the last tile that changed a level

// Rescales UNIT rows of results that start at `place`; row r0 of the tile is the first.
fn scale_rows(place: u32, r0: u32, lane: u32) {
  for (var e = lane; e < UNIT * UNIT / 4u; e += LANES) {
    let r = e / (UNIT / 4u);
    scores[place + r * PITCH_S + e % (UNIT / 4u)] *= factors[(r0 + r) / 4u][(r0 + r) % 4u];
  }
}

// Stores them; quad c0 of the result is the first.
fn write_rows(place: u32, r0: u32, c0: u32, row_at: u32, rows: u32, lane: u32) {
  for (var e = lane; e < UNIT * UNIT / 4u; e += LANES) {
    let r = e / (UNIT / 4u);
    let c = e % (UNIT / 4u);
    if (r0 + r < rows) {
      let scaled = scores[place + r * PITCH_S + c] * factors[(r0 + r) / 4u][(r0 + r) % 4u];
      output[(row_at + (r0 + r) * params.output_l) * D4 + c0 + c] = vec4<f16>(scaled);
    }
  }
}

fn masked_quad(s: vec4<f32>, batch: u32, head: u32, i: u32, j: u32) -> vec4<f32> {
  return vec4<f32>(masked_score(s.x, batch, head, i, j), masked_score(s.y, batch, head, i, j + 1u),
                   masked_score(s.z, batch, head, i, j + 2u), masked_score(s.w, batch, head, i, j + 3u));
}

// Quads of the tile that starts at key n0 (clamped to the last key), and their position in workgroup memory.
fn key_quad(start: u32, batch: u32, last_key: u32, n0: u32, slot: u32) -> vec4<f16> {
  return k[k_at(start, batch, min(n0 + slot / D4, last_key)) + slot % D4];
}
fn value_quad(start: u32, batch: u32, last_key: u32, n0: u32, slot: u32) -> vec4<f16> {
  return v[v_at(start, batch, min(n0 + slot / D4, last_key)) + slot % D4];
}
fn tile_at(slot: u32) -> u32 { return slot / D4 * PITCH + slot % D4; }

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let head = group.z * params.wrap + group.y;  // of all batches
  if (head >= params.heads) { return; }
  // With a causal mask the last queries attend to the most keys: they start first.
  let m0 = (params.tiles - 1u - group.x) * ROWS;
  let batch = head / params.hq;
  let h = head % params.hq;
  let queries_from = q_from(batch, h);
  let keys_from = k_from(batch, h / params.group);
  let values_from = v_from(batch, h / params.group);
  let subgroup = local / LANES;
  let lane = local % LANES;
  let strip = subgroup / PARTS * STRIP;
  let side = subgroup % PARTS;
  let place = strip * PITCH_S + side * (COLS / PARTS / 4u);  // staging of the subgroup's results

  let keys_here = keys_of(batch);
  let last_key = max(keys_here, 1u) - 1u;
  let offset = offset_of(batch);
  let first = max(i32(m0) + offset - params.left, 0) / i32(COLS) * i32(COLS);
  let last = min(i32(m0 + ROWS - 1u) + offset + params.right, i32(keys_here) - 1);
  var next_k: array<vec4<f16>, LOADS>;
  var next_v: array<vec4<f16>, LOADS>;
  for (var i = 0u; i < LOADS; i++) {
    next_k[i] = key_quad(keys_from, batch, last_key, u32(first), local + i * THREADS);
    next_v[i] = value_quad(values_from, batch, last_key, u32(first), local + i * THREADS);
  }
/*queries*/
/*results*/
  var top = LOWEST;  // the row's level
  var total = 0.0;   // of this invocation's weights
  let row = local / SHARE;
  let part = local % SHARE;/*sink*/

  for (var i = 0u; i < LOADS; i++) { keys[tile_at(local + i * THREADS)] = next_k[i]; }
  if (local == 0u) { moved.x = 0u; }
  workgroupBarrier();
  for (var i = 0u; i < LOADS; i++) { next_k[i] = key_quad(keys_from, batch, last_key, u32(first) + COLS, local + i * THREADS); }
  {
/*scores*/
  }
  workgroupBarrier();

  for (var at = first; at <= last; at += i32(COLS)) {
    let n0 = u32(at);
    var x: array<vec4<f32>, QUADS>;
    for (var i = 0u; i < QUADS; i++) { x[i] = scores[row * PITCH_S + part + i * SHARE]; }
    for (var i = 0u; i < LOADS; i++) {
      let slot = local + i * THREADS;
      keys[tile_at(slot)] = next_k[i];
      values[tile_at(slot)] = next_v[i];
    }
    if (MASKED || n0 + COLS > keys_here || at + i32(COLS) - 1 > i32(m0) + offset + params.right ||
        at < i32(m0 + ROWS - 1u) + offset - params.left) {
      for (var i = 0u; i < QUADS; i++) {
        x[i] = masked_quad(x[i], batch, h, m0 + row, n0 + 4u * (part + i * SHARE));
      }
    } else {
      for (var i = 0u; i < QUADS; i++) { /*scaled*/ }
    }
    var most = LOWEST;
    for (var i = 0u; i < QUADS; i++) { most = max(most, max(max(x[i].x, x[i].y), max(x[i].z, x[i].w))); }
    for (var step = 1u; step < SHARE; step *= 2u) { most = max(most, subgroupShuffleXor(most, step)); }
    var shrink = 1.0;
    if (most > top + HEADROOM) {
      shrink = power_of_two(top - most);
      total *= shrink;
      top = most;
      moved.x = n0 + 1u;
    }
    if (part == 0u) { factors[row / 4u][row % 4u] = shrink; }
    for (var i = 0u; i < QUADS; i++) {
      let e = select(exp2(x[i] - top), vec4<f32>(), x[i] == vec4<f32>(LOWEST));
      total += (e.x + e.y) + (e.z + e.w);
      weights[row * PITCH_S + part + i * SHARE] = vec4<f16>(e);
    }
    workgroupBarrier();
    // The condition is uniform; a loop, since naga's uniformity analysis rejects an if here.
    for (var again = moved.x == n0 + 1u && at != first; again; again = false) {
/*rescale*/
    }
    for (var i = 0u; i < LOADS; i++) {
      let slot = local + i * THREADS;
      next_k[i] = key_quad(keys_from, batch, last_key, n0 + 2u * COLS, slot);
      next_v[i] = value_quad(values_from, batch, last_key, n0 + COLS, slot);
    }
    {
/*weighted_values*/
/*scores*/
    }
    workgroupBarrier();
  }

  for (var step = 1u; step < SHARE; step *= 2u) { total += subgroupShuffleXor(total, step); }
  let none = total == 0.0;  // every key is masked
  if (part == 0u) {
    factors[row / 4u][row % 4u] = select(1.0 / total, 0.0, none);
    if (m0 + row < params.lq) { logsum[head * params.lq + m0 + row] = select(top + log2(total), LOWEST, none); }
  }
  workgroupBarrier();
  let rows = params.lq - m0;
  let row_at = output_row(batch, h, m0);
/*output*/
}
