// Benchmarks of convolutions by arithmetic, and of pooling by the bandwidth of its input and output.
#include "bench/bench.h"

namespace tessera::app {

namespace {

/// Images and filters of 3 x 3, padded by 1.
struct ConvSize {
  std::int64_t n, c, edge, o, stride, groups;
};

/// Small and software adapters take one image.
bool many_images(const Bench& bench) { return bench.sizes().elements >= (1 << 26); }

std::vector<ConvSize> conv_sizes(const Bench& bench) {
  if (bench.quick()) return {{1, 8, 14, 16, 1, 1}};
  if (!many_images(bench)) return {{1, 32, 28, 32, 1, 1}, {1, 64, 14, 128, 2, 1}};
  return {{32, 64, 56, 64, 1, 1},
          {32, 128, 28, 128, 1, 1},
          {32, 256, 14, 256, 1, 1},
          {32, 512, 7, 512, 1, 1},
          {32, 64, 56, 128, 2, 1}};
}

Shape image(const ConvSize& s, std::int64_t channels, std::int64_t edge, bool last) {
  return last ? Shape{s.n, edge, edge, channels} : Shape{s.n, channels, edge, edge};
}

Json fields(const ConvSize& s) {
  return {{"N", s.n}, {"C", s.c}, {"HW", s.edge}, {"O", s.o}, {"stride", s.stride}, {"groups", s.groups}};
}

/// With channels last, the weights are stored with channels last, too.
Shape weights(const ConvSize& s, bool last) {
  const std::int64_t c = s.c / s.groups;
  return last ? Shape{s.o, 3, 3, c} : Shape{s.o, c, 3, 3};
}
/// As conv2d takes them: [O, C, 3, 3].
Tensor first(const Tensor& weights, bool last) { return last ? permute(weights, {0, 3, 1, 2}) : weights; }

void conv(const Bench& bench, const char* name, const std::vector<ConvSize>& sizes, DType dtype, bool last) {
  for (const ConvSize& s : sizes) {
    const ConvOptions options{.stride = s.stride,
                              .padding = 1,
                              .groups = s.groups,
                              .layout = last ? ImageLayout::kChannelsLast : ImageLayout::kChannelsFirst};
    const std::int64_t out = (s.edge - 1) / s.stride + 1;
    const std::int64_t depth = s.c / s.groups * 9;
    const double flops = 2.0 * static_cast<double>(s.n * s.o * out * out * depth);
    const double seconds = bench.seconds_of(
        [&] {
          return std::vector{bench.random(image(s, s.c, s.edge, last), dtype), bench.random(weights(s, last), dtype)};
        },
        [&](const std::vector<Tensor>& in) { return conv2d(in[0], first(in[1], last), {}, options); },
        bench.copies_for_flops(flops));
    bench.report({name, fields(s), "tflops", flops * 1e-12 / seconds});
  }
}

/// Images through dependent layers, as in a network: the latency of a single convolution, not the throughput of several
/// concurrent ones.
void conv_chain(const Bench& bench, const char* name, DType dtype, bool last) {
  constexpr std::int64_t kLayers = 16;
  std::vector<ConvSize> sizes;
  for (const std::int64_t n : {1, 32}) {
    if (n > 1 && !many_images(bench)) break;
    for (const std::int64_t c : {64, 128, 256, 512}) sizes.push_back({n, c, 56 * 64 / c, c, 1, 1});
  }
  if (bench.quick()) sizes = {{1, 8, 14, 8, 1, 1}};
  for (const ConvSize& s : sizes) {
    const double flops = 2.0 * static_cast<double>(s.n * s.o * s.edge * s.edge * s.c * 9 * kLayers);
    const ConvOptions options{.padding = 1, .layout = last ? ImageLayout::kChannelsLast : ImageLayout::kChannelsFirst};
    const double seconds = bench.seconds_of(
        [&] {
          std::vector<Tensor> in{bench.random(image(s, s.c, s.edge, last), dtype)};
          for (std::int64_t i = 0; i < kLayers; ++i) in.push_back(bench.random(weights(s, last), dtype));
          return in;
        },
        [&](const std::vector<Tensor>& in) {
          Tensor x = in[0];
          for (std::size_t i = 1; i < in.size(); ++i) x = relu(conv2d(x, first(in[i], last), {}, options)) * 0.05;
          return x;
        });
    bench.report({name, fields(s), "tflops", flops * 1e-12 / seconds});
  }
}
void conv_chain_f32(const Bench& bench) { conv_chain(bench, "conv2d_chain_f32", f32, false); }
void conv_chain_f16(const Bench& bench) { conv_chain(bench, "conv2d_chain_f16", f16, false); }
void conv_chain_last_f32(const Bench& bench) { conv_chain(bench, "conv2d_chain_channels_last_f32", f32, true); }
void conv_chain_last_f16(const Bench& bench) { conv_chain(bench, "conv2d_chain_channels_last_f16", f16, true); }

/// The gradient of the input: from [N, O, ..] back to [N, C, ..].
void conv_transpose_f32(const Bench& bench) {
  for (const ConvSize& s : conv_sizes(bench)) {
    const std::int64_t out = (s.edge - 1) / s.stride + 1;
    const double flops = 2.0 * static_cast<double>(s.n * s.o * out * out) * static_cast<double>(s.c * 9);
    const double seconds = bench.seconds_of(
        [&] { return std::vector{bench.random({s.n, s.o, out, out}), bench.random({s.o, s.c, 3, 3})}; },
        [&](const std::vector<Tensor>& in) {
          return conv_transpose2d(in[0], in[1], {}, {.stride = s.stride, .padding = 1, .output_padding = s.stride - 1});
        },
        bench.copies_for_flops(flops));
    bench.report({"conv_transpose2d_f32", fields(s), "tflops", flops * 1e-12 / seconds});
  }
}

void conv_f32(const Bench& bench) { conv(bench, "conv2d_f32", conv_sizes(bench), f32, false); }
void conv_f16(const Bench& bench) { conv(bench, "conv2d_f16", conv_sizes(bench), f16, false); }
void conv_last_f16(const Bench& bench) { conv(bench, "conv2d_channels_last_f16", conv_sizes(bench), f16, true); }
void conv_last_f32(const Bench& bench) { conv(bench, "conv2d_channels_last_f32", conv_sizes(bench), f32, true); }

/// One filter for each channel: bound by memory.
void depthwise_f32(const Bench& bench) {
  for (ConvSize s : conv_sizes(bench)) {
    if (s.stride != 1) continue;
    s.o = s.groups = s.c;
    const double bytes = 8.0 * static_cast<double>(s.n * s.c * s.edge * s.edge);
    const double seconds = bench.seconds_of(
        [&] { return std::vector{bench.random(image(s, s.c, s.edge, false)), bench.random({s.c, 1, 3, 3})}; },
        [&](const std::vector<Tensor>& in) { return conv2d(in[0], in[1], {}, {.padding = 1, .groups = s.c}); },
        bench.copies_for_bytes(bytes));
    bench.report({"conv2d_depthwise_f32", fields(s), "gbs", bytes * 1e-9 / seconds});
  }
}

void pool(const Bench& bench, const char* name, const Bench::Function& function) {
  const ConvSize s = conv_sizes(bench)[0];
  const double bytes = 4.0 * 1.25 * static_cast<double>(s.n * s.c * s.edge * s.edge);
  const double seconds = bench.seconds_of([&] { return std::vector{bench.random(image(s, s.c, s.edge, false))}; },
                                          function, bench.copies_for_bytes(bytes));
  bench.report({name, fields(s), "gbs", bytes * 1e-9 / seconds});
}

void max_pool_f32(const Bench& bench) {
  pool(bench, "max_pool2d_f32",
       [](const std::vector<Tensor>& in) { return max_pool2d(in[0], 3, {.stride = 2, .padding = 1}); });
}
void avg_pool_f32(const Bench& bench) {
  pool(bench, "avg_pool2d_f32", [](const std::vector<Tensor>& in) { return avg_pool2d(in[0], 2); });
}

}  // namespace

std::vector<BenchRow> conv_benches() {
  return {{"conv", "conv2d_f32", conv_f32},
          {"conv", "conv2d_f16", conv_f16},
          {"conv", "conv2d_chain_f32", conv_chain_f32},
          {"conv", "conv2d_chain_f16", conv_chain_f16},
          {"conv", "conv2d_chain_channels_last_f32", conv_chain_last_f32},
          {"conv", "conv2d_chain_channels_last_f16", conv_chain_last_f16},
          {"conv", "conv2d_channels_last_f16", conv_last_f16},
          {"conv", "conv2d_channels_last_f32", conv_last_f32},
          {"conv", "conv_transpose2d_f32", conv_transpose_f32},
          {"conv", "conv2d_depthwise_f32", depthwise_f32},
          {"conv", "max_pool2d_f32", max_pool_f32},
          {"conv", "avg_pool2d_f32", avg_pool_f32}};
}

}  // namespace tessera::app
