// What the tests of language models share: the device, the models of tests/llm/models, and comparisons.
#pragma once

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tessera/llm.h"
#include "tessera/tessera.h"

namespace tessera::test {

/// The CPU, or the first device that TESSERA_TEST_DEVICE names; a test may replace it for a while.
inline Device& test_device() {
  static Device device = [] {
    const char* given = std::getenv("TESSERA_TEST_DEVICE");
    const std::string names = given != nullptr && *given != '\0' ? given : "cpu";
    return Device::create({.device = names.substr(0, names.find(','))});
  }();
  return device;
}

inline std::filesystem::path model_folder(const std::string& name) {
  return std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/llm/models" / name;
}

/// Inputs and outputs that the transformers package computed.
inline Tree expected_of(const std::string& name) {
  return io::load_safetensors(model_folder(name) / "expected.safetensors", {.device = test_device()});
}

inline Tensor ints(const std::vector<std::int32_t>& v) {
  return {v, {static_cast<std::int64_t>(v.size())}, test_device()};
}

inline std::vector<float> floats(const Tensor& x) { return x.astype(f32).to_vector<float>(); }

/// The largest difference of rows [B, T, ..] in front of each sequence's length, relative to 1 + the expected value.
inline double difference(const Tensor& got, const Tensor& expected, const std::vector<std::int32_t>& lengths) {
  EXPECT_EQ(got.shape(), expected.shape());
  if (got.shape() != expected.shape()) return 1e30;
  const std::vector<float> a = floats(got);
  const std::vector<float> b = floats(expected);
  const auto batch = static_cast<std::size_t>(got.size(0));
  const auto tokens = static_cast<std::size_t>(got.size(1));
  const std::size_t width = a.size() / (batch * tokens);
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::size_t row = i / width;
    if (std::cmp_greater_equal(row % tokens, lengths[row / tokens])) continue;
    const double d = std::abs(static_cast<double>(a[i]) - b[i]) / (1 + std::abs(static_cast<double>(b[i])));
    if (!(d <= most)) most = std::isnan(d) ? 1e30 : d;
  }
  return most;
}

/// The bytes that kernels write while f runs.
template <class F>
std::uint64_t bytes_written(const Device& device, const F& f) {
  Profiler profiler(device);
  f();
  std::uint64_t bytes = 0;
  for (const KernelRecord& r : profiler.records()) bytes += r.written;
  return bytes;
}

/// The same of three calls of a compiled step, after a first one.
template <class Step>
std::uint64_t bytes_of_three_steps(const Step& step, const Tensor& token) {
  (void)step(token).template to_vector<float>();
  return bytes_written(token.device(), [&] {
    for (int i = 0; i < 3; ++i) (void)step(token).template to_vector<float>();
  });
}

}  // namespace tessera::test
