// The total of each tile of a row, one workgroup per tile. From the header: save(i, v).

@compute @workgroup_size(workgroup_x)
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let segment = id.y * groups.x + id.x;
  let row = segment / params.tiles;
  let live = segment < params.segments;
  let strip = workgroup_x << 2u;
  let e = select(params.cols, (segment - row * params.tiles) * params.tile + (lane << 2u), live);
  let q = Quad(total(load_quad(row, e)), total(load_quad(row, e + strip)), total(load_quad(row, e + 2u * strip)),
               total(load_quad(row, e + 3u * strip)));
  let half = scan_lanes(total(neighbours(q, lane, lane, workgroup_x)), lane, lane, workgroup_x);
  if (live && lane == workgroup_x - 1u) { save(segment, part[half + lane]); }
}
