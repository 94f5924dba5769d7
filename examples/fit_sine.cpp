// Trains an MLP to compute sin(3x): a compiled step that keeps parameters and the optimizer's state on the device.
#include <cstdio>

#include <tessera/tessera.h>

namespace ts = tessera;
namespace nn = tessera::nn;
using ts::Tensor;

struct Mlp : nn::Module {
  nn::Linear up{1, 64}, middle{64, 64}, down{64, 1};
  void fields(nn::Fields& f) override {
    f("up", up);
    f("middle", middle);
    f("down", down);
  }
  Tensor forward(const Tensor& x) override { return down(ts::tanh(middle(ts::tanh(up(x))))); }
};

int main() {
  ts::random::set_seed(1);
  Mlp model;
  ts::optim::AdamW optimizer(model, {.lr = ts::optim::cosine(1e-2, 500)});
  const auto loss_of = [&](const Tensor& x) { return ts::mse_loss(model(x), ts::sin(3 * x)); };
  const auto train = [&](const Tensor& x) {
    auto [loss, gradients] = ts::value_and_grad(model, loss_of)(x);
    optimizer.update(model, gradients);
    return loss;
  };
  const auto step = ts::compile(train, model, optimizer);
  for (int i = 0; i < 500; ++i) {
    const Tensor loss = step(ts::random::uniform({256, 1}, -1, 1));
    if (i % 100 == 0) std::printf("step %3d: loss %.6f\n", i, loss.item<double>());
  }
  const double error = loss_of(ts::linspace(-1, 1, 101).reshape({101, 1})).item<double>();
  std::printf("mean squared error %.1e, %zu trace, %zu kernels a step\n", error, step.traces(), step.kernel_count());
  return error < 1e-3 && step.traces() == 1 ? 0 : 1;
}
