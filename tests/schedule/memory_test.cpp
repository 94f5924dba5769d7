// The memory of whole training steps, planned for a large GPU with their real shapes: nothing runs.
#include <fmt/format.h>

#include "runtime/eval/memory_plan.h"
#include "support.h"

namespace tessera::test {

namespace {

/// GPT-2 of 124 million parameters; the embedding is the head too.
struct Gpt2 : nn::Module {
  nn::Embedding wte{50304, 768};
  Tensor wpe = random::normal({1024, 768});
  nn::TransformerEncoder layers{nn::TransformerEncoderLayer(768, 12,
                                                            {.feedforward = 3072,
                                                             .dropout = 0,
                                                             .activation = gelu_tanh,
                                                             .batch_first = true,
                                                             .norm_first = true}),
                                12, nn::LayerNorm(768)};
  void fields(nn::Fields& f) override {
    f("wte", wte);
    f("wpe", wpe);
    f("layers", layers);
  }
  Tensor loss(const Tensor& x, const Tensor& y) {
    const Tensor h = layers(wte(x) + wpe, AttentionOptions{.causal = true});
    return cross_entropy(reshape(matmul(h, wte.weight.T()), {-1, 50304}), reshape(y, {-1}));
  }
};

/// The estimate for a step of AdamW on 8 x 1024 tokens.
MemoryEstimate gpt2_step(const Device& device, std::optional<DType> low) {
  Gpt2 model;
  optim::AdamW optimizer(model, {.weight_decay = 0.1});
  optim::LossScaler scaler({}, device);
  const auto step = compile(
      [&](const Tensor& x, const Tensor& y) {
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
      },
      model, optimizer, scaler);
  const Tensor tokens = zeros({8, 1024}, i32, device).eval();
  return step.memory(tokens, tokens);
}

}  // namespace

TEST(StepMemory, GPT2NeedsNoMoreThanPyTorch) {
  const Device device(runtime::make_null_device(h200_profile().info, {}, DeviceType::kDiscreteGpu));
  device.set_current();
  const MemoryEstimate f32_step = gpt2_step(device, std::nullopt);
  EXPECT_LT(static_cast<double>(f32_step.peak), 10.5e9) << f32_step.str(40);
  const MemoryEstimate mixed = gpt2_step(device, f16);
  EXPECT_LT(static_cast<double>(mixed.peak), 7.3e9) << mixed.str(40);
}

}  // namespace tessera::test
