// What the tests of modules and optimizers share.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tessera/tessera.h"

namespace tessera::test {

inline const Device& cpu() {
  static const Device device = Device::create({.device = "cpu"});
  return device;
}

/// The CPU is the current device.
class CpuTest : public testing::Test {
 protected:
  void SetUp() override {
    cpu().set_current();
    random::set_seed(7);
  }
};

inline void expect_near(const std::vector<double>& got, const std::vector<double>& expected, double tolerance,
                        const std::string& what) {
  ASSERT_EQ(got.size(), expected.size()) << what;
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], expected[i], tolerance * (1 + std::abs(expected[i]))) << what << ", element " << i;
  }
}

inline void expect_equal(const Tensor& got, const Tensor& expected, double tolerance = 0) {
  ASSERT_EQ(got.shape(), expected.shape());
  expect_near(got.astype(f64).to(cpu()).to_vector<double>(), expected.astype(f64).to(cpu()).to_vector<double>(),
              tolerance, "tensor");
}

}  // namespace tessera::test
