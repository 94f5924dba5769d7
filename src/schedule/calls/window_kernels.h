// Kernels over windows of planes, for ops that are bound by index arithmetic as compositions: f32, tensors that can be
// bound whole.
#pragma once

#include <tuple>

#include "ops/conv/conv.h"

namespace tessera::schedule {

/// Windows over planes of in[0] x in[1], out[0] x out[1] per plane; 1-D has a first axis of size 1.
struct PlaneWindows {
  ops::Sizes in, out, taps, stride, dilation, low;
};
/// For images [.., in..]; `shape` is a ConvShape or a PoolShape.
PlaneWindows plane_windows(const Shape& images, const auto& shape) {
  const auto two = [](const ops::Sizes& s, std::int64_t first) { return s.size() == 2 ? s : ops::Sizes{first, s[0]}; };
  const auto spatial = static_cast<std::ptrdiff_t>(shape.taps.size());
  const ops::Sizes in(images.end() - spatial, images.end());
  return {two(in, 1),           two(shape.out, 1),      two(shape.taps, 1),
          two(shape.stride, 1), two(shape.dilation, 1), two(shape.low, 0)};
}

/// What the text of window_max depends on.
struct WindowMaxVariant {
  bool taps = false;  // which are stored, too
  static auto fields(auto& s) { return std::tie(s.taps); }
};

/// x is [.., channels, in..] and weights [channels * outputs, taps..]; the result has shape `shape`.
NodePtr depthwise(const NodePtr& x, const NodePtr& weights, std::int64_t outputs, const PlaneWindows& windows,
                  const Shape& shape);
/// The maxima, of `shape`, and if requested the tap of each as i32.
std::vector<NodePtr> window_max(const NodePtr& x, const PlaneWindows& windows, const Shape& shape, bool with_taps);
NodePtr window_max_gradient(const NodePtr& taps, const NodePtr& gradient, const PlaneWindows& windows,
                            const Shape& shape);

}  // namespace tessera::schedule
