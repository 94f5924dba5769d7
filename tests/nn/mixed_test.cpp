// Mixed precision of modules, loss scaling and gradient accumulation.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "nn/cases.h"
#include "nn/support.h"
#include "support/devices.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {

namespace {

using MixedTest = NnTest;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// All tensors of an object are bit-equal to those of before.
void expect_same_state(const nn::Stateful& object, const Tree& before) {
  const Tree now = nn::state_of(object);
  ASSERT_EQ(now.names(), before.names());
  for (const auto& [name, t] : before.flatten()) {
    EXPECT_EQ(doubles(now.tensor(name)), doubles(t)) << name;
  }
}

/// The scales after each update, by the rule of PyTorch's GradScaler (_amp_update_scale_).
std::vector<double> scales(const optim::LossScalerOptions& o, const std::vector<bool>& overflows) {
  std::vector<double> all;
  auto scale = static_cast<float>(o.init_scale);
  int tracker = 0;
  for (const bool overflow : overflows) {
    if (overflow) {
      scale *= static_cast<float>(o.backoff_factor);
      tracker = 0;
    } else if (++tracker == o.growth_interval) {
      const float grown = scale * static_cast<float>(o.growth_factor);
      if (std::isfinite(grown)) scale = grown;
      tracker = 0;
    }
    all.push_back(scale);
  }
  return all;
}

}  // namespace

// ---- Modules ----

// Every module of the library runs in both dtypes, with results and gradients near those in f32.
TEST_F(MixedTest, EveryModule) {
  for (const ModuleCase& c : module_cases()) {
    if (c.call || c.name.starts_with("Embedding") || c.name.starts_with("Unflatten") || c.name.starts_with("Pixel") ||
        c.name.starts_with("Conv") || c.name.starts_with("BatchNorm") || c.name.starts_with("Instance")) {
      continue;  // of other inputs: below
    }
    SCOPED_TRACE(c.name);
    nn::AnyModule m = c.make();
    Shape shape{2, 4, 5};
    if (c.name.starts_with("GroupNorm")) shape = {2, 4, 3};
    if (c.name.starts_with("Transformer")) shape = {3, 2, 4};
    if (c.name == "Sequential") shape = {2, 3};
    if (c.name.starts_with("GRU") || c.name.starts_with("RNN") || c.name.starts_with("LSTM")) shape = {5, 2, 3};
    if (c.name.find("2d") != std::string::npos || c.name.find("bilinear") != std::string::npos) shape = {1, 2, 4, 6};
    if (c.name.starts_with("LayerNorm of") || c.name.starts_with("PReLU")) shape = {2, 3, 5};
    const Tensor x = random::uniform(shape, -1.0, 1.0).eval();
    const auto run = [&](std::optional<DType> low) {
      return value_and_grad_of(
          [&](const Tensors& in) {
            random::set_seed(1);
            const Autocast scope(low);
            return sum(square((*m)(in[0]).astype(f32)));
          },
          {x});
    };
    const auto plain = run(std::nullopt);
    for (const DType low : {f16, bf16}) {
      const auto mixed = run(low);
      EXPECT_EQ(mixed.second[0].dtype(), f32);
      const double unit = low == f16 ? 0x1p-9 : 0x1p-6;
      const double size = 1 + std::abs(plain.first.item<double>());
      EXPECT_NEAR(mixed.first.item<double>(), plain.first.item<double>(), 4 * unit * size);
      const double largest = 1 + max(abs(plain.second[0])).item<double>();
      EXPECT_LT(max(abs(mixed.second[0] - plain.second[0])).item<double>(), 8 * unit * largest);
    }
  }
}

