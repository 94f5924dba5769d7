// Scans segments of rows: 2^log_lanes lanes process a segment, sixteen values each at a time, in four strips of quads.
// From the header: first_carry(segment), exclusive, backward and store_quad(row, e, q).

fn running(before: T, q: Quad) -> Quad {
  let a = combine(before, q.a);
  let b = combine(a, q.b);
  let c = combine(b, q.c);
  if (exclusive) { return Quad(before, a, b, c); }
  return Quad(a, b, c, combine(c, q.d));
}

@compute @workgroup_size(workgroup_x)
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let lanes = 1u << params.log_lanes;
  let l = lane & (lanes - 1u);
  let number = (id.y * groups.x + id.x) * (workgroup_x >> params.log_lanes) + (lane >> params.log_lanes);
  let live = number < params.segments;
  // The totals were computed from front to back, so the end is still in the cache.
  let segment = select(number, params.segments - 1u - number, backward);
  let row = segment / params.tiles;
  let start = select(params.cols, (segment - row * params.tiles) * params.tile, live);
  let strip = lanes << 2u;
  let base = (lane - l) << 2u;
  var carry = identity();
  if (live) { carry = first_carry(segment); }
  for (var i = 0u; i < params.loops; i++) {
    let e = start + i * (strip << 2u) + (l << 2u);
    let q0 = load_quad(row, e);
    let q1 = load_quad(row, e + strip);
    let q2 = load_quad(row, e + 2u * strip);
    let q3 = load_quad(row, e + 3u * strip);
    let near = neighbours(Quad(total(q0), total(q1), total(q2), total(q3)), lane, l, lanes);
    let half = scan_lanes(total(near), lane, l, lanes);
    var before = carry;
    if (l > 0u) { before = combine(carry, part[half + lane - 1u]); }
    carry = combine(carry, part[half + (lane | (lanes - 1u))]);
    let at = lane << 2u;
    slots[slot(at)] = before;
    before = combine(before, near.a);
    slots[slot(at + 1u)] = before;
    before = combine(before, near.b);
    slots[slot(at + 2u)] = before;
    slots[slot(at + 3u)] = combine(before, near.c);
    workgroupBarrier();
    store_quad(row, e, running(slots[slot(base + l)], q0));
    store_quad(row, e + strip, running(slots[slot(base + lanes + l)], q1));
    store_quad(row, e + 2u * strip, running(slots[slot(base + 2u * lanes + l)], q2));
    store_quad(row, e + 3u * strip, running(slots[slot(base + 3u * lanes + l)], q3));
    workgroupBarrier();
  }
}
