// Scans segments of rows: 2^log_lanes lanes take one, sixteen values each at a time, in four strips of quads.
// The header gives first_carry(segment), exclusive and store_quad(row, e, q).

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
  let segment = (id.y * groups.x + id.x) * (workgroup_x >> params.log_lanes) + (lane >> params.log_lanes);
  let live = segment < params.segments;
  let row = segment / params.tiles;
  let start = select(params.cols, (segment - row * params.tiles) * params.tile, live);
  let strip = lanes << 2u;
  var carry = identity();
  if (live) { carry = first_carry(segment); }
  for (var i = 0u; i < params.loops; i++) {
    let e = start + i * (strip << 2u) + (l << 2u);
    let q0 = load_quad(row, e);
    let q1 = load_quad(row, e + strip);
    let q2 = load_quad(row, e + 2u * strip);
    let q3 = load_quad(row, e + 3u * strip);
    let half = scan_lanes(Quad(total(q0), total(q1), total(q2), total(q3)), lane, l, lanes);
    let last = half + (lane | (lanes - 1u));
    let carry1 = combine(carry, part_a[last]);
    let carry2 = combine(carry1, part_b[last]);
    let carry3 = combine(carry2, part_c[last]);
    var before = Quad(carry, carry1, carry2, carry3);
    if (l > 0u) {
      let at = half + lane - 1u;
      before = Quad(combine(carry, part_a[at]), combine(carry1, part_b[at]), combine(carry2, part_c[at]),
                    combine(carry3, part_d[at]));
    }
    store_quad(row, e, running(before.a, q0));
    store_quad(row, e + strip, running(before.b, q1));
    store_quad(row, e + 2u * strip, running(before.c, q2));
    store_quad(row, e + 3u * strip, running(before.d, q3));
    carry = combine(carry3, part_d[last]);
    workgroupBarrier();
  }
}
