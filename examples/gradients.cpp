// Fits a small network by gradients: value_and_grad, a compiled step, and the same gradient by backward().
#include <cstdio>

#include <tessera/tessera.h>

namespace ts = tessera;

int main() {
  ts::random::set_seed(1);
  const ts::Tensor x = ts::random::normal({256, 4});
  const ts::Tensor y = ts::sin(ts::sum(x, {1}, true));
  ts::Tensors w{ts::random::normal({4, 32}, 0.0, 0.5), ts::zeros({32}), ts::random::normal({32, 1}, 0.0, 0.3)};

  const auto loss = [&](const ts::Tensors& p) {
    return ts::mse_loss(ts::matmul(ts::tanh(ts::matmul(x, p[0]) + p[1]), p[2]), y);
  };
  // One compiled step: the value, and the weights after it. Nothing is compiled again after the first call.
  const auto step = ts::compile([&](const ts::Tensors& p) {
    auto [value, gradients] = ts::value_and_grad(loss)(p);
    ts::Tensors next;
    for (std::size_t i = 0; i < p.size(); ++i) next.push_back(p[i] - gradients[i] * 0.1);
    next.push_back(value);
    return next;
  });
  float first = 0;
  float last = 0;
  for (int i = 0; i < 200; ++i) {
    ts::Tensors next = step(w);
    last = next.back().item<float>();
    if (i == 0) first = last;
    next.pop_back();
    w = std::move(next);
  }
  std::printf("loss %.4f, after 200 steps %.4f\n", first, last);

  // The other style: variables that gather their gradients.
  for (ts::Tensor& p : w) p.requires_grad();
  loss(w).backward();
  std::printf("gradient of the biases: %s\n", ts::slice(w[1].grad(), {{0, 4}}).str().c_str());
  return last < 0.5F * first ? 0 : 1;
}
