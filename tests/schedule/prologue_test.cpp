// Which elementwise work products take in front of them, and which keeps a kernel of its own.
#include "support.h"

namespace tessera::test {

class Prologues : public NullTest {
 protected:
  /// Kernels where the device is another one.
  [[nodiscard]] static std::size_t kernels_on(const DeviceInfo& device, const std::vector<Tensor>& roots) {
    std::vector<NodePtr> nodes;
    for (const Tensor& t : roots) nodes.push_back(t.node());
    const Graph graph = schedule::simplify(snapshot(nodes), device);
    return schedule::make_plan(graph, {}, device).kernels.size();
  }
};

TEST_F(Prologues, ExpressionsInFrontOfProducts) {
  const Tensor g = input({16, 512}, f16);
  const Tensor w = input({512, 64}, f16);
  EXPECT_EQ(kernels({matmul(silu(g) * input({16, 512}, f16), w)}), 1U);
  EXPECT_EQ(kernels({matmul(g * input({512}, f16), w)}), 1U);
  EXPECT_EQ(kernels({matmul(gelu(g), w)}), 1U);
  EXPECT_EQ(kernels({matmul(g, w - 1.0)}), 1U);
  EXPECT_EQ(kernels({matmul(g * 2.0, cast(input({512, 64}, i8), f16) * input({1, 64}, f16))}), 1U);
  EXPECT_EQ(plan({matmul(g * 2.0, w)}).kernels[0].label(), "multiply_matmul");
}

TEST_F(Prologues, GateAndUpOfOneProduct) {
  const Tensor both = matmul(input({16, 256}, f16), input({256, 1024}, f16));
  const Tensor down = matmul(silu(slice(both, {{}, {0, 512}})) * slice(both, {{}, {512, {}}}), input({512, 64}, f16));
  EXPECT_EQ(kernels({down}), 2U);
}

TEST_F(Prologues, WhatAnotherKernelDoesAtItsBack) {
  const Tensor x = input({16, 256});
  const Tensor w = input({256, 256});
  const auto label = [&](const Tensor& t) { return plan({t}).kernels.back().label(); };
  EXPECT_EQ(label(matmul(relu(matmul(x, w)), w)), "matmul");
  EXPECT_EQ(label(matmul(rms_norm(x, input({256})), w)), "matmul");
  EXPECT_EQ(kernels({matmul(rms_norm(x, input({256})), w)}), 2U);
}

TEST_F(Prologues, OnlyWhatNobodyElseReads) {
  const Tensor x = input({64, 256});
  const Tensor e = tanh(x);
  EXPECT_EQ(kernels({matmul(e, input({256, 64})), e}), 2U) << "it is asked for";
  EXPECT_EQ(kernels({matmul(e, input({256, 64})), sum(e, {1})}), 2U) << "a reduction computes it anyway";
  EXPECT_EQ(kernels({matmul(e, input({256, 64})), matmul(input({32, 64}), e)}), 2U) << "two products do";
}

TEST_F(Prologues, ManyRowsAndDearOnesStayApart) {
  const auto left = [&](std::int64_t m, std::int64_t n) { return matmul(silu(input({m, 256})), input({256, n})); };
  EXPECT_EQ(kernels({left(1, 65536)}), 1U) << "few rows";
  EXPECT_EQ(kernels({left(16, 65536)}), 2U) << "each tile would compute them again";
  EXPECT_EQ(kernels({left(4096, 64)}), 1U) << "read by one tile of columns";
  EXPECT_EQ(kernels({left(4096, 4096)}), 2U);
  const auto right = [&](std::int64_t m) { return matmul(input({m, 256}), input({256, 4096}) + 1.0); };
  EXPECT_EQ(kernels({right(64)}), 1U);
  EXPECT_EQ(kernels({right(8192)}), 2U);
  const Tensor dear = sin(cos(tan(input({64, 256}))));
  EXPECT_EQ(kernels({matmul(dear, input({256, 64}))}), 2U);
}

TEST_F(Prologues, KeepToTheLimits) {
  const auto sum_of = [&](int count) {
    Tensor total = input({64, 64});
    for (int i = 1; i < count; ++i) total = total + input({64, 64});
    return total;
  };
  const Tensor w = input({64, 64});
  EXPECT_EQ(kernels({matmul(sum_of(4), w)}), 1U);
  EXPECT_EQ(kernels({matmul(sum_of(5), w)}), 2U);
  EXPECT_EQ(kernels_on(small_info(), {matmul(sum_of(4), w)}), 1U);
  EXPECT_EQ(kernels_on(small_info(), {matmul(sum_of(3), sum_of(3))}), 2U) << "one of them has a kernel of its own";
  DeviceInfo other = small_info();
  other.limits.max_storage_binding_size = 8192;
  EXPECT_EQ(kernels_on(other, {matmul(sum_of(2), w)}), 2U) << "buffers that are bound in windows";
  other = gpu_info();
  other.prologues = false;
  EXPECT_EQ(kernels_on(other, {matmul(sum_of(2), w)}), 2U);
  other = gpu_info();
  other.type = DeviceType::kCpu;
  EXPECT_EQ(kernels_on(other, {matmul(sum_of(2), w)}), 2U);
}

TEST_F(Prologues, PlansAreNotSharedAcrossTheBound) {
  const auto graph_of = [&](std::int64_t m) {
    const std::vector<NodePtr> roots{matmul(input({m, 256}), input({256, 4096}) + 1.0).node()};
    return schedule::simplify(snapshot(roots), device_.info());
  };
  const Graph few = graph_of(64);
  const schedule::Plan one = schedule::make_plan(few, {}, device_.info());
  const Graph many = graph_of(8192);
  EXPECT_EQ(one.key, schedule::plan_key(many, {}));
  EXPECT_TRUE(one.serves(few));
  EXPECT_TRUE(one.serves(graph_of(65)));
  EXPECT_FALSE(one.serves(many));
}

}  // namespace tessera::test
