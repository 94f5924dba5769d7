// What the kernels of a scan share: four values in a row, and the scan over the lanes of a segment.
// The header gives T, identity(), combine(a, b) and load_quad(row, e), which gives identities past the row's end.

struct Quad {
  a: T,
  b: T,
  c: T,
  d: T,
}

// Two halves of workgroup_x values each, written in turn.
var<workgroup> part_a: array<T, 2u * workgroup_x>;
var<workgroup> part_b: array<T, 2u * workgroup_x>;
var<workgroup> part_c: array<T, 2u * workgroup_x>;
var<workgroup> part_d: array<T, 2u * workgroup_x>;

fn total(q: Quad) -> T {
  return combine(combine(q.a, q.b), combine(q.c, q.d));
}

fn combine_from(at: u32, q: Quad) -> Quad {
  return Quad(combine(part_a[at], q.a), combine(part_b[at], q.b), combine(part_c[at], q.c), combine(part_d[at], q.d));
}

// Leaves the inclusive scans of the four values over the lanes of each segment in the half that is returned.
fn scan_lanes(own: Quad, lane: u32, l: u32, lanes: u32) -> u32 {
  var half = 0u;
  var q = own;
  part_a[lane] = q.a;
  part_b[lane] = q.b;
  part_c[lane] = q.c;
  part_d[lane] = q.d;
  workgroupBarrier();
  for (var d = 1u; d < lanes; d = d << 2u) {
    let at = half + lane;
    if (l >= d) { q = combine_from(at - d, q); }
    if (l >= 2u * d) { q = combine_from(at - 2u * d, q); }
    if (l >= 3u * d) { q = combine_from(at - 3u * d, q); }
    half = workgroup_x - half;
    part_a[half + lane] = q.a;
    part_b[half + lane] = q.b;
    part_c[half + lane] = q.c;
    part_d[half + lane] = q.d;
    workgroupBarrier();
  }
  return half;
}
