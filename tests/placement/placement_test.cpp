// Placement: which graphs the host computes for a device, that data moves only when it must, and what is kept.
#include "runtime/placement/placement.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "runtime/device.h"
#include "runtime/placement/placement_store.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

namespace fs = std::filesystem;

class Placed : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("tessera_placement_" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    setenv("TESSERA_CACHE", folder_.c_str(), 1);
  }
  void TearDown() override {
    fs::remove_all(folder_);
    unsetenv("TESSERA_CACHE");
  }
  /// A device whose tensors of up to `threshold` bytes may be placed; skips the test where there is no adapter.
  void open(std::uint64_t threshold, DeviceConfig config = {}) {
    config.device = "webgpu:llvmpipe";
    config.placement = Placement::kHybrid;
    config.placement_threshold = threshold;
    try {
      device_ = Device::create(config);
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::kDevice) throw;
      GTEST_SKIP() << e.what();
    }
  }
  [[nodiscard]] Tensor from_host(std::int64_t n) const {
    std::vector<float> data(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(i) * 0.25F;
    return {data, Shape{n}, device_};
  }
  [[nodiscard]] std::uint64_t dispatches() const { return statistics(device_).dispatches; }
  [[nodiscard]] std::uint64_t in_use() const { return device_.memory_stats().in_use; }

  Device device_;
  fs::path folder_;
};

TEST_F(Placed, SmallGraphsOfHostDataRunOnTheHost) {
  ASSERT_NO_FATAL_FAILURE(open(4096));
  if (!device_.impl()) return;
  const Tensor x = from_host(100);
  EXPECT_EQ(in_use(), 0U) << "data from the host waits there";
  const auto got = (x * 2.0 + 1.0).to_vector<float>();
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], static_cast<float>(i) * 0.5F + 1.0F);
  EXPECT_EQ(sum(x).item<float>(), 0.25F * 4950);
  EXPECT_EQ(dispatches(), 0U);
  EXPECT_EQ(in_use(), 0U);
  EXPECT_EQ(x.device(), device_) << "where a graph is computed does not change whose it is";
}

TEST_F(Placed, EvalAndLargeGraphsRunOnTheDevice) {
  ASSERT_NO_FATAL_FAILURE(open(4096));
  if (!device_.impl()) return;
  const Tensor x = from_host(100);
  const Tensor y = (x * 2.0).eval();
  EXPECT_EQ(dispatches(), 1U) << "nothing says that the host will read it";
  EXPECT_GT(in_use(), 0U);
  EXPECT_EQ(y.to_vector<float>()[3], 1.5F);
  // Large: 8 KiB, past the threshold.
  const Tensor big = from_host(2048);
  EXPECT_EQ((big + 1.0).to_vector<float>()[2047], 2047 * 0.25F + 1);
  EXPECT_EQ(dispatches(), 2U);
  // A small graph that grows on the way.
  EXPECT_EQ(sum(broadcast_to(x, {40, 100}) * 2.0).item<float>(), 40 * 0.5F * 4950);
  EXPECT_GT(dispatches(), 2U);
}

TEST_F(Placed, DataOnTheDeviceStaysThere) {
  ASSERT_NO_FATAL_FAILURE(open(4096));
  if (!device_.impl()) return;
  const Tensor on_device = (from_host(64) + 1.0).eval();
  const std::uint64_t before = dispatches();
  const auto got = (on_device * from_host(64)).to_vector<float>();
  EXPECT_EQ(dispatches(), before + 1) << "one of its inputs is on the device alone";
  for (std::size_t i = 0; i < got.size(); ++i) {
    const float v = static_cast<float>(i) * 0.25F;
    ASSERT_EQ(got[i], (v + 1) * v);
  }
}

