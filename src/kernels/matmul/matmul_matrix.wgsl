// Tiles of both operands in workgroup memory, from which tensor cores load them, and staging of the results for the
// epilogue. Codegen writes main, one statement per matrix: drivers do not keep arrays of matrices in registers.
// From the header: T (of the tiles), Part (of the sums), UNIT, DEPTH, LANES, THREADS, SLICES, ROWS_A, ROWS_B, PITCH_A, PITCH_B (rows of a tile, and
// quads from one to the next), WIDE, PITCH_C (the same of the columns that a subgroup writes together), store_c.
var<workgroup> tile_a: array<vec4<T>, ROWS_A * PITCH_A>;
var<workgroup> tile_b: array<vec4<T>, ROWS_B * PITCH_B>;
var<workgroup> results: array<vec4<Part>, THREADS / LANES * UNIT * PITCH_C>;

// Stores UNIT rows of results, from `mine` on; those of the other slices follow them.
fn write_out(z: u32, m: u32, n: u32, mine: u32, lane: u32) {
  for (var q = lane; q < UNIT * WIDE / 4u; q += LANES) {
    let row = q / (WIDE / 4u);
    let col = q % (WIDE / 4u);
    var sum = vec4<Result>(results[mine + row * PITCH_C + col]);
    for (var s = 1u; s < SLICES; s++) { sum += vec4<Result>(results[mine + (s * UNIT + row) * PITCH_C + col]); }
    store_c(z, m + row, n + 4u * col, sum);
  }
}
