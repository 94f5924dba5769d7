// Recomputation: what the kernels of a forward pass write for the backward pass, and that values stay right.
#include <algorithm>

#include <fmt/format.h>

#include "graph/op.h"
#include "support.h"
#include "support/check.h"
#include "support/devices.h"

namespace tessera::test {
namespace {

using Function = Tensor (*)(const Tensor&);

/// The value of a loss behind f, and its gradients: the backward pass starts when the forward pass is done.
Tensors both(const std::function<Tensor(const Tensors&)>& f, const Tensors& in) {
  auto [value, gradients] = value_and_grad_of([&](const Tensors& x) { return mean(square(f(x))); }, in);
  gradients.push_back(value);
  return gradients;
}

class Recompute : public NullTest {
 protected:
  /// How many results with so many elements the kernels write.
  std::size_t written(const std::vector<Tensor>& roots, std::int64_t elements) const {
    plan(roots);  // for the goldens
    std::vector<NodePtr> nodes;
    for (const Tensor& t : roots) nodes.push_back(t.node());
    const Graph graph = schedule::simplify(snapshot(nodes), device_.info());
    std::size_t count = 0;
    for (const Kernel& kernel : schedule::make_plan(graph, {}, device_.info()).kernels) {
      count += static_cast<std::size_t>(
          std::ranges::count_if(kernel.outputs, [&](const Slot& x) { return graph.node(x.node).numel() == elements; }));
    }
    return count;
  }
  static constexpr std::int64_t kRows = 8192, kIn = 768, kHidden = 3072;
};

// The activation's input, its value and its gradient: matmuls read the last two.
TEST_F(Recompute, AnActivationKeepsItsInput) {
  for (const DType t : {f32, f16}) {
    for (const Function f : {static_cast<Function>(gelu), static_cast<Function>(gelu_tanh), static_cast<Function>(silu),
                             static_cast<Function>(mish)}) {
      const Tensor x = input({kRows, kIn}, t);
      const auto mlp = [&](const Tensors& w) { return matmul(f(matmul(x, w[0].T()) + w[2]), w[1].T()); };
      const Tensors w{input({kHidden, kIn}, t), input({kIn, kHidden}, t), input({kHidden}, t)};
      EXPECT_EQ(written(both(mlp, w), kRows * kHidden), 3U);
    }
  }
}

// The norm's value, which a matmul reads; the gradients of that and of x, and in f32 what is summed for the gradient of
// the weight. Normalized values are not kept.
TEST_F(Recompute, ANormKeepsItsInputAndStatistics) {
  for (const DType t : {f32, f16}) {
    const Tensors in{input({kRows, kIn}, t), input({kIn}, t), input({kIn}, t), input({kHidden, kIn}, t)};
    const auto f = [&](const Tensors& x) { return matmul(layer_norm(x[0], x[1], x[2]), x[3].T()); };
    EXPECT_EQ(written(both(f, in), kRows * kIn), t == f32 ? 4U : 3U);
  }
}

// Random bits are drawn again from their counter.
TEST_F(Recompute, AMaskOfDropoutIsNotKept) {
  const Tensor x = input({kRows, kIn});
  const auto f = [&](const Tensors& w) { return matmul(dropout(matmul(x, w[0].T()), 0.1), w[1].T()); };
  EXPECT_EQ(written(both(f, {input({kHidden, kIn}), input({kIn, kHidden})}), kRows * kHidden), 2U);
}

// A root, and what a matmul reads through a view, are in memory anyway.
TEST_F(Recompute, WhatIsInMemoryIsRead) {
  const Tensor x = input({kRows, kIn});
  const Tensor h = exp(x);
  const Tensor column = sum(sqrt(h + 1.0) * input({kRows, kIn}), {0});
  EXPECT_EQ(written({h, column, matmul(h.T(), input({kRows, kHidden}))}, kRows * kIn), 1U);
}

class RecomputeOnDevice : public DeviceTest {};

// Activations and norms between matmuls and reductions in both directions, with what several kernels read.
TEST_P(RecomputeOnDevice, MatchesTheReference) {
  for (const DType t : {f32, f16, bf16}) {
    Checker check(device_);
    const auto tensor = [&](const Shape& shape, std::uint32_t seed) {
      return make_tensor(plain(t, shape, seed), device_);
    };
    std::vector<Function> functions{gelu, silu, tanh, relu, sigmoid};
    if (t != f32 && !full() && !on_cpu()) functions.resize(1);  // casts do not depend on the function
    for (const Function f : functions) {
      const Tensors in{tensor({9, 12}, 1), tensor({20, 12}, 2), tensor({20}, 3), tensor({6, 20}, 4)};
      const auto mlp = [&](const Tensors& x) {
        const Tensor y = f(matmul(x[0], x[1].T()) * 0.25 + x[2]);
        return matmul(y, x[3].T()) * 0.25 + sum(y, {1}, true);
      };
      const Tensors results = both(mlp, in);
      for (std::size_t i = 0; i < results.size(); ++i)
        check.add(fmt::format("mlp {} {}", name(t), i), results[i], false);
    }
    const Tensor x = tensor({7, 5, 8}, 6);
    const Tensor shifted = x - mean(x, {2}, true);
    const Tensor e = exp(shifted * 0.5);
    check.add(fmt::format("rows then columns {}", name(t)), sum(e / sum(e, {2}, true), {0, 1}), false);
    check.add(fmt::format("columns of both {}", name(t)), sum(shifted * e, {0}), false);
    check.add(fmt::format("value {}", name(t)), e / sum(e, {2}, true), false);
  }
}

TESSERA_ON_ALL_DEVICES(RecomputeOnDevice);

}  // namespace
}  // namespace tessera::test
