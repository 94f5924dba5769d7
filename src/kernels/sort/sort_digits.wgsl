// Shared by the kernels of a radix pass: eight keys per lane, and counters of 4-bit digits private to a lane, two
// digits in a word: digit d of lane l is half d / 8 of word (d % 8) * workgroup_x + l. From the header: K, digit(key)
// and load_keys(row, e).

struct Keys {
  a: K,
  b: K,
  c: K,
  d: K,
}

var<workgroup> counts: array<u32, 8u * workgroup_x>;
var<workgroup> sums: array<u32, 2u * workgroup_x>;

fn clear_counts(lane: u32) {
  for (var d = 0u; d < 8u; d++) { counts[d * workgroup_x + lane] = 0u; }
}

fn count_one(key: K, live: bool, lane: u32) {
  if (!live) { return; }
  let d = digit(key);
  counts[(d & 7u) * workgroup_x + lane] += 1u << ((d >> 3u) << 4u);
}

fn count_four(k: Keys, e: u32, lane: u32) {
  count_one(k.a, e < params.cols, lane);
  count_one(k.b, e + 1u < params.cols, lane);
  count_one(k.c, e + 2u < params.cols, lane);
  count_one(k.d, e + 3u < params.cols, lane);
}
