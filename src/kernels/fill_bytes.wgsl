// Sets params.count bytes from byte params.to on to those of the word params.value.
@compute @workgroup_size(workgroup_x)
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let word = (params.to >> 2u) + (id.y * groups.x + id.x) * workgroup_x + lane;
  let end = params.to + params.count;
  if (word > (end - 1u) >> 2u) { return; }
  let first = max(word << 2u, params.to);
  let last = select((word << 2u) + 4u, end, word == (end - 1u) >> 2u);
  var mask = 0u;
  for (var b = first; b < last; b++) { mask |= 0xffu << ((b & 3u) << 3u); }
  target_words[word] = (target_words[word] & ~mask) | (params.value & mask);
}
