// The keys that a query attends to, and the order of the results, for all attention kernels. From the header: keys_of(batch), how many keys a sequence
// has, and offset_of(batch), how many of them are before the first query's own.
// A row of the results.
fn output_row(batch: u32, head: u32, i: u32) -> u32 {
  return batch * params.output_b + head * params.output_h + i * params.output_l;
}

const LOWEST: f32 = -3.4028234e38;

fn seen(batch: u32, i: u32, j: u32) -> bool {
  let at = i32(i) + offset_of(batch);
  return i32(j) <= at + params.right && i32(j) >= at - params.left && j < keys_of(batch) && i < params.lq;
}

// A select, not a max: NaN must be kept.
fn power_of_two(x: f32) -> f32 {
  return select(exp2(x), 0.0, x < -150.0);
}