TEST_F(MixedTest, LayersKeepTheLowDtypeAndF32Gradients) {
  const auto check = [](nn::Module& m, const Tensor& x, DType expected) {
    auto [loss, gradients, y] = value_and_grad(m, [&] {
      const Autocast scope(f16);
      const Tensor out = m(x);
      return std::pair<Tensor, Tensor>(mean(square(out)), out);
    })();
    EXPECT_EQ(y.dtype(), expected) << m.kind();
    EXPECT_EQ(loss.dtype(), f32);
    for (const auto& [name, g] : gradients.flatten()) EXPECT_EQ(g.dtype(), f32) << m.kind() << " " << name;
  };
  nn::Linear linear(6, 4);  // the f32 bias does not widen the result
  check(linear, random::normal({3, 6}), f16);
  nn::lora(linear, 2);
  check(linear, random::normal({3, 6}), f16);
  nn::Conv2d conv(2, 3, 3);
  check(conv, random::normal({1, 2, 5, 5}), f16);
  nn::ConvTranspose2d transposed(2, 3, 3);
  check(transposed, random::normal({1, 2, 5, 5}), f16);
  nn::MultiheadAttention attention(8, 2);
  check(attention, random::normal({3, 2, 8}), f16);
  nn::BatchNorm2d norm(2);
  check(norm, random::normal({2, 2, 3, 3}, 0.0, 1.0, f16), f32);
  EXPECT_EQ(norm.running_mean.dtype(), f32);
  nn::TransformerEncoderLayer layer(8, 2, {.feedforward = 16, .dropout = 0.1, .norm_first = true});
  check(layer, random::normal({3, 2, 8}), f32);
  nn::LSTM lstm(3, 4, {.num_layers = 2, .bidirectional = true});
  check(lstm, random::normal({5, 2, 3}), f32);
  // Decoding with a cache in f32.
  const Autocast scope(bf16);
  nn::KvCache cache = attention.cache(1, 4);
  nn::MultiheadAttention decoder(8, 2, {.batch_first = true});
  EXPECT_EQ(decoder.decode(random::normal({1, 1, 8}), cache).dtype(), bf16);
  EXPECT_EQ(cache.k.dtype(), f32);
}

// ---- Loss scaling ----

// Infinities and NaN in one gradient of several leave everything as it was, for each optimizer and dtype.
TEST_F(MixedTest, AnOverflowSkipsTheUpdate) {
  for (const OptimizerCase& c : optimizer_cases()) {
    SCOPED_TRACE(c.name);
    for (const double bad : {kInfinity, -kInfinity, std::nan("")}) {
      Tree parameters{{"weight", random::normal({3, 4}).eval()}, {"bias", random::normal({4}).eval()}};
      const auto optimizer = c.make(parameters);
      optim::LossScaler scaler;
      Tree good{{"weight", random::normal({3, 4}).eval()}, {"bias", random::normal({4}).eval()}};
      EXPECT_FALSE(scaler.update(*optimizer, parameters, good).item<bool>());
      const Tree before = parameters.map([](const Tensor& t) { return t.eval(); });
      const Tree state = nn::state_of(*optimizer);
      Tree planted = good;
      planted.at("bias").tensor() = index_set(good.tensor("bias"), {At(2)}, bad);
      EXPECT_TRUE(scaler.update(*optimizer, parameters, planted).item<bool>());
      for (const auto& [name, t] : before.flatten()) EXPECT_EQ(doubles(parameters.tensor(name)), doubles(t)) << name;
      expect_same_state(*optimizer, state);
      EXPECT_EQ(scaler.factor().item<float>(), 32768);
      EXPECT_EQ(scaler.skipped().item<int>(), 1);
      EXPECT_FALSE(scaler.update(*optimizer, parameters, good).item<bool>());
      EXPECT_NE(doubles(parameters.tensor("weight")), doubles(before.tensor("weight")));
    }
  }
}

TEST_F(MixedTest, ScalesFollowGradScaler) {
  std::vector<bool> overflows;
  for (int i = 0; i < 60; ++i) overflows.push_back(i % 13 == 5 || i % 17 == 16);
  for (const optim::LossScalerOptions& o :
       {optim::LossScalerOptions{.growth_interval = 3},
        optim::LossScalerOptions{.init_scale = 1e38, .growth_interval = 2},
        optim::LossScalerOptions{
            .init_scale = 3, .growth_factor = 1.5, .backoff_factor = 0.25, .growth_interval = 1}}) {
    nn::Linear model(2, 2);
    optim::SGD optimizer(model, {.lr = 0.1});
    optim::LossScaler scaler(o);
    auto step = compile(
        [&](const Tensor& g) {
          return scaler.update(optimizer, model, model.parameters().map([&](const Tensor& p) {
            return broadcast_to(g, p.shape()) + 0.0;
          }));
        },
        model, optimizer, scaler);
    const std::vector<double> expected = scales(o, overflows);
    int updates = 0;
    for (std::size_t i = 0; i < overflows.size(); ++i) {
      EXPECT_EQ(step(tessera::full({}, overflows[i] ? kInfinity : 1.0)).item<bool>(), overflows[i]);
      updates += overflows[i] ? 0 : 1;
      EXPECT_EQ(scaler.factor().item<double>(), expected[i]) << i;
    }
    EXPECT_EQ(step.traces(), 1U);
    EXPECT_EQ(optimizer.steps().item<int>(), updates);
    EXPECT_EQ(scaler.skipped().item<int>(), 60 - updates);
  }
  // The first numbers of PyTorch 2.x for growth_interval=3 and the overflows above.
  EXPECT_EQ(scales({.growth_interval = 3}, {false, false, false, false, false, true, false, false, false}),
            (std::vector<double>{65536, 65536, 131072, 131072, 131072, 65536, 65536, 65536, 131072}));
}

