// Benchmarks of whole training steps on modules: a GPT-2 with AdamW, compiled, in f32 and in mixed precision.
#include "bench/bench.h"

namespace tessera::app {

namespace {

struct Shapes {
  std::int64_t batch, length, width, heads, layers, vocabulary;
};

/// GPT-2 of 124 million parameters on a GPU; a tiny one elsewhere.
Shapes shapes_for(const Bench& bench) {
  if (bench.quick()) return {1, 16, 32, 2, 1, 64};
  if (bench.device().info().type != DeviceType::kDiscreteGpu) return {2, 64, 64, 4, 2, 256};
  return {8, 1024, 768, 12, 12, 50304};
}

/// The embedding is the head too.
struct Gpt2 : nn::Module {
  nn::Embedding wte;
  Tensor wpe;
  nn::TransformerEncoder layers;

  explicit Gpt2(const Shapes& s)
      : wte(s.vocabulary, s.width),
        wpe(random::normal({s.length, s.width}) * 0.02),
        layers(nn::TransformerEncoderLayer(s.width, s.heads,
                                           {.feedforward = 4 * s.width,
                                            .dropout = 0,
                                            .activation = gelu_tanh,
                                            .batch_first = true,
                                            .norm_first = true}),
               s.layers, nn::LayerNorm(s.width)) {
    wte.weight = random::normal({s.vocabulary, s.width}) * 0.02;
  }
  void fields(nn::Fields& f) override {
    f("wte", wte);
    f("wpe", wpe);
    f("layers", layers);
  }
  /// The loss of tokens x [B, T] and the next ones y [B, T].
  Tensor loss(const Tensor& x, const Tensor& y) {
    const Tensor h = layers(wte(x) + wpe, AttentionOptions{.causal = true});
    const Tensor logits = matmul(h, wte.weight.T());
    return cross_entropy(reshape(logits, {-1, wte.weight.size(0)}), reshape(y, {-1}));
  }
};

void gpt2_step(const Bench& bench, const char* name, std::optional<DType> low) {
  const Shapes s = shapes_for(bench);
  Gpt2 model(s);
  model.to(bench.device());
  optim::AdamW optimizer(model, {.lr = 3e-4, .beta1 = 0.9, .beta2 = 0.95, .weight_decay = 0.1});
  optim::LossScaler scaler({}, bench.device());
  const auto train = [&](const Tensor& x, const Tensor& y) {
    auto [scaled, gradients, loss] = value_and_grad(model, [&] {
      const Autocast scope(low);
      const Tensor value = model.loss(x, y);
      return std::pair<Tensor, Tensor>(low.has_value() ? scaler.scale(value) : value, value);
    })();
    if (low.has_value()) {
      scaler.update(optimizer, model, gradients);
    } else {
      optimizer.update(model, gradients);
    }
    return loss;
  };
  const auto step = compile(train, model, optimizer, scaler);
  const auto tokens = [&] { return random::randint({s.batch, s.length}, 0, s.vocabulary, i32, bench.device()).eval(); };
  const Tensor x = tokens();
  const Tensor y = tokens();
  const double seconds = bench.seconds([&] { step(x, y).eval(); });
  const double peak = static_cast<double>(step.memory(x, y).peak) * 1e-9;
  const Json fields{{"B", s.batch},      {"T", s.length},      {"C", s.width},
                    {"V", s.vocabulary}, {"layers", s.layers}, {"kernels", step.kernel_count()},
                    {"memory_gb", peak}};
  bench.report({name, fields, "tokens_per_s", static_cast<double>(s.batch * s.length) / seconds});
}

void gpt2_step_f32(const Bench& bench) { gpt2_step(bench, "gpt2_step_f32", {}); }
void gpt2_step_mixed(const Bench& bench) { gpt2_step(bench, "gpt2_step_mixed", f16); }

}  // namespace

std::vector<BenchRow> train_benches() {
  return {{"train", "gpt2_step_f32", gpt2_step_f32}, {"train", "gpt2_step_mixed", gpt2_step_mixed}};
}

}  // namespace tessera::app
