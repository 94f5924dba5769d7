// Shared by the scan kernels: four values in a row, and the scan over the lanes of a segment. From the header: T,
// identity(), combine(a, b) and load_quad(row, e), which gives identities past the row's end.

struct Quad {
  a: T,
  b: T,
  c: T,
  d: T,
}

// The totals of strips in their order, padded so that both access patterns are free of bank conflicts.
var<workgroup> slots: array<T, 4u * workgroup_x + workgroup_x / 8u>;
// Two halves of workgroup_x values each, written in turn.
var<workgroup> part: array<T, 2u * workgroup_x>;

fn slot(i: u32) -> u32 {
  return i + (i >> 5u);
}

fn total(q: Quad) -> T {
  return combine(combine(q.a, q.b), combine(q.c, q.d));
}

// Exchanges totals: each lane of a segment has those of its quads in four strips, and gets four adjacent ones, ordered
// by strip and then by lane.
fn neighbours(own: Quad, lane: u32, l: u32, lanes: u32) -> Quad {
  let base = (lane - l) << 2u;
  slots[slot(base + l)] = own.a;
  slots[slot(base + lanes + l)] = own.b;
  slots[slot(base + 2u * lanes + l)] = own.c;
  slots[slot(base + 3u * lanes + l)] = own.d;
  workgroupBarrier();
  let at = (lane << 2u);
  return Quad(slots[slot(at)], slots[slot(at + 1u)], slots[slot(at + 2u)], slots[slot(at + 3u)]);
}

// Leaves the inclusive scan over the lanes of each segment in the half of `part` that is returned.
fn scan_lanes(own: T, lane: u32, l: u32, lanes: u32) -> u32 {
  var half = 0u;
  var v = own;
  part[lane] = v;
  workgroupBarrier();
  for (var d = 1u; d < lanes; d = d << 2u) {
    let at = half + lane;
    if (l >= d) { v = combine(part[at - d], v); }
    if (l >= 2u * d) { v = combine(part[at - 2u * d], v); }
    if (l >= 3u * d) { v = combine(part[at - 3u * d], v); }
    half = workgroup_x - half;
    part[half + lane] = v;
    workgroupBarrier();
  }
  return half;
}
