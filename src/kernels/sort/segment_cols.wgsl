// The same as segment_lanes for many columns: one lane per column, and the entries of a chunk one after the other.

@compute @workgroup_size(workgroup_x)
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let blocks = (params.cols + workgroup_x - 1u) / workgroup_x;
  let group = id.y * groups.x + id.x;
  let chunk = group / blocks;
  let c = (group - chunk * blocks) * workgroup_x + lane;
  let first = chunk << params.log_chunk;
  if (c >= params.cols || first >= params.entries) { return; }
  let end = min(first + (1u << params.log_chunk), params.entries);
  var key = keys[(first + 1u) * params.key_step - 1u];
  var v = values[values_at(value_row(first), c)];
  for (var i = first; i < end; i++) {
    var next_key = 0xffffffffu;
    var next = zero();
    if (i + 1u < end) {
      next_key = keys[(i + 2u) * params.key_step - 1u];
      next = values[values_at(value_row(i + 1u), c)];
    }
    if (next_key == key) {
      v = combine(v, next);
    } else {
      y[i * params.cols + c] = v;
      v = next;
      key = next_key;
    }
  }
}
