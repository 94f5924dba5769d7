// Trains a convolutional network on small pictures, tests, saves and loads it: the program of docs/training.md.
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

  const auto file = std::filesystem::temp_directory_path() / "classifier.safetensors";
  ts::io::save_safetensors(file, model.state());
  Classifier other(3);
  other.load(ts::io::load_safetensors(file));
  other.eval();
  const bool same = ts::allclose(other(test.x), model(test.x));
  std::filesystem::remove(file);
  return same && right.item() > 0.9 ? 0 : 1;
}
