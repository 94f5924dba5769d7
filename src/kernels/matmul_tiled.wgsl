// Tiles of both operands in workgroup memory, k-major, and rm x rn quads of results in each invocation's registers.
// From the header: T, Batch, TY, TX, RM, RN, DEPTH, A_ALONG_K, B_ALONG_K, load_a, load_b, store_c, sizes.
const TILE_M: u32 = TY * RM * 4u;
const TILE_N: u32 = TX * RN * 4u;
const LOADS_A: u32 = TILE_M * DEPTH / 4u / (TY * TX);
const LOADS_B: u32 = TILE_N * DEPTH / 4u / (TY * TX);
const PITCH_A: u32 = TILE_M / 4u;
const PITCH_B: u32 = TILE_N / 4u;

var<workgroup> tile_a: array<vec4<T>, DEPTH * PITCH_A>;
var<workgroup> tile_b: array<vec4<T>, DEPTH * PITCH_B>;

@compute @workgroup_size(TX, TY)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) id: vec3<u32>,
        @builtin(local_invocation_index) local: u32) {
  let m0 = group.y * TILE_M;
  let n0 = group.x * TILE_N;
  let batch = locate(group.z);
  let depth = size_k();

  var acc: array<array<vec4<T>, RN>, RM * 4u>;
  var next_a: array<vec4<T>, LOADS_A>;
  var next_b: array<vec4<T>, LOADS_B>;

  for (var i = 0u; i < LOADS_A; i++) {
    let slot = local + i * TY * TX;
    if (A_ALONG_K) { next_a[i] = load_a(batch, m0 + slot / (DEPTH / 4u), 4u * (slot % (DEPTH / 4u))); }
    else { next_a[i] = load_a(batch, m0 + 4u * (slot % PITCH_A), slot / PITCH_A); }
  }
  for (var i = 0u; i < LOADS_B; i++) {
    let slot = local + i * TY * TX;
    if (B_ALONG_K) { next_b[i] = load_b(batch, n0 + slot / (DEPTH / 4u), 4u * (slot % (DEPTH / 4u))); }
    else { next_b[i] = load_b(batch, n0 + 4u * (slot % PITCH_B), slot / PITCH_B); }
  }

  for (var k0 = 0u; k0 < depth; k0 += DEPTH) {
    for (var i = 0u; i < LOADS_A; i++) {
      let slot = local + i * TY * TX;
      if (A_ALONG_K) {
        let m = slot / (DEPTH / 4u);
        let k = 4u * (slot % (DEPTH / 4u));
        for (var j = 0u; j < 4u; j++) { tile_a[(k + j) * PITCH_A + m / 4u][m % 4u] = next_a[i][j]; }
      } else { tile_a[slot] = next_a[i]; }
    }
    for (var i = 0u; i < LOADS_B; i++) {
      let slot = local + i * TY * TX;
      if (B_ALONG_K) {
        let n = slot / (DEPTH / 4u);
        let k = 4u * (slot % (DEPTH / 4u));
        for (var j = 0u; j < 4u; j++) { tile_b[(k + j) * PITCH_B + n / 4u][n % 4u] = next_b[i][j]; }
      } else { tile_b[slot] = next_b[i]; }
    }
    workgroupBarrier();

    // The next tiles are on their way while this one is multiplied.
    let k1 = k0 + DEPTH;
    if (k1 < depth) {
      for (var i = 0u; i < LOADS_A; i++) {
        let slot = local + i * TY * TX;
        if (A_ALONG_K) { next_a[i] = load_a(batch, m0 + slot / (DEPTH / 4u), k1 + 4u * (slot % (DEPTH / 4u))); }
        else { next_a[i] = load_a(batch, m0 + 4u * (slot % PITCH_A), k1 + slot / PITCH_A); }
      }
      for (var i = 0u; i < LOADS_B; i++) {
        let slot = local + i * TY * TX;
        if (B_ALONG_K) { next_b[i] = load_b(batch, n0 + slot / (DEPTH / 4u), k1 + 4u * (slot % (DEPTH / 4u))); }
        else { next_b[i] = load_b(batch, n0 + 4u * (slot % PITCH_B), k1 + slot / PITCH_B); }
      }
    }

    for (var k = 0u; k < DEPTH; k++) {
      var b: array<vec4<T>, RN>;
      for (var c = 0u; c < RN; c++) { b[c] = tile_b[k * PITCH_B + c * TX + id.x]; }
      for (var r = 0u; r < RM; r++) {
        let a = tile_a[k * PITCH_A + r * TY + id.y];
        for (var c = 0u; c < RN; c++) {
          acc[4u * r][c] += a.x * b[c];
          acc[4u * r + 1u][c] += a.y * b[c];
          acc[4u * r + 2u][c] += a.z * b[c];
          acc[4u * r + 3u][c] += a.w * b[c];
        }
      }
    }
    workgroupBarrier();
  }

  for (var r = 0u; r < RM; r++) {
    for (var i = 0u; i < 4u; i++) {
      let m = m0 + 4u * (r * TY + id.y) + i;
      for (var c = 0u; c < RN; c++) { store_c(group.z, m, n0 + 4u * (c * TX + id.x), acc[4u * r + i][c]); }
    }
  }
}
