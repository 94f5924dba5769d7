// Segmented scan of equal keys inside chunks of workgroup_x sorted entries, one lane per entry: the running total since
// the chunk's start is written at the end of each run and of each chunk. For few columns, one after the other. From the
// header: E, zero(), combine(a, b), value_row(i), the row of entry i's values, and values_at(row, col).

var<workgroup> part: array<E, 2u * workgroup_x>;
var<workgroup> run_keys: array<u32, workgroup_x>;

@compute @workgroup_size(workgroup_x)
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = (id.y * groups.x + id.x) * workgroup_x + lane;
  let live = i < params.entries;
  var key = 0xffffffffu;
  var row = 0u;
  if (live) {
    key = keys[(i + 1u) * params.key_step - 1u];
    row = value_row(i);
  }
  run_keys[lane] = key;
  workgroupBarrier();
  let ends = live && (lane == workgroup_x - 1u || run_keys[min(lane + 1u, workgroup_x - 1u)] != key);
  for (var c = 0u; c < params.cols; c++) {
    var v = zero();
    if (live) { v = values[values_at(row, c)]; }
    var half = 0u;
    part[lane] = v;
    workgroupBarrier();
    for (var d = 1u; d < workgroup_x; d = d << 2u) {
      for (var s = d; s < d << 2u; s += d) {
        if (lane >= s && run_keys[lane - s] == key) { v = combine(part[half + lane - s], v); }
      }
      half = workgroup_x - half;
      part[half + lane] = v;
      workgroupBarrier();
    }
    if (ends) { y[i * params.cols + c] = v; }
    workgroupBarrier();
  }
}
