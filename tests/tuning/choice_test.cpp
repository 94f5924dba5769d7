// Which program a product runs as: the measured one, that of a near size, never a demoted one.
#include "codegen/matmul/matmul_cost.h"
#include "runtime/device.h"
#include "tuning/support.h"

namespace tessera::test {
namespace {

using codegen::MatmulShape;
using codegen::tile_text;

class ChoiceTest : public TuningTest {
 protected:
  /// Writes to the file, then makes the device that reads it.
  void open_with(const runtime::TuningTable& table, DeviceConfig config = {}) {
    ASSERT_NO_FATAL_FAILURE(open());
    if (device_ == Device{}) return;
    const std::string key = runtime::tuning_key(device_.info());
    device_ = {};
    store_tuning(file(), key, table);
    open(std::move(config));
  }
  /// The tile that the device's own text of such a product has.
  [[nodiscard]] std::string tile(std::int64_t m, std::int64_t n, std::int64_t k) const {
    const MatmulKernel p = matmul_kernel(device_, f32, m, n, k);
    return tile_text(runtime::tuning_of(device_.info())
                         ->variant_for(p.kernel, p.binding, device_.info(), device_.impl()->model())
                         .matmul());
  }
  /// Workgroups along the columns of the program that the device itself runs such a product with.
  [[nodiscard]] std::uint32_t groups(std::int64_t edge) const {
    const MatmulKernel p = matmul_kernel(device_, f32, edge, edge, edge);
    std::uint32_t grid[3] = {};
    device_.impl()->grid(*device_.impl()->compile(p.kernel, p.binding), p.binding, grid);
    return grid[0];
  }
  [[nodiscard]] std::string wgsl(std::int64_t edge) const {
    const Tensor a = ones({edge, edge}, f32, device_).eval();
    return explain(matmul(a, a)).kernels.at(0).wgsl;
  }
};

constexpr const char* kUsual = "plain 64x64x16 by 16x16";

runtime::TuningTable tuned() {
  runtime::TuningTable table;
  table.matmuls["matmul f32 96x96x96 batch 1 a:n1 b:n1"] = {.tile = kSmall, .us = 1, .suggested_us = 2};
  table.matmuls["matmul f32 112x112x112 batch 1 a:n1 b:n1"] = {.tile = "of another day", .us = 1, .suggested_us = 2};
  return table;
}

TEST_F(ChoiceTest, WithoutAFileTheSuggestedShapeIsTaken) {
  ASSERT_NO_FATAL_FAILURE(open());
  if (device_ == Device{}) return;
  EXPECT_EQ(tile(96, 96, 96), kUsual);
  EXPECT_FALSE(fs::exists(file())) << "using a product measures and writes nothing";
}

TEST_F(ChoiceTest, TheMeasuredShapeIsTakenForTheSizeAndNearOnes) {
  ASSERT_NO_FATAL_FAILURE(open_with(tuned()));
  if (device_ == Device{}) return;
  EXPECT_EQ(tile(96, 96, 96), kSmall);
  EXPECT_EQ(tile(100, 96, 90), kSmall) << "each size within an eighth";
  EXPECT_EQ(tile(96, 96, 84), kSmall);
  EXPECT_EQ(tile(96, 96, 80), kUsual) << "too far";
  EXPECT_EQ(tile(112, 112, 112), kUsual) << "a tile that this device does not have";
  // It is what runs, and it is right.
  const Tensor a = ones({96, 96}, f32, device_).eval();
  const Tensor c = matmul(a, a);
  for (const float x : c.to_vector<float>()) ASSERT_EQ(x, 96);
  EXPECT_EQ(groups(96), 3U) << "of 32 columns";
  EXPECT_EQ(groups(112), 2U) << "of 64 columns";
}

TEST_F(ChoiceTest, ProductsSideBySideCountAsOneOfAllColumns) {
  runtime::TuningTable table = tuned();
  table.matmuls["matmul f16 96x240x96 batch 1 a:n1 b:n1"] = {
      .tile = "plain 64x128x16 by 8x32", .us = 1, .suggested_us = 2};
  ASSERT_NO_FATAL_FAILURE(open_with(table));
  if (device_ == Device{}) return;
  const auto tile_of = [&](DType t, const std::vector<std::int64_t>& widths) {
    const Tensor x = ones({96, 96}, t, device_).eval();
    std::vector<Tensor> products;
    std::vector<NodePtr> roots;
    for (const std::int64_t n : widths) products.push_back(matmul(x, ones({96, n}, t, device_).eval()));
    for (const Tensor& c : products) roots.push_back(c.node());
    const Graph graph = schedule::simplify_to_fit(snapshot(roots), device_.info());
    const schedule::Plan plan = schedule::make_plan(graph, {}, device_.info());
    EXPECT_EQ(plan.kernels.size(), 1U);
    const Binding binding = bind(plan.kernels[0], graph);
    const auto shape = runtime::tuning_of(device_.info())
                           ->variant_for(plan.kernels[0], binding, device_.info(), device_.impl()->model())
                           .matmul();
    for (const Tensor& c : products) {
      for (const float v : c.astype(f32).to_vector<float>()) EXPECT_EQ(v, 96);
    }
    return tile_text(shape);
  };
  EXPECT_EQ(tile_of(f32, {64, 32}), kSmall);
  EXPECT_EQ(tile_of(f32, {32, 32, 32}), kSmall);
  EXPECT_EQ(tile_of(f32, {96, 96}), kUsual) << "192 columns were not measured";
  // The same columns in all, but divided otherwise: what lies inside of a tile differs.
  for (const auto& widths : {std::vector<std::int64_t>{240}, {120, 120}, {60, 60, 120}}) {
    EXPECT_EQ(tile_of(f16, widths), "plain 64x128x16 by 8x32");
  }
}

TEST_F(ChoiceTest, DemotedShapesAreNeverTaken) {
  ASSERT_NO_FATAL_FAILURE(open());
  if (device_ == Device{}) return;
  const MatmulKernel p = matmul_kernel(device_, f32, 96, 96, 96);
  const auto candidates = codegen::matmul_candidates(p.kernel, p.binding, device_.info(), device_.impl()->model());
  ASSERT_GT(candidates.size(), 2U);
  const std::string kind = runtime::problem_of(p.kernel, p.binding, device_.info()).kind();
  EXPECT_EQ(kind, "matmul f32 a:n1 b:n1");
  runtime::TuningTable table = tuned();
  for (const MatmulShape& s : candidates) {
    if (tile_text(s) == kSmall) table.demoted[kind].insert(s.key());
  }
  ASSERT_NO_FATAL_FAILURE(open_with(table));
  EXPECT_EQ(tile(96, 96, 96), kUsual) << "the measured one is demoted";
  runtime::TuningTable more;
  more.demoted[kind].insert(candidates[0].key());
  runtime::tuning_of(device_.info())->add(more);
  EXPECT_EQ(tile(96, 96, 96), tile_text(candidates[1])) << "the suggested one too: the next";
  runtime::TuningTable all;
  for (const MatmulShape& s : candidates) all.demoted[kind].insert(s.key());
  runtime::tuning_of(device_.info())->add(all);
  EXPECT_EQ(tile(96, 96, 96), kUsual) << "something has to run";
}

TEST_F(ChoiceTest, DeterministicDevicesConsultNothing) {
  ASSERT_NO_FATAL_FAILURE(open_with(tuned()));
  if (device_ == Device{}) return;
  const std::string measured = wgsl(96);
  EXPECT_EQ(groups(96), 3U);
  DeviceConfig config;
  config.deterministic = true;
  open(config);
  EXPECT_NE(wgsl(96), measured);
  EXPECT_EQ(groups(96), 2U);
  // Nor do they read the file: a damaged one stays as it is.
  std::ofstream(file()) << "{";
  open(config);
  const Tensor a = ones({96, 96}, f32, device_).eval();
  EXPECT_EQ(matmul(a, a).to_vector<float>()[0], 96);
  EXPECT_EQ(read_file(file()), "{");
}

TEST_F(ChoiceTest, LikelyShapesAreMeasuredFirst) {
  ASSERT_NO_FATAL_FAILURE(open());
  if (device_ == Device{}) return;
  const MatmulKernel p = matmul_kernel(device_, f32, 16, 512, 512);
  const auto candidates = codegen::matmul_candidates(p.kernel, p.binding, device_.info(), device_.impl()->model());
  const auto likely = codegen::worth_measuring(candidates, p.binding, device_.impl()->model());
  ASSERT_FALSE(likely.empty());
  EXPECT_LT(likely.size(), candidates.size());
  EXPECT_EQ(likely[0].key(), candidates[0].key());
  for (const MatmulShape& s : likely) EXPECT_LE(s.tile_m(), 64U) << "16 rows in " << s.key();
}

/// The device with what a large GPU has.
DeviceInfo large_gpu(const Device& device) {
  DeviceInfo gpu = device.info();
  gpu.type = DeviceType::kDiscreteGpu;
  gpu.features.f16 = gpu.features.subgroups = true;
  gpu.limits.subgroup_min = gpu.limits.subgroup_max = 32;
  gpu.limits.max_workgroup_memory = 49152;
  gpu.limits.max_workgroup_size = 1024;
  gpu.matrices = {{16, 16, 16, DType::kF16, DType::kF32}};
  return gpu;
}

TEST_F(ChoiceTest, TheLastTilesOverlapUnlessTheEpilogueUpdatesInPlace) {
  ASSERT_NO_FATAL_FAILURE(open());
  if (device_ == Device{}) return;
  const DeviceInfo gpu = large_gpu(device_);
  const schedule::DeviceModel model(gpu);
  constexpr const char* kTile = "matrix 16, 128x128x32 of 64x64";
  runtime::TuningTable table;
  table.matmuls["matmul f16 192x192x64 batch 1 a:n1 b:n1"] = {.tile = kTile, .us = 1, .suggested_us = 2};
  store_tuning(file(), runtime::tuning_key(gpu), table);
  runtime::Tuning tuning(file(), gpu);
  const auto shape = [&](std::int64_t edge, bool in_place) {
    MatmulKernel p = matmul_kernel(device_, f16, edge, edge, 64);
    if (in_place) p.kernel.aliases.emplace_back(2, 0);
    return tuning.variant_for(p.kernel, p.binding, gpu, model).matmul();
  };
  for (const std::int64_t edge : {192, 193}) {
    const MatmulShape first = shape(edge, false);
    const MatmulShape second = shape(edge, true);
    EXPECT_EQ(tile_text(first), kTile);
    EXPECT_EQ(tile_text(second), kTile);
    EXPECT_TRUE(first.inside_m && first.inside_n) << edge;
    EXPECT_FALSE(second.inside_m || second.inside_n) << edge;
  }
}

TEST_F(ChoiceTest, OnALargeGpuMatrixUnitsAndFullRoundsAreLikely) {
  ASSERT_NO_FATAL_FAILURE(open());
  if (device_ == Device{}) return;
  const DeviceInfo gpu = large_gpu(device_);
  const schedule::DeviceModel model(gpu);
  const auto likely = [&](std::int64_t m, std::int64_t n, std::int64_t k) {
    const MatmulKernel p = matmul_kernel(device_, f16, m, n, k);
    std::vector<std::string> tiles;
    for (const MatmulShape& s :
         codegen::worth_measuring(codegen::matmul_candidates(p.kernel, p.binding, gpu, model), p.binding, model)) {
      tiles.push_back(tile_text(s));
    }
    return tiles;
  };
  const auto has = [](const std::vector<std::string>& tiles, const char* tile) {
    return std::ranges::count(tiles, tile) == 1;
  };
  const auto large = likely(4096, 4096, 64);
  EXPECT_TRUE(has(large, "matrix 16, 128x128x32 of 64x64"));
  EXPECT_TRUE(has(large, "matrix 16, 128x256x32 of 64x64"));
  EXPECT_FALSE(has(large, kSmall)) << "eight times the work of matrix units";
  const auto skinny = likely(16, 4096, 64);
  EXPECT_TRUE(has(skinny, "matrix 16, 16x64x64 of 16x16"));
  EXPECT_FALSE(has(skinny, "matrix 16, 128x128x32 of 64x64")) << "112 of 128 rows would be empty";
  const auto small = likely(512, 512, 64);
  EXPECT_TRUE(has(small, "matrix 16, 64x64x64 of 32x32"));
  EXPECT_TRUE(has(small, "matrix 16, 16x64x64 of 16x16")) << "the winner on an H200";
  for (const auto* tiles : {&large, &skinny, &small}) {
    EXPECT_LE(tiles->size(), 16U);
    EXPECT_GE(tiles->size(), 3U);
  }
}

}  // namespace
}  // namespace tessera::test
