// The keys that a query attends to, for all attention kernels.
const LOWEST: f32 = -3.4028234e38;

fn seen(i: u32, j: u32) -> bool {
  let at = i32(i) + params.offset;
  return i32(j) <= at + params.right && i32(j) >= at - params.left && j < params.lk && i < params.lq;
}

// A select, not a max: NaN must be kept.
fn power_of_two(x: f32) -> f32 {
  return select(exp2(x), 0.0, x < -150.0);
}
