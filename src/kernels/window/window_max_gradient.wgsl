// One invocation per element: the sum of the gradients of the windows that chose it.
@compute @workgroup_size(workgroup_x)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) local: u32) {
  let e = (group.y * groups.x + group.x) * workgroup_x + local;
  if (e >= params.count) { return; }
  let row = e / params.in_w;
  let plane = row / params.in_h;
  let bottom = row - plane * params.in_h + params.low_h;
  let right = e - row * params.in_w + params.low_w;
  let first_row = plane * params.out_h;
  var total = 0.0;
  for (var a = 0u; a < params.taps_h; a++) {
    let h = bottom - a * params.dilation_h;
    let i = h / params.stride_h;
    if (h > bottom || i * params.stride_h != h || i >= params.out_h) { continue; }
    for (var b = 0u; b < params.taps_w; b++) {
      let w = right - b * params.dilation_w;
      let j = w / params.stride_w;
      if (w > right || j * params.stride_w != w || j >= params.out_w) { continue; }
      let at = (first_row + i) * params.out_w + j;
      if (taps[at] == i32(a * params.taps_w + b)) { total += gradient[at]; }
    }
  }
  y[e] = total;
}
