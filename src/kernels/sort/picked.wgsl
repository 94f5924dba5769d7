// The positions of the elements at which a running count goes up.

@compute @workgroup_size(workgroup_x)
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = (id.y * groups.x + id.x) * workgroup_x + lane;
  if (i >= params.n) { return; }
  var before = 0;
  if (i > 0u) { before = counts[i - 1u]; }
  if (counts[i] != before && u32(before) < params.count) { y[before] = i32(i); }
}
