// What is said past a limit, and that nothing is lost then.
#include "support/errors.h"

#include <gtest/gtest.h>

#include "runtime/device.h"
#include "support/devices.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

class LimitErrors : public DeviceTest {
 protected:
  [[nodiscard]] DeviceConfig config() const {
    DeviceConfig c;
    c.device = GetParam().device;
    return c;
  }
};

TEST_P(LimitErrors, BindingSizesAreChecked) {
  if (on_cpu()) GTEST_SKIP() << "the CPU binds everything";
  DeviceConfig c = config();
  for (const std::uint64_t given : {1U, 256U, 768U, 1000U, 4100U}) {
    c.max_binding_size = given;
    const Error e = error_of([&] { Device::create(c); });
    EXPECT_EQ(e.kind(), ErrorKind::kValue);
    EXPECT_NE(std::string(e.what()).find(std::to_string(given) + " bytes"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("1024"), std::string::npos) << e.what();
  }
  const std::uint64_t most = device_.info().limits.max_storage_binding_size;
  c.max_binding_size = (most / 256 + 1) * 256;
  const Error e = error_of([&] { Device::create(c); });
  EXPECT_EQ(e.kind(), ErrorKind::kLimit);
  EXPECT_EQ(e.fields().requested, c.max_binding_size);
  EXPECT_EQ(e.fields().available, most);
  c.max_binding_size = 2048;
  EXPECT_EQ(Device::create(c).info().limits.max_storage_binding_size, 2048U);
}

TEST_P(LimitErrors, PastTheLargestBuffer) {
  DeviceConfig c = config();
  c.max_buffer_size = 1 << 20;
  const Device device = Device::create(c);
  const Tensor small = tessera::full({1000}, 3.0, f32, device).eval();
  device.synchronize();
  const auto before = device.memory_stats();
  const auto check = [&](const Error& e, std::uint64_t bytes) {
    EXPECT_EQ(e.kind(), ErrorKind::kLimit) << e.what();
    EXPECT_EQ(e.fields().requested, bytes) << e.what();
    EXPECT_EQ(e.fields().available, c.max_buffer_size);
    EXPECT_NE(std::string(e.what()).find(std::to_string(bytes)), std::string::npos) << e.what();
    EXPECT_EQ(device.memory_stats().in_use, before.in_use);
  };
  // Data is too large at the call, a result when it is evaluated.
  check(error_of([&] { Tensor(std::vector<float>(300000), {300000}, device); }), 1200000);
  const Tensor large = broadcast_to(small, {400, 1000}) * 2.0;
  check(error_of([&] { large.eval(); }), 1600000);
  check(error_of([&] { large.eval(); }), 1600000);
  // What is never in memory as a whole may be as large as it likes, and all that was there still is.
  EXPECT_EQ(sum(large).item<float>(), 2400000.0F);
  EXPECT_EQ(small.to_vector<float>(), std::vector<float>(1000, 3.0F));
  const Compiled f =
      compile([](const std::vector<Tensor>& in) { return std::vector{broadcast_to(in[0], {400, 1000}) * 2.0}; });
  check(error_of([&] { f({small}); }), 1600000);
}

// A custom kernel is bound whole, beside kernels that are cut; past a binding it is refused.
TEST_P(LimitErrors, CustomKernelsAreBoundWhole) {
  if (on_cpu()) GTEST_SKIP() << "the CPU binds everything";
  DeviceConfig c = config();
  c.max_binding_size = 4096;
  const Device device = Device::create(c);
  const WgslKernel twice({.name = "twice",
                          .source = R"(
@compute @workgroup_size(workgroup_x)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < params.y_size) { y[id.x] = 2.0 * x[id.x]; }
}
)",
                          .inputs = {{"x", f32}},
                          .outputs = {"y"}});
  const Tensor big = arange(0, 64 * 512, 1, f32, device).reshape({64, 512}).eval();  // 32 bindings
  const auto rows = sum(transpose(big), {0});
  const auto got = (twice({rows})[0] + sum(big, {1})).to_vector<float>();
  const auto expected = (sum(big.to(Device::create({.device = "cpu"})), {1}) * 3.0).to_vector<float>();
  ASSERT_EQ(got.size(), 64U);
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], expected[i] * 1e-5F);
  const Error e = error_of([&] { static_cast<void>(twice({big.reshape({-1})})[0].to_vector<float>()); });
  EXPECT_EQ(e.kind(), ErrorKind::kLimit) << e.what();
  EXPECT_EQ(e.fields().requested, 64U * 512 * 4) << e.what();
  EXPECT_EQ(e.fields().available, 4096U) << e.what();
  EXPECT_EQ(big.to_vector<float>()[512], 512.0F);
}

TESSERA_ON_ALL_DEVICES(LimitErrors);

}  // namespace
}  // namespace tessera::test
