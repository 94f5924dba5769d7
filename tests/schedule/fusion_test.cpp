// Golden tests: how many kernels a graph becomes, whatever its ops are called.
#include "graph/op.h"
#include "support.h"

namespace tessera::test {

using Fusion = NullTest;

TEST_F(Fusion, RowsThatFitAreOneKernel) {
  const Tensor x = input({512, 1024});
  const Tensor w = input({1024});
  const Tensor b = input({1024});
  EXPECT_EQ(kernels({softmax(x)}), 1U);
  EXPECT_EQ(kernels({log_softmax(x)}), 1U);
  EXPECT_EQ(kernels({layer_norm(x, w, b)}), 1U);
  EXPECT_EQ(kernels({rms_norm(x, w)}), 1U);
  EXPECT_EQ(kernels({logsumexp(x, {-1})}), 1U);
}

TEST_F(Fusion, TheSameByHandUnderOtherNames) {
  const Tensor x = input({8, 64, 128});
  const Tensor top = max(x, {2}, true);
  const Tensor e = exp(x - top);
  EXPECT_EQ(kernels({e / sum(e, {2}, true)}), 1U);
  const Tensor gain = input({128});
  const Tensor mean_square = sum(x * x, {-1}, true) * (1.0 / 128);
  EXPECT_EQ(kernels({x / sqrt(mean_square + 1e-6) * gain}), 1U);
  const Tensor centre = sum(x, {2}, true) / 128.0;
  const Tensor spread = sum(square(x - centre), {2}, true) / 128.0;
  EXPECT_EQ(kernels({(x - centre) / sqrt(spread + 1e-5)}), 1U);
}

TEST_F(Fusion, PowersWithConstantExponentsAreMultiplicationsAndRoots) {
  const Tensor x = input({64, 64});
  for (const double exponent : {0.0, 1.0, 2.0, 3.0, 4.0, -1.0, -2.0, 0.5, -0.5}) {
    auto [value, gradients] = vjp([&](const Tensors& v) { return Tensors{power(v[0], exponent) + 1.0}; }, {x}, {x});
    for (const Kernel& k : plan({value[0]}).kernels) EXPECT_EQ(k.label().find("power"), std::string::npos) << exponent;
    if (exponent <= 0) continue;  // 0 is a special case; -1.5 and -3 are powers
    for (const Kernel& k : plan({gradients[0]}).kernels) {
      EXPECT_EQ(k.label().find("power"), std::string::npos) << exponent;
    }
  }
  EXPECT_TRUE(plan({power(x, 5.0) + 1.0}).kernels[0].label().find("power") != std::string::npos);
}

TEST_F(Fusion, ElementwiseChainsAreOneKernel) {
  const Tensor a = input({1000, 100});
  const Tensor b = input({1000, 100});
  const Tensor c = input({100});
  EXPECT_EQ(kernels({gelu(a * b + c)}), 1U);
  EXPECT_EQ(kernels({gelu_tanh(a) * b, silu(a)}), 1U);
  EXPECT_EQ(kernels({mish(a)}), 1U);
  EXPECT_EQ(kernels({exp(a).T() + b.T()}), 1U);
  EXPECT_EQ(kernels({concat({a * 2.0, exp(b)}, 1)}), 1U);
}

TEST_F(Fusion, EpiloguesJoinTheMatmul) {
  const Tensor a = input({256, 128});
  const Tensor b = input({128, 512});
  const Tensor bias = input({512});
  const Tensor residual = input({256, 512});
  EXPECT_EQ(kernels({relu(matmul(a, b) + bias) + residual}), 1U);
  EXPECT_EQ(kernels({matmul(a, b.astype(f16).astype(f32).T().T())}), 1U) << "the operand is computed there";
  EXPECT_EQ(kernels({matmul(a, input({512, 128}).T())}), 1U) << "transposed views are read in place";
  EXPECT_EQ(kernels({softmax(matmul(a, b))}), 2U);
}

TEST_F(Fusion, LongSumsOfSmallProductsAreCut) {
  const auto product = [&](std::int64_t m, std::int64_t n, std::int64_t k) {
    return matmul(input({m, k}), input({k, n}));
  };
  EXPECT_EQ(kernels({relu(product(64, 64, 4096))}), 2U) << "split-K, and the sum of the splits with what follows";
  EXPECT_EQ(kernels({matmul(input({4096, 512}).T(), input({4096, 512}))}), 2U) << "the gradient of a layer";
  EXPECT_EQ(kernels({product(64, 64, 512)}), 1U) << "too short to pay";
  EXPECT_EQ(kernels({product(64, 64, 4099)}), 1U) << "no equal pieces";
  EXPECT_EQ(kernels({product(4096, 4096, 4096)}), 1U) << "busy as it is";
  EXPECT_EQ(plan({product(64, 64, 4096)}).key, plan({product(32, 48, 8192)}).key);
  const auto conv = [&](std::int64_t images, std::int64_t c, std::int64_t edge) {
    return relu(conv2d(input({images, c, edge, edge}), input({c, c, 3, 3}), {}, {.padding = 1}));
  };
  EXPECT_EQ(kernels({conv(1, 256, 14)}), 2U) << "whole channels are a piece";
  EXPECT_EQ(kernels({conv(1, 65, 14)}), 1U) << "no equal pieces of whole channels";
  EXPECT_EQ(kernels({conv(64, 256, 14)}), 1U) << "busy as it is";
  const ConvOptions last{.padding = 1, .layout = ImageLayout::kChannelsLast};
  const Tensor weights = permute(input({256, 3, 3, 256}), {0, 3, 1, 2});
  EXPECT_EQ(kernels({conv2d(input({1, 14, 14, 256}), weights, {}, last)}), 2U) << "whole taps are a piece";
}

TEST_F(Fusion, MeanAndVarianceShareTheirRows) {
  const Tensor x = input({300, 700});
  EXPECT_EQ(kernels({mean(x, {1}), var(x, {1})}), 1U);
  EXPECT_EQ(kernels({max(x, {1}), min(x, {1}), sum(x, {1})}), 1U);
}

TEST_F(Fusion, SmallIndependentMapsShareADispatch) {
  const Tensor a = input({100});
  const Tensor b = input({7, 9});
  const Tensor c = input({1000});
  const Tensor d = input({3});
  EXPECT_EQ(kernels({a * 2.0, exp(b), c + 1.0, sin(d)}), 1U);
  EXPECT_EQ(kernels({a * 2.0, sum(a * 2.0)}), 1U) << "a map joins the reduction over its elements";
}

TEST_F(Fusion, LargeIndependentMapsStayApart) {
  const Tensor a = input({1 << 20});
  const Tensor b = input({1 << 19});
  EXPECT_EQ(kernels({a * 2.0, b * 2.0}), 2U);
}

TEST_F(Fusion, CommonSubexpressionsOnceDeadNodesNever) {
  const Tensor x = input({64, 64});
  const schedule::Plan p = plan({exp(x) + 1.0, exp(x) * 3.0});
  ASSERT_EQ(p.kernels.size(), 1U);
  int exps = 0;
  for (const Instr& i : p.kernels[0].instrs) exps += i.op == Op::kExp ? 1 : 0;
  EXPECT_EQ(exps, 1);
  const Tensor unused = sin(x);
  EXPECT_EQ(kernels({cos(x)}), 1U);
}

TEST_F(Fusion, DrawsAreNeverMerged) {
  const schedule::Plan p =
      plan({random::uniform({64}, 0.0, 1.0, f32, device_) - random::uniform({64}, 0.0, 1.0, f32, device_)});
  int draws = 0;
  for (const Kernel& k : p.kernels) {
    for (const Instr& i : k.instrs) draws += i.kind == Instr::Kind::kRandom ? 1 : 0;
  }
  EXPECT_EQ(draws, 2);
}

TEST_F(Fusion, LongRowsTakeSeveralPasses) {
  EXPECT_EQ(kernels({sum(input({1 << 22}))}), 2U);
  EXPECT_EQ(kernels({sum(input({4096, 4096}), {0})}), 2U);
  EXPECT_EQ(kernels({sum(input({65536, 1024}), {1})}), 1U);
}

TEST_F(Fusion, GroupsKeepToTheLimitOfBuffers) {
  const DeviceInfo small = small_info();
  std::vector<Tensor> parts;
  for (int i = 0; i < 30; ++i) parts.push_back(input({64, 64}));
  Tensor total = parts[0];
  for (const Tensor& p : parts) total = total + exp(p);
  const std::vector<NodePtr> roots{total.node(), concat(parts).node(), (parts[3] * 2.0).node()};
  const Graph graph = schedule::simplify(snapshot(roots), small);
  for (const Kernel& k : schedule::make_plan(graph, {}, small).kernels) {
    EXPECT_LE(k.inputs.size() + k.outputs.size(), small.limits.max_storage_buffers) << k.label();
  }
}

TEST_F(Fusion, ChecksOfIndicesLeaveRoomForTheReport) {
  const DeviceInfo small = small_info();
  Tensor total = take(input({64, 64}), input({64}, i32), 0);
  EXPECT_EQ(kernels({total}), 1U) << "index arithmetic and load are one kernel";
  for (int i = 0; i < 30; ++i) total = total + input({64, 64});
  const std::vector<NodePtr> roots{total.node()};
  const Graph graph = schedule::simplify(snapshot(roots), small);
  for (const Kernel& k : schedule::make_plan(graph, {}, small).kernels) {
    EXPECT_LT(k.inputs.size() + k.outputs.size(), small.limits.max_storage_buffers) << k.label();
  }
}

TEST_F(Fusion, GradientsFuse) {
  // The gradient of a softmax with its cross entropy: one kernel for the logits' rows, none of them written twice.
  const Tensor x = input({64, 1000});
  const Tensor t = input({64}, i32);
  auto [value, g] = value_and_grad([&](const Tensor& a) { return cross_entropy(a, t); })(x);
  EXPECT_LE(kernels({g}), 2U);
  // A layer's backward pass: three matmuls, with the activation's slope in the back of one.
  const Tensor w = input({256, 512});
  const Tensor v = input({512, 64});
  const Tensor in = input({32, 256});
  const Tensors both =
      grad([&](const Tensors& p) { return mean(square(matmul(tanh(matmul(in, p[0])), p[1]))); })(Tensors{w, v});
  EXPECT_LE(kernels(both), 5U);
}

TEST_F(Fusion, HalvesAreNotWrittenOutInF32) {
  // A layer, its normalization and a loss, forward and back: f32 is for what is one value a row.
  const Tensor x = input({512, 256}, f16);
  const Tensor w = input({256, 256}, f16);
  const Tensor residual = input({512, 256}, f16);
  const Tensor gain = input({256}, f16);
  const Tensor out = input({256, 1024}, f16);
  const Tensor target = input({512}, i32);
  const auto loss = [&](const Tensors& p) {
    const Tensor h = matmul(x, p[0]) + residual;
    const Tensor n = rms_norm(h, p[1]) + layer_norm(h, p[1], p[1]) + softmax(h);
    return cross_entropy(matmul(n, p[2]), target) + mean(log_softmax(h));
  };
  const auto [value, gradients] = value_and_grad_of(loss, {w, gain, out});
  const std::vector<NodePtr> roots{value.node(), gradients[0].node(), gradients[1].node(), gradients[2].node()};
  const Graph graph = schedule::simplify(snapshot(roots), device_.info());
  for (const Kernel& k : schedule::make_plan(graph, {}, device_.info()).kernels) {
    for (const Slot& s : k.outputs) {
      const bool partial = graph[s.node].op() == Op::kMatmul;  // split-K keeps its sums in f32
      EXPECT_FALSE(!partial && s.dtype == DType::kF32 && graph.node(s.node).numel() >= 512 * 256) << k.label();
    }
  }
}

TEST_F(Fusion, LongChainsAreCutNotCrashed) {
  Tensor x = input({128});
  for (int i = 0; i < 20000; ++i) x = x * 1.0001 + 0.5;
  EXPECT_GT(kernels({x}), 100U);
}

}  // namespace tessera::test
