// The kernels over windows of planes, on the host.
#include "ops/conv/window_host.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/thread_pool.h"
#include "ops/host_call.h"

namespace tessera::ops {

namespace {

/// The words that all kernels share, on the host.
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

}  // namespace

void depthwise_host(const CustomHostCall& call) {
  const HostRanges w(call.params);
  const std::int64_t outputs = call.params[kWindowWords];
  const std::int64_t channels = call.params[kWindowWords + 1];
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

void window_max_host(const CustomHostCall& call) {
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

void window_max_gradient_host(const CustomHostCall& call) {
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

}  // namespace tessera::ops
