// The devices that tests run on, each made once.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tessera/device.h"

namespace tessera::test {

/// A device to test: what gtest calls it, and how it is made.
struct TestDevice {
  std::string name;                    // letters, digits and '_'
  std::string device;                  // DeviceConfig::device
  std::string disabled;                // features that are switched off: "f16,subgroups"
  std::uint64_t max_binding_size = 0;  // DeviceConfig::max_binding_size
  friend std::ostream& operator<<(std::ostream& out, const TestDevice& d) { return out << d.name; }
};

/// The software adapter and the CPU, where they are there; TESSERA_TEST_DEVICE=NAME[,NAME] names others instead.
std::vector<TestDevice> devices();
/// The software adapter without f16 and subgroups in shaders: packed types and trees of workgroups. Empty where
/// TESSERA_TEST_DEVICE names something else than WebGPU.
std::vector<TestDevice> reduced_devices();

/// The same adapters with bindings of 4 KiB, which tests' tensors go past: with all features, and without f16 and
/// subgroups; in a full run also with 1 KiB.
std::vector<TestDevice> chunked_devices();

/// Made on the first call, then shared; also made the current device.
Device open(const TestDevice& which);

/// Whether more thorough runs were asked for: TESSERA_TEST_FULL=1.
bool full();

/// Whether a run has the i-th of the cases that are slow on software adapters: in a full run all, else each fourth,
/// from TESSERA_TEST_QUARTER on, which ./test takes from the commit.
bool in_turn(std::size_t i);

/// Tests over all devices: the current one is the parameter's.
class DeviceTest : public testing::TestWithParam<TestDevice> {
 protected:
  void SetUp() override { device_ = open(GetParam()); }
  [[nodiscard]] bool on_cpu() const { return device_.info().type == DeviceType::kCpu; }
  Device device_;
};

inline std::string device_name(const testing::TestParamInfo<TestDevice>& info) { return info.param.name; }

}  // namespace tessera::test

#define TESSERA_ON_ALL_DEVICES(fixture)                   \
  GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(fixture); \
  INSTANTIATE_TEST_SUITE_P(On, fixture, testing::ValuesIn(tessera::test::devices()), tessera::test::device_name)

#define TESSERA_ON_WINDOWED_DEVICES(fixture)                                                      \
  GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(fixture);                                         \
  INSTANTIATE_TEST_SUITE_P(Chunked, fixture, testing::ValuesIn(tessera::test::chunked_devices()), \
                           tessera::test::device_name)

#define TESSERA_ON_REDUCED_DEVICES(fixture)                                                       \
  INSTANTIATE_TEST_SUITE_P(Reduced, fixture, testing::ValuesIn(tessera::test::reduced_devices()), \
                           tessera::test::device_name)