TEST_F(Placed, ResultsOnTheHostGoOnEitherWay) {
  ASSERT_NO_FATAL_FAILURE(open(4096));
  if (!device_.impl()) return;
  Tensor w = from_host(50);
  for (int step = 0; step < 5; ++step) {
    w = w * 0.5;
    static_cast<void>(w.to_vector<float>());
  }
  EXPECT_EQ(dispatches(), 0U);
  const Tensor on_device = (w + 1.0).eval();  // uploads w
  EXPECT_EQ(dispatches(), 1U);
  EXPECT_EQ(on_device.to_vector<float>()[32], 8.0F / 32 + 1);
  // Now w is on both sides, and a graph of it alone may again run on the host.
  EXPECT_EQ(max(w).item<float>(), 49 * 0.25F / 32);
  EXPECT_EQ(dispatches(), 1U);
}

TEST_F(Placed, CompiledStepsRunOnTheDeviceAndDonateWhatWasOnTheHost) {
  ASSERT_NO_FATAL_FAILURE(open(4096));
  if (!device_.impl()) return;
  const Compiled step =
      compile([](const std::vector<Tensor>& in) { return std::vector<Tensor>{in[0] + 1.0}; }, {.donate = {0}});
  Tensor w = from_host(50);
  for (int i = 0; i < 3; ++i) w = step({w})[0];
  EXPECT_EQ(w.to_vector<float>()[4], 4.0F) << "not what the host still had of it";
}

TEST_F(Placed, TheProfilerShowsEachDecision) {
  ASSERT_NO_FATAL_FAILURE(open(4096));
  if (!device_.impl()) return;
  Profiler profiler(device_);
  static_cast<void>((from_host(10) + 1.0).to_vector<float>());
  static_cast<void>(sum(from_host(5000)).item<float>());
  const auto& placed = profiler.placements();
  ASSERT_EQ(placed.size(), 1U) << "data past the threshold went to the device at once: there was no choice";
  EXPECT_TRUE(placed[0].on_host);
  EXPECT_EQ(placed[0].what, "add");
  bool on_cpu = false;
  bool on_gpu = false;
  for (const KernelRecord& r : profiler.records()) {
    on_cpu = on_cpu || r.where == "cpu";
    on_gpu = on_gpu || r.where == device_.info().id;
  }
  EXPECT_TRUE(on_cpu && on_gpu);
  EXPECT_NE(profiler.table().find("placed on the host"), std::string::npos);
}

