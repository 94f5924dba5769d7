// Calls: the table of lowerings, and what they depend on.
#include "schedule/calls/calls.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "ops/sort/sort.h"
#include "support.h"

namespace tessera::test {

namespace {

NodePtr input(const Shape& shape, DType dtype = f32) {
  return std::make_shared<const Node>(Op::kInput, dtype, shape, nullptr, Node::Inputs{});
}

/// The names of the kernels that a node becomes.
std::vector<std::string> kernels_of(const NodePtr& node, const DeviceInfo& device = gpu_info()) {
  std::vector<std::string> names;
  const Graph graph = schedule::simplify(snapshot(std::span(&node, 1)), device);
  for (const Graph::Entry& e : graph.entries) {
    EXPECT_NE(e.op(), Op::kCall);
    if (e.op() == Op::kCustom && e.node->custom().output == 0) names.push_back(e.node->custom().call->kernel->name);
  }
  return names;
}

using Names = std::vector<std::string>;

/// How many tensors are copied to memory.
std::ptrdiff_t copies_of(const NodePtr& node, const DeviceInfo& device = gpu_info()) {
  const Graph graph = schedule::simplify(snapshot(std::span(&node, 1)), device);
  return std::ranges::count_if(graph.entries, [](const Graph::Entry& e) { return e.op() == Op::kCopy; });
}

}  // namespace

TEST(CallsTest, LoweringsHaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const schedule::Lowering& x : schedule::lowerings()) {
    EXPECT_FALSE(x.op.empty());
    EXPECT_NE(x.lower, nullptr);
    EXPECT_TRUE(names.insert(x.op).second) << x.op;
  }
  EXPECT_FALSE(names.empty());
}

TEST(CallsTest, FewLongRowsAreScannedInTiles) {
  const Names tiles{"cumsum_totals_f32_quads", "cumsum_of_totals_f32", "cumsum_tiles_f32_quads"};
  EXPECT_EQ(kernels_of(ops::cumsum(input({2, 8192}), 1)), tiles);
  EXPECT_EQ(kernels_of(ops::cumsum(input({2, 4096}), 1)), Names{"cumsum_f32_quads"});
  EXPECT_EQ(kernels_of(ops::cumsum(input({512, 8191}), 1)), Names{"cumsum_f32"});
}

TEST(CallsTest, ShortRowsAreSortedByOneKernel) {
  EXPECT_EQ(kernels_of(ops::argsort(input({3, 1024}), 1, true)), Names{"sort_rows_f32_down"});
  // Histogram, scan and move for each digit of 4 bits.
  EXPECT_EQ(kernels_of(ops::argsort(input({3, 1025}), 1, true)).size(), 24U);
  EXPECT_EQ(kernels_of(ops::argsort(input({3, 1025}, bf16), 1, true)).size(), 12U);
}

TEST(CallsTest, ViewsAreReadWithoutACopy) {
  const NodePtr x = input({4, 64, 32});
  const NodePtr heads = ops::permute(ops::reshape(x, {4, 64, 4, 8}), std::array{0, 2, 1, 3});
  const std::array<ops::Range, 3> inner{{{1, 3, 1}, {8, 40, 1}, {3, 31, 2}}};
  const std::array<ops::Range, 3> last{{{0, 4, 1}, {63, 64, 1}, {0, 32, 1}}};
  const std::map<std::string, NodePtr> views{{"transposed", ops::permute(x, std::array{2, 1, 0})},
                                             {"heads", heads},
                                             {"slice", ops::slice(x, inner)},
                                             {"last position", ops::slice(x, last)},
                                             {"flipped", ops::flip(x, std::array{1, 2})},
                                             {"broadcast", ops::broadcast_to(ops::slice(x, last), {4, 7, 32})}};
  for (const DeviceType type : {DeviceType::kDiscreteGpu, DeviceType::kCpu}) {
    DeviceInfo device = gpu_info();
    device.type = type;
    for (const auto& [name, view] : views) {
      for (int axis = 0; axis < view->shape().rank(); ++axis) {
        EXPECT_EQ(copies_of(ops::cumsum(view, axis), device), 0) << "cumsum, " << name << ", axis " << axis;
        EXPECT_EQ(copies_of(ops::cummax(view, axis).second, device), 0) << "cummax, " << name << ", axis " << axis;
        EXPECT_EQ(copies_of(ops::sort(view, axis, false).first, device), 0) << "sort, " << name << ", axis " << axis;
      }
      const Shape& shape = view->shape();
      const std::int64_t cols = shape.back();
      const std::int64_t rows = view->numel() / cols;
      const NodePtr index = input({rows}, i32);
      for (const auto mode : {ops::ScatterMode::kSet, ops::ScatterMode::kAdd}) {
        // Targets are compared with an arange, which is written out; of two views none is copied.
        const NodePtr plain = ops::scatter_rows(input({rows, cols}), rows, cols, index, input({rows, cols}), mode);
        const NodePtr y = ops::scatter_rows(view, rows, cols, index, view, mode);
        EXPECT_EQ(copies_of(y, device) - copies_of(plain, device), 0)
            << "scatter " << static_cast<int>(mode) << ", " << name;
      }
    }
  }
  EXPECT_EQ(kernels_of(ops::cumsum(ops::permute(x, std::array{0, 2, 1}), 2)), Names{"cumsum_f32_quads_strided"});
}

TEST(CallsTest, LongRowsAreCopiedIfTheyAreReadAcross) {
  const NodePtr wide = input({2, 9000});
  const NodePtr tall = input({9000, 2});
  const std::array<ops::Range, 2> front{{{0, 2, 1}, {4, 8804, 1}}};
  EXPECT_EQ(copies_of(ops::cumsum(ops::slice(wide, front), 1)), 0);
  EXPECT_EQ(copies_of(ops::cumsum(tall, 0)), 1);
  EXPECT_EQ(copies_of(ops::argsort(tall, 0, false)), 1);
}

TEST(CallsTest, ScattersInPartsWhereABindingIsTooSmall) {
  const auto scatter = [](const DeviceInfo& device) {
    const NodePtr y =
        ops::scatter_rows(input({500, 8}), 500, 8, input({100}, i32), input({100, 8}), ops::ScatterMode::kSet);
    const Names names = kernels_of(y, device);
    return std::count(names.begin(), names.end(), "scatter_set_last_f32");
  };
  DeviceInfo device = gpu_info();
  EXPECT_EQ(scatter(device), 1);
  device.limits.max_storage_binding_size = 8192;  // 255 rows
  EXPECT_EQ(scatter(device), 2);
  device.type = DeviceType::kCpu;
  EXPECT_EQ(scatter(device), 1);
}

}  // namespace tessera::test
