// How loop nests are split into chunks for devices that are not here: the chunks, their binding ranges, and what stays
// as it was.
#include "schedule/lower/chunks.h"

#include <numeric>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "codegen/program.h"
#include "graph/op.h"
#include "runtime/null/null_device.h"
#include "schedule/fuse/fuse.h"
#include "schedule/lower/fit.h"
#include "schedule/plan.h"
#include "schedule/simplify/simplify.h"
#include "support/profiles.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

using schedule::Chunk;
using schedule::Chunks;
using schedule::Span;

/// Bindings of 2 GiB in buffers of 4, as on a large GPU.
DeviceInfo large_info() {
  DeviceInfo info = h200_profile().info;
  info.id = "null";
  info.name = "null GPU";
  info.limits.max_storage_binding_size -= 16;
  info.features = {.f16 = true, .subgroups = true};
  info.matrices.clear();
  return info;
}

class Cutting : public testing::Test {
 protected:
  Cutting() : device_(runtime::make_null_device(large_info())) {}

  /// A tensor without data: only its sizes count.
  [[nodiscard]] Tensor input(const Shape& shape, DType t = f32) const {
    return Tensor(std::make_shared<const Node>(Op::kInput, t, shape, device_.impl(), Node::Inputs{}));
  }

  /// Fits and cuts everything; the chunks of each kernel, after checking them.
  std::vector<std::size_t> chunks(const std::vector<Tensor>& roots, const DeviceInfo& info = large_info()) const {
    std::vector<NodePtr> nodes;
    for (const Tensor& t : roots) nodes.push_back(t.node());
    const Graph graph = schedule::simplify_to_fit(snapshot(nodes), info);
    std::vector<std::size_t> counts;
    labels_.clear();
    for (const Kernel& kernel : schedule::make_plan(graph, {}, info).kernels) {
      labels_.push_back(kernel.label());
      const Binding whole = bind(kernel, graph);
      if (schedule::fits_whole(kernel, graph, info)) {
        counts.push_back(1);
        check_grid(kernel, whole, info);
        continue;
      }
      const Chunks cut = schedule::chunks_of(kernel, graph, info);
      EXPECT_TRUE(cut.ok()) << kernel.label();
      counts.push_back(cut.chunks.size());
      double covered = 0;
      for (const Chunk& chunk : cut.chunks) {
        check_ranges(kernel, graph, chunk, info);
        const Binding binding = schedule::bind_chunk(kernel, whole, chunk);
        check_grid(kernel, binding, info);
        covered += static_cast<double>(binding.rows) * static_cast<double>(binding.cols);
      }
      if (kernel.in_ranges) continue;
      EXPECT_EQ(covered, static_cast<double>(whole.rows) * static_cast<double>(whole.cols)) << kernel.label();
    }
    return counts;
  }

  static void check_ranges(const Kernel& kernel, const Graph& graph, const Chunk& chunk, const DeviceInfo& info) {
    ASSERT_EQ(chunk.ranges.size(), kernel.inputs.size() + kernel.outputs.size());
    for (std::size_t i = 0; i < chunk.ranges.size(); ++i) {
      const Slot& slot = i < kernel.inputs.size() ? kernel.inputs[i] : kernel.outputs[i - kernel.inputs.size()];
      const Span& w = chunk.ranges[i];
      const auto size = static_cast<std::int64_t>(size_of(slot.dtype));
      EXPECT_EQ(w.first * size % 256, 0);
      EXPECT_EQ((w.last + 1) % 4, 0);
      EXPECT_GE(w.first, 0);
      EXPECT_LE(w.last, (graph.node(slot.node).numel() + 3) / 4 * 4 - 1);
      EXPECT_LE((w.last - w.first + 1) * size, static_cast<std::int64_t>(info.limits.max_storage_binding_size));
    }
  }

  static void check_grid(const Kernel& kernel, const Binding& binding, const DeviceInfo& info) {
    std::uint32_t grid[3];
    const Variant variant = codegen::choose_variant(kernel, binding, info, schedule::DeviceModel(info));
    codegen::grid_of(kernel, variant, binding, info, grid);
    for (const std::uint32_t g : grid) {
      EXPECT_GT(g, 0U) << kernel.label();
      EXPECT_LE(g, info.limits.max_workgroups) << kernel.label();
    }
  }

  Device device_;
  mutable std::vector<std::string> labels_;
};

using Counts = std::vector<std::size_t>;
constexpr std::int64_t kRows = 30000;
constexpr std::int64_t kCols = 31316;  // 3.5 GiB of f32

TEST_F(Cutting, LargeTensorsTakeFewPieces) {
  const Tensor x = input({kRows, kCols});
  EXPECT_EQ(chunks({x * 2.0}), Counts{2});
  EXPECT_EQ(chunks({x + input({kCols})}), Counts{2});
  EXPECT_EQ(chunks({softmax(x)}), Counts{2});
  EXPECT_EQ(chunks({sum(x, {1})}), Counts{2});
  EXPECT_EQ(chunks({max(x)})[0], 2U);
  EXPECT_EQ(chunks({cast(x, i8)}), Counts{2});
  EXPECT_EQ(chunks({pad(x, {{1, 0}, {0, 2}})}), Counts{2});
  EXPECT_EQ(chunks({contiguous(flip(x))}), Counts{2});
  EXPECT_EQ(chunks({x + input({kCols, kRows}).T()}), (Counts{4, 2}));
  EXPECT_EQ(labels_[0], "map_ranges");
  EXPECT_EQ(chunks({contiguous(x.T())}), Counts{4});
  EXPECT_EQ(chunks({matmul(x, input({kCols, 64}))}), Counts{2});
  EXPECT_EQ(chunks({matmul(input({64, kRows}), x)}), (Counts{4, 2}));
  EXPECT_EQ(chunks({matmul(slice(x, {{0, 64}}), input({kCols, 64}))}), (Counts{1, 1})) << "chunks of k, and their sum";
}

