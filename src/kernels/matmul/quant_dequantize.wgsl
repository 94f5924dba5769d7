// Dequantizes a whole matrix, sixteen elements per invocation.
@compute @workgroup_size(workgroup_x)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let unit = (group.y * params.wrap + group.x) * workgroup_x + local;
  if (unit >= params.n * params.units) { return; }
  for (var i = 0u; i < 4u; i++) { output[unit * 4u + i] = dequantize_quad(unit * 4u + i); }
}
