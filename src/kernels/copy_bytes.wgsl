// Copies params.count bytes from byte params.start of the source to byte params.to of the target.
@compute @workgroup_size(workgroup_x)
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let word = (params.to >> 2u) + (id.y * groups.x + id.x) * workgroup_x + lane;
  let end = params.to + params.count;
  if (word > (end - 1u) >> 2u) { return; }
  let first = max(word << 2u, params.to);
  let last = select((word << 2u) + 4u, end, word == (end - 1u) >> 2u);
  var from_byte = first - params.to + params.start;
  if (last - first == 4u && (from_byte & 3u) == 0u) {
    target_words[word] = source_words[from_byte >> 2u];
    return;
  }
  var value = target_words[word];
  for (var b = first; b < last; b++) {
    let shift = (b & 3u) << 3u;
    let byte = (source_words[from_byte >> 2u] >> ((from_byte & 3u) << 3u)) & 0xffu;
    value = (value & ~(0xffu << shift)) | (byte << shift);
    from_byte++;
  }
  target_words[word] = value;
}
