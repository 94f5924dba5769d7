// Sums over the workgroup by subgroups of one size. From the header: SUBGROUP.
const PARTS: u32 = workgroup_x / SUBGROUP;
var<workgroup> partial: array<f32, PARTS * V>;

fn add_up(local: u32) {
  workgroupBarrier();
  if (local < V) {
    var total = 0.0;
    for (var i = 0u; i < PARTS; i++) { total += partial[local * PARTS + i]; }
    totals[local] = total;
  }
  workgroupBarrier();
}
