// When products of one left operand become one kernel, and when they stay apart.
#include <set>

#include "support.h"

namespace tessera::test {

using Horizontal = NullTest;

/// Matmuls in the largest kernel of a plan.
std::size_t together(const schedule::Plan& plan) {
  std::size_t most = 0;
  for (const Kernel& k : plan.kernels) most = std::max(most, k.matmuls().size());
  return most;
}

TEST_F(Horizontal, QueriesKeysAndValues) {
  const Tensor x = layer_norm(input({64, 512}), input({512}), input({512}));
  const auto project = [&](std::int64_t n) { return matmul(x, input({512, n})) + input({n}); };
  const std::vector<Tensor> qkv{project(512), project(128), project(128)};
  EXPECT_EQ(kernels(qkv), 2U);
  EXPECT_EQ(together(plan(qkv)), 3U);
  const Tensor q = reshape(qkv[0], {64, 8, 64});
  const Tensor k = reshape(qkv[1], {64, 2, 64});
  const Tensor v = reshape(qkv[2], {64, 2, 64});
  const auto heads = [](const Tensor& t) { return permute(t, {1, 0, 2}); };
  EXPECT_EQ(together(plan({scaled_dot_product_attention(heads(q), heads(k), heads(v))})), 3U);
}

TEST_F(Horizontal, LargeProductsStayApart) {
  const auto two = [&](std::int64_t m, std::int64_t n) {
    const Tensor x = input({m, 256});
    const std::vector<NodePtr> roots{matmul(x, input({256, n})).node(), matmul(x, input({256, n})).node()};
    return together(schedule::make_plan(schedule::simplify(snapshot(roots), gpu_info()), {}, gpu_info()));
  };
  EXPECT_EQ(two(16, 14336), 2U);
  EXPECT_EQ(two(512, 4096), 2U);
  EXPECT_EQ(two(1024, 14336), 1U) << "each fills the device";
}

TEST_F(Horizontal, ThePlanForSmallProductsDoesNotServeLargeOnes) {
  for (const std::int64_t m : {16, 32, 4096, 64}) {
    const Tensor x = input({m, 256});
    eval(matmul(x, input({256, 512})), matmul(x, input({256, 128})));
  }
  EXPECT_EQ(statistics(device_).plan_misses, 2U);
  EXPECT_EQ(statistics(device_).dispatches, 3U + 2U);
}

TEST_F(Horizontal, NothingIsKeptForAProductThatComesLater) {
  const Tensor x = input({64, 64});
  const Tensor first = matmul(x, input({64, 64}));
  const Tensor later = matmul(x, softmax(softmax(first).T()));
  EXPECT_EQ(together(plan({later})), 1U) << "it needs the first";
  const Tensor weights = softmax(softmax(input({64, 64})).T());
  EXPECT_EQ(together(plan({first, matmul(x, weights)})), 1U) << "it waits for two kernels";
  EXPECT_EQ(together(plan({matmul(x, input({64, 64}, f16).astype(f32)), first})), 2U) << "casts run at any time";
}

TEST_F(Horizontal, GatesStayInTheBackOfTheirProduct) {
  const Tensor x = input({64, 64});
  const Tensor gate = matmul(x, input({64, 256}));
  const Tensor up = matmul(x, input({64, 256}));
  EXPECT_EQ(kernels({silu(gate) * up}), 2U);
  EXPECT_EQ(together(plan({silu(gate) * up})), 1U);
  EXPECT_EQ(together(plan({gate, up})), 2U);
}

TEST_F(Horizontal, OnlyWhatIsAlike) {
  const Tensor x = input({64, 64}, f16);
  const auto with = [&](const Tensor& w) { return together(plan({matmul(x, input({64, 256}, f16)), matmul(x, w)})); };
  EXPECT_EQ(with(input({64, 128}, f16)), 2U);
  EXPECT_EQ(with(input({64, 64}, f16)), 1U) << "narrow";
  EXPECT_EQ(with(input({64, 129}, f16)), 1U) << "no quads";
  EXPECT_EQ(with(input({256, 64}, f16).T()), 1U) << "transposed";
  EXPECT_EQ(with(input({64, 256}, f32)), 1U) << "another type";
}

TEST_F(Horizontal, KeepsToTheLimitOfBuffersAndParts) {
  const Tensor x = input({64, 64});
  std::vector<NodePtr> roots;
  for (int i = 0; i < 20; ++i) roots.push_back((matmul(x, input({64, 128})) + input({128})).node());
  for (const DeviceInfo& info : {small_info(), gpu_info()}) {
    const Graph graph = schedule::simplify(snapshot(roots), info);
    const schedule::Plan p = schedule::make_plan(graph, {}, info);
    EXPECT_LT(p.kernels.size(), 20U);
    for (const Kernel& k : p.kernels) {
      std::set<int> bound;
      for (const Slot& s : k.inputs) bound.insert(s.node);
      for (const Slot& s : k.outputs) bound.insert(s.node);
      EXPECT_LE(bound.size(), info.limits.max_storage_buffers);
      EXPECT_LE(k.matmuls().size(), 8U);
    }
  }
}

TEST_F(Horizontal, CanBeSwitchedOff) {
  DeviceInfo info = gpu_info();
  info.grouped_gemm = false;
  const Tensor x = input({64, 64});
  const std::vector<NodePtr> roots{matmul(x, input({64, 128})).node(), matmul(x, input({64, 128})).node()};
  EXPECT_EQ(schedule::make_plan(schedule::simplify(snapshot(roots), info), {}, info).kernels.size(), 2U);
}

}  // namespace tessera::test
