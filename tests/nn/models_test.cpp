// Models that PyTorch exported as safetensors files (models/, by make_models.py): loaded by name, with PyTorch's
// outputs, gradients and losses.
#include <cmath>

#include <gtest/gtest.h>

#include "nn/support.h"
#include "tessera/tessera.h"

namespace tessera::test {

namespace {

using ModelsTest = NnTest;

Tree file(const std::string& name) {
  return io::load_safetensors(std::string(TESSERA_SOURCE_DIR) + "/tests/nn/models/" + name + ".safetensors",
                              {.device = test_device()});
}

nn::Sequential cnn() {
  return nn::Sequential(nn::Conv2d(1, 8, 3, {.padding = 1}), nn::BatchNorm2d(8), nn::ReLU(), nn::MaxPool2d(2),
                        nn::Conv2d(8, 16, 3, {.padding = 1, .bias = false}), nn::BatchNorm2d(16), nn::ReLU(),
                        nn::AdaptiveAvgPool2d(1), nn::Flatten(), nn::Linear(16, 10));
}

struct Encoder : nn::Module {
  nn::Embedding embedding{20, 16};
  nn::TransformerEncoder encoder{
      nn::TransformerEncoderLayer(
          16, 2, {.feedforward = 32, .dropout = 0, .activation = gelu, .batch_first = true, .norm_first = true}),
      2, nn::LayerNorm(16)};
  nn::Linear head{16, 5};
  void fields(nn::Fields& f) override {
    f("embedding", embedding);
    f("encoder", encoder);
    f("head", head);
  }
  Tensor forward(const Tensor& ids) override { return head(mean(encoder(embedding(ids)), {1})); }
};

// ---- GPT-2 ----

struct Attention : nn::Module {
  std::int64_t heads;
  nn::Linear c_attn, c_proj;
  Attention(std::int64_t width, std::int64_t count) : heads(count), c_attn(width, 3 * width), c_proj(width, width) {}
  void fields(nn::Fields& f) override {
    f("c_attn", c_attn);
    f("c_proj", c_proj);
  }
  Tensor forward(const Tensor& x) override {
    const std::int64_t n = x.size(0);
    const std::int64_t length = x.size(1);
    Tensors qkv = split(c_attn(x), 3, -1);
    for (Tensor& t : qkv) t = transpose(t.reshape({n, length, heads, -1}), 1, 2);
    const Tensor y = scaled_dot_product_attention(qkv[0], qkv[1], qkv[2], {.causal = true});
    return c_proj(transpose(y, 1, 2).reshape({n, length, -1}));
  }
};

struct GptMlp : nn::Module {
  nn::Linear c_fc, c_proj;
  explicit GptMlp(std::int64_t width) : c_fc(width, 4 * width), c_proj(4 * width, width) {}
  void fields(nn::Fields& f) override {
    f("c_fc", c_fc);
    f("c_proj", c_proj);
  }
  Tensor forward(const Tensor& x) override { return c_proj(gelu_tanh(c_fc(x))); }
};

struct GptBlock : nn::Module {
  nn::LayerNorm ln_1, ln_2;
  Attention attn;
  GptMlp mlp;
  GptBlock(std::int64_t width, std::int64_t heads) : ln_1(width), ln_2(width), attn(width, heads), mlp(width) {}
  void fields(nn::Fields& f) override {
    f("ln_1", ln_1);
    f("attn", attn);
    f("ln_2", ln_2);
    f("mlp", mlp);
  }
  Tensor forward(const Tensor& x) override {
    const Tensor h = x + attn(ln_1(x));
    return h + mlp(ln_2(h));
  }
};

/// The token embedding is the head as well.
struct Gpt2 : nn::Module {
  nn::Embedding wte{32, 24}, wpe{16, 24};
  std::vector<GptBlock> h{3, GptBlock(24, 3)};
  nn::LayerNorm ln_f{24};
  void fields(nn::Fields& f) override {
    f("wte", wte);
    f("wpe", wpe);
    f("h", h);
    f("ln_f", ln_f);
  }
  Tensor forward(const Tensor& ids) override {
    Tensor x = wte(ids) + wpe(arange(0, static_cast<double>(ids.size(1)), 1, i32, ids.device()));
    for (GptBlock& b : h) x = b(x);
    return matmul(ln_f(x), wte.weight.T());
  }
};

void expect_close(const Tensor& got, const Tensor& expected, double tolerance, const std::string& what) {
  ASSERT_EQ(got.shape(), expected.shape()) << what;
  expect_near(doubles(got), doubles(expected), tolerance, what);
}

/// A model with the file's parameters has PyTorch's output, gradients and buffers.
void expect_model(nn::Module& model, const std::string& name) {
  const nn::LoadReport report = model.load(file(name));
  EXPECT_TRUE(report.ok());
  const Tree points = file(name + ".points");
  const Tensor x = points.tensor("input");
  model.eval();
  expect_close(model(x), points.tensor("output"), 1e-5, name);
  model.train();
  auto [loss, gradients] = value_and_grad(model, [&] {
    const Tensor y = model(x);
    std::vector<float> w(static_cast<std::size_t>(y.numel()));
    for (std::size_t i = 0; i < w.size(); ++i) w[i] = static_cast<float>(std::cos(1.7 * static_cast<double>(i) + 0.3));
    return sum(y * Tensor(w, y.shape(), test_device()));
  })();
  expect_close(loss, points.tensor("loss"), 2e-5, name);
  EXPECT_EQ(gradients.size(), points.at("gradients").size());
  for (const auto& [path, g] : gradients.flatten()) {
    expect_close(g, points.tensor("gradients." + path), 5e-5, name + ", gradient of " + path);
  }
  for (const auto& [path, b] : model.buffers().flatten()) {
    expect_close(b, points.tensor("buffers." + path), 1e-5, name + ", buffer " + path);
  }
}

/// The losses of ten steps with clipping and AdamW, one compiled function.
std::vector<double> losses_of(Gpt2& model, std::optional<DType> low, const Tensor& ids, bool checkpoint = false) {
  model.load(file("gpt2"));
  if (checkpoint) model.checkpoint("h.*");
  optim::AdamW optimizer(model, {.lr = 1e-2, .beta1 = 0.9, .beta2 = 0.95, .weight_decay = 0.1});
  optim::LossScaler scaler;
  auto step = compile(
      [&](const Tensor& batch) {
        auto [scaled, gradients, loss] = value_and_grad(model, [&] {
          const Autocast scope(low);
          const Tensor logits = model(slice(batch, {{}, {0, 16}}));
          const Tensor l = cross_entropy(logits.reshape({-1, 32}), slice(batch, {{}, {1, 17}}).reshape({-1}));
          return std::pair<Tensor, Tensor>(scaler.scale(l), l);
        })();
        optim::UnscaledGradients unscaled = scaler.unscale(gradients);
        unscaled.gradients = optim::clip_grad_norm(unscaled.gradients, 1.0).gradients;
        scaler.update(optimizer, model, unscaled);
        return loss;
      },
      model, optimizer, scaler);
  std::vector<double> losses;
  for (int i = 0; i < 10; ++i) losses.push_back(step(ids).item<double>());
  EXPECT_EQ(step.traces(), 1U);
  EXPECT_EQ(scaler.skipped().item<int>(), 0);
  return losses;
}

}  // namespace

TEST_F(ModelsTest, ConvolutionsWithBatchNorm) {
  nn::Sequential model = cnn();
  expect_model(model, "cnn");
}

TEST_F(ModelsTest, TransformerEncoder) {
  Encoder model;
  expect_model(model, "encoder");
}

// The losses of PyTorch in f64, from the same f32 parameters. Adam divides by the root of the second moment, so that
// rounding errors of small gradients are not small in the update: after ten steps f32 has five digits.
TEST_F(ModelsTest, TenStepsOfGpt2) {
  const Tree points = file("gpt2.points");
  const std::vector<double> expected = doubles(points.tensor("losses"));
  ASSERT_EQ(expected.size(), 10U);
  EXPECT_LT(expected[9], expected[0] - 0.5);
  for (const bool checkpoint : {false, true}) {
    Gpt2 model;
    const std::vector<double> losses = losses_of(model, std::nullopt, points.tensor("ids"), checkpoint);
    for (std::size_t i = 0; i < losses.size(); ++i) EXPECT_NEAR(losses[i], expected[i], 3e-5 * expected[i]) << i;
    expect_close(model.ln_f.weight, points.tensor("ln_f.weight"), 1e-3, "ln_f.weight");
    expect_close(model.wpe.weight, points.tensor("wpe.weight"), 2e-3, "wpe.weight");
  }
  // Mixed precision follows within the rounding of its activations.
  for (const DType low : {f16, bf16}) {
    Gpt2 model;
    const std::vector<double> losses = losses_of(model, low, points.tensor("ids"));
    for (std::size_t i = 0; i < losses.size(); ++i) {
      EXPECT_NEAR(losses[i], expected[i], (low == f16 ? 0.01 : 0.05) * expected[i]) << name(low) << " " << i;
    }
  }
}

}  // namespace tessera::test
