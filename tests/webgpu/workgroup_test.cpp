// DeviceConfig::workgroup_size: the kernels that follow it, their results, and what is refused.
#include <bit>
#include <functional>

#include "tessera/tessera.h"
#include "webgpu/support.h"

namespace tessera::test {
namespace {

using runtime::contains;
using runtime::test_adapter;
using Build = std::function<Tensor(const Tensor&)>;

class WorkgroupSize : public runtime::WebGpuTest {
 protected:
  static Device make(std::uint32_t size) {
    return Device::create({.device = "webgpu:" + test_adapter(), .workgroup_size = size});
  }
  static Tensor input(const Device& device) {
    std::vector<float> data(96 * 132);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(i * 7919 % 1009) / 64;
    return {data, {96, 132}, device};
  }
};

TEST_F(WorkgroupSize, MapsAndRowKernelsFollowItAndStayRight) {
  const Device cpu = Device::create({.device = "cpu"});
  const std::vector<std::pair<const char*, Build>> builds{
      {"map", [](const Tensor& x) { return x * 2.0 + 1.0; }},
      {"tiled map", [](const Tensor& x) { return transpose(x) * 2.0; }},
      {"rows", [](const Tensor& x) { return max(x, {1}); }},
      {"several passes", [](const Tensor& x) { return argmax(x * 3.0 - max(x, {1}, true), 1); }},
      {"few rows", [](const Tensor& x) { return min(x.reshape({4, 3168}), {1}); }},
      {"strided rows", [](const Tensor& x) { return max(x.reshape({22, 576}), {0}); }},
  };
  for (const std::uint32_t size : {1U, 16U, 64U, 128U, 256U}) {
    const Device device = make(size);
    EXPECT_EQ(device.info().workgroup_size, size);
    for (const auto& [name, build] : builds) {
      const Tensor got = build(input(device));
      const std::string wanted = "@workgroup_size(" + std::to_string(size) + ")";
      const Explanation plan = explain(got);
      EXPECT_FALSE(plan.kernels.empty()) << name;
      for (const KernelText& kernel : plan.kernels) {
        EXPECT_TRUE(contains(kernel.wgsl, wanted)) << name << " with " << size << ":\n" << kernel.wgsl;
      }
      const Tensor expected = build(input(cpu));
      if (got.dtype() == f32) {
        EXPECT_EQ(got.to_vector<float>(), expected.to_vector<float>()) << name << " with " << size;
      } else {
        EXPECT_EQ(got.astype(i32).to_vector<std::int32_t>(), expected.astype(i32).to_vector<std::int32_t>())
            << name << " with " << size;
      }
    }
  }
}

TEST_F(WorkgroupSize, WhatTheDeviceCannotHaveIsRefused) {
  const std::uint32_t most = make(0).info().limits.max_workgroup_size;
  const Error past = error_of([&] { make(std::bit_floor(most) * 2); });
  EXPECT_EQ(past.kind(), ErrorKind::kLimit);
  EXPECT_EQ(past.fields().requested, std::bit_floor(most) * 2);
  EXPECT_EQ(past.fields().available, most);
  const Error odd = error_of([&] { make(100); });
  EXPECT_EQ(odd.kind(), ErrorKind::kValue);
  EXPECT_TRUE(contains(odd.what(), "100") && contains(odd.what(), "power of two")) << odd.what();
}

}  // namespace
}  // namespace tessera::test
