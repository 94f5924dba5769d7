// memory_advice: the largest holders of an estimate, and what would need less.
#include "tessera/train/memory_advice.h"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "tessera/tessera.h"

namespace tessera::test {

TEST(MemoryAdvice, NamesHoldersAndWhatHelps) {
  static const Device device = Device::create({.device = "cpu"});
  device.set_current();
  MemoryEstimate large;
  large.parameters = std::uint64_t{2} << 20U;
  large.arguments = std::uint64_t{1} << 20U;
  large.intermediates = std::uint64_t{3} << 30U;
  large.peak = large.parameters + large.arguments + large.intermediates;
  large.holders = {{"matmul_gelu f32 [8, 64]", "intermediates", std::uint64_t{2} << 30U},
                   {"softmax f32 [8, 8]", "intermediates", std::uint64_t{1} << 30U},
                   {"layers.0.weight", "parameters", std::uint64_t{2} << 20U},
                   {"argument 0", "arguments", std::uint64_t{1} << 20U}};
  EXPECT_EQ(
      train::memory_advice(large),
      "The step needs 3.0 GiB at its peak: 3.0 GiB of intermediate values, 2.0 MiB of parameters and 1.0 MiB of "
      "arguments. The largest holders are 'matmul_gelu f32 [8, 64]' (2.0 GiB), 'softmax f32 [8, 8]' (1.0 GiB) and "
      "'layers.0.weight' (2.0 MiB). What would need less: a smaller batch with gradient accumulation, "
      "model.checkpoint(\"layers.*\"), which computes activations again in the backward pass and an Autocast "
      "scope, which halves activations.");
  for (MemoryEstimate::Holder& h : large.holders) {
    if (h.kind == "intermediates") h.name = "matmul_gelu f16 [8, 64]";
  }
  EXPECT_EQ(train::memory_advice(large).find("Autocast"), std::string::npos) << "it is in f16 already";

  MemoryEstimate state;
  state.optimizer = 2000;
  state.parameters = 1000;
  state.peak = 3000;
  state.holders = {{"state.weight.exp_avg", "optimizer", 2000}, {"weight", "parameters", 1000}};
  EXPECT_NE(train::memory_advice(state).find("does not depend on the batch"), std::string::npos);
  EXPECT_EQ(train::memory_advice(state).find("checkpoint"), std::string::npos);
  EXPECT_EQ(train::memory_advice(MemoryEstimate{}).find("The step needs 0 bytes."), 0U);

  nn::Sequential model(nn::Linear(8, 64), nn::GELU(), nn::Linear(64, 8));
  optim::AdamW optimizer(model, {.lr = 0.01});
  auto step = compile(
      [&](const Tensor& x) {
        auto [loss, g] = value_and_grad(model, [&] { return mean(square(model(x))); })();
        optimizer.update(model, g);
        return loss;
      },
      model, optimizer);
  const MemoryEstimate estimate = step.memory({zeros({4096, 8})});
  const std::string text = train::memory_advice(estimate);
  EXPECT_NE(text.find("'" + estimate.holders[0].name + "'"), std::string::npos) << text;
  EXPECT_NE(text.find("model.checkpoint"), std::string::npos) << text;
}

}  // namespace tessera::test
