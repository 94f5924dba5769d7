// What the tests of tuning share: a cache folder of their own, products, and what is logged.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "runtime/tuning/tuning.h"
#include "schedule/lower/fit.h"
#include "schedule/plan.h"
#include "tessera/tessera.h"

namespace tessera::test {

namespace fs = std::filesystem;

inline constexpr const char* kSmall = "plain 32x32x8 by 8x8";

inline std::string read_file(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// The kernel of the first product of a plan, with the numbers of its sizes.
struct MatmulKernel {
  Kernel kernel;
  Binding binding;
};
inline MatmulKernel kernel_of(const Tensor& result) {
  const NodePtr& root = result.node();
  const DeviceInfo& device = result.device().info();
  const Graph graph = schedule::simplify_to_fit(snapshot(std::span(&root, 1)), device);
  const schedule::Plan plan = schedule::make_plan(graph, {}, device);
  const auto found = std::ranges::find(plan.kernels, Kernel::Kind::kMatmul, &Kernel::kind);
  if (found == plan.kernels.end()) throw std::logic_error("there is no product");
  return {*found, bind(*found, graph)};
}
inline MatmulKernel matmul_kernel(const Device& device, DType dtype, std::int64_t m, std::int64_t n, std::int64_t k) {
  return kernel_of(matmul(zeros({m, k}, dtype, device).eval(), zeros({k, n}, dtype, device).eval()));
}

class TuningTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const char* before = std::getenv("TESSERA_CACHE")) before_ = before;
    folder_ = fs::path(::testing::TempDir()) / ("tessera_tuning_" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    setenv("TESSERA_CACHE", folder_.c_str(), 1);
  }
  void TearDown() override {
    device_ = {};
    fs::remove_all(folder_);
    if (before_) {
      setenv("TESSERA_CACHE", before_->c_str(), 1);
    } else {
      unsetenv("TESSERA_CACHE");
    }
  }
  /// Skips the test where there is no adapter.
  void open(DeviceConfig config = {}) {
    device_ = {};
    const char* named = std::getenv("TESSERA_TEST_ADAPTER");
    config.device = std::string("webgpu:") + (named != nullptr ? named : "llvmpipe");
    try {
      device_ = Device::create(config);
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::kDevice) throw;
      GTEST_SKIP() << e.what();
    }
  }
  [[nodiscard]] fs::path file() const { return folder_ / "tuning.json"; }

  fs::path folder_;
  std::optional<std::string> before_;
  Device device_;
};

}  // namespace tessera::test
