// Calls: the table of lowerings, and what they depend on.
#include "schedule/calls/calls.h"

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
