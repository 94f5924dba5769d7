// Sorts short rows in workgroup memory by a bitonic network over pairs of key and position, so that it is stable: a
// workgroup sorts `slots` elements, rows of 2^log_width slots each. From the header: K, slots, pad_key, x_at(row, col),
// to_key(v) and before(a, b) on keys.

var<workgroup> keys: array<K, slots>;
var<workgroup> places: array<u32, slots>;

@compute @workgroup_size(workgroup_x)
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let width = 1u << params.log_width;
  let first_row = (id.y * groups.x + id.x) * (slots >> params.log_width);
  for (var s = lane; s < slots; s += workgroup_x) {
    let row = first_row + (s >> params.log_width);
    let col = s & (width - 1u);
    var key = pad_key;
    if (row < params.rows && col < params.cols) { key = to_key(x[x_at(row, col)]); }
    keys[s] = key;
    places[s] = col;
  }
  workgroupBarrier();
  for (var run = 2u; run <= width; run = run << 1u) {
    for (var step = run >> 1u; step > 0u; step = step >> 1u) {
      for (var p = lane; p < slots / 2u; p += workgroup_x) {
        let a = ((p & ~(step - 1u)) << 1u) | (p & (step - 1u));
        let b = a | step;
        let key_a = keys[a];
        let key_b = keys[b];
        let place_a = places[a];
        let place_b = places[b];
        let b_first = before(key_b, key_a) || (!before(key_a, key_b) && place_b < place_a);
        let up = (a & (width - 1u) & run) == 0u;
        if (b_first == up) {
          keys[a] = key_b;
          keys[b] = key_a;
          places[a] = place_b;
          places[b] = place_a;
        }
      }
      workgroupBarrier();
    }
  }
  for (var s = lane; s < slots; s += workgroup_x) {
    let row = first_row + (s >> params.log_width);
    let col = s & (width - 1u);
    if (row < params.rows && col < params.cols) {
      let from_row = row * params.cols;
      at[from_row + col] = i32(places[s]);
      y[from_row + col] = x[x_at(row, places[s])];
    }
  }
}
