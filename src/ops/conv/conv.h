// Convolution, pooling, resizing and the normalizations of images, as functions on nodes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "ops/build.h"

namespace tessera::ops {

using Sizes = std::vector<std::int64_t>;

// ---- Windows that slide along axes (slide.cpp) ----

/// Along `axis`: window i holds the elements i * stride + t * dilation for each tap t.
struct Slide {
  int axis = 0;
  std::int64_t count = 1;  // windows
  std::int64_t taps = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  /// Elements from the first to one past the last of all windows.
  [[nodiscard]] std::int64_t reach() const { return (count - 1) * stride + (taps - 1) * dilation + 1; }
};

/// x with the number of windows in place of the sliding axes, and the taps as new axes at the end.
NodePtr sliding(const NodePtr& x, std::span<const Slide> slides);
/// The same for a composition with its own gradient rule.
NodePtr sliding_view(const NodePtr& x, std::span<const Slide> slides);
/// The transpose of sliding(): each element of a tensor of `shape` is the sum over all its positions in sliding(). With
/// `low`, the tensor starts that many elements after the first window's start, along each of `slides`.
NodePtr slide_sum(const NodePtr& windows, std::span<const Slide> slides, const Shape& shape, const Sizes& low = {});
/// x with `low` and `high` elements of `value` added at the ends of the axes from `first` on; cropped if they are
/// negative.
NodePtr resize_ends(const NodePtr& x, int first, const Sizes& low, const Sizes& high, const NodePtr& value);

// ---- Convolution (conv.cpp) ----

/// The sizes of a convolution, its transpose and its weight gradient: x is [N, C, in..], w is [O, C / groups, taps..],
/// y is [N, O, out..], and y at i depends on x at i * stride + t * dilation - low.
struct ConvShape {
  Sizes in, out, taps, stride, dilation, low;
  std::int64_t groups = 1;
  bool channels_last = false;  // x and y are stored as [N, .., C]: only a hint
  static auto fields(auto& s) {
    return std::tie(s.in, s.out, s.taps, s.stride, s.dilation, s.low, s.groups, s.channels_last);
  }
};
/// Calls with a ConvShape as attributes. All three are linear in both arguments, and the gradients of each are the
/// other two.
NodePtr conv(const NodePtr& x, const NodePtr& w, const ConvShape& shape);         // y
NodePtr conv_input(const NodePtr& y, const NodePtr& w, const ConvShape& shape);   // x
NodePtr conv_weight(const NodePtr& x, const NodePtr& y, const ConvShape& shape);  // w

// ---- Pooling (pool.cpp): x is [N.., C, in..] with as many axes pooled as `taps` has ----

struct PoolShape {
  Sizes taps, stride, dilation, low, high, out;
  static auto fields(auto& s) { return std::tie(s.taps, s.stride, s.dilation, s.low, s.high, s.out); }
};
/// The windows of x as [.., out.., taps], with the taps in one axis, and the slides behind them.
struct PoolWindows {
  std::vector<Slide> slides;
  NodePtr node;
};
PoolWindows pool_windows(const NodePtr& x, const PoolShape& shape, const Scalar& fill);
/// The maximum of no elements.
Scalar lowest(DType dtype);
/// The shape of the result for x of this shape.
Shape pooled_shape(const Shape& x, const PoolShape& shape);
/// Values for [.., out.., taps], but zero at the taps that are not the maximum of their window, the first of equal
/// ones.
NodePtr at_maxima(const PoolWindows& of, const NodePtr& values);

struct MaxPooled {
  NodePtr values;
  NodePtr indices;  // i32: row-major positions in the pooled axes of x, without padding; null if not requested
};
MaxPooled max_pool(const NodePtr& x, const PoolShape& shape, bool with_indices);
/// The gradient of each element: the sum over the windows whose maximum it is. Both are calls with a PoolShape as
/// attributes; max_pool's second result is the tap of each maximum, if requested.
NodePtr max_pool_gradient(const NodePtr& x, const NodePtr& gradient, const PoolShape& shape);
/// `include_pad`: padding counts as elements, but the part of a window past the padding does not.
NodePtr avg_pool(const NodePtr& x, const PoolShape& shape, bool include_pad);
/// `out` windows along each of the last axes, whose sizes differ by at most one.
NodePtr adaptive_avg_pool(const NodePtr& x, const Sizes& out);
NodePtr adaptive_max_pool(const NodePtr& x, const Sizes& out);

// ---- Resizing (resize.cpp) ----

enum class Interpolation : std::uint8_t { kNearest, kLinear, kCubic };
/// The last axes resized to `out`; a scale (input elements per output element) of 0 follows from the sizes.
NodePtr interpolate(const NodePtr& x, const Sizes& out, const std::vector<double>& scales, Interpolation mode,
                    bool align_corners);
NodePtr pixel_shuffle(const NodePtr& x, std::int64_t factor);
NodePtr pixel_unshuffle(const NodePtr& x, std::int64_t factor);

}  // namespace tessera::ops
