// Benchmarks of training steps: the value and all gradients of a few transformer layers with their loss, in one
// evaluation. What fusion does between forward and backward shows here alone.
#include "bench/bench.h"

namespace tessera::app {

namespace {

struct Model {
  std::int64_t batch, length, width, heads, classes;
  int layers;
};

Model model_for(const Bench& bench) {
  if (bench.quick()) return {1, 16, 32, 2, 64, 1};
  if (bench.device().info().type != DeviceType::kDiscreteGpu) return {1, 128, 128, 4, 512, 1};
  return {8, 1024, 768, 12, 50304, 4};
}

/// Two norms, four linear layers and an attention.
Tensor layer(const Model& m, const Tensor& x, const Tensor* w) {
  const Shape split{m.batch, m.length, m.heads, m.width / m.heads};
  const auto heads = [&](const Tensor& t) { return permute(reshape(t, split), {0, 2, 1, 3}); };
  const Tensor z = layer_norm(x, w[0], w[1]);
  const Tensor y = scaled_dot_product_attention(heads(matmul(z, w[2])), heads(matmul(z, w[3])), heads(matmul(z, w[4])),
                                                {.causal = true});
  const Tensor h = x + matmul(reshape(permute(y, {0, 2, 1, 3}), x.shape()), w[5]);
  return h + matmul(gelu_tanh(matmul(layer_norm(h, w[0], w[1]), w[6])), w[7]);
}

void transformer_step(const Bench& bench, const char* name, DType dtype) {
  constexpr std::size_t kWeightsOfLayer = 8;
  const Model m = model_for(bench);
  const auto inputs = [&] {
    std::vector<Tensor> in{bench.random({m.batch, m.length, m.width}, dtype),
                           random::randint({m.batch * m.length}, 0, m.classes, i32, bench.device()),
                           bench.random({m.width, m.classes}, dtype) * 0.02};
    for (int i = 0; i < m.layers; ++i) {
      in.insert(in.end(), {bench.random({m.width}, dtype), bench.random({m.width}, dtype)});
      for (int k = 0; k < 4; ++k) in.push_back(bench.random({m.width, m.width}, dtype) * 0.02);
      in.push_back(bench.random({m.width, 4 * m.width}, dtype) * 0.02);
      in.push_back(bench.random({4 * m.width, m.width}, dtype) * 0.02);
    }
    return in;
  };
  const auto step = [&](const std::vector<Tensor>& in) {
    const auto loss = [&](const Tensors& w) {
      Tensor x = in[0];
      for (int i = 0; i < m.layers; ++i) x = layer(m, x, &w[1 + static_cast<std::size_t>(i) * kWeightsOfLayer]);
      return cross_entropy(matmul(reshape(x, {m.batch * m.length, m.width}), w[0]), in[1]);
    };
    auto [value, gradients] = value_and_grad_of(loss, {in.begin() + 2, in.end()});
    gradients.push_back(value);
    return gradients;
  };
  const std::size_t results = 2 + static_cast<std::size_t>(m.layers) * kWeightsOfLayer;
  const double seconds = bench.seconds_of_all(inputs, step, results);
  bench.report({name,
                {{"B", m.batch}, {"T", m.length}, {"C", m.width}, {"V", m.classes}, {"layers", m.layers}},
                "ms",
                1e3 * seconds});
}

void transformer_step_f32(const Bench& bench) { transformer_step(bench, "transformer_step_f32", f32); }
void transformer_step_f16(const Bench& bench) { transformer_step(bench, "transformer_step_f16", f16); }

}  // namespace

std::vector<BenchRow> step_benches() {
  return {{"step", "transformer_step_f32", transformer_step_f32},
          {"step", "transformer_step_f16", transformer_step_f16}};
}

}  // namespace tessera::app
