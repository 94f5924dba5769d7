// Trains an MLP to compute sin(3x) without modules: parameters in a Tree, and a compiled SGD step that donates them.
#include <cstdio>

#include <tessera/tessera.h>

namespace ts = tessera;
using ts::Tensor, ts::Tree;

Tensor predict(const Tree& p, const Tensor& x) {
  return (x.matmul(p["w1"]) + p["b1"]).tanh().matmul(p["w2"]) + p["b2"];
}

int main() {
  ts::random::set_seed(1);
  const auto loss_of = [](const Tree& p, const Tensor& x) { return predict(p, x).mse_loss((3 * x).sin()); };
  const auto train = [&](const Tree& p, const Tensor& x) {
    const auto [loss, gradients] = ts::value_and_grad(loss_of, ts::argnums<0>)(p, x);
    return std::pair(loss, Tree::zip(p, gradients, [](const Tensor& w, const Tensor& g) { return w - 0.04 * g; }));
  };
  const auto step = ts::compile(train, {.donate = {0}});

  Tree params{{"w1", ts::random::normal({1, 64}, 0, 3)},
              {"b1", ts::random::normal({64})},
              {"w2", ts::random::normal({64, 1}, 0, 0.1)},
              {"b2", ts::zeros({1})}};
  Tensor loss;
  for (int i = 0; i <= 2000; ++i) {
    std::tie(loss, params) = step(params, ts::random::uniform({256, 1}, -1, 1));
    if (i % 500 == 0) std::printf("step %4d: loss %.6f\n", i, loss.item());
  }
  return loss.item() < 2e-3 && step.traces() == 1 ? 0 : 1;
}
