// Moves the keys of a tile to their places by one digit: those of smaller digits and of earlier tiles come first
// (`offsets`), then those of earlier lanes, then the lane's own in their order. A workgroup takes a tile.
// The header gives load_places(row, e) and store(row, to, key, place).

var<workgroup> bases: array<u32, 16>;

// Counters become the number of equal digits in the lanes before, past what the digit starts at in the same half.
fn scan_counts(lane: u32) {
  let first = lane << 3u;
  var sum = 0u;
  for (var i = 0u; i < 8u; i++) { sum += counts[first + i]; }
  var half = 0u;
  var run = sum;
  sums[lane] = run;
  workgroupBarrier();
  for (var d = 1u; d < workgroup_x; d = d << 2u) {
    let at = half + lane;
    if (lane >= d) { run += sums[at - d]; }
    if (lane >= 2u * d) { run += sums[at - 2u * d]; }
    if (lane >= 3u * d) { run += sums[at - 3u * d]; }
    half = workgroup_x - half;
    sums[half + lane] = run;
    workgroupBarrier();
  }
  run -= sum;
  for (var i = 0u; i < 8u; i++) {
    let own = counts[first + i];
    counts[first + i] = run;
    run += own;
  }
}

fn move_one(row: u32, key: K, place: i32, live: bool, lane: u32) {
  if (!live) { return; }
  let d = digit(key);
  let shift = (d >> 3u) << 4u;
  let word = (d & 7u) * workgroup_x + lane;
  let count = counts[word];
  counts[word] = count + (1u << shift);
  store(row, bases[d] + ((count >> shift) & 0xffffu), key, place);
}

fn move_four(row: u32, k: Keys, e: u32, lane: u32) {
  let places = load_places(row, e);
  move_one(row, k.a, places.x, e < params.cols, lane);
  move_one(row, k.b, places.y, e + 1u < params.cols, lane);
  move_one(row, k.c, places.z, e + 2u < params.cols, lane);
  move_one(row, k.d, places.w, e + 3u < params.cols, lane);
}

@compute @workgroup_size(workgroup_x)
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let segment = id.y * groups.x + id.x;
  let live = segment < params.rows * params.tiles;
  let row = select(0u, segment / params.tiles, live);
  let tile = select(params.tiles, segment - row * params.tiles, live);
  // Past the last tile e stays beyond the row's end, and nothing is counted or moved.
  let e = (tile * workgroup_x + lane) << 4u;
  let k0 = load_keys(row, e);
  let k1 = load_keys(row, e + 4u);
  let k2 = load_keys(row, e + 8u);
  let k3 = load_keys(row, e + 12u);
  clear_counts(lane);
  count_four(k0, e, lane);
  count_four(k1, e + 4u, lane);
  count_four(k2, e + 8u, lane);
  count_four(k3, e + 12u, lane);
  workgroupBarrier();
  scan_counts(lane);
  workgroupBarrier();
  if (live && lane < 16u) {
    let start = (counts[(lane & 7u) * workgroup_x] >> ((lane >> 3u) << 4u)) & 0xffffu;
    bases[lane] = offsets[(row * 16u + lane) * params.tiles + tile] - start;
  }
  workgroupBarrier();
  move_four(row, k0, e, lane);
  move_four(row, k1, e + 4u, lane);
  move_four(row, k2, e + 8u, lane);
  move_four(row, k3, e + 12u, lane);
}
