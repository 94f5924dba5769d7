// As integers in the order of the numbers, whatever the device does with denormals.
fn place(x: f32) -> i32 {
  let bits = bitcast<u32>(x);
  let size = bitcast<i32>(bits & 0x7fffffffu);
  return select(size, -size, bits >= 0x80000000u);
}

@compute @workgroup_size(workgroup_x)
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = (id.y * groups.x + id.x) * workgroup_x + lane;
  if (i >= params.n) { return; }
  let p = place(a[i]);
  let q = place(b[i]);
  let next = p + sign(q - p);
  var bits = select(bitcast<u32>(next), bitcast<u32>(-next) | 0x80000000u, next < 0);
  if (p == q) { bits = bitcast<u32>(b[i]); }
  if (is_nan_f32(a[i]) || is_nan_f32(b[i])) { bits = 0x7fc00000u; }
  y[i] = bitcast<f32>(bits);
}
