// Tiles of both operands in workgroup memory, k-major, and rm x rn quads of results in each invocation's registers.
// From the header: T (of tiles and sums), L (of loads), Result, Batch, TY, TX, RM, RN, DEPTH, A_ALONG_K, B_ALONG_K, PITCH_A,
// PITCH_B (quads from one k to the next), locate, size_k, mad, load_a, load_b, store_c, origin (of a workgroup: its column,
// row and matrix). The main function is written by
// codegen/matmul/write_tiled.cpp.
const TILE_M: u32 = TY * RM * 4u;
const TILE_N: u32 = TX * RN * 4u;
const QUADS_A: u32 = TILE_M * DEPTH / 4u;
const QUADS_B: u32 = TILE_N * DEPTH / 4u;
const LOADS_A: u32 = (QUADS_A + TY * TX - 1u) / (TY * TX);
const LOADS_B: u32 = (QUADS_B + TY * TX - 1u) / (TY * TX);
const ROW_A: u32 = TILE_M / 4u;
const ROW_B: u32 = TILE_N / 4u;

var<workgroup> tile_a: array<vec4<T>, DEPTH * PITCH_A>;
var<workgroup> tile_b: array<vec4<T>, DEPTH * PITCH_B>;

// Quad `slot` of a tile: its source and its destination.
fn fetch_a(batch: Batch, m0: u32, k0: u32, slot: u32) -> vec4<L> {
  if (QUADS_A < TY * TX && slot >= QUADS_A) { return vec4<L>(); }
  if (A_ALONG_K) { return load_a(batch, m0 + slot / (DEPTH / 4u), k0 + 4u * (slot % (DEPTH / 4u))); }
  return load_a(batch, m0 + 4u * (slot % ROW_A), k0 + slot / ROW_A);
}

fn keep_a(slot: u32, loaded: vec4<L>) {
  if (QUADS_A < TY * TX && slot >= QUADS_A) { return; }
  let v = vec4<T>(loaded);
  if (A_ALONG_K) {
    let m = slot / (DEPTH / 4u);
    let k = 4u * (slot % (DEPTH / 4u));
    for (var j = 0u; j < 4u; j++) { tile_a[(k + j) * PITCH_A + m / 4u][m % 4u] = v[j]; }
  } else { tile_a[slot / ROW_A * PITCH_A + slot % ROW_A] = v; }
}

fn fetch_b(batch: Batch, n0: u32, k0: u32, slot: u32) -> vec4<L> {
  if (QUADS_B < TY * TX && slot >= QUADS_B) { return vec4<L>(); }
  if (B_ALONG_K) { return load_b(batch, n0 + slot / (DEPTH / 4u), k0 + 4u * (slot % (DEPTH / 4u))); }
  return load_b(batch, n0 + 4u * (slot % ROW_B), k0 + slot / ROW_B);
}

fn keep_b(slot: u32, loaded: vec4<L>) {
  if (QUADS_B < TY * TX && slot >= QUADS_B) { return; }
  let v = vec4<T>(loaded);
  if (B_ALONG_K) {
    let n = slot / (DEPTH / 4u);
    let k = 4u * (slot % (DEPTH / 4u));
    for (var j = 0u; j < 4u; j++) { tile_b[(k + j) * PITCH_B + n / 4u][n % 4u] = v[j]; }
  } else { tile_b[slot / ROW_B * PITCH_B + slot % ROW_B] = v; }
}
