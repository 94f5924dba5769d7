// The histogram of digits in a tile of a row, one workgroup per tile. Written by row, then digit, then tile.

@compute @workgroup_size(workgroup_x)
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let segment = id.y * groups.x + id.x;
  let row = segment / params.tiles;
  let tile = segment - row * params.tiles;
  let live = segment < params.rows * params.tiles;
  clear_counts(lane);
  if (live) {
    let e = (tile * workgroup_x + lane) << 3u;
    count_four(load_keys(row, e), e, lane);
    count_four(load_keys(row, e + 4u), e + 4u, lane);
  }
  workgroupBarrier();
  // 32 lanes add up each of the 8 rows of counters, then one lane the sums of the 32.
  let part = (lane >> 5u) * workgroup_x + (lane & 31u);
  var sum = 0u;
  for (var i = 0u; i < workgroup_x; i += 32u) { sum += counts[part + i]; }
  sums[lane] = sum;
  workgroupBarrier();
  if (live && lane < 16u) {
    var word = 0u;
    let first = (lane & 7u) << 5u;
    for (var i = 0u; i < 32u; i++) { word += sums[first + i]; }
    tile_counts[(row * 16u + lane) * params.tiles + tile] = (word >> ((lane >> 3u) << 4u)) & 0xffffu;
  }
}
