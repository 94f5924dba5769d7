// GEMV: memory-bound, reads the second operand once. An invocation has four columns and the k of its slice; there is no
// barrier until the slices are added.
// From the header: T, Batch, TY (slices), TX (quads of columns), locate, size_k, mad, load_a (along k), load_b (along n),
// store_c, origin.
const TILE_M: u32 = 1u;
const TILE_N: u32 = TX * 4u;
const STEPS: u32 = 4u;  // quads of k in flight at once

var<workgroup> parts: array<vec4<T>, TX * TY>;

@compute @workgroup_size(TX * TY)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let start = origin(group);
  let x = local % TX;
  let y = local / TX;
  let n = start.x + 4u * x;
  let batch = locate(start.z);
  let depth = size_k();

  var acc = vec4<T>();
  for (var k0 = 4u * y; k0 < depth; k0 += 4u * TY * STEPS) {
    var b: array<vec4<T>, 4u * STEPS>;
    for (var s = 0u; s < STEPS; s++) {
      for (var j = 0u; j < 4u; j++) { b[4u * s + j] = load_b(batch, n, k0 + 4u * TY * s + j); }
    }
    for (var s = 0u; s < STEPS; s++) {
      let a = load_a(batch, start.y, k0 + 4u * TY * s);
      for (var j = 0u; j < 4u; j++) { acc = mad(a[j], b[4u * s + j], acc); }
    }
  }

  parts[local] = acc;
  workgroupBarrier();
  for (var half = TY / 2u; half > 0u; half /= 2u) {
    if (y < half) { parts[local] += parts[local + half * TX]; }
    workgroupBarrier();
  }
  if (y == 0u) { store_c(start.z, start.y, n, parts[x]); }
}
