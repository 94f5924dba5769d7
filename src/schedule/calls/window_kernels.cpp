// The window kernels: their bindings, params and calls.
#include "schedule/calls/window_kernels.h"

#include <bit>
#include <limits>

#include "base/ints.h"
#include "ops/conv/window_host.h"
#include "schedule/calls/kernels.h"

namespace tessera::schedule {

namespace {

constexpr std::uint32_t kLanes = 256;

CustomKernel kernel(std::vector<KernelBinding> inputs, std::vector<KernelBinding> outputs,
                    std::initializer_list<const char*> more) {
  CustomKernel k;
  k.inputs = std::move(inputs);
  k.outputs = std::move(outputs);
  k.workgroup = {kLanes, 1, 1};
  k.params = u32_params({"count", "in_h", "in_w", "out_h", "out_w", "taps_h", "taps_w", "stride_h", "stride_w",
                         "dilation_h", "dilation_w", "low_h", "low_w"});
  for (const CustomParam& p : u32_params(more)) k.params.push_back(p);
  return k;
}

/// The words that all kernels share; then each kernel's own.
std::vector<std::uint32_t> words_of(std::int64_t count, const PlaneWindows& w) {
  std::vector<std::uint32_t> words{static_cast<std::uint32_t>(count)};
  for (const ops::Sizes* sizes : {&w.in, &w.out, &w.taps, &w.stride, &w.dilation, &w.low}) {
    for (const std::int64_t s : *sizes) words.push_back(static_cast<std::uint32_t>(s));
  }
  return words;
}

std::uint64_t groups_for(std::int64_t count) { return static_cast<std::uint64_t>(ceil_div(count, kLanes)); }

}  // namespace

NodePtr depthwise(const NodePtr& x, const NodePtr& weights, std::int64_t outputs, const PlaneWindows& windows,
                  const Shape& shape) {
  const auto k = engine_kernel("window_depthwise", [] {
    CustomKernel made = kernel({"x", "weights"}, {"y"}, {"outputs", "channels"});
    made.host = ops::depthwise_host;
    return made;
  });
  std::vector<std::uint32_t> words = words_of(shape.numel(), windows);
  words.push_back(static_cast<std::uint32_t>(outputs));
  words.push_back(static_cast<std::uint32_t>(weights->shape()[0]));
  return call_kernel(k, {x, weights}, {{DType::kF32, shape}}, std::move(words), groups_for(shape.numel()))[0];
}

std::vector<NodePtr> window_max(const NodePtr& x, const PlaneWindows& windows, const Shape& shape, bool with_taps) {
  const auto k = engine_kernel(with_taps ? "window_argmax" : "window_max", [&] {
    CustomKernel made = kernel({"x"}, {"y"}, {"lowest"});
    if (with_taps) made.outputs.emplace_back("taps");
    made.text = "window_max";
    made.variant = to_attributes(WindowMaxVariant{with_taps});
    made.host = ops::window_max_host;
    return made;
  });
  std::vector<std::uint32_t> words = words_of(shape.numel(), windows);
  words.push_back(std::bit_cast<std::uint32_t>(-std::numeric_limits<float>::infinity()));
  std::vector<TensorSpec> outputs{{DType::kF32, shape}};
  if (with_taps) outputs.push_back({DType::kI32, shape});
  return call_kernel(k, {x}, std::move(outputs), std::move(words), groups_for(shape.numel()));
}

NodePtr window_max_gradient(const NodePtr& taps, const NodePtr& gradient, const PlaneWindows& windows,
                            const Shape& shape) {
  const auto k = engine_kernel("window_max_gradient", [] {
    CustomKernel made = kernel({"taps", "gradient"}, {"y"}, {});
    made.host = ops::window_max_gradient_host;
    return made;
  });
  return call_kernel(k, {taps, gradient}, {{DType::kF32, shape}}, words_of(shape.numel(), windows),
                     groups_for(shape.numel()))[0];
}

}  // namespace tessera::schedule
