// The memory of whole training steps, planned for a large GPU with their real shapes: nothing runs.
#include <numeric>
#include <set>

#include "runtime/eval/memory_plan.h"
#include "support.h"

namespace tessera::test {

namespace {

/// GPT-2 of 124 million parameters; the embedding is the head too.
struct Gpt2 : nn::Module {
  nn::Embedding wte{50304, 768};
  Tensor wpe = random::normal({1024, 768});
  nn::TransformerEncoder layers{
      nn::TransformerEncoderLayer(
          768, 12,
          {.feedforward = 3072, .dropout = 0, .activation = gelu_tanh, .batch_first = true, .norm_first = true}),
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
  const MemoryEstimate whole = gpt2_step(device, std::nullopt);  // PyTorch 2.11: 10.6 GB
  EXPECT_LT(static_cast<double>(whole.peak), 10.0e9) << whole.str(40);
  const MemoryEstimate mixed = gpt2_step(device, f16);
  EXPECT_LT(static_cast<double>(mixed.peak), 6.3e9) << mixed.str(40);
}

// Layers of several widths, forward and backward: the largest values are where smaller ones are later.
TEST(StepMemory, ValuesInUseDoNotOverlapAndNoKernelReadsABufferThatItWrites) {
  const Device device(runtime::make_null_device(gpu_info()));
  device.set_current();
  std::vector<std::int64_t> widths{64, 700, 256, 3000, 100, 1024, 33};
  Tensors weights;
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
    weights.push_back(zeros({widths[i], widths[i + 1]}, f32, device).eval());
  }
  const Tensor x = zeros({500, 64}, f32, device).eval();
  const auto [value, gradients] = value_and_grad_of(
      [&](const Tensors& w) {
        Tensor h = x;
        for (const Tensor& each : w) {
          const Tensor y = gelu(matmul(h, each));
          h = y - mean(y, {1}, true);
        }
        return mean(square(h));
      },
      weights);
  const Tensor arena = pack(gradients).arenas.at(0);
  const Tensor norm = sqrt(sum(square(arena)));
  const std::vector<NodePtr> roots{(arena * norm).node(), value.node()};
  const Graph graph = schedule::simplify_to_fit(snapshot(roots), device.info());
  const schedule::Plan plan = schedule::make_plan(graph, {}, device.info());
  const runtime::MemoryPlan memory = runtime::plan_memory(plan, graph, {});
  const auto holder = [&](int n) { return memory.holder[static_cast<std::size_t>(n)]; };
  const auto buffer = [&](int n) { return memory.owned[static_cast<std::size_t>(n)]; };
  const auto first = [&](int n) { return memory.offsets[static_cast<std::size_t>(n)]; };
  const auto bytes = [&](int n) { return runtime::storage_bytes(graph.node(n).numel(), graph.node(n).dtype()); };
  std::set<int> live;
  std::size_t most = 0;
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    const Kernel& kernel = plan.kernels[k];
    for (const Slot& output : kernel.outputs) {
      const int n = holder(output.node);
      if (buffer(n) < 0) continue;
      EXPECT_EQ(first(n) % 256, 0U);
      EXPECT_LE(first(n) + bytes(n), memory.sizes[static_cast<std::size_t>(buffer(n))]);
      for (const int other : live) {
        const bool apart = buffer(other) != buffer(n) || other == n || first(other) + bytes(other) <= first(n) ||
                           first(n) + bytes(n) <= first(other);
        EXPECT_TRUE(apart) << kernel.label() << " writes over a value that is in use";
      }
      for (const Slot& input : kernel.inputs) {
        EXPECT_TRUE(holder(input.node) == n || buffer(holder(input.node)) != buffer(n)) << kernel.label();
      }
      live.insert(n);
    }
    std::size_t now = 0;
    for (const int n : live) now += bytes(n);
    most = std::max(most, now);
    for (const int n : plan.last_use[k]) live.erase(holder(n));
  }
  const std::size_t total = std::accumulate(memory.sizes.begin(), memory.sizes.end(), std::size_t{0});
  EXPECT_GT(most, 10U << 20U);
  EXPECT_LT(total, most + most / 4) << "what is in use at the peak is " << most;
}

}  // namespace tessera::test
