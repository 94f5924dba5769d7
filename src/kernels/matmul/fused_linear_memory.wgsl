// Sums over the workgroup by workgroup memory. From the header: LANES, which first share a sum.
var<workgroup> sums: array<f32, workgroup_x * V>;
var<workgroup> partial: array<f32, LANES * V>;

fn add_up(local: u32) {
  workgroupBarrier();
  for (var i = local; i < LANES * V; i += workgroup_x) {
    var total = 0.0;
    for (var k = i % LANES; k < workgroup_x; k += LANES) { total += sums[i / LANES * workgroup_x + k]; }
    partial[i] = total;
  }
  workgroupBarrier();
  if (local < V) {
    var total = 0.0;
    for (var i = 0u; i < LANES; i++) { total += partial[local * LANES + i]; }
    totals[local] = total;
  }
  workgroupBarrier();
}
