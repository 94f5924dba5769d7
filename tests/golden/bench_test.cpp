// The WGSL of every benchmark, for three kinds of device, compared with the files beside this one.
#include "bench/bench.h"

#include <set>

#include <gtest/gtest.h>

#include "runtime/null/null_device.h"
#include "support/golden.h"
#include "support/profiles.h"

namespace tessera::test {

namespace {

/// Groups and rows that measure the host, or make a device of their own; a network of 90 programs, whose blocks the
/// goldens of ChannelsLast have; and language models, whose kernels are those of other rows and of tests/quant.
const std::set<std::string_view>& without_kernels() {
  static const std::set<std::string_view> kNames{
      "alloc",           "distributed",     "dispatch", "plan", "loop", "placement", "coldstart", "gemm_half_sums_f16",
      "resnet_step_f32", "resnet_step_f16", "llm"};
  return kNames;
}

}  // namespace

class BenchWgsl : public testing::TestWithParam<int> {};

TEST_P(BenchWgsl, IsAsBefore) {
  const Profile profile = profiles()[static_cast<std::size_t>(GetParam())];
  for (const app::BenchRow& row : app::all_benches()) {
    if (without_kernels().contains(row.group) || without_kernels().contains(row.name)) continue;
    SCOPED_TRACE(row.name);
    const auto null = runtime::make_null_device(profile.info, {}, profile.info.type);
    const Device device(null);
    device.set_current();
    app::Bench bench(device, false, [](const app::Result&) {});
    bench.run_once();
    try {
      row.run(bench);
    } catch (const Error& e) {
      // A device that computes nothing has no right results to check.
      EXPECT_STREQ(row.group, "limits") << e.what();
    }
    expect_golden("bench", std::string(profile.name) + '/' + row.name, null->programs());
    // Clearing workgroup memory takes as long as a pass of a sort. Attention without tensor cores needs it.
    for (const Program& p : null->programs()) {
      const bool uses = p.wgsl.find("var<workgroup>") != std::string::npos;
      EXPECT_FALSE(p.trusted && p.zero_fill && uses && !p.label.starts_with("attention")) << p.label;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Profiles, BenchWgsl, testing::Range(0, 3),
                         [](const auto& p) { return profiles()[static_cast<std::size_t>(p.param)].name; });

}  // namespace tessera::test
