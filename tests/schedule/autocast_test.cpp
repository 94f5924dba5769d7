// The kernels of a transformer layer of GPT-2's form inside of an Autocast scope: where casts are, and how many kernels
// there are.
#include <algorithm>

#include "support.h"

namespace tessera::test {
namespace {

class AutocastPlan : public NullTest {
 protected:
  static constexpr std::int64_t kHeads = 16, kModel = 1024, kHidden = 4 * kModel, kRows = 1024;

  /// ln_1, c_attn, c_proj, ln_2, c_fc, c_proj: weights and biases in f32.
  Tensors weights() const {
    return {input({kModel}),     input({kModel}),          input({3 * kModel, kModel}),
            input({3 * kModel}), input({kModel, kModel}),  input({kModel}),
            input({kModel}),     input({kModel}),          input({kHidden, kModel}),
            input({kHidden}),    input({kModel, kHidden}), input({kModel})};
  }

  static Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
    const Tensor y = matmul(x, weight.T());
    return y + bias.astype(y.dtype());
  }

  static Tensor layer(const Tensor& x, const Tensors& w) {
    const Shape& s = x.shape();
    const Tensor qkv = linear(layer_norm(x, w[0], w[1]), w[2], w[3]);
    const auto heads = [&](std::int64_t i) {
      return permute(reshape(slice(qkv, {{}, {}, {i * kModel, (i + 1) * kModel}}), {s[0], s[1], kHeads, -1}),
                     {0, 2, 1, 3});
    };
    const Tensor y = scaled_dot_product_attention(heads(0), heads(1), heads(2), {.causal = true});
    const Tensor h = x + linear(reshape(permute(y, {0, 2, 1, 3}), s), w[4], w[5]);
    return h + linear(gelu_tanh(linear(layer_norm(h, w[6], w[7]), w[8], w[9])), w[10], w[11]);
  }

  /// Without programs, which tests/golden would keep.
  static schedule::Plan planned(const std::vector<Tensor>& roots, const DeviceInfo& info, Graph& graph) {
    std::vector<NodePtr> nodes;
    for (const Tensor& t : roots) nodes.push_back(t.node());
    graph = schedule::simplify_to_fit(snapshot(nodes), info);
    return schedule::make_plan(graph, {}, info);
  }

  struct Counted {
    std::size_t kernels = 0;
    std::size_t casts = 0;        // kernels that only cast an input: a weight
    std::size_t other_casts = 0;  // kernels that only cast something else
    std::size_t copies = 0;
    std::string labels;
  };
  static Counted counted(const std::vector<Tensor>& roots, const DeviceInfo& info) {
    Graph graph;
    Counted c;
    for (const Kernel& k : planned(roots, info, graph).kernels) {
      ++c.kernels;
      c.labels += k.label();
      for (const Slot& s : k.inputs) c.labels += " " + std::string(name(s.dtype)) + graph.node(s.node).shape().str();
      c.labels += " ->";
      for (const Slot& s : k.outputs) c.labels += " " + std::string(name(s.dtype)) + graph.node(s.node).shape().str();
      c.labels += "\n";
      c.copies += k.label() == "copy" ? 1 : 0;
      if (k.label() != "map_cast") continue;
      const bool weight =
          std::ranges::all_of(k.inputs, [&](const Slot& s) { return graph[s.node].op() == Op::kInput; });
      ++(weight ? c.casts : c.other_casts);
    }
    return c;
  }
};

TEST_F(AutocastPlan, Layer) {
  for (const DeviceInfo& info : {gpu_info(), h200_profile().info}) {
    for (const DType low : {f16, bf16}) {
      const Tensor x = input({2, kRows, kModel});
      const Tensors w = weights();
      const Autocast scope(low);
      const Counted c = counted({layer(x, w)}, info);
      // The norms store the low dtype, activations are cast by the kernels that compute them, and weights at most once.
      EXPECT_EQ(c.other_casts, 0U) << c.labels;
      EXPECT_EQ(c.casts, 4U) << c.labels;
      EXPECT_EQ(c.kernels - c.casts, 7U) << c.labels;
      EXPECT_EQ(c.copies, 0U) << c.labels;
    }
  }
}

TEST_F(AutocastPlan, Gradient) {
  for (const DeviceInfo& info : {gpu_info(), h200_profile().info}) {
    Tensors in = weights();
    in.insert(in.begin(), input({2, kRows, kModel}));
    const auto f = [](const Tensors& x) {
      const Autocast scope(f16);
      return Tensors{layer(x[0], Tensors(x.begin() + 1, x.end()))};
    };
    const Tensors gradients = vjp(f, in, {input({2, kRows, kModel})}).second;
    for (const Tensor& g : gradients) EXPECT_EQ(g.dtype(), f32);
    const Counted c = counted(gradients, info);
    // Casts of the weights, and of the gradient of the result, which is an input here. Gradients of weights become f32
    // in the epilogue of their matmuls.
    EXPECT_EQ(c.other_casts, 0U) << c.labels;
    EXPECT_EQ(c.casts, 5U) << c.labels;
    EXPECT_EQ(c.kernels - c.casts, 36U) << c.labels;
    EXPECT_EQ(c.copies, 0U) << c.labels;
  }
}

}  // namespace
}  // namespace tessera::test
