// The backward pass of flash attention on tensor cores: the gradients of a tile of rows, which are queries, or keys with
// their values, by a loop over tiles of columns, which are the others. Scores are recomputed from the logarithms of
// their sums. The marks in the text are replaced by one statement per cooperative matrix.
//
// Each subgroup has UNIT rows of its own, and computes UNIT columns at a time: scores and the gradients of the weights
// are stored in f32, one after the other in the same place, and the weights and the gradients of the scores are loaded
// again in f16. Only the tiles of columns are shared, so subgroups wait for each other once per tile.
//
// In f16, weights are multiplied by 2^WEIGHT_SHIFT, and gradients of scores by a power of two that keeps them in range:
// a subgroup chooses it by the largest ones so far, and rescales its sums when it changes.
//
// From the header: D4 (quads in a row of a head), UNIT, LANES, ROWS, COLS (of a tile), SUBGROUPS, OVER_KEYS, MASKED,
// masked_score, row_s, row_g, col_s, col_g (a quad of the operands of the scores, and of the gradients of the weights),
// row_starts, col_starts (their first quads), row_stats.
const THREADS: u32 = SUBGROUPS * LANES;
const PITCH: u32 = D4 + 2u;           // quads from row to row: matrices are loaded without bank conflicts
const PITCH_S: u32 = UNIT / 4u + 2u;  // the same for scores and weights
const QUADS: u32 = UNIT * UNIT / 4u / LANES;
const LOADS: u32 = COLS * D4 / THREADS;
const WEIGHT_SHIFT: f32 = 10.0;
const WEIGHT_UNIT: f32 = 0.0009765625;
const MOST: f32 = 3.4028234e38;

// Matrices must start at multiples of 16 bytes, so all sizes are multiples of that.
var<workgroup> cols_s: array<vec4<f16>, COLS * PITCH>;
var<workgroup> cols_g: array<vec4<f16>, COLS * PITCH>;
var<workgroup> wide: array<vec4<f32>, ROWS * PITCH_S>;
var<workgroup> halves: array<vec4<f16>, ROWS * PITCH_S>;
var<workgroup> col_logs: array<vec4<f32>, COLS / 4u>;
var<workgroup> col_deltas: array<vec4<f32>, COLS / 4u>;

fn tile_at(slot: u32) -> u32 { return slot / D4 * PITCH + slot % D4; }

// Quad i of a lane in a matrix.
fn quad_row(lane: u32, i: u32) -> u32 { return (lane + i * LANES) / (UNIT / 4u); }
fn quad_column(lane: u32, i: u32) -> u32 { return (lane + i * LANES) % (UNIT / 4u); }

// A logarithm for the shifted weights, and the sum of the weights' gradients.
fn stats_of(row: u32) -> vec2<f32> { return row_stats(row) - vec2<f32>(WEIGHT_SHIFT, 0.0); }

fn masked_pair(s: f32, batch: u32, head: u32, row: u32, col: u32) -> f32 {
  if (OVER_KEYS) { return masked_score(s, batch, head, col, row); }
  return masked_score(s, batch, head, row, col);
}

fn masked_quad(s: vec4<f32>, batch: u32, head: u32, row: u32, col: u32) -> vec4<f32> {
  return vec4<f32>(masked_pair(s.x, batch, head, row, col), masked_pair(s.y, batch, head, row, col + 1u),
                   masked_pair(s.z, batch, head, row, col + 2u), masked_pair(s.w, batch, head, row, col + 3u));
}

