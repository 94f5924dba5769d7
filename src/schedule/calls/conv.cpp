// Lowering of convolutions: implicit GEMM, a matmul of the weights and an im2col view of the padded input, which is
// never written. A depthwise convolution is a sum over the taps.
#include "ops/conv/conv.h"

#include <algorithm>
#include <numeric>

#include "base/compute.h"
#include "base/ints.h"
#include "schedule/calls/calls.h"
#include "schedule/calls/window_kernels.h"

namespace tessera::schedule {

namespace {

using ops::broadcast_to;
using ops::cast;
using ops::ConvShape;
using ops::matmul;
using ops::pad;
using ops::permute;
using ops::Range;
using ops::reshape;
using ops::resize_ends;
using ops::scalar;
using ops::Sizes;
using ops::slice;
using ops::Slide;
using ops::slide_sum;
using ops::sliding_view;
using ops::stack;
using ops::sum;
using ops::swap_axes;

/// With fewer columns in one image's matmul, all images of a batch share one matmul.
constexpr std::int64_t kFewColumns = 32;
/// Tiles of a weight gradient in f16 up to which its batch is split: those of tensor cores are smaller.
constexpr std::int64_t kHalfTiles = 1024;
/// The most outputs per group for a depthwise sum over the taps.
constexpr std::int64_t kFewOutputs = 4;
/// The most phases of a transposed convolution with strides.
constexpr std::int64_t kMostPhases = 16;

/// Saturates: strides may multiply to more than fits.
std::int64_t product(const Sizes& sizes) {
  std::int64_t n = 1;
  for (const std::int64_t s : sizes) {
    if (__builtin_mul_overflow(n, s, &n)) return INT64_MAX;
  }
  return n;
}

NodePtr zero(DType dtype) { return scalar({std::int64_t{0}}, dtype); }

Shape join(std::initializer_list<std::int64_t> first, const Sizes& second, const Sizes& third = {}) {
  Shape shape;
  for (const std::int64_t d : first) shape.push_back(d);
  for (const std::int64_t d : second) shape.push_back(d);
  for (const std::int64_t d : third) shape.push_back(d);
  return shape;
}

/// Appends `count` numbers from `first` on to `axes`.
void append(std::vector<int>& axes, int first, int count) {
  for (int i = 0; i < count; ++i) axes.push_back(first + i);
}

/// The im2col view of an input.
struct Windows {
  std::int64_t n = 0, groups = 1, channels = 0;  // channels of one group
  int spatial = 0;
  Sizes out, taps;
  NodePtr node;  // [n, groups, channels, out.., taps..]
};

/// The windows of x, which is padded with zeros or cropped as `shape` says.
Windows windows_of(const NodePtr& x, const ConvShape& shape) {
  Windows w;
  w.spatial = static_cast<int>(shape.taps.size());
  w.n = x->shape()[0];
  w.groups = shape.groups;
  w.channels = x->shape()[1] / shape.groups;
  w.out = shape.out;
  w.taps = shape.taps;
  Sizes high;
  std::vector<Slide> slides;
  for (int i = 0; i < w.spatial; ++i) {
    slides.push_back({2 + i, shape.out[as_index(i)], shape.taps[as_index(i)], shape.stride[as_index(i)],
                      shape.dilation[as_index(i)]});
    high.push_back(slides.back().reach() - shape.low[as_index(i)] - x->shape()[2 + i]);
  }
  const NodePtr placed = resize_ends(x, 2, shape.low, high, zero(x->dtype()));
  w.node = reshape(sliding_view(placed, slides), join({w.n, w.groups, w.channels}, w.out, w.taps));
  return w;
}

/// How images are stored, and whether kernels can bind them whole.
struct ImageLayout {
  bool from_last = false;  // the input has channels last
  bool to_last = false;    // and the result
  bool direct = false;
};

/// y of [n, groups * outputs, out..], for a kernel of [groups, outputs, channels, taps..].
NodePtr correlate(const NodePtr& x, const NodePtr& kernel, const ConvShape& shape, const ImageLayout& layout) {
  const Windows w = windows_of(x, shape);
  const std::int64_t outputs = kernel->shape()[1];
  const std::int64_t places = product(w.out);
  const std::int64_t depth = w.channels * product(w.taps);
  const Shape result = join({w.n, w.groups * outputs}, w.out);
  const int s = w.spatial;
  if (w.groups > 1 && w.channels == 1 && outputs <= kFewOutputs) {
    // Depthwise, there is nothing to share between outputs: a memory-bound sum over the taps.
    const DType t = x->dtype();
    const DType wide = wide_float(t);
    if (layout.direct && wide == DType::kF32 && result.numel() > 0) {
      const NodePtr weights = reshape(cast(kernel, wide), {w.groups * outputs, product(w.taps)});
      return cast(depthwise(cast(x, wide), weights, outputs, plane_windows(x->shape(), shape), result), t);
    }
    std::vector<int> taps;
    append(taps, 3 + s, s);
    const Shape spread = join({1, w.groups, outputs}, Sizes(as_index(s), 1), w.taps);
    const NodePtr terms = cast(w.node, wide) * cast(reshape(kernel, spread), wide);
    return cast(reshape(sum(terms, taps, false), result), t);
  }
  // Channels-last loads are contiguous along the channels, so these come last in the depth.
  const auto append_depth = [&](std::vector<int>& axes, int channels, int taps) {
    if (layout.from_last) append(axes, taps, s);
    axes.push_back(channels);
    if (!layout.from_last) append(axes, taps, s);
  };
  if (!layout.to_last && (places >= kFewColumns || w.n == 1)) {
    std::vector<int> order{0, 1};
    append_depth(order, 2, 3 + s);
    append(order, 3, s);
    std::vector<int> turn{0, 1};
    append_depth(turn, 2, 3);
    const NodePtr columns = permute(w.node, order);
    const NodePtr filters = permute(kernel, turn);
    if (w.groups == 1) {
      return reshape(matmul(reshape(filters, {outputs, depth}), reshape(columns, {w.n, depth, places})), result);
    }
    return reshape(
        matmul(reshape(filters, {w.groups, outputs, depth}), reshape(columns, {w.n, w.groups, depth, places})), result);
  }
  // One matmul for all images: [n * places, depth] x [depth, outputs].
  std::vector<int> order{1, 0};
  append(order, 3, s);
  append_depth(order, 2, 3 + s);
  std::vector<int> turn{0};
  append_depth(turn, 2, 3);
  turn.push_back(1);
  const NodePtr rows = permute(w.node, order);
  const NodePtr transposed = permute(kernel, turn);
  if (w.groups == 1) {
    const NodePtr y = matmul(reshape(rows, {w.n * places, depth}), reshape(transposed, {depth, outputs}));
    std::vector<int> back{0, 1 + s};
    append(back, 1, s);
    Shape lying = join({w.n}, w.out);
    lying.push_back(outputs);
    return permute(reshape(y, lying), back);
  }
  const NodePtr y =
      matmul(reshape(rows, {w.groups, w.n * places, depth}), reshape(transposed, {w.groups, depth, outputs}));
  std::vector<int> back{1, 0, 2 + s};
  append(back, 2, s);
  Shape lying = join({w.groups, w.n}, w.out);
  lying.push_back(outputs);
  return reshape(permute(reshape(y, lying), back), result);
}

/// The kernel of the transpose, group by group: [groups, C / groups, O / groups, taps..].
NodePtr transposed_kernel(const NodePtr& w, const ConvShape& shape) {
  const std::int64_t outputs = w->shape()[0] / shape.groups;
  const NodePtr grouped = reshape(w, join({shape.groups, outputs, w->shape()[1]}, shape.taps));
  return swap_axes(grouped, 1, 2);
}

/// [n, C, out.., taps..]: the contribution of each output to each input in its window.
NodePtr contributions(const NodePtr& y, const NodePtr& kernel, const ConvShape& shape) {
  const int s = static_cast<int>(shape.taps.size());
  const std::int64_t n = y->shape()[0];
  const std::int64_t channels = kernel->shape()[1];
  const std::int64_t outputs = kernel->shape()[2];
  const std::int64_t places = product(shape.out);
  std::vector<int> order{0, 1};
  append(order, 3, s);
  order.push_back(2);
  const NodePtr a = reshape(permute(kernel, order), {shape.groups, channels * product(shape.taps), outputs});
  const NodePtr b = reshape(y, {n, shape.groups, outputs, places});
  const NodePtr c = reshape(matmul(a, b), join({n, shape.groups * channels}, shape.taps, shape.out));
  std::vector<int> taps_last{0, 1};
  append(taps_last, 2 + s, s);
  append(taps_last, 2, s);
  return permute(c, taps_last);
}

/// One axis of one phase: the outputs at t * stride + phase of a transposed convolution are those of a convolution with
/// stride 1 and every step-th tap, in reverse order.
struct Phase {
  std::int64_t first = 0, taps = 0, step = 1;  // of the kernel
  std::int64_t dilation = 1, low = 0;
};

Phase phase_of(const ConvShape& shape, std::size_t axis, std::int64_t phase) {
  const std::int64_t s = shape.stride[axis];
  const std::int64_t d = shape.dilation[axis];
  const std::int64_t common = std::gcd(s, d);
  const std::int64_t remainder = (phase + shape.low[axis]) % s;
  Phase p;
  p.step = s / common;
  p.dilation = d / common;
  while (p.first < p.step && p.first * (d % s) % s != remainder) ++p.first;
  if (p.first == p.step || p.first >= shape.taps[axis]) return p;  // no tap hits this phase
  p.taps = ceil_div(shape.taps[axis] - p.first, p.step);
  // Output t depends on y at t + origin - j * dilation, for its j-th tap.
  const std::int64_t origin = (phase + shape.low[axis] - p.first * d) / s;
  p.low = (p.taps - 1) * p.dilation - origin;
  return p;
}

NodePtr phases(const NodePtr& y, const NodePtr& kernel, const ConvShape& shape, const ImageLayout& layout) {
  const std::size_t spatial = shape.taps.size();
  const std::int64_t n = y->shape()[0];
  const std::int64_t channels = shape.groups * kernel->shape()[1];
  Sizes each;  // elements of one phase
  for (std::size_t i = 0; i < spatial; ++i) each.push_back((shape.in[i] + shape.stride[i] - 1) / shape.stride[i]);
  std::vector<NodePtr> pieces;
  const std::int64_t count = product(shape.stride);
  for (std::int64_t piece = 0; piece < count; ++piece) {
    ConvShape part = shape;
    part.in = shape.out;
    part.out = each;
    part.stride.assign(spatial, 1);
    std::vector<Range> ranges;
    for (int i = 0; i < 3; ++i) ranges.push_back({0, kernel->shape()[i], 1});
    std::int64_t rest = piece;
    bool none = false;
    std::vector<Phase> axes(spatial);
    for (std::size_t i = spatial; i-- > 0;) {
      axes[i] = phase_of(shape, i, rest % shape.stride[i]);
      rest /= shape.stride[i];
      none = none || axes[i].taps == 0;
    }
    for (std::size_t i = 0; i < spatial; ++i) {
      const Phase& p = axes[i];
      part.taps[i] = p.taps;
      part.dilation[i] = p.dilation;
      part.low[i] = p.low;
      const std::int64_t last = p.first + (p.taps - 1) * p.step;
      ranges.push_back({last, p.first - 1, -p.step});
    }
    pieces.push_back(none ? broadcast_to(zero(y->dtype()), join({n, channels}, each))
                          : correlate(y, slice(kernel, ranges), part, layout));
  }
  if (count == 1) return pieces[0];
  const int s = static_cast<int>(spatial);
  NodePtr all;
  if (layout.to_last) {
    // The pieces stacked in front of the channels: [n, each.., strides.., channels].
    std::vector<int> to_last{0};
    append(to_last, 2, s);
    to_last.push_back(1);
    for (NodePtr& piece : pieces) piece = permute(piece, to_last);
    Shape apart = join({n}, each, shape.stride);
    apart.push_back(channels);
    std::vector<int> to_second{0, 1 + 2 * s};
    append(to_second, 1, 2 * s);
    all = permute(reshape(stack(pieces, 1 + s), apart), to_second);
  } else {
    all = reshape(stack(pieces, -1), join({n, channels}, each, shape.stride));
  }
  std::vector<int> order{0, 1};
  Shape joined{n, channels};
  std::vector<Range> ranges{{0, n, 1}, {0, channels, 1}};
  for (int i = 0; i < s; ++i) {
    order.push_back(2 + i);
    order.push_back(2 + s + i);
    joined.push_back(each[as_index(i)] * shape.stride[as_index(i)]);
    ranges.push_back({0, shape.in[as_index(i)], 1});
  }
  return slice(reshape(permute(all, order), joined), ranges);
}

/// Windows that do not overlap are adjacent in the result.
NodePtr without_overlap(const NodePtr& y, const NodePtr& kernel, const ConvShape& shape) {
  const int s = static_cast<int>(shape.taps.size());
  const NodePtr terms = contributions(y, kernel, shape);
  std::vector<int> order{0, 1};
  std::vector<std::pair<std::int64_t, std::int64_t>> widths{{0, 0}, {0, 0}};
  Shape joined{terms->shape()[0], terms->shape()[1]};
  Sizes low;
  Sizes high;
  for (int i = 0; i < s; ++i) {
    order.push_back(2 + i);
    order.push_back(2 + s + i);
    widths.emplace_back(0, 0);
    widths.emplace_back(0, shape.stride[as_index(i)] - shape.taps[as_index(i)]);
    joined.push_back(shape.out[as_index(i)] * shape.stride[as_index(i)]);
    low.push_back(-shape.low[as_index(i)]);
    high.push_back(shape.in[as_index(i)] + shape.low[as_index(i)] - joined.back());
  }
  const NodePtr spread = pad(permute(terms, order), widths, zero(y->dtype()));
  return resize_ends(reshape(spread, joined), 2, low, high, zero(y->dtype()));
}

ImageLayout layout_of(const CallToLower& x, const ConvShape& shape) {
  return {shape.channels_last || x.layout.last(0), shape.channels_last || x.layout.channels_last,
          x.binds(std::max(x.inputs[0]->numel(), x.call.outputs[0].shape.numel()))};
}

std::vector<NodePtr> lower_conv(const CallToLower& x) {
  const auto shape = x.attributes<ConvShape>();
  const NodePtr& w = x.inputs[1];
  const NodePtr kernel = reshape(w, join({shape.groups, w->shape()[0] / shape.groups, w->shape()[1]}, shape.taps));
  return {correlate(x.inputs[0], kernel, shape, layout_of(x, shape))};
}

std::vector<NodePtr> lower_conv_input(const CallToLower& x) {
  const auto shape = x.attributes<ConvShape>();
  const NodePtr& y = x.inputs[0];
  const NodePtr kernel = transposed_kernel(x.inputs[1], shape);
  bool overlap = false;
  for (std::size_t i = 0; i < shape.taps.size(); ++i) {
    overlap = overlap || shape.taps[i] > shape.stride[i] || (shape.dilation[i] > 1 && shape.taps[i] > 1);
  }
  const bool few_phases = product(shape.stride) <= kMostPhases;
  if (!overlap && product(shape.stride) > 1 && !(x.layout.channels_last && few_phases))
    return {without_overlap(y, kernel, shape)};
  if (few_phases) return {phases(y, kernel, shape, layout_of(x, shape))};
  std::vector<Slide> slides;
  for (int i = 0; i < static_cast<int>(shape.taps.size()); ++i) {
    slides.push_back({2 + i, shape.out[as_index(i)], shape.taps[as_index(i)], shape.stride[as_index(i)],
                      shape.dilation[as_index(i)]});
  }
  return {slide_sum(contributions(y, kernel, shape), slides, x.call.outputs[0].shape, shape.low)};
}

std::vector<NodePtr> lower_conv_weight(const CallToLower& x) {
  const auto shape = x.attributes<ConvShape>();
  const NodePtr& y = x.inputs[1];
  const Windows w = windows_of(x.inputs[0], shape);
  const int s = w.spatial;
  const std::int64_t outputs = y->shape()[1] / w.groups;
  const std::int64_t places = product(w.out);
  const std::int64_t depth = w.channels * product(w.taps);
  const Shape& result = x.call.outputs[0].shape;
  if (w.n * places == 0 || result.numel() == 0) return {broadcast_to(zero(x.inputs[0]->dtype()), result)};
  // Split-K over the batch: as many parts as fill a GPU, added at the end.
  const std::int64_t tiles = w.groups * ceil_div(outputs, 64) * ceil_div(depth, 64);
  const std::int64_t enough =
      x.inputs[0]->dtype() == DType::kF16 ? std::min(x.model.conv_weight_tiles, kHalfTiles) : x.model.conv_weight_tiles;
  std::int64_t pieces = 1;
  while (pieces < w.n && (w.n % pieces != 0 || pieces * tiles < enough)) ++pieces;
  const std::int64_t images = w.n / pieces;
  const bool last = x.layout.last(0);  // loads are contiguous along the channels
  std::vector<int> order{0, 2, 1};
  append(order, 4, s);
  if (last) append(order, 4 + s, s);
  order.push_back(3);
  if (!last) append(order, 4 + s, s);
  const NodePtr cut = reshape(w.node, join({pieces, images, w.groups, w.channels}, w.out, w.taps));
  const NodePtr b = reshape(permute(cut, order), {pieces, w.groups, images * places, depth});
  const NodePtr cut_y = reshape(y, {pieces, images, w.groups, outputs, places});
  const NodePtr a =
      reshape(permute(cut_y, std::vector<int>{0, 2, 3, 1, 4}), {pieces, w.groups, outputs, images * places});
  NodePtr parts = matmul(a, b);
  if (last) {
    Shape apart = join({pieces, w.groups, outputs}, w.taps);
    apart.push_back(w.channels);
    std::vector<int> back{0, 1, 2, 3 + s};
    append(back, 3, s);
    parts = permute(reshape(parts, apart), back);
  }
  return {reshape(sum(parts, std::vector<int>{0}, false), result)};
}

/// Two for each element of y, and each weight that it depends on.
double flops(const Shape& y, const Shape& w) {
  const auto outputs = static_cast<double>(std::max<std::int64_t>(w[0], 1));
  return 2 * static_cast<double>(y.numel()) * static_cast<double>(w.numel()) / outputs;
}
double flops_of_conv(const Call& call, std::span<const TensorSpec> inputs) {
  return flops(call.outputs[0].shape, inputs[1].shape);
}
double flops_of_conv_input(const Call&, std::span<const TensorSpec> inputs) {
  return flops(inputs[0].shape, inputs[1].shape);
}
double flops_of_conv_weight(const Call& call, std::span<const TensorSpec> inputs) {
  return flops(inputs[1].shape, call.outputs[0].shape);
}

}  // namespace

extern const Lowering kLowerConv{"conv", lower_conv, flops_of_conv};
extern const Lowering kLowerConvInput{"conv_input", lower_conv_input, flops_of_conv_input};
extern const Lowering kLowerConvWeight{"conv_weight", lower_conv_weight, flops_of_conv_weight};

}  // namespace tessera::schedule