TEST_F(MixedTest, GrowsAfterTheInterval) {
  nn::Linear model(2, 1);
  optim::SGD optimizer(model, {.lr = 0.0});
  optim::LossScaler scaler({.growth_interval = 4});
  const Tree g = model.parameters();
  for (int i = 1; i <= 12; ++i) {
    scaler.update(optimizer, model, g);
    EXPECT_EQ(scaler.factor().item<double>(), 65536.0 * std::pow(2, i / 4)) << i;
  }
}

TEST_F(MixedTest, ScaledUpdatesEqualPlainOnesAndClip) {
  nn::Sequential plain(nn::Linear(4, 8), nn::Tanh(), nn::Linear(8, 1));
  nn::Sequential scaled = plain;
  optim::AdamW a(plain, {.lr = 0.01});
  optim::AdamW b(scaled, {.lr = 0.01});
  optim::LossScaler scaler;
  const Tensor x = random::normal({16, 4}).eval();
  for (int i = 0; i < 5; ++i) {
    auto [loss, g] = value_and_grad(plain, [&] { return mean(square(plain(x))) * 30.0; })();
    const auto clipped = optim::clip_grad_norm(g, 0.5);
    a.update(plain, clipped.gradients);
    auto [other, h] = value_and_grad(scaled, [&] { return scaler.scale(mean(square(scaled(x))) * 30.0); })();
    optim::UnscaledGradients unscaled = scaler.unscale(h);
    EXPECT_TRUE(unscaled.finite.item<bool>());
    const auto again = optim::clip_grad_norm(unscaled.gradients, 0.5);
    EXPECT_NEAR(again.norm.item<float>(), clipped.norm.item<float>(), 1e-5 * clipped.norm.item<float>());
    EXPECT_GT(clipped.norm.item<float>(), 0.5F);
    unscaled.gradients = again.gradients;
    scaler.update(b, scaled, unscaled);
    // Powers of two are exact.
    for (const auto& [name, p] : plain.parameters().flatten()) {
      expect_equal(scaled.parameters().tensor(name), p, 1e-6);
    }
  }
  // An overflow is found behind clipping as well, which makes NaN of it.
  Tree bad = plain.parameters();
  bad.at("0.bias").tensor() = tessera::full({8}, kInfinity);
  optim::UnscaledGradients unscaled = scaler.unscale(bad);
  EXPECT_FALSE(unscaled.finite.item<bool>());
  unscaled.gradients = optim::clip_grad_norm(unscaled.gradients, 1.0).gradients;
  const Tree before = nn::state_of(scaled);
  EXPECT_TRUE(scaler.update(b, scaled, unscaled).item<bool>());
  expect_same_state(scaled, before);
}

TEST_F(MixedTest, ScalersAreState) {
  optim::LossScaler scaler({.growth_interval = 2});
  nn::Linear model(2, 1);
  optim::SGD optimizer(model, {.lr = 0.1});
  scaler.update(optimizer, model, model.parameters());
  optim::LossScaler other({.growth_interval = 2});
  nn::set_state(other, nn::state_of(scaler));
  EXPECT_EQ(nn::state_of(other).names(), (std::vector<std::string>{"scale", "growth_tracker", "skipped"}));
  other.update(optimizer, model, model.parameters());
  EXPECT_EQ(other.factor().item<float>(), 131072);
  auto without = compile([&] { scaler.update(optimizer, model, model.parameters()); }, model, optimizer);
  EXPECT_TRUE(std::string(error_of([&] { without(); }).what()).starts_with("LossScaler::update: 'scale' is written"));
  for (const optim::LossScalerOptions& o :
       {optim::LossScalerOptions{.init_scale = 0}, optim::LossScalerOptions{.growth_factor = 1},
        optim::LossScalerOptions{.backoff_factor = 1}, optim::LossScalerOptions{.growth_interval = 0}}) {
    EXPECT_EQ(error_of([&] { const optim::LossScaler wrong(o); }).kind(), ErrorKind::kValue);
  }
  EXPECT_EQ(error_of([&] { optimizer.update(model, model.parameters(), ones({2}, boolean)); }).kind(),
            ErrorKind::kValue);
}

