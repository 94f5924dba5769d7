// Gradient checkpointing of modules: gradients, random numbers, buffers, traces and memory.
#include <gtest/gtest.h>

#include "nn/support.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {

namespace {

using CheckpointTest = NnTest;

struct Block : nn::Module {
  nn::Linear up, down;
  nn::BatchNorm1d norm;
  nn::Dropout dropout;
  int* calls = nullptr;
  explicit Block(std::int64_t n) : up(n, 4 * n), down(4 * n, n), norm(n), dropout(0.25) {}
  void fields(nn::Fields& f) override {
    f("up", up);
    f("down", down);
    f("norm", norm);
    f("dropout", dropout);
  }
  Tensor forward(const Tensor& x) override {
    if (calls != nullptr) ++*calls;
    return x + dropout(down(gelu(up(norm(x)))));
  }
};

struct Net : nn::Module {
  std::vector<Block> layers;
  nn::Linear head;
  Net(std::int64_t n, int count) : head(n, 2) {
    for (int i = 0; i < count; ++i) layers.emplace_back(n);
  }
  void fields(nn::Fields& f) override {
    f("layers", layers);
    f("head", head);
  }
  Tensor forward(const Tensor& x) override {
    Tensor h = x;
    for (Block& b : layers) h = b(h);
    return head(h);
  }
};

struct Stepped {
  Tree gradients;
  Tree buffers;
  float loss;
};

Stepped stepped(Net& net, const Tensor& x) {
  random::set_seed(11);
  auto [loss, g] = value_and_grad(net, [&] { return mean(square(net(x))); })();
  return {g, net.buffers(), loss.item<float>()};
}

}  // namespace

TEST_F(CheckpointTest, GradientsDrawsAndBuffersAreThose) {
  const Tensor x = random::normal({16, 8}).eval();
  Net plain(8, 3);
  Net kept = plain;
  kept.checkpoint("layers.*");
  int calls = 0;
  for (Block& b : kept.layers) b.calls = &calls;
  for (int i = 0; i < 2; ++i) {
    const Stepped a = stepped(plain, x);
    calls = 0;
    const Stepped b = stepped(kept, x);
    EXPECT_EQ(calls, 6);  // each once more in the backward pass
    EXPECT_EQ(a.loss, b.loss);
    for (const auto& [name, g] : a.gradients.flatten()) {
      expect_equal(b.gradients.tensor(name), g, 1e-5);
      EXPECT_FALSE(b.gradients.tensor(name).is_tracked()) << name;
    }
    for (const auto& [name, t] : a.buffers.flatten()) {
      expect_equal(b.buffers.tensor(name), t, 1e-6);
      EXPECT_FALSE(b.buffers.tensor(name).is_tracked());
    }
    EXPECT_EQ(b.buffers.tensor("layers.1.norm.num_batches_tracked").item<int>(), i + 1);
  }
  EXPECT_EQ(kept.state().names(), plain.state().names());
  // Without gradients nothing is called twice.
  calls = 0;
  kept(x).eval();
  EXPECT_EQ(calls, 3);
  kept.checkpoint("layers.*", false);
  calls = 0;
  stepped(kept, x);
  EXPECT_EQ(calls, 3);
}

TEST_F(CheckpointTest, PatternsAndErrors) {
  Net net(4, 2);
  int calls = 0;
  for (Block& b : net.layers) b.calls = &calls;
  net.checkpoint("layers.1");
  stepped(net, random::normal({8, 4}).eval());
  EXPECT_EQ(calls, 3);
  net.checkpoint("*.up");  // parts only: the layers themselves are called once, but for the one above
  calls = 0;
  stepped(net, random::normal({8, 4}).eval());
  EXPECT_EQ(calls, 3);
  EXPECT_STREQ(error_of([&] { net.checkpoint("blocks.*"); }).what(),
               "Net::checkpoint: no module matches 'blocks.*'; the first is 'layers.0'.");
  nn::Linear alone(2, 2);
  EXPECT_EQ(error_of([&] { alone.checkpoint("*"); }).kind(), ErrorKind::kValue);
  // Frozen parameters, and inputs without gradients.
  net.freeze("layers.1.*");
  const Stepped s = stepped(net, random::normal({8, 4}).eval());
  EXPECT_FALSE(s.gradients.contains("layers.1.up.weight"));
  EXPECT_GT(max(abs(s.gradients.tensor("layers.0.up.weight"))).item<float>(), 0);
}

TEST_F(CheckpointTest, ModulesWithOtherArguments) {
  nn::TransformerEncoder plain(
      nn::TransformerEncoderLayer(8, 2, {.feedforward = 16, .dropout = 0.1, .batch_first = true}), 2, nn::LayerNorm(8));
  nn::TransformerEncoder kept = plain;
  kept.checkpoint("layers.*");
  nn::TransformerDecoderLayer decoder(8, 2, {.feedforward = 16, .dropout = 0.1, .batch_first = true});
  struct Pair : nn::Module {
    nn::TransformerDecoderLayer decoder;
    explicit Pair(nn::TransformerDecoderLayer d) : decoder(std::move(d)) {}
    void fields(nn::Fields& f) override { f("decoder", decoder); }
  } one(decoder), two(decoder);
  two.checkpoint("decoder");
  const Tensor x = random::normal({2, 5, 8}).eval();
  const auto gradients = [&](nn::Module& m, const std::function<Tensor()>& f) {
    random::set_seed(4);
    return value_and_grad(m, [&] { return mean(square(f())); })().second;
  };
  const Tree a = gradients(plain, [&] { return plain(x, {.causal = true}); });
  const Tree b = gradients(kept, [&] { return kept(x, {.causal = true}); });
  for (const auto& [name, g] : a.flatten()) expect_equal(b.tensor(name), g, 1e-5);
  const Tree c = gradients(one, [&] { return one.decoder(x, x * 0.5, {.causal = true}); });
  const Tree d = gradients(two, [&] { return two.decoder(x, x * 0.5, {.causal = true}); });
  for (const auto& [name, g] : c.flatten()) expect_equal(d.tensor(name), g, 1e-5);
}

TEST_F(CheckpointTest, CompiledStepsAreTracedAgainAndUseLessMemory) {
  const std::int64_t rows = 2048;
  const Tensor x = random::normal({rows, 32}).eval();
  Net net(32, 6);
  optim::SGD optimizer(net, {.lr = 0.01});
  const auto train = [&](const Tensor& in) {
    auto [loss, g] = value_and_grad(net, [&] { return mean(square(net(in))); })();
    optimizer.update(net, g);
    return loss;
  };
  const auto peak = [&](bool checkpoint) {
    net.checkpoint("layers.*", checkpoint);
    auto step = compile(train, net, optimizer);
    const std::uint64_t before = test_device().memory_stats().in_use;
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(std::isfinite(step(x).item<float>()));
    return test_device().memory_stats().in_use - before;
  };
  const std::uint64_t kept = peak(false);
  const std::uint64_t recomputed = peak(true);
  EXPECT_LT(recomputed, kept * 0.7) << kept;
  auto step = compile(train, net, optimizer);
  step(x);
  net.checkpoint("layers.*", false);
  step(x);
  EXPECT_EQ(step.traces(), 2U);
}

}  // namespace tessera::test
