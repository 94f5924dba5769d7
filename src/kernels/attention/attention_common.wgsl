// Tiles of scores, and matmuls of tiles with rows, for all attention kernels.
// From the header: D4 (quads in a row of a head), RM (quads of a tile's rows that an invocation has), RN (quads of a
// result row that it has), TX, TY (the workgroup), VROWS (rows that the chunk holds), fetch_row, fetch_col,
// fetch_term (quads of a row of the operands, by pass), params.
const ROWS: u32 = TY * RM * 4u;  // of a tile
const COLS: u32 = TX * 4u;
const DEPTH: u32 = 16u;  // elements of a head's row in one step
const PITCH_R: u32 = ROWS / 4u + 1u;
const PITCH_C: u32 = COLS / 4u + 1u;
const THREADS: u32 = TX * TY;
const STEP: u32 = DEPTH / 4u;
const LOADS_R: u32 = ROWS * STEP / THREADS;
const LOADS_C: u32 = COLS * STEP / THREADS;
const LOADS_V: u32 = (VROWS * D4 + THREADS - 1u) / THREADS;

alias Tile = array<vec4<f32>, RM * 4u>;                 // rows of four columns
alias Rows = array<array<vec4<f32>, RN>, RM * 4u>;      // rows of results

var<workgroup> chunk: array<vec4<f32>, DEPTH * (PITCH_R + PITCH_C)>;
var<workgroup> weights: array<vec4<f32>, COLS * PITCH_R>;  // by column, four rows in each quad

struct Place {
  x: u32,
  y: u32,
  local: u32,
  m0: u32,    // the tile's first row
  rows: u32,  // that there are
  row_from: vec2<u32>,  // the first quad of this head, of each operand
  batch: u32,
  cols: u32,
  col_from: vec2<u32>,
}

// Quad `slot` of a step through the rows of each operand; nothing is read past their ends.
fn row_quad(part: u32, p: Place, d0: u32, slot: u32) -> vec4<f32> {
  let m = p.m0 + slot / STEP;
  let d = d0 + slot % STEP;
  if (m >= p.rows || d >= D4) { return vec4<f32>(); }
  return fetch_row(part, p.row_from, p.batch, m, d);
}

fn col_quad(part: u32, p: Place, n0: u32, d0: u32, slot: u32) -> vec4<f32> {
  let n = n0 + slot / STEP;
  let d = d0 + slot % STEP;
  if (n >= p.cols || d >= D4) { return vec4<f32>(); }
  return fetch_col(part, p.col_from, p.batch, n, d);
}

fn term_quad(part: u32, p: Place, n0: u32, slot: u32) -> vec4<f32> {
  let n = n0 + slot / D4;
  if (n >= p.cols || slot >= VROWS * D4) { return vec4<f32>(); }
  return fetch_term(part, p.col_from, p.batch, n, slot % D4);
}