// Quads of the operands; zeros past their ends.
fn row_quad_s(start: u32, batch: u32, row: u32, rows: u32, d: u32) -> vec4<f16> {
  return select(vec4<f16>(), row_s(start, batch, min(row, max(rows, 1u) - 1u), d), row < rows);
}
fn row_quad_g(start: u32, batch: u32, row: u32, rows: u32, d: u32) -> vec4<f16> {
  return select(vec4<f16>(), row_g(start, batch, min(row, max(rows, 1u) - 1u), d), row < rows);
}
fn col_quad_s(start: u32, batch: u32, col: u32, cols: u32, d: u32) -> vec4<f16> {
  return select(vec4<f16>(), col_s(start, batch, min(col, cols - 1u), d), col < cols);
}
fn col_quad_g(start: u32, batch: u32, col: u32, cols: u32, d: u32) -> vec4<f16> {
  return select(vec4<f16>(), col_g(start, batch, min(col, cols - 1u), d), col < cols);
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let index = group.z * params.wrap + group.y;  // the head of the rows, of all batches
  if (index >= params.heads) { return; }
  // With a causal mask the last queries and the first keys have the most columns: they start first.
  let m0 = select(params.tiles - 1u - group.x, group.x, OVER_KEYS) * ROWS;
  let heads = select(params.hq, params.hkv, OVER_KEYS);
  let batch = index / heads;
  let lane = local % LANES;
  let row0 = m0 + local / LANES * UNIT;
  let place = local / LANES * UNIT * PITCH_S;

  let offset = offset_of(batch);
  let rows = select(params.lq, keys_of(batch), OVER_KEYS);
  let cols = select(keys_of(batch), params.lq, OVER_KEYS);
  // Query i attends to key j if i + offset - left <= j <= i + offset + right.
  let before = select(offset - params.left, -offset - params.right, OVER_KEYS);
  let after = select(offset + params.right, params.left - offset, OVER_KEYS);
  let first = max(i32(m0) + before, 0);
  let last = min(i32(m0 + ROWS - 1u) + after, i32(cols) - 1);
  let start = u32(first) / COLS * COLS;
  let steps = select((u32(max(last, first)) - start) / COLS + 1u, 0u, last < first);
  let total = steps * select(1u, params.group, OVER_KEYS);

  // The next tile of columns, and the query head that it is for.
  var next_head = select(index % heads, index % heads * params.group, OVER_KEYS);
  var next_col = start;
  var next_s: array<vec4<f16>, LOADS>;
  var next_g: array<vec4<f16>, LOADS>;
  var next_stats = vec2<f32>();
  if (total != 0u) {
    let starts = col_starts(batch, next_head);
    for (var i = 0u; i < LOADS; i++) {
      let slot = local + i * THREADS;
      next_s[i] = col_quad_s(starts.x, batch, start + slot / D4, cols, slot % D4);
      next_g[i] = col_quad_g(starts.y, batch, start + slot / D4, cols, slot % D4);
    }
    if (OVER_KEYS && local < COLS) {
      next_stats = stats_of((batch * params.hq + next_head) * params.lq + min(start + local, params.lq - 1u));
    }
  }
  let own = row_starts(batch, index % heads);
/*rows*/
/*results*/
  var own_stats: array<vec2<f32>, QUADS>;
  if (!OVER_KEYS) {
    for (var i = 0u; i < QUADS; i++) {
      own_stats[i] = stats_of(index * params.lq + min(row0 + quad_row(lane, i), params.lq - 1u));
    }
  }
  var level = 227u;                      // the exponent of the power of two, biased
  var limit = bitcast<f32>(42u << 23u);  // 2^15 divided by it

  for (var t = 1u; t <= total; t++) {
    workgroupBarrier();
    for (var i = 0u; i < LOADS; i++) {
      let slot = local + i * THREADS;
      cols_s[tile_at(slot)] = next_s[i];
      cols_g[tile_at(slot)] = next_g[i];
    }
    if (OVER_KEYS && local < COLS) {
      col_logs[local / 4u][local % 4u] = next_stats.x;
      col_deltas[local / 4u][local % 4u] = next_stats.y;
    }
    workgroupBarrier();
    let head = next_head;
    let n0 = next_col;
    next_col += COLS;
    if (next_col > u32(last)) {
      next_col = start;
      next_head += select(0u, 1u, OVER_KEYS && t != total);
    }
    {
      let starts = col_starts(batch, next_head);
      for (var i = 0u; i < LOADS; i++) {
        let slot = local + i * THREADS;
        next_s[i] = col_quad_s(starts.x, batch, next_col + slot / D4, cols, slot % D4);
        next_g[i] = col_quad_g(starts.y, batch, next_col + slot / D4, cols, slot % D4);
      }
      if (OVER_KEYS && local < COLS) {
        next_stats = stats_of((batch * params.hq + next_head) * params.lq + min(next_col + local, params.lq - 1u));
      }
    }
    for (var c0 = 0u; c0 < COLS; c0 += UNIT) {
/*matmuls*/
      coopStoreT(product_s, &wide[place], PITCH_S);
      subgroupBarrier();
      let col0 = n0 + c0;
      let edge = MASKED || row0 + UNIT > rows || col0 + UNIT > cols || i32(col0 + UNIT - 1u) > i32(row0) + after ||
                 i32(col0) < i32(row0 + UNIT - 1u) + before;
      var x: array<vec4<f32>, QUADS>;  // scores, then weights, then the gradients of scores
      for (var i = 0u; i < QUADS; i++) {
        let r = quad_row(lane, i);
        let c = quad_column(lane, i);
        x[i] = wide[place + r * PITCH_S + c];
        var logs = vec4<f32>(own_stats[i].x);
        if (OVER_KEYS) { logs = col_logs[c0 / 4u + c]; }
        if (edge) {
          let score = masked_quad(x[i], batch, head, row0 + r, col0 + 4u * c);
          let e = score - logs;
          x[i] = select(exp2(e), vec4<f32>(), (e < vec4<f32>(-150.0)) | (score == vec4<f32>(LOWEST)));
        } else {
          x[i] = exp2(fma(x[i], vec4<f32>(params.scale), -logs));
        }
      }
      subgroupBarrier();
      coopStoreT(product_g, &wide[place], PITCH_S);
      if (OVER_KEYS) {
        for (var i = 0u; i < QUADS; i++) {
          halves[place + quad_row(lane, i) * PITCH_S + quad_column(lane, i)] = vec4<f16>(x[i]);
        }
      }
      subgroupBarrier();
/*values*/
      var most = 0.0;
      for (var i = 0u; i < QUADS; i++) {
        let r = quad_row(lane, i);
        let c = quad_column(lane, i);
        var deltas = vec4<f32>(own_stats[i].y);
        if (OVER_KEYS) { deltas = col_deltas[c0 / 4u + c]; }
        let g = x[i] * (wide[place + r * PITCH_S + c] - deltas);
        // What is masked stays zero beside infinities.
        x[i] = select(g, vec4<f32>(), vec4<bool>(edge) & (x[i] == vec4<f32>()));
        let size = abs(x[i]);
        most = max(most, max(max(size.x, size.y), max(size.z, size.w)));
      }
      // The condition is uniform; a loop, since naga's uniformity analysis rejects an if here.
      for (var again = subgroupAny(most > limit); again; again = false) {
        var top = 0.0;
        for (var i = 0u; i < QUADS; i++) {
          let size = select(vec4<f32>(), abs(x[i]), abs(x[i]) <= vec4<f32>(MOST));
          top = max(top, max(max(size.x, size.y), max(size.z, size.w)));
        }
        top = subgroupMax(top);
        let old = level;
        if (top > limit) {
          level = min(266u - (bitcast<u32>(top) >> 23u), 227u);  // the largest becomes 2^12 to 2^13
          limit = bitcast<f32>(min(269u - level, 254u) << 23u);
        }
        let by = bitcast<f32>(u32(max(127 + i32(level) - i32(old), 0)) << 23u);
/*rescale*/
      }
      let power = bitcast<f32>(level << 23u);
      for (var i = 0u; i < QUADS; i++) {
        halves[place + quad_row(lane, i) * PITCH_S + quad_column(lane, i)] = vec4<f16>(x[i] * power);
      }
      subgroupBarrier();
/*keys*/
    }
  }

  let inverse = bitcast<f32>((254u - level) << 23u);
  let rows_out = select(params.lq, params.lk, OVER_KEYS);
  let out = output_row(batch, index % heads, row0) * D4;
/*output*/
}
