// Few rows times the transpose of a quantized matrix: a workgroup makes R outputs for each of up to M rows.
// From the header: M, R, THREADS, load_block, input, output, params.
const LANES: u32 = THREADS / (R * M);  // that add up one output in the end

var<workgroup> sums: array<f32, THREADS * R * M>;

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let n0 = (group.y * params.wrap + group.x) * R;
  if (n0 >= params.n) { return; }
  var acc: array<array<f32, M>, R>;
  for (var u = local; u < params.units; u += THREADS) {
    var x: array<array<vec4<f32>, 4>, M>;
    var total: array<f32, M>;
    for (var m = 0u; m < M; m++) {
      let at = (min(m, params.m - 1u) * params.units + u) * 4u;  // rows that are not there are not written
      for (var i = 0u; i < 4u; i++) { x[m][i] = input[at + i]; }
      let s = (x[m][0] + x[m][1]) + (x[m][2] + x[m][3]);
      total[m] = (s.x + s.y) + (s.z + s.w);
    }
    for (var r = 0u; r < R; r++) {
      let w = load_block(min(n0 + r, params.n - 1u) * params.units + u);
      for (var m = 0u; m < M; m++) {
        let v = fma(w.q[0], x[m][0], w.q[1] * x[m][1]) + fma(w.q[2], x[m][2], w.q[3] * x[m][3]);
        acc[r][m] += w.scale * ((v.x + v.y) + (v.z + v.w)) - w.low * total[m];
      }
    }
  }

  for (var r = 0u; r < R; r++) {
    for (var m = 0u; m < M; m++) { sums[(r * M + m) * THREADS + local] = acc[r][m]; }
  }
  workgroupBarrier();
  let which = local / LANES;
  var s = 0.0;
  for (var i = local % LANES; i < THREADS; i += LANES) { s += sums[which * THREADS + i]; }
  workgroupBarrier();
  sums[local] = s;
  workgroupBarrier();
  if (local % LANES != 0u) { return; }
  s = 0.0;
  for (var i = 0u; i < LANES; i++) { s += sums[local + i]; }
  let n = n0 + which / M;
  let m = which % M;
  if (n < params.n && m < params.m) { output[m * params.n + n] = s; }
}