// The scores of a tile (rows times columns): both operands are staged in workgroup memory, transposed, a few elements
// deep at a time. The next step's loads are in flight while one is multiplied.
fn tile_of(part: u32, p: Place, n0: u32) -> Tile {
  var s: Tile;
  var next_r: array<vec4<f32>, LOADS_R>;
  var next_c: array<vec4<f32>, LOADS_C>;
  for (var i = 0u; i < LOADS_R; i++) { next_r[i] = row_quad(part, p, 0u, p.local + i * THREADS); }
  for (var i = 0u; i < LOADS_C; i++) { next_c[i] = col_quad(part, p, n0, 0u, p.local + i * THREADS); }
  for (var d0 = 0u; d0 < D4; d0 += STEP) {
    workgroupBarrier();
    for (var i = 0u; i < LOADS_R; i++) {
      let m = (p.local + i * THREADS) / STEP;
      let d = 4u * ((p.local + i * THREADS) % STEP);
      for (var j = 0u; j < 4u; j++) { chunk[(d + j) * PITCH_R + m / 4u][m % 4u] = next_r[i][j]; }
    }
    for (var i = 0u; i < LOADS_C; i++) {
      let n = (p.local + i * THREADS) / STEP;
      let d = 4u * ((p.local + i * THREADS) % STEP);
      for (var j = 0u; j < 4u; j++) { chunk[DEPTH * PITCH_R + (d + j) * PITCH_C + n / 4u][n % 4u] = next_c[i][j]; }
    }
    workgroupBarrier();
    let d1 = d0 + STEP;
    if (d1 < D4) {
      for (var i = 0u; i < LOADS_R; i++) { next_r[i] = row_quad(part, p, d1, p.local + i * THREADS); }
      for (var i = 0u; i < LOADS_C; i++) { next_c[i] = col_quad(part, p, n0, d1, p.local + i * THREADS); }
    }
    for (var k = 0u; k < DEPTH; k++) {
      let b = chunk[DEPTH * PITCH_R + k * PITCH_C + p.x];
      for (var r = 0u; r < RM; r++) {
        let a = chunk[k * PITCH_R + r * TY + p.y];
        s[4u * r] = fma(vec4<f32>(a.x), b, s[4u * r]);
        s[4u * r + 1u] = fma(vec4<f32>(a.y), b, s[4u * r + 1u]);
        s[4u * r + 2u] = fma(vec4<f32>(a.z), b, s[4u * r + 2u]);
        s[4u * r + 3u] = fma(vec4<f32>(a.w), b, s[4u * r + 3u]);
      }
    }
  }
  return s;
}

// Stores the tile for matmuls; readers of the last one must have passed a barrier.
fn keep(p: Place, s: Tile) {
  for (var r = 0u; r < RM; r++) {
    for (var c = 0u; c < 4u; c++) {
      weights[(4u * p.x + c) * PITCH_R + r * TY + p.y] =
        vec4<f32>(s[4u * r][c], s[4u * r + 1u][c], s[4u * r + 2u][c], s[4u * r + 3u][c]);
    }
  }
}

// acc += the stored tile times the rows of its columns.
fn add_products(part: u32, p: Place, n0: u32, acc: ptr<function, Rows>) {
  var next: array<vec4<f32>, LOADS_V>;
  for (var i = 0u; i < LOADS_V; i++) { next[i] = term_quad(part, p, n0, p.local + i * THREADS); }
  for (var v0 = 0u; v0 < COLS; v0 += VROWS) {
    workgroupBarrier();
    for (var i = 0u; i < LOADS_V; i++) {
      let slot = p.local + i * THREADS;
      if (slot < VROWS * D4) { chunk[slot] = next[i]; }
    }
    workgroupBarrier();
    if (v0 + VROWS < COLS) {
      for (var i = 0u; i < LOADS_V; i++) { next[i] = term_quad(part, p, n0 + v0 + VROWS, p.local + i * THREADS); }
    }
    for (var k = 0u; k < VROWS; k++) {
      var b: array<vec4<f32>, RN>;
      for (var c = 0u; c < RN; c++) { b[c] = chunk[min(k * D4 + c * TX + p.x, VROWS * D4 - 1u)]; }
      for (var r = 0u; r < RM; r++) {
        let a = weights[(v0 + k) * PITCH_R + r * TY + p.y];
        for (var c = 0u; c < RN; c++) {
          (*acc)[4u * r][c] = fma(vec4<f32>(a.x), b[c], (*acc)[4u * r][c]);
          (*acc)[4u * r + 1u][c] = fma(vec4<f32>(a.y), b[c], (*acc)[4u * r + 1u][c]);
          (*acc)[4u * r + 2u][c] = fma(vec4<f32>(a.z), b[c], (*acc)[4u * r + 2u][c]);
          (*acc)[4u * r + 3u][c] = fma(vec4<f32>(a.w), b[c], (*acc)[4u * r + 3u][c]);
        }
      }
    }
  }
}
