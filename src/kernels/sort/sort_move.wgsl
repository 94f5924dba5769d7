// Moves the keys of a tile to their positions by one digit: those of smaller digits and of earlier tiles come first
// (`offsets`), then those of earlier lanes, then the lane's own in their order. One workgroup per tile, which first
// sorts it in workgroup memory, so that stores are coalesced. From the header: load_places(row, e), exchange_keys(..)
// and store(i, key, place).

struct BothKeys {
  first: Keys,
  second: Keys,
}
struct BothWords {
  first: vec4<u32>,
  second: vec4<u32>,
}

var<workgroup> bases: array<u32, 16>;

// Converts counters to exclusive prefix sums of their half; returns the total of the lower half.
fn scan_counts(lane: u32) -> u32 {
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
  return sums[half + workgroup_x - 1u] & 0xffffu;
}

const nowhere = 0xffffffffu;

// The position of a key in the sorted tile.
fn place_one(key: K, live: bool, lane: u32, lower: u32) -> u32 {
  if (!live) { return nowhere; }
  let d = digit(key);
  let shift = (d >> 3u) << 4u;
  let word = (d & 7u) * workgroup_x + lane;
  let count = counts[word];
  counts[word] = count + (1u << shift);
  return ((count >> shift) & 0xffffu) + select(0u, lower, d >= 8u);
}

fn place_four(k: Keys, e: u32, lane: u32, lower: u32) -> vec4<u32> {
  let a = place_one(k.a, e < params.cols, lane, lower);
  let b = place_one(k.b, e + 1u < params.cols, lane, lower);
  let c = place_one(k.c, e + 2u < params.cols, lane, lower);
  let d = place_one(k.d, e + 3u < params.cols, lane, lower);
  return vec4<u32>(a, b, c, d);
}

fn put_four(to: vec4<u32>, words: vec4<u32>) {
  if (to.x != nowhere) { counts[to.x] = words.x; }
  if (to.y != nowhere) { counts[to.y] = words.y; }
  if (to.z != nowhere) { counts[to.z] = words.z; }
  if (to.w != nowhere) { counts[to.w] = words.w; }
}

fn get_four(at: u32) -> vec4<u32> {
  return vec4<u32>(counts[at], counts[at + workgroup_x], counts[at + 2u * workgroup_x], counts[at + 3u * workgroup_x]);
}

// Words in the order of the sorted tile: the lane gets those at lane, lane + workgroup_x and so on. Reuses the
// counters' memory.
fn exchange(to: BothWords, words: BothWords, lane: u32) -> BothWords {
  put_four(to.first, words.first);
  put_four(to.second, words.second);
  workgroupBarrier();
  let result = BothWords(get_four(lane), get_four(lane + 4u * workgroup_x));
  workgroupBarrier();
  return result;
}

fn store_one(row_start: u32, q: u32, end: u32, key: K, place: u32) {
  if (q < end) { store(row_start + bases[digit(key)] + q, key, bitcast<i32>(place)); }
}

fn store_four(row_start: u32, q: u32, end: u32, k: Keys, places: vec4<u32>) {
  store_one(row_start, q, end, k.a, places.x);
  store_one(row_start, q + workgroup_x, end, k.b, places.y);
  store_one(row_start, q + 2u * workgroup_x, end, k.c, places.z);
  store_one(row_start, q + 3u * workgroup_x, end, k.d, places.w);
}

@compute @workgroup_size(workgroup_x)
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let segment = id.y * groups.x + id.x;
  let live = segment < params.rows * params.tiles;
  let row = select(0u, segment / params.tiles, live);
  // Past the last tile e stays past the row's end, and nothing is counted or moved.
  let tile = select(params.tiles, segment - row * params.tiles, live);
  let e = (tile * workgroup_x + lane) << 3u;
  let own = BothKeys(load_keys(row, e), load_keys(row, e + 4u));
  let own_places = BothWords(bitcast<vec4<u32>>(load_places(row, e)), bitcast<vec4<u32>>(load_places(row, e + 4u)));
  clear_counts(lane);
  count_four(own.first, e, lane);
  count_four(own.second, e + 4u, lane);
  workgroupBarrier();
  let lower = scan_counts(lane);
  workgroupBarrier();
  if (live && lane < 16u) {
    let start = ((counts[(lane & 7u) * workgroup_x] >> ((lane >> 3u) << 4u)) & 0xffffu) + select(0u, lower, lane >= 8u);
    bases[lane] = offsets[(row * 16u + lane) * params.tiles + tile] - start;
  }
  workgroupBarrier();
  let first = place_four(own.first, e, lane, lower);
  let to = BothWords(first, place_four(own.second, e + 4u, lane, lower));
  workgroupBarrier();
  let keys = exchange_keys(to, own, lane);
  let places = exchange(to, own_places, lane);
  let done = (tile * workgroup_x) << 3u;
  let end = select(0u, params.cols - done, done < params.cols);
  store_four(row * params.cols, lane, end, keys.first, places.first);
  store_four(row * params.cols, lane + 4u * workgroup_x, end, keys.second, places.second);
}
