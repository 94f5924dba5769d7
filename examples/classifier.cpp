// Trains a convolutional network on small pictures, tests, saves and loads it, and trains another one by a Trainer: the
// program of docs/training.md.
#include <cstdio>
#include <filesystem>
#include <random>
#include <vector>

#include <tessera/tessera.h>

namespace ts = tessera;
namespace nn = tessera::nn;
using ts::Tensor;

struct Data {
  Tensor x, y;  // [N, 1, 8, 8] and [N]
};

/// Pictures of a bar: horizontal (0), vertical (1) or diagonal (2).
Data pictures(std::size_t count, std::mt19937& random) {
  std::normal_distribution<float> noise(0, 0.2F);
  std::vector<float> x(count * 64);
  std::vector<std::int32_t> y(count);
  for (float& value : x) value = noise(random);
  for (std::size_t i = 0; i < count; ++i) {
    y[i] = static_cast<std::int32_t>(random() % 3);
    const std::size_t at = 1 + random() % 6;
    for (std::size_t k = 0; k < 8; ++k) x[i * 64 + (y[i] == 0 ? at * 8 + k : y[i] == 1 ? k * 8 + at : k * 9)] += 1;
  }
  const auto n = static_cast<std::int64_t>(count);
  return {Tensor(x, {n, 1, 8, 8}), Tensor(y, {n})};
}

struct Classifier : nn::Module {
  nn::Conv2d conv{1, 8, 3, {.padding = 1}};
  nn::BatchNorm2d norm{8};
  nn::Linear head;
  explicit Classifier(int classes) : head(8 * 4 * 4, classes) {}
  void fields(nn::Fields& f) override {
    f("conv", conv);
    f("norm", norm);
    f("head", head);
  }
  Tensor forward(const Tensor& x) override {
    const Tensor h = ts::max_pool2d(ts::relu(norm(conv(x))), 2);
    return head(h.reshape({h.size(0), -1}));
  }
};

int main() {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "tessera-classifier";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::filesystem::current_path(folder);

  ts::random::set_seed(0);
  std::mt19937 random(0);
  const Data train = pictures(512, random);
  const Data test = pictures(128, random);

  Classifier model(3);
  ts::optim::AdamW optimizer(
      model, {.lr = ts::optim::cosine(1e-2, 100, {.warmup = 10}), .no_decay = ts::optim::vectors_of(model)});

  const auto loss_of = [&](const Tensor& x, const Tensor& y) { return ts::cross_entropy(model(x), y); };
  const auto step = ts::compile(
      [&](const Tensor& rows) {
        auto [loss, gradients] = ts::value_and_grad(model, loss_of)(train.x.take(rows, 0), train.y.take(rows, 0));
        gradients = ts::optim::clip_grad_norm(gradients, 1.0).gradients;
        optimizer.update(model, gradients);
        return loss;
      },
      model, optimizer);

  for (int i = 0; i < 100; ++i) {
    const Tensor loss = step(ts::random::randint({64}, 0, 512));
    if (i % 25 == 0) std::printf("%d: loss %.3f\n", i, loss.item());
  }

  model.eval();  // running statistics, no dropout
  const Tensor right = ts::equal(ts::argmax(model(test.x), 1), test.y).mean();
  std::printf("test: %.0f%% right\n", 100 * right.item());

  const ts::Tree weights = model.state();            // parameters and buffers by name
  const ts::Tree moments = nn::state_of(optimizer);  // step, lr.0, state.conv.weight.exp_avg, ...
  for (const auto& [name, tensor] : weights.flatten())
    std::printf("%s %s\n", name.c_str(), tensor.shape().str().c_str());

  Classifier other(3);
  other.load(weights);                                 // Error that lists missing, unexpected and mismatched names
  nn::LoadReport report = other.load(weights, false);  // loads what matches, and reports the rest
  nn::set_state(optimizer, moments);

  ts::io::save_safetensors("model.safetensors", model.state());
  ts::io::save_safetensors("optimizer.safetensors", nn::state_of(optimizer));

  model.load(ts::io::load_safetensors("model.safetensors"));
  nn::set_state(optimizer, ts::io::load_safetensors("optimizer.safetensors"));
  other.load(ts::io::load_safetensors("model.safetensors"));
  other.eval();
  const bool same = report.missing.empty() && ts::allclose(other(test.x), model(test.x));

  Classifier second(3);
  ts::optim::AdamW adam(second, {.lr = 1e-2});
  ts::data::DataLoader train_loader(ts::data::from_tensors({{"image", train.x}, {"label", train.y}}),
                                    {.batch = 64, .shuffle = true});
  ts::data::DataLoader validation_loader(ts::data::from_tensors({{"image", test.x}, {"label", test.y}}), {.batch = 64});
  ts::train::Accuracy accuracy;
  ts::train::Trainer trainer(second, adam,
                             [&](const ts::Tree& batch) {
                               const Tensor logits = second(batch["image"]);
                               accuracy.update(logits, batch["label"]);
                               return ts::cross_entropy(logits, batch["label"]);
                             },
                             {.epochs = 8, .clip_norm = 1, .out = "runs/bars", .patience = 2});
  trainer.metric("accuracy", accuracy);
  const ts::train::Result result = trainer.fit(train_loader, &validation_loader);
  trainer.load_best();
  const double accurate = trainer.evaluate(validation_loader)[1].second;
  std::printf("the Trainer: %lld updates, %.0f%% right\n", static_cast<long long>(result.step), 100 * accurate);

  model.train();
  ts::optim::LossScaler scaler;  // 65536, doubled after 2000 good steps, halved after a bad one
  const auto mixed_step = ts::compile(
      [&](const Tensor& x, const Tensor& y) {
        auto [scaled, gradients, loss] = ts::value_and_grad(model, [&] {
          const ts::Autocast scope(ts::f16);
          const Tensor plain = ts::cross_entropy(model(x), y);
          return std::pair<Tensor, Tensor>(scaler.scale(plain), plain);
        })();
        auto unscaled = scaler.unscale(gradients);  // f32; only needed to clip
        unscaled.gradients = ts::optim::clip_grad_norm(unscaled.gradients, 1.0).gradients;
        scaler.update(optimizer, model, unscaled);
        return loss;
      },
      model, optimizer, scaler);
  const bool finite = mixed_step(train.x, train.y).item() < 1;

  std::filesystem::current_path(folder.parent_path());
  std::filesystem::remove_all(folder);
  return same && right.item() > 0.9 && accurate > 0.9 && finite ? 0 : 1;
}
