// Skinny matmul with the transpose of a quantized matrix: a workgroup computes R outputs for each of up to M rows.
// From the header: M, R, U (units at once), MINIMA (whether the dtype has any), load_raw, block_of, load_input.
const LANES: u32 = workgroup_x / (R * M);  // that add up one output at the end

var<workgroup> sums: array<f32, workgroup_x * R * M>;

@compute @workgroup_size(workgroup_x)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let n0 = (group.y * params.wrap + group.x) * R;
  if (n0 >= params.n) { return; }
  var acc: array<array<f32, M>, R>;
  let last = params.units - 1u;
  for (var first = local; first < params.units; first += U * workgroup_x) {
    // All words are loaded first, to hide their latency.
    var raw: array<array<Raw, U>, R>;
    for (var r = 0u; r < R; r++) {
      let row = min(n0 + r, params.n - 1u) * params.units;
      for (var k = 0u; k < U; k++) { raw[r][k] = load_raw(row + min(first + k * workgroup_x, last)); }
    }
    for (var k = 0u; k < U; k++) {
      let u = first + k * workgroup_x;
      var x: array<array<vec4<f32>, 4>, M>;
      var total: array<f32, M>;
      for (var m = 0u; m < M; m++) {
        // Rows past the end are not stored.
        let at = params.input_offset + min(m, params.m - 1u) * params.input_strides.x + min(u, last) * 4u;
        for (var i = 0u; i < 4u; i++) { x[m][i] = load_input(at + i); }
        if (MINIMA) {
          let s = (x[m][0] + x[m][1]) + (x[m][2] + x[m][3]);
          total[m] = (s.x + s.y) + (s.z + s.w);
        }
      }
      for (var r = 0u; r < R; r++) {
        let at = min(n0 + r, params.n - 1u) * params.units + min(u, last);
        let w = block_of(raw[r][k], at);
        for (var m = 0u; m < M; m++) {
          let v = fma(w.q[0], x[m][0], w.q[1] * x[m][1]) + fma(w.q[2], x[m][2], w.q[3] * x[m][3]);
          var sum = w.scale * ((v.x + v.y) + (v.z + v.w));
          if (MINIMA) { sum -= w.low * total[m]; }
          if (u <= last) { acc[r][m] += sum; }
        }
      }
    }
  }

  for (var r = 0u; r < R; r++) {
    for (var m = 0u; m < M; m++) { sums[(r * M + m) * workgroup_x + local] = acc[r][m]; }
  }
  workgroupBarrier();
  let which = local / LANES;
  var s = 0.0;
  for (var i = local % LANES; i < workgroup_x; i += LANES) { s += sums[which * workgroup_x + i]; }
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
