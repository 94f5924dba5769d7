// Lowering of max pooling and its gradient: a kernel over the windows in f32, else reductions over a view of them.
#include <algorithm>

#include "base/compute.h"
#include "base/ints.h"
#include "graph/op.h"
#include "ops/conv/conv.h"
#include "schedule/calls/calls.h"
#include "schedule/calls/window_kernels.h"

namespace tessera::schedule {

namespace {

using ops::PoolShape;
using ops::PoolWindows;

/// Whether the window kernels apply: floats up to 32 bits, tensors that are bound whole, and 32-bit positions.
bool is_direct(const CallToLower& x, const PoolShape& shape) {
  const Node& in = *x.inputs[0];
  if (wide_float(in.dtype()) != DType::kF32 || in.numel() == 0) return false;
  Shape larger = in.shape();  // of the input and the result
  const auto spatial = static_cast<int>(shape.taps.size());
  for (int i = 0; i < spatial; ++i) {
    std::int64_t& size = larger[larger.rank() - spatial + i];
    size = std::max(size, shape.out[as_index(i)]);
    const std::int64_t span = (shape.taps[as_index(i)] - 1) * shape.dilation[as_index(i)] + 1;
    if (std::max(span, shape.stride[as_index(i)]) > INT32_MAX / 2) return false;
  }
  return x.binds(larger.numel());
}

std::vector<NodePtr> lower_max_pool(const CallToLower& x) {
  const auto shape = x.attributes<PoolShape>();
  const NodePtr& in = x.inputs[0];
  const bool with_taps = x.call.outputs.size() > 1;
  if (is_direct(x, shape)) {
    auto found =
        window_max(ops::cast(in, DType::kF32), plane_windows(in->shape(), shape), x.call.outputs[0].shape, with_taps);
    found[0] = ops::cast(found[0], in->dtype());
    return found;
  }
  const PoolWindows p = ops::pool_windows(in, shape, ops::lowest(in->dtype()));
  std::vector<NodePtr> results{ops::reduce(Op::kMax, "max_pool", p.node, std::vector<int>{-1}, false)};
  if (with_taps) results.push_back(ops::arg_extreme(Op::kArgMax, p.node, -1, false));
  return results;
}

std::vector<NodePtr> lower_max_pool_gradient(const CallToLower& x) {
  const auto shape = x.attributes<PoolShape>();
  const NodePtr& in = x.inputs[0];
  const NodePtr& gradient = x.inputs[1];
  if (is_direct(x, shape)) {
    const PlaneWindows windows = plane_windows(in->shape(), shape);
    const NodePtr taps = window_max(ops::cast(in, DType::kF32), windows, gradient->shape(), true)[1];
    const NodePtr total = window_max_gradient(taps, ops::cast(gradient, DType::kF32), windows, in->shape());
    return {ops::cast(total, in->dtype())};
  }
  const PoolWindows p = ops::pool_windows(in, shape, ops::lowest(in->dtype()));
  const NodePtr given = ops::at_maxima(p, ops::expand_dims(gradient, -1));
  Shape split = gradient->shape();
  for (const std::int64_t t : shape.taps) split.push_back(t);
  return {ops::slide_sum(ops::reshape(given, split), p.slides, in->shape(), shape.low)};
}

}  // namespace

extern const Lowering kLowerMaxPool{"max_pool", lower_max_pool};
extern const Lowering kLowerMaxPoolGradient{"max_pool_gradient", lower_max_pool_gradient};

}  // namespace tessera::schedule
