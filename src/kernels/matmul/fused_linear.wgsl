// Linear layers of up to M rows of x: a workgroup computes a tile of R outputs for each of these rows.
// From the header: M, R, V (sums of a workgroup), NORM, dots, bias_of, keep and add_up (the sums over the workgroup);
// row_of and finish are the epilogue's.
var<workgroup> totals: array<f32, V>;

// Output r of the tile for row m, which is output n of its weight.
fn value(part: u32, n: u32, r: u32, m: u32) -> f32 {
  var y = totals[r * M + m];
  if (NORM) { y *= 1.0 / sqrt(totals[R * M + m] / f32(params.units * 16u) + params.eps); }
  return fma(y, params.scale, bias_of(part, n));
}

@compute @workgroup_size(workgroup_x)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let id = group.y * params.wrap + group.x;
  if (id >= params.tiles) { return; }
  var part = 0u;
  var tile = id;
  if (params.first1 > 0u && id >= params.first1) {
    part = 1u;
    tile = id - params.first1;
  }
  if (params.first2 > 0u && id >= params.first2) {
    part = 2u;
    tile = id - params.first2;
  }
  var rows: array<u32, R>;
  for (var r = 0u; r < R; r++) { rows[r] = row_of(part, tile, r); }
  let s = dots(part, rows, local);

  keep(s, local);
  add_up(local);
  if (local < FINISHED) { finish(part, tile, local); }
}