TEST_F(Cutting, ColumnSumsNeedNoCopy) {
  const Tensor x = input({kRows, kCols});
  for (const Counts& counts : {chunks({sum(x, {0})}), chunks({matmul(input({1, kRows}), x)})}) {
    EXPECT_EQ(std::count(labels_.begin(), labels_.end(), "map_ranges"), 0);
    EXPECT_LE(std::accumulate(counts.begin(), counts.end(), std::size_t{0}), 5U);
  }
}

TEST_F(Cutting, WithinLimitsNothingChanges) {
  const Tensor x = input({kRows, kCols}, i8);
  EXPECT_EQ(chunks({x + x}), Counts{1});
  EXPECT_EQ(chunks({contiguous(x.T())}), Counts{1});
  EXPECT_EQ(chunks({softmax(input({2, 100000000}))}), chunks({softmax(input({2, 1000000}))}));
}

TEST_F(Cutting, GridsStayWithinTheLimit) {
  const Tensor a = input({70000, 5, 8});
  EXPECT_EQ(chunks({matmul(a, input({70000, 8, 5}))}), Counts{2});
  EXPECT_EQ(chunks({matmul(a, input({8, 5}))}), Counts{1}) << "one matrix for all is one product";
  DeviceInfo few = large_info();
  few.limits.max_workgroups = 4;
  EXPECT_GT(chunks({matmul(input({1000, 16}), input({16, 1000}))}, few)[0], 4U);
  EXPECT_EQ(chunks({matmul(input({9, 20, 16}), input({9, 16, 20}))}, few), Counts{3});
}

TEST_F(Cutting, TooManyPiecesAreALimit) {
  DeviceInfo tiny = large_info();
  tiny.limits.max_storage_binding_size = 4096;
  try {
    chunks({contiguous(input({3000, 3000}).T())}, tiny);
    FAIL() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kLimit);
    EXPECT_EQ(e.fields().requested, 36000000U);
    EXPECT_EQ(e.fields().available, 4096U);
    EXPECT_NE(std::string(e.what()).find("more than 65536 dispatches"), std::string::npos) << e.what();
  }
}

/// The programs that a device of this binding size is given for some graphs that are within it.
std::vector<std::string> programs(std::uint64_t max_binding_size) {
  DeviceConfig config;
  config.max_binding_size = max_binding_size;
  const auto null = runtime::make_null_device(large_info(), config);
  const Device device{null};
  const Tensor x = tessera::zeros({64, 60}, f32, device) + 1.0;
  const Tensor h = cast(x, f16);
  eval(x, h, softmax(x), sum(x, {0}), contiguous(x.T()), pad(h, {{1, 1}, {2, 0}}), matmul(x, x.T()), argmax(x, 1));
  eval(matmul(h.T(), h) + 1.0, max(x), concat({x, x}), x + slice(x, {{}, {0, 1}}));
  std::vector<std::string> texts;
  for (const Program& p : null->programs()) texts.push_back(p.wgsl);
  return texts;
}

TEST(Programs, AreTheSameWithinLimits) {
  const std::vector<std::string> without = programs(0);
  EXPECT_EQ(programs(std::uint64_t{1} << 20U), without);
  EXPECT_NE(programs(4096), without);
}

TEST(Plans, DoNotDependOnTheLimit) {
  DeviceConfig config;
  config.max_binding_size = 4096;
  const auto null = runtime::make_null_device(large_info(), config);
  const Device device{null};
  const auto run = [&](std::int64_t n) { (tessera::zeros({n}, f32, device).eval() * 2.0 + 1.0).eval(); };
  run(100);
  const auto before = null->plans().stats().plans;
  const auto dispatches = null->dispatch_count();
  run(1000);
  EXPECT_EQ(null->dispatch_count(), dispatches + 2);
  run(20000);
  run(50000);
  EXPECT_LE(null->plans().stats().plans, before + 2);  // small and large maps have plans of their own
  EXPECT_GT(null->dispatch_count(), dispatches + 2 + 20);
}

TEST(Plans, FewForAllLargeSizes) {
  DeviceConfig config;
  config.max_binding_size = 4096;
  const auto null = runtime::make_null_device(large_info(), config);
  const Device device{null};
  const auto run = [&](std::int64_t n) {
    const Tensor x = tessera::zeros({n, n}, f32, device).eval();
    contiguous(x.T()).eval();
  };
  run(200);
  const auto before = null->plans().stats().plans;
  for (std::int64_t n = 201; n < 210; ++n) run(n);
  EXPECT_EQ(null->plans().stats().plans, before);
}

}  // namespace
}  // namespace tessera::test
