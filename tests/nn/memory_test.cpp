// Estimates of the memory of compiled steps, before the first call.
#include <numeric>

#include <gtest/gtest.h>

#include "nn/support.h"
#include "runtime/null/null_device.h"
#include "support/profiles.h"
#include "tessera/tessera.h"

namespace tessera::test {

namespace {

using MemoryTest = NnTest;

std::uint64_t bytes_of(const Tree& tree) {
  std::uint64_t sum = 0;
  for (const Tensor& t : tree.tensors()) sum += static_cast<std::uint64_t>(t.numel()) * size_of(t.dtype());
  return sum;
}

/// Checkpoints and mixed precision need less memory than a plain step on the current device.
void expect_less_memory() {
  // What is kept for the backward pass dominates: eight hidden layers, of which the backward pass needs two at a time.
  constexpr int kBlocks = 8;
  nn::Sequential model;
  for (int i = 0; i < kBlocks; ++i) {
    model.push_back(nn::Sequential(nn::Linear(32, 256), nn::GELU(), nn::Linear(256, 32)));
  }
  std::optional<DType> low;
  const auto loss_and_gradients = [&](const Tensor& x) {
    return value_and_grad(model, [&] {
      const Autocast scope(low);
      return mean(square(model(x)));
    })();
  };
  auto step = compile([&](const Tensor& x) { return loss_and_gradients(x).first; }, model);
  auto gradients = compile([&](const Tensors& in) { return loss_and_gradients(in[0]).second.tensors(); }, model);
  const Tensor x = zeros({4096, 32});
  const std::uint64_t hidden = std::uint64_t{4096} * 256 * 4;  // bytes
  const std::uint64_t plain = gradients.memory({x}).intermediates;
  EXPECT_GE(plain, kBlocks * hidden);
  EXPECT_LT(step.memory({x}).intermediates, 3 * hidden) << "without gradients, nobody needs the activations";
  model.checkpoint("?");
  EXPECT_LT(gradients.memory({x}).intermediates, plain / 2)
      << Device::current().name() << ": one block's at a time, and the input of each";
  model.checkpoint("?", false);
  low = f16;
  EXPECT_LT(gradients.memory({x}).intermediates, plain * 3 / 4) << "hidden layers take half";
}

}  // namespace

TEST_F(MemoryTest, OfATrainingStep) {
  nn::Sequential model(nn::Linear(64, 256), nn::GELU(), nn::Dropout(0.1), nn::Linear(256, 64), nn::LayerNorm(64));
  optim::AdamW optimizer(model, {.lr = 0.01});
  const auto train = [&](const Tensor& x) {
    auto [loss, g] = value_and_grad(model, [&] { return mean(square(model(x))); })();
    optimizer.update(model, g);
    return loss;
  };
  auto step = compile(train, model, optimizer);
  const Tensor x = random::normal({512, 64}).eval();
  const std::vector<float> weight = model.parameters().tensor("0.weight").to_vector<float>();
  random::set_seed(9);
  const float next = random::uniform({}).item<float>();
  random::set_seed(9);
  const MemoryEstimate estimate = step.memory({x});
  // Nothing ran: no step, no trace, no random number.
  EXPECT_EQ(random::uniform({}).item<float>(), next);
  EXPECT_EQ(step.traces(), 0U);
  EXPECT_EQ(optimizer.steps().item<int>(), 0);
  EXPECT_EQ(model.parameters().tensor("0.weight").to_vector<float>(), weight);

  // In arenas, a tensor begins at a multiple of 256 elements.
  const auto near = [](std::uint64_t got, std::uint64_t expected) { return got >= expected && got < expected + 8192; };
  EXPECT_TRUE(near(estimate.parameters, bytes_of(model.parameters()))) << estimate.str();
  EXPECT_TRUE(near(estimate.optimizer, bytes_of(nn::state_of(optimizer)))) << estimate.str();
  EXPECT_TRUE(near(estimate.arguments, 512 * 64 * 4)) << estimate.str();
  EXPECT_GE(estimate.intermediates, 512 * 256 * 4U);  // the activation behind the first layer
  EXPECT_EQ(estimate.peak, estimate.parameters + estimate.optimizer + estimate.arguments + estimate.constants +
                               estimate.results + estimate.intermediates);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < estimate.holders.size(); ++i) {
    sum += estimate.holders[i].bytes;
    EXPECT_FALSE(estimate.holders[i].name.empty());
    if (i > 0) {
      EXPECT_LE(estimate.holders[i].bytes, estimate.holders[i - 1].bytes);
    }
  }
  EXPECT_EQ(sum, estimate.peak);
  const auto holder = [&](const std::string& name) {
    return std::ranges::find(estimate.holders, name, &MemoryEstimate::Holder::name);
  };
  ASSERT_NE(holder("0.weight"), estimate.holders.end());
  EXPECT_EQ(holder("0.weight")->kind, "parameters");
  ASSERT_NE(holder("state.0.weight.exp_avg"), estimate.holders.end());
  EXPECT_EQ(holder("state.0.weight.exp_avg")->kind, "optimizer");
  ASSERT_NE(holder("argument 0"), estimate.holders.end());
  EXPECT_EQ(estimate.holders[0].kind, "intermediates") << estimate.str();
  EXPECT_NE(estimate.str().find("peak "), std::string::npos);

  // A call holds what was estimated. State has memory, and the device its own, after the first call of another step.
  auto other = compile(train, model, optimizer);
  EXPECT_GT(other(x).item<float>(), 0);
  const std::uint64_t before = test_device().memory_stats().in_use;
  const Tensor loss = step(x);
  EXPECT_GT(loss.item<float>(), 0);
  const std::uint64_t grown = test_device().memory_stats().in_use - before;
  EXPECT_LE(grown, estimate.intermediates + estimate.results + 4096) << estimate.str();
  EXPECT_GE(grown + 4096, estimate.intermediates) << estimate.str();
}

TEST_F(MemoryTest, ValuesInSharedMemoryAreThoseOfAnEagerStep) {
  nn::Sequential model;
  for (const int width : {300, 1000, 128}) {
    model.push_back(nn::Sequential(nn::Linear(64, width), nn::GELU(), nn::Linear(width, 64), nn::LayerNorm(64)));
  }
  const auto gradients = [&](const Tensors& in) {
    return value_and_grad(model, [&] { return mean(square(model(in[0]) - in[1])); })().second.tensors();
  };
  const Tensors in{random::normal({400, 64}).eval(), random::normal({400, 64}).eval()};
  auto compiled = compile(gradients, model);
  const Tensors expected = gradients(in);
  for (int call = 0; call < 2; ++call) {
    const Tensors got = compiled(in);
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) expect_equal(got[i], expected[i], 1e-5);
  }
}

/// Of the test's device, and of others that compute nothing: large GPUs split the sums of gradients of weights.
TEST_F(MemoryTest, CheckpointsAndMixedPrecisionNeedLess) {
  std::vector<Device> devices{test_device()};
  for (const Profile& profile : profiles()) {
    devices.emplace_back(runtime::make_null_device(profile.info, {}, profile.info.type));
  }
  for (const Device& device : devices) {
    device.set_current();
    expect_less_memory();
  }
  test_device().set_current();
}

}  // namespace tessera::test
