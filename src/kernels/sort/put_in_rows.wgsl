// y[r, at[r, c]] = x[r, c]

@compute @workgroup_size(workgroup_x)
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = (id.y * groups.x + id.x) * workgroup_x + lane;
  if (i >= params.count) { return; }
  y[(i / params.cols) * params.cols + u32(at[i])] = x[i];
}
