// What the tests of modules and optimizers share.
#pragma once

#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {

/// The device of the tests: the CPU, or the first one that TESSERA_TEST_DEVICE names.
inline const Device& test_device() {
  static const Device device = [] {
    const char* given = std::getenv("TESSERA_TEST_DEVICE");
    const std::string names = given != nullptr && *given != '\0' ? given : "cpu";
    return Device::create({.device = names.substr(0, names.find(','))});
  }();
  return device;
}

/// It is the current device, and random numbers repeat.
class NnTest : public testing::Test {
 protected:
  void SetUp() override {
    test_device().set_current();
    random::set_seed(7);
  }
};

inline std::string message(const std::function<void()>& f) { return error_of(f).what(); }

inline std::vector<double> doubles(const Tensor& x) {
  const std::vector<float> values = x.astype(f32).to_vector<float>();
  return {values.begin(), values.end()};
}

inline void expect_near(const std::vector<double>& got, const std::vector<double>& expected, double tolerance,
                        const std::string& what) {
  ASSERT_EQ(got.size(), expected.size()) << what;
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], expected[i], tolerance * (1 + std::abs(expected[i]))) << what << ", element " << i;
  }
}

inline void expect_equal(const Tensor& got, const Tensor& expected, double tolerance = 0) {
  ASSERT_EQ(got.shape(), expected.shape());
  expect_near(doubles(got), doubles(expected), tolerance, "tensor");
}

}  // namespace tessera::test
