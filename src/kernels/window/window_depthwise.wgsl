// Depthwise convolution: one invocation per output, a sum over the taps.
@compute @workgroup_size(workgroup_x)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) local: u32) {
  let e = (group.y * groups.x + group.x) * workgroup_x + local;
  if (e >= params.count) { return; }
  let row = e / params.out_w;
  let plane = row / params.out_h;
  // Before the input's first element a position wraps to a large one.
  let top = (row - plane * params.out_h) * params.stride_h - params.low_h;
  let left = (e - row * params.out_w) * params.stride_w - params.low_w;
  let first_row = plane / params.outputs * params.in_h;
  var at = plane % params.channels * params.taps_h * params.taps_w;
  var total = 0.0;
  for (var a = 0u; a < params.taps_h; a++) {
    let h = top + a * params.dilation_h;
    for (var b = 0u; b < params.taps_w; b++) {
      let w = left + b * params.dilation_w;
      if (h < params.in_h && w < params.in_w) { total = fma(x[(first_row + h) * params.in_w + w], weights[at], total); }
      at++;
    }
  }
  y[e] = total;
}
