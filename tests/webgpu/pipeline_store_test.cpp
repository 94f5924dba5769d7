// Compiled pipelines on disk, and programs that need no zeroed workgroup memory: what only our provider does.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "runtime/webgpu/provider/provider.h"
#include "support.h"

namespace tessera::runtime {
namespace {

namespace fs = std::filesystem;

class PipelineStoreTest : public WebGpuTest {
 protected:
  void SetUp() override {
    WebGpuTest::SetUp();
    if (IsSkipped()) return;
    if (!webgpu::Provider::get({}).traits().own) GTEST_SKIP() << "only wgpu-rs keeps pipelines";
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    if (!fs::exists(folder_)) return names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }

  /// Makes a device that compiles something and runs it; returns what was logged.
  std::string run(const DeviceConfig& config = {}) {
    testing::internal::CaptureStderr();
    {
      const auto device = make_test_device(config);
      const auto x = device->create_buffer(256);
      const auto y = device->create_buffer(256);
      put(*device, *x, std::vector<std::uint32_t>{1, 2, 3});
      Submission submission;
      add_dispatch(submission, device->compile_program(scale_program(), true), {x.get(), y.get()}, {2, 1, 3, 0}, 1);
      device->submit(submission);
      EXPECT_EQ(get<std::uint32_t>(*device, *y, 3), (std::vector<std::uint32_t>{3, 5, 7}));
    }
    return testing::internal::GetCapturedStderr();
  }

  fs::path folder_ = fs::path(testing::TempDir()) / "tessera_pipeline_store";
  Environment cache_{"TESSERA_CACHE", folder_.c_str()};
};

TEST_F(PipelineStoreTest, ASecondDeviceFindsTheFileOfTheFirst) {
  EXPECT_EQ(run(), "");
  ASSERT_EQ(files().size(), 1U);
  const auto written = fs::last_write_time(folder_ / files()[0]);
  EXPECT_EQ(run(), "");
  ASSERT_EQ(files().size(), 1U);
  if (test_adapter() == "llvmpipe") {  // its cache holds nothing that could change
    EXPECT_EQ(fs::last_write_time(folder_ / files()[0]), written);
  }
}

TEST_F(PipelineStoreTest, ADamagedFileIsSetAsideWithOneLineAndTheRunGoesOn) {
  run();
  ASSERT_EQ(files().size(), 1U);
  const std::string name = files()[0];
  std::ofstream(folder_ / name) << "damaged";
  const std::string said = run();
  EXPECT_EQ(std::ranges::count(said, '\n'), 1) << said;
  EXPECT_TRUE(contains(said, name)) << said;
  EXPECT_EQ(files(), (std::vector<std::string>{name, name + ".bad"}));
  EXPECT_EQ(run(), "") << "the file was written anew";
}

TEST_F(PipelineStoreTest, AFolderThatCannotBeMadeIsSaidOnce) {
  std::ofstream(folder_) << "a file";
  const std::string said = run();
  EXPECT_EQ(std::ranges::count(said, '\n'), 1) << said;
  EXPECT_TRUE(contains(said, "pipeline cache")) << said;
}

TEST_F(PipelineStoreTest, NothingIsKeptWhereNobodyWantsIt) {
  DeviceConfig config;
  config.pipeline_cache = false;
  run(config);
  EXPECT_TRUE(files().empty());
  const Environment nowhere("TESSERA_CACHE", "");
  EXPECT_EQ(run(), "");
  EXPECT_TRUE(files().empty());
}

class ZeroFill : public WebGpuTest {};

// With and without: the text writes before it reads, so both compute the same, and they are two pipelines.
TEST_F(ZeroFill, IsLeftOutOnlyWhereTheProgramSaysSo) {
  const auto device = make_test_device();
  Program program;
  program.label = "turn";
  program.wgsl = R"(
@group(0) @binding(0) var<storage, read_write> y: array<u32>;
var<workgroup> shared_y: array<u32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
  shared_y[i] = i;
  workgroupBarrier();
  y[i] = shared_y[63u - i];
}
)";
  program.writable = {true};
  program.buffer_of = {0};
  const auto y = device->create_buffer(256);
  std::vector<std::uint32_t> expected(64);
  for (std::uint32_t i = 0; i < 64; ++i) expected[i] = 63 - i;
  for (const bool zero_fill : {true, false}) {
    program.zero_fill = zero_fill;
    put(*device, *y, std::vector<std::uint32_t>(64));
    Submission submission;
    add_dispatch(submission, device->compile_program(program, true), {y.get()}, {}, 1);
    device->submit(submission);
    EXPECT_EQ(get<std::uint32_t>(*device, *y, 64), expected);
  }
  EXPECT_EQ(device->compile_stats().pipelines, 2U);
}

TEST_F(ZeroFill, MatricesAreListedOnlyWhereTheDeviceHasThem) {
  const auto device = make_test_device();
  for (const MatrixConfig& config : device->info().matrices) {
    EXPECT_TRUE(config.m == 8 || config.m == 16);
    EXPECT_EQ(config.m, config.n);
    EXPECT_EQ(config.m, config.k);
    EXPECT_TRUE(config.input == DType::kF16 || config.input == DType::kF32);
  }
  const auto& names = device->info().feature_names;
  if (std::ranges::find(names, "cooperative-matrix") == names.end()) {
    EXPECT_TRUE(device->info().matrices.empty());
  }
  const Environment set("TESSERA_DISABLE", "matrices");
  EXPECT_TRUE(make_test_device()->info().matrices.empty());
}

}  // namespace
}  // namespace tessera::runtime
