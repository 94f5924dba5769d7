// The window kernels and their twins on the host.
#include "ops/conv/window_kernels.h"

#include <bit>
#include <cmath>
#include <limits>

#include "base/ints.h"
#include "base/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/own_kernel.h"

namespace tessera::ops {

namespace {

constexpr std::uint32_t kLanes = 256;

/// The words that all kernels share, in this order; then each kernel's own.
const std::vector<std::string> kWords{"count",    "in_h",     "in_w",       "out_h",      "out_w", "taps_h", "taps_w",
                                      "stride_h", "stride_w", "dilation_h", "dilation_w", "low_h", "low_w"};

std::vector<std::uint32_t> words_of(std::int64_t count, const PlaneRanges& w) {
  std::vector<std::uint32_t> words{static_cast<std::uint32_t>(count)};
  for (const Sizes* sizes : {&w.in, &w.out, &w.taps, &w.stride, &w.dilation, &w.low}) {
    for (const std::int64_t s : *sizes) words.push_back(static_cast<std::uint32_t>(s));
  }
  return words;
}

/// The same words on the host.
struct HostRanges {
  std::int64_t in[2], out[2], taps[2], stride[2], dilation[2], low[2];
  explicit HostRanges(std::span<const std::uint32_t> words) {
    std::int64_t* to[] = {in, out, taps, stride, dilation, low};
    for (std::size_t i = 0; i < 12; ++i) to[i / 2][i % 2] = static_cast<std::int32_t>(words[1 + i]);
  }
  /// Calls f(tap, position in the plane) for each tap of window (i, j) that is inside.
  template <class F>
  void each_tap(std::int64_t i, std::int64_t j, F f) const {
    for (std::int64_t a = 0; a < taps[0]; ++a) {
      const std::int64_t h = i * stride[0] + a * dilation[0] - low[0];
      if (h < 0 || h >= in[0]) continue;
      for (std::int64_t b = 0; b < taps[1]; ++b) {
        const std::int64_t w = j * stride[1] + b * dilation[1] - low[1];
        if (w >= 0 && w < in[1]) f(a * taps[1] + b, h * in[1] + w);
      }
    }
  }
  /// Calls f(plane, i, j) for all windows of `planes` planes.
  template <class F>
  void each_window(std::int64_t planes, F f) const {
    ThreadPool::global().parallel_for(planes, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t p = begin; p < end; ++p)
        for (std::int64_t i = 0; i < out[0]; ++i)
          for (std::int64_t j = 0; j < out[1]; ++j) f(p, i, j);
    });
  }
  [[nodiscard]] std::size_t window(std::int64_t p, std::int64_t i, std::int64_t j) const {
    return static_cast<std::size_t>((p * out[0] + i) * out[1] + j);
  }
  [[nodiscard]] std::size_t place(std::int64_t p, std::int64_t at) const {
    return static_cast<std::size_t>(p * in[0] * in[1] + at);
  }
};

CustomKernel kernel(const std::vector<KernelBinding>& inputs, const std::vector<KernelBinding>& outputs,
                    const std::vector<std::string>& more) {
  CustomKernel k;
  k.inputs = inputs;
  k.outputs = outputs;
  k.workgroup = {kLanes, 1, 1};
  for (const std::string& w : kWords) k.params.push_back({w, DType::kU32});
  for (const std::string& w : more) k.params.push_back({w, DType::kU32});
  return k;
}

std::uint64_t groups_for(std::int64_t count) { return static_cast<std::uint64_t>(ceil_div(count, kLanes)); }

void host_depthwise(const CustomHostCall& call) {
  const HostRanges w(call.params);
  const std::int64_t outputs = call.params[kWords.size()];
  const std::int64_t channels = call.params[kWords.size() + 1];
  const auto x = host_input<float>(call, 0);
  const auto weights = host_input<float>(call, 1);
  const auto y = host_output<float>(call, 0);
  const std::int64_t planes = call.params[0] / std::max<std::int64_t>(w.out[0] * w.out[1], 1);
  w.each_window(planes, [&](std::int64_t p, std::int64_t i, std::int64_t j) {
    float total = 0;
    w.each_tap(i, j, [&](std::int64_t tap, std::int64_t at) {
      const std::int64_t weight = p % channels * w.taps[0] * w.taps[1] + tap;
      total = std::fma(x[w.place(p / outputs, at)], weights[static_cast<std::size_t>(weight)], total);
    });
    y[w.window(p, i, j)] = total;
  });
}

