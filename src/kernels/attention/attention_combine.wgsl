// The second stage of split-KV attention: combines the splits of one query of a head. Scores are in powers of two.
// From the header: D4, LANES (a power of two, at least D4), store_output, params. The marks are replaced by the score
// and the weight of a sink, if any.
const THREADS: u32 = 128u;
const PARTS: u32 = THREADS / LANES;
const LOWEST: f32 = -3.4028234e38;

var<workgroup> tops: array<f32, THREADS>;
var<workgroup> totals: array<f32, THREADS>;
var<workgroup> sums: array<vec4<f32>, THREADS>;

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) local: u32) {
  let row = id.y * groups.x + id.x;
  if (row >= params.rows) { return; }
  let first = row * params.splits;

  var top = LOWEST;/*sink*/
  for (var s = local; s < params.splits; s += THREADS) { top = max(top, stats[first + s].x); }
  tops[local] = top;
  workgroupBarrier();
  for (var t = 0u; t < min(THREADS, params.splits); t++) { top = max(top, tops[t]); }

  let d = local % LANES;
  var total = 0.0;/*sink_weight*/
  var sum = vec4<f32>();
  for (var s = local / LANES; s < params.splits; s += PARTS) {
    let both = stats[first + s];
    let x = both.x - top;
    let share = select(exp2(x), 0.0, x < -150.0);
    total = fma(share, both.y, total);
    if (d < D4) { sum = fma(vec4<f32>(share), parts[(first + s) * D4 + d], sum); }
  }
  totals[local] = total;
  sums[local] = sum;
  workgroupBarrier();
  if (local >= LANES) { return; }
  for (var t = 1u; t < PARTS; t++) {
    total += totals[t * LANES + d];
    sum += sums[t * LANES + d];
  }
  let none = total == 0.0;  // every key is masked
  if (d < D4) { store_output(row * D4 + d, select(sum / total, vec4<f32>(), none)); }
  if (local == 0u) { logsum[row] = select(top + log2(total), LOWEST, none); }
}
