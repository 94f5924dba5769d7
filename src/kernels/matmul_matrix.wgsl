// Tiles of both operands in workgroup memory, from where matrix units take them; codegen writes the steps of main, one
// statement for each matrix, since drivers keep arrays of matrices out of registers.
// From the header: T (of the tiles), Batch, UNIT, TILE_M, TILE_N, DEPTH, LANES, THREADS, A_ALONG_K, B_ALONG_K, ROW_A, ROW_B
// (quads in a row of a tile), PITCH_A, PITCH_B, PITCH_C (quads from one row to the next), WIDE (columns that a subgroup
// writes out together), load_a, load_b, store_c.
const QUADS_A: u32 = TILE_M * DEPTH / 4u;
const QUADS_B: u32 = TILE_N * DEPTH / 4u;

var<workgroup> tile_a: array<vec4<T>, QUADS_A / ROW_A * PITCH_A>;
var<workgroup> tile_b: array<vec4<T>, QUADS_B / ROW_B * PITCH_B>;
var<workgroup> results: array<vec4<f32>, THREADS / LANES * UNIT * PITCH_C>;

// Short rows are taken in an order in which neighbours' stores fall on different banks.
fn turn(row: u32, quads: u32) -> u32 {
  if (quads == 8u) { return ((row & 1u) << 2u) | ((row & 6u) >> 1u) | (row & 0xfffffff8u); }
  if (quads == 4u) { return ((row & 3u) << 1u) | ((row & 4u) >> 2u) | (row & 0xfffffff8u); }
  return row;
}

fn fetch_a(batch: Batch, m0: u32, k0: u32, slot: u32) -> vec4<T> {
  if (QUADS_A % THREADS != 0u && slot >= QUADS_A) { return vec4<T>(); }
  let row = turn(slot / ROW_A, ROW_A);
  let col = 4u * (slot % ROW_A);
  if (A_ALONG_K) { return load_a(batch, m0 + row, k0 + col); }
  return load_a(batch, m0 + col, k0 + row);
}

fn keep_a(slot: u32, v: vec4<T>) {
  if (QUADS_A % THREADS != 0u && slot >= QUADS_A) { return; }
  tile_a[turn(slot / ROW_A, ROW_A) * PITCH_A + slot % ROW_A] = v;
}

fn fetch_b(batch: Batch, n0: u32, k0: u32, slot: u32) -> vec4<T> {
  if (QUADS_B % THREADS != 0u && slot >= QUADS_B) { return vec4<T>(); }
  let row = turn(slot / ROW_B, ROW_B);
  let col = 4u * (slot % ROW_B);
  if (B_ALONG_K) { return load_b(batch, n0 + row, k0 + col); }
  return load_b(batch, n0 + col, k0 + row);
}

fn keep_b(slot: u32, v: vec4<T>) {
  if (QUADS_B % THREADS != 0u && slot >= QUADS_B) { return; }
  tile_b[turn(slot / ROW_B, ROW_B) * PITCH_B + slot % ROW_B] = v;
}

// UNIT rows of results from `mine` on.
fn write_out(z: u32, m: u32, n: u32, mine: u32, lane: u32) {
  for (var q = lane; q < UNIT * WIDE / 4u; q += LANES) {
    let row = q / (WIDE / 4u);
    let col = q % (WIDE / 4u);
    store_c(z, m + row, n + 4u * col, results[mine + row * PITCH_C + col]);
  }
}