// ---- Gradient accumulation ----

TEST_F(MixedTest, MicroBatchesEqualOneBatch) {
  nn::Sequential whole(nn::Linear(6, 16), nn::GELU(), nn::Linear(16, 3));
  nn::Sequential parts = whole;
  optim::AdamW a(whole, {.lr = 0.01});
  optim::AdamW b(parts, {.lr = 0.01});
  optim::Accumulator accumulator(parts);
  auto accumulate = compile(
      [&](const Tensor& x, const Tensor& y) {
        auto [loss, g] = value_and_grad(parts, [&] { return cross_entropy(parts(x), y); })();
        accumulator.add(g);
        return loss;
      },
      parts, accumulator);
  auto apply = compile([&] { b.update(parts, accumulator.take()); }, parts, b, accumulator);
  for (int step = 0; step < 4; ++step) {
    const Tensor x = random::normal({24, 6}).eval();
    const Tensor y = random::randint({24}, 0, 3).eval();
    auto [loss, g] = value_and_grad(whole, [&] { return cross_entropy(whole(x), y); })();
    a.update(whole, g);
    double mean_loss = 0;
    for (std::int64_t i = 0; i < 4; ++i) {
      const Slice rows{6 * i, 6 * (i + 1)};
      mean_loss += accumulate(slice(x, {rows}), slice(y, {rows})).item<double>() / 4;
    }
    EXPECT_EQ(accumulator.count().item<int>(), 4);
    apply();
    EXPECT_EQ(accumulator.count().item<int>(), 0);
    EXPECT_NEAR(mean_loss, loss.item<double>(), 1e-5);
    for (const auto& [name, p] : whole.parameters().flatten()) {
      expect_equal(parts.parameters().tensor(name), p, 2e-5);
    }
  }
  EXPECT_EQ(accumulate.traces(), 1U);
  EXPECT_EQ(apply.traces(), 1U);
  EXPECT_EQ(error_of([&] { accumulator.add(Tree{{"other", ones({2})}}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] {
              accumulator.add(parts.parameters().map([](const Tensor& t) { return reshape(t, {t.numel()}); }));
            }).kind(),
            ErrorKind::kShape);
}

// ---- One batch, on all devices, in all dtypes ----

class MixedOverfitTest : public DeviceTest {};

TEST_P(MixedOverfitTest, NetworksFitOneBatch) {
  for (const std::optional<DType> low : {std::optional<DType>(), std::optional(f16), std::optional(bf16)}) {
    if (!low.has_value() && !on_cpu()) continue;  // training_test.cpp
    random::set_seed(3);
    const std::string what(low.has_value() ? name(*low) : "f32");
    nn::Sequential mlp(nn::Linear(8, 32), nn::GELU(), nn::LayerNorm(32), nn::Linear(32, 3));
    nn::Sequential net(nn::Conv2d(1, 4, 3, {.padding = 1}), nn::BatchNorm2d(4), nn::ReLU(), nn::MaxPool2d(2),
                       nn::Flatten(), nn::Linear(4 * 4 * 4, 3));
    const Tensor y = random::randint({16}, 0, 3).eval();
    for (auto& [model, x] : {std::pair<nn::Sequential&, Tensor>(mlp, random::normal({16, 8}).eval()),
                             std::pair<nn::Sequential&, Tensor>(net, random::normal({16, 1, 8, 8}).eval())}) {
      if (&model == &net && low == bf16 && !on_cpu() && !full()) continue;
      optim::AdamW optimizer(model, {.lr = 0.02});
      optim::LossScaler scaler;
      auto step = compile(
          [&](const Tensor& in, const Tensor& target) {
            auto [scaled, gradients, loss] = value_and_grad(model, [&] {
              const Autocast scope(low);
              const Tensor l = cross_entropy(model(in), target);
              return std::pair<Tensor, Tensor>(scaler.scale(l), l);
            })();
            scaler.update(optimizer, model, gradients);
            return loss;
          },
          model, optimizer, scaler);
      Tensor loss;
      for (int i = 0; i < 60; ++i) loss = step(x, y);
      EXPECT_LT(loss.item<float>(), 0.05F) << what;
      EXPECT_LT(scaler.skipped().item<int>(), 10) << what;
      EXPECT_EQ(step.traces(), 1U);
      for (const auto& [name, p] : model.parameters().flatten()) EXPECT_EQ(p.dtype(), f32) << name;
    }
  }
}

TESSERA_ON_ALL_DEVICES(MixedOverfitTest);

}  // namespace tessera::test
