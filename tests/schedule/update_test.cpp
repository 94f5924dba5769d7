// Updates at computed positions: how many kernels they take, what they write, and when a copy is made first.
#include <algorithm>

#include "support.h"

namespace tessera::test {

using UpdatePlans = NullTest;

namespace {

std::size_t copies(const schedule::Plan& plan) {
  return static_cast<std::size_t>(std::ranges::count(plan.kernels, "copy", &Kernel::label));
}

std::size_t in_place(const schedule::Plan& plan) {
  std::size_t count = 0;
  for (const Kernel& k : plan.kernels) {
    for (const auto& [in, out] : k.aliases) {
      count += k.inputs[static_cast<std::size_t>(in)].node != k.outputs[static_cast<std::size_t>(out)].node ? 1U : 0U;
    }
  }
  return count;
}

}  // namespace

TEST_F(UpdatePlans, AnInputIsCopiedATemporaryIsNot) {
  const Tensor x = input({64, 32});
  const Tensor row = input({1, 32});
  const Tensor at = input({1}, i32);
  const schedule::Plan copied = plan({slice_update(x, row * 2.0, at, {0})});
  EXPECT_EQ(copied.kernels.size(), 2U);
  EXPECT_EQ(copies(copied), 1U);
  const schedule::Plan temporary = plan({slice_update(x * 2.0, row * 2.0, at, {0})});
  EXPECT_EQ(temporary.kernels.size(), 2U);
  EXPECT_EQ(in_place(temporary), 1U);
  // A constant is written out and updated there.
  const schedule::Plan constant = plan({slice_update(zeros({64, 32}, f32, device_), row, at, {0})});
  EXPECT_EQ(constant.kernels.size(), 2U);
  EXPECT_EQ(in_place(constant), 1U);
}

TEST_F(UpdatePlans, ReadersComeFirst) {
  const Tensor x = input({64, 32});
  const Tensor y = x * 2.0;
  const Tensor z = slice_update(y, input({1, 32}), input({1}, i32), {0});
  // The sum of y could run after the update, but then y had to be copied.
  const schedule::Plan p = plan({z, sum(y, {1})});
  EXPECT_EQ(copies(p), 0U);
  EXPECT_EQ(in_place(p), 1U);
  // y is needed after the update, or is a result: a copy.
  EXPECT_EQ(copies(plan({sum(y * sum(z))})), 1U);
  EXPECT_EQ(copies(plan({y, z})), 1U);
}

TEST_F(UpdatePlans, WorkInFrontIsPartOfTheStore) {
  const Tensor cache = input({1, 8, 512, 64}, f16) * 1.0;
  const Tensor k = input({1, 8, 1, 64}, f16);
  const Tensor at = input({1}, i32);
  EXPECT_EQ(kernels({slice_update(cache, cast(sin(cast(k, f32)), f16), at, {2})}), 2U);
  EXPECT_EQ(kernels({slice_update(cache, rope(k, at), at, {2})}), 3U);  // one for the cosines and sines
  // Caches of keys and values.
  const Tensor values = input({1, 8, 512, 64}, f16) * 2.0;
  const schedule::Plan both =
      plan({slice_update(cache, rope(k, at), at, {2}), slice_update(values, input({1, 8, 1, 64}, f16), at, {2})});
  EXPECT_EQ(copies(both), 0U);
  EXPECT_EQ(both.kernels.size(), 5U);  // the second one reads the positions that the first one wrote
}

TEST_F(UpdatePlans, AGibibyteOfCacheAndFourKibibytes) {
  const std::int64_t rows = std::int64_t{1} << 18;
  Profiler profiler(device_);
  std::size_t seen = 0;
  const auto written = [&] {
    std::uint64_t bytes = 0;
    const std::vector<KernelRecord>& records = profiler.records();
    for (; seen < records.size(); ++seen) bytes += records[seen].written;
    return bytes;
  };
  // Eager: the cache is replaced, so nobody else holds the old one.
  Tensor cache = input({rows, 1024});
  const Tensor row = input({1, 1024});
  const Tensor at = input({1}, i32);
  for (int i = 0; i < 3; ++i) {
    cache = slice_update(cache, row, at, {0});
    cache.eval();
    EXPECT_EQ(written(), 4096U) << i;
  }
  // Compiled, with donation.
  const Compiled step =
      compile([](const Tensors& in) { return Tensors{slice_update(in[0], in[1] * 2.0, in[2], {0})}; }, {.donate = {0}});
  for (int i = 0; i < 3; ++i) {
    cache = step({cache, row, at})[0];
    EXPECT_EQ(written(), 4096U) << i;
  }
  // Somebody else holds it: one copy.
  const Tensor other = cache;
  cache = slice_update(cache, row, at, {0}).eval();
  EXPECT_EQ(written(), 4096U + (std::uint64_t{4} << 10U) * static_cast<std::uint64_t>(rows));
}

}  // namespace tessera::test