void host_max(const CustomHostCall& call) {
  const HostRanges w(call.params);
  const auto x = host_input<float>(call, 0);
  const auto y = host_output<float>(call, 0);
  const std::int64_t planes = call.params[0] / std::max<std::int64_t>(w.out[0] * w.out[1], 1);
  w.each_window(planes, [&](std::int64_t p, std::int64_t i, std::int64_t j) {
    float best = -std::numeric_limits<float>::infinity();
    std::int64_t chosen = -1;
    w.each_tap(i, j, [&](std::int64_t tap, std::int64_t at) {
      const float v = x[w.place(p, at)];
      if (chosen >= 0 && (std::isnan(best) || !(std::isnan(v) || v > best))) return;
      best = v;
      chosen = tap;
    });
    y[w.window(p, i, j)] = best;
    if (call.outputs.size() > 1) {
      host_output<std::int32_t>(call, 1)[w.window(p, i, j)] =
          static_cast<std::int32_t>(std::max<std::int64_t>(chosen, 0));
    }
  });
}

void host_max_gradient(const CustomHostCall& call) {
  const HostRanges w(call.params);
  const auto taps = host_input<std::int32_t>(call, 0);
  const auto gradient = host_input<float>(call, 1);
  const auto y = host_output<float>(call, 0);
  std::fill(y.begin(), y.end(), 0.0F);
  const std::int64_t planes = call.params[0] / std::max<std::int64_t>(w.in[0] * w.in[1], 1);
  w.each_window(planes, [&](std::int64_t p, std::int64_t i, std::int64_t j) {
    w.each_tap(i, j, [&](std::int64_t tap, std::int64_t at) {
      if (taps[w.window(p, i, j)] == tap) y[w.place(p, at)] += gradient[w.window(p, i, j)];
    });
  });
}

}  // namespace

PlaneRanges plane_windows(const Sizes& in, const Sizes& out, const Sizes& taps, const Sizes& stride,
                          const Sizes& dilation, const Sizes& low) {
  const auto two = [](const Sizes& s, std::int64_t first) { return s.size() == 2 ? s : Sizes{first, s[0]}; };
  return {two(in, 1), two(out, 1), two(taps, 1), two(stride, 1), two(dilation, 1), two(low, 0)};
}

NodePtr depthwise(const NodePtr& x, const NodePtr& weights, std::int64_t outputs, const PlaneRanges& windows,
                  const Shape& shape) {
  const auto k = own_kernel("window_depthwise", [] {
    CustomKernel made = kernel({"x", "weights"}, {"y"}, {"outputs", "channels"});
    made.source = kernels::wgsl("window_depthwise");
    made.host = host_depthwise;
    return made;
  });
  std::vector<std::uint32_t> words = words_of(shape.numel(), windows);
  words.push_back(static_cast<std::uint32_t>(outputs));
  words.push_back(static_cast<std::uint32_t>(weights->shape()[0]));
  return call_own(k, {x, weights}, {{DType::kF32, shape}}, std::move(words), groups_for(shape.numel()))[0];
}

std::vector<NodePtr> window_max(const NodePtr& x, const PlaneRanges& windows, const Shape& shape, bool with_taps) {
  const auto k = own_kernel(with_taps ? "window_argmax" : "window_max", [&] {
    CustomKernel made = kernel(
        {"x"}, with_taps ? std::vector<KernelBinding>{"y", "taps"} : std::vector<KernelBinding>{"y"}, {"lowest"});
    made.source = std::string("fn store_best(e: u32, best: f32, tap: u32) {\n  y[e] = best;\n") +
                  (with_taps ? "  taps[e] = i32(tap);\n}\n" : "}\n") + std::string(kernels::wgsl("window_max"));
    made.host = host_max;
    return made;
  });
  std::vector<std::uint32_t> words = words_of(shape.numel(), windows);
  words.push_back(std::bit_cast<std::uint32_t>(-std::numeric_limits<float>::infinity()));
  std::vector<TensorSpec> outputs{{DType::kF32, shape}};
  if (with_taps) outputs.push_back({DType::kI32, shape});
  return call_own(k, {x}, std::move(outputs), std::move(words), groups_for(shape.numel()));
}

NodePtr window_max_gradient(const NodePtr& taps, const NodePtr& gradient, const PlaneRanges& windows,
                            const Shape& shape) {
  const auto k = own_kernel("window_max_gradient", [] {
    CustomKernel made = kernel({"taps", "gradient"}, {"y"}, {});
    made.source = kernels::wgsl("window_max_gradient");
    made.host = host_max_gradient;
    return made;
  });
  return call_own(k, {taps, gradient}, {{DType::kF32, shape}}, words_of(shape.numel(), windows),
                  groups_for(shape.numel()))[0];
}

}  // namespace tessera::ops
