// Benchmarks of a ResNet-18 for images of 32 x 32: the convolutions of its training step by arithmetic, forward and
// both gradients, and the whole step with SGD.
#include <cmath>

#include "bench/bench.h"

namespace tessera::app {

namespace {

/// The first two of the eight blocks have `width` channels; the others twice as many after each second block.
struct Network {
  std::int64_t images, edge, width;
};

/// 128 images of CIFAR on a large GPU; a narrow network elsewhere.
Network network_for(const Bench& bench) {
  if (bench.quick()) return {2, 8, 8};
  if (bench.device().info().type != DeviceType::kDiscreteGpu) return {4, 16, 8};
  return {128, 32, 64};
}

/// A block of two convolutions of 3 x 3, the first with the stride.
struct Block {
  std::int64_t in, out, stride, edge;  // of its input
};
std::vector<Block> blocks_of(const Network& net) {
  std::vector<Block> blocks(2, {net.width, net.width, 1, net.edge});
  for (int i = 1; i < 4; ++i) {
    const Block last = blocks.back();
    blocks.push_back({last.out, 2 * last.out, 2, last.edge});
    blocks.push_back({2 * last.out, 2 * last.out, 1, last.edge / 2});
  }
  return blocks;
}

/// As the step runs them: on images with channels last.
void conv_step(const Bench& bench, const char* name, DType dtype) {
  const Network net = network_for(bench);
  std::vector<Block> blocks = blocks_of(net);
  blocks.erase(blocks.begin());
  for (const Block& b : blocks) {
    const std::int64_t out = b.edge / b.stride;
    const Shape x{net.images, b.edge, b.edge, b.in};
    const Shape y{net.images, out, out, b.out};
    const Shape w{b.out, b.in, 3, 3};
    const double flops = 2.0 * static_cast<double>(y.numel()) * static_cast<double>(9 * b.in);
    const ConvOptions options{.stride = b.stride, .padding = 1, .layout = ImageLayout::kChannelsLast};
    const auto report = [&](const char* pass, const Shape& first, const Shape& second,
                            const Bench::Function& function) {
      const double seconds = bench.seconds_of(
          [&] { return std::vector{bench.random(first, dtype), bench.random(second, dtype)}; }, function);
      const Json fields{{"pass", pass}, {"N", net.images}, {"C", b.in},
                        {"HW", b.edge}, {"O", b.out},      {"stride", b.stride}};
      bench.report({name, fields, "tflops", flops * 1e-12 / seconds});
    };
    report("forward", x, w, [&](const std::vector<Tensor>& in) { return conv2d(in[0], in[1], {}, options); });
    report("input", y, w, [&](const std::vector<Tensor>& in) {
      return conv_transpose2d(
          in[0], in[1], {},
          {.stride = b.stride, .padding = 1, .output_padding = b.stride - 1, .layout = ImageLayout::kChannelsLast});
    });
    report("weight", x, y, [&](const std::vector<Tensor>& in) {
      const auto f = [&](const Tensors& t) { return Tensors{conv2d(in[0], t[0], {}, options)}; };
      return vjp(f, {zeros(w, dtype, bench.device())}, {in[1]}).second[0];
    });
  }
}
void conv_step_f32(const Bench& bench) { conv_step(bench, "conv_step_f32", f32); }
void conv_step_f16(const Bench& bench) { conv_step(bench, "conv_step_f16", f16); }

/// Batch norm with its statistics in f32.
Tensor norm(const Tensor& x, const Tensor& scale, const Tensor& shift) {
  const Tensor z = cast(x, f32);
  const Tensor centered = z - mean(z, {0, 2, 3}, true);
  const Tensor variance = mean(square(centered), {0, 2, 3}, true);
  const Shape channels{1, x.size(1), 1, 1};
  return cast(centered * rsqrt(variance + 1e-5) * reshape(scale, channels) + reshape(shift, channels), x.dtype());
}

/// Parameters in f32, convolutions in `dtype`, images in the layout of PyTorch: [N, C, H, W].
void resnet_step(const Bench& bench, const char* name, DType dtype) {
  const Network net = network_for(bench);
  const std::vector<Block> blocks = blocks_of(net);
  constexpr std::int64_t kClasses = 10;
  const auto inputs = [&] {
    std::vector<Tensor> in{bench.random({net.images, 3, net.edge, net.edge}),
                           random::randint({net.images}, 0, kClasses, i32, bench.device())};
    const auto conv = [&](std::int64_t o, std::int64_t c, std::int64_t taps) {
      const double bound = std::sqrt(6.0 / static_cast<double>(c * taps * taps));
      in.push_back((bench.random({o, c, taps, taps}) * bound).eval());
      in.push_back(ones({o}, f32, bench.device()));
      in.push_back(zeros({o}, f32, bench.device()));
    };
    conv(net.width, 3, 3);
    for (const Block& b : blocks) {
      conv(b.out, b.in, 3);
      conv(b.out, b.out, 3);
      if (b.in != b.out) conv(b.out, b.in, 1);
    }
    in.push_back(bench.random({8 * net.width, kClasses}) * 0.05);
    const std::size_t parameters = in.size() - 2;
    for (std::size_t i = 0; i < parameters; ++i) in.push_back(zeros(in[2 + i].shape(), f32, bench.device()));
    return in;
  };
  const std::size_t parameters = (inputs().size() - 2) / 2;
  const auto loss = [&](const Tensor& x, const Tensor& labels, const Tensors& p) {
    std::size_t at = 0;
    const auto layer = [&](const Tensor& h, std::int64_t stride, std::int64_t padding) {
      const Tensor y = conv2d(h, cast(p[at], dtype), {}, {.stride = stride, .padding = padding});
      at += 3;
      return norm(y, p[at - 2], p[at - 1]);
    };
    Tensor h = relu(layer(cast(x, dtype), 1, 1));
    for (const Block& b : blocks) {
      const Tensor z = relu(layer(h, b.stride, 1));
      const Tensor y = layer(z, 1, 1);
      h = relu(y + (b.in != b.out ? layer(h, b.stride, 0) : h));
    }
    return cross_entropy(matmul(mean(cast(h, f32), {2, 3}), p[at]), labels);
  };
  const auto step = [&](const std::vector<Tensor>& in) {
    const Tensors p(in.begin() + 2, in.begin() + 2 + static_cast<std::ptrdiff_t>(parameters));
    constexpr double kScale = 256;  // of the loss: gradients of f16 underflow otherwise
    auto [value, gradients] = value_and_grad_of([&](const Tensors& t) { return loss(in[0], in[1], t) * kScale; }, p);
    Tensors results{value};
    for (std::size_t i = 0; i < parameters; ++i) {
      const Tensor momentum = 0.9 * in[2 + parameters + i] + gradients[i] * (1 / kScale);
      results.push_back(momentum);
      results.push_back(p[i] - 0.05 * momentum);
    }
    return results;
  };
  const double seconds = bench.seconds_of_all(inputs, step, 1 + 2 * parameters);
  bench.report({name, {{"N", net.images}, {"HW", net.edge}, {"C", net.width}}, "ms", 1e3 * seconds});
}
void resnet_step_f32(const Bench& bench) { resnet_step(bench, "resnet_step_f32", f32); }
void resnet_step_f16(const Bench& bench) { resnet_step(bench, "resnet_step_f16", f16); }

}  // namespace

std::vector<BenchRow> resnet_benches() {
  return {{"conv", "conv_step_f32", conv_step_f32},
          {"conv", "conv_step_f16", conv_step_f16},
          {"step", "resnet_step_f32", resnet_step_f32},
          {"step", "resnet_step_f16", resnet_step_f16}};
}

}  // namespace tessera::app
