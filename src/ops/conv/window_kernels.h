// Kernels over windows of planes, for ops that are bound by index arithmetic as compositions: f32, tensors that can be
// bound whole.
#pragma once

#include "ops/conv/conv.h"

namespace tessera::ops {

/// Windows over planes of in[0] x in[1], out[0] x out[1] per plane; 1-D has a first axis of size 1.
struct PlaneRanges {
  Sizes in, out, taps, stride, dilation, low;
};
PlaneRanges plane_windows(const Sizes& in, const Sizes& out, const Sizes& taps, const Sizes& stride,
                          const Sizes& dilation, const Sizes& low);

/// x is [.., channels, in..] and weights [channels * outputs, taps..]; the result has shape `shape`.
NodePtr depthwise(const NodePtr& x, const NodePtr& weights, std::int64_t outputs, const PlaneRanges& windows,
                  const Shape& shape);
/// The maxima, of `shape`, and if requested the tap of each as i32.
std::vector<NodePtr> window_max(const NodePtr& x, const PlaneRanges& windows, const Shape& shape, bool with_taps);
NodePtr window_max_gradient(const NodePtr& taps, const NodePtr& gradient, const PlaneRanges& windows,
                            const Shape& shape);

}  // namespace tessera::ops