TEST_F(Placed, ManyThreadsShareData) {
  ASSERT_NO_FATAL_FAILURE(open(1 << 20));
  if (!device_.impl()) return;
  const Tensor x = from_host(1000);
  const auto expected = (x * 3.0).to_vector<float>();
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i) {
        Tensor y = x * 3.0;
        if ((i + t) % 3 == 0) y.eval();  // on the device, with its own copy of x
        if (y.to_vector<float>() != expected) ++wrong;
      }
    });
  }
  for (auto& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(Placed, SpeedsAreMeasuredOnceAndKept) {
  ASSERT_NO_FATAL_FAILURE(open(0));
  if (!device_.impl()) return;
  static_cast<void>((from_host(16) + 1.0).to_vector<float>());
  const fs::path file = folder_ / "placement.json";
  ASSERT_TRUE(fs::exists(file));
  const std::string key = runtime::placement_key(device_.info());
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(std::ifstream(file));
  ASSERT_TRUE(json["devices"].contains(key));
  // What the file says decides in the next device: slow hosts get nothing, slow devices leave everything to the host.
  const auto dispatches_with = [&](const char* slow) {
    auto changed = json;
    for (const char* curve : {"light", "heavy", "product"}) {
      for (auto& us : changed["devices"][key][slow][curve]) us = us.get<double>() * 1e6 + 1e6;
    }
    std::ofstream(file) << changed;
    open(0);
    static_cast<void>((from_host(16) + 1.0).to_vector<float>());
    return dispatches();
  };
  EXPECT_EQ(dispatches_with("device"), 0U);
  EXPECT_EQ(dispatches_with("host"), 1U);
  // A damaged file is measured anew and replaced.
  for (const char* text : {"{", "[]", "{\"version\": 3, \"devices\": {}}", "{\"version\": 3, \"devices\": 3}",
                           "{\"version\": \"2\", \"devices\": {}}"}) {
    std::ofstream(file) << text;
    EXPECT_FALSE(runtime::load_speeds(key).has_value()) << text;
    runtime::store_speeds(key, {});
    EXPECT_TRUE(runtime::load_speeds(key).has_value()) << text;
  }
  auto short_curve = json;
  short_curve["devices"][key]["host"]["light"] = {1, 2};
  std::ofstream(file) << short_curve;
  EXPECT_FALSE(runtime::load_speeds(key).has_value());
}

TEST_F(Placed, TheModelLearnsFromReads) {
  ASSERT_NO_FATAL_FAILURE(open(0));
  if (!device_.impl()) return;
  const std::string key = runtime::placement_key(device_.info());
  runtime::PlacementSpeeds speeds;
  // The file says that the device takes a microsecond: the first reads show that it does not.
  speeds.device.light.fill(1);
  speeds.device.heavy.fill(1);
  speeds.host.light.fill(3);
  speeds.host.heavy.fill(3);
  runtime::store_speeds(key, speeds);
  open(0);
  std::uint64_t used = 0;
  for (int i = 0; i < 20; ++i) {
    const std::uint64_t before = dispatches();
    EXPECT_EQ((from_host(16) + 1.0).to_vector<float>()[4], 2.0F);
    used = dispatches() - before;
    if (i == 0) {
      EXPECT_EQ(used, 1U);
    }
    if (used == 0) break;
  }
  EXPECT_EQ(used, 0U) << "the device took longer than predicted, and got every read";
}

TEST_F(Placed, NamedAndDeterministicDevicesArePinned) {
  DeviceConfig config;
  config.device = "webgpu:llvmpipe";
  Device device;
  try {
    device = Device::create(config);
  } catch (const Error& e) {
    GTEST_SKIP() << e.what();
  }
  EXPECT_EQ(device.impl()->placer(), nullptr) << "a device that was named computes what it is given";
  config.deterministic = true;
  EXPECT_EQ(Device::create(config).impl()->placer(), nullptr);
  config.placement = Placement::kHybrid;
  try {
    static_cast<void>(Device::create(config));
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kValue);
    EXPECT_NE(std::string(e.what()).find("deterministic"), std::string::npos);
  }
}

TEST(Predictions, FollowTheMeasuredCurve) {
  schedule::Speeds s;
  for (std::size_t i = 0; i < s.light.size(); ++i) {
    s.light[i] = 10 + 1e-3 * static_cast<double>(schedule::Speeds::kElements[i]);
    s.heavy[i] = s.light[i] + 24e-3 * static_cast<double>(schedule::Speeds::kElements[i]);
  }
  s.matmul = {0, 100};
  s.kernel = 3;
  schedule::GraphWork work{.moved = 8.0 * 5000, .ops = 2.0 * 5000, .kernels = 1};
  EXPECT_NEAR(predict(work, work.moved, s), 10 + 5, 1e-6);
  work.ops = 12.0 * 5000;
  EXPECT_NEAR(predict(work, work.moved, s), 10 + 5 + 10 * 5, 1e-6);
  work.kernels = 4;
  EXPECT_NEAR(predict(work, work.moved, s), 10 + 5 + 10 * 5 + 9, 1e-6);
  EXPECT_NEAR(predict(work, 8.0 * 1e7, s), 10 + 1e4 + 10 * 5 + 9, 1e-3) << "beyond the last point";
  work = {.moved = 8.0 * 16, .ops = 0, .flops = 2.0 * 256 * 256 * 256, .kernels = 1};
  EXPECT_NEAR(predict(work, work.moved, s), 10.016 + 100, 1e-6);
}

}  // namespace
}  // namespace tessera::test
