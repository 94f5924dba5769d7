// One invocation per window: its maximum and the tap of it; the first of equal ones, and NaN before all.
fn not_a_number(v: f32) -> bool { return (bitcast<u32>(v) & 0x7fffffffu) > 0x7f800000u; }

@compute @workgroup_size(workgroup_x)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) local: u32) {
  let e = (group.y * groups.x + group.x) * workgroup_x + local;
  if (e >= params.count) { return; }
  let row = e / params.out_w;
  let plane = row / params.out_h;
  let top = (row - plane * params.out_h) * params.stride_h - params.low_h;
  let left = (e - row * params.out_w) * params.stride_w - params.low_w;
  let first_row = plane * params.in_h;
  var best = bitcast<f32>(params.lowest);
  var chosen = 0u;
  var any = false;
  var is_nan = false;
  for (var a = 0u; a < params.taps_h; a++) {
    let h = top + a * params.dilation_h;
    for (var b = 0u; b < params.taps_w; b++) {
      let w = left + b * params.dilation_w;
      if (h < params.in_h && w < params.in_w) {
        let v = x[(first_row + h) * params.in_w + w];
        let nan = not_a_number(v);
        if (!any || (!is_nan && (nan || v > best))) {
          best = v;
          is_nan = nan;
          chosen = a * params.taps_w + b;
        }
        any = true;
      }
    }
  }
  store_best(e, best, chosen);
}
