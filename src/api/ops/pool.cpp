// Pooling and resizing on tensors.
#include <algorithm>
#include <cmath>

#include "api/catalog_rows.h"
#include "api/ops/conv_arguments.h"
#include "base/fail.h"
#include "base/ints.h"
#include "base/sizes.h"
#include "graph/op.h"
#include "tessera/conv.h"

namespace tessera {

catalog::Rows catalog::pool() {
  static constexpr std::array kRows{
      Row{"Convolution", kAny, kGradient, kComposed, "pixel_shuffle, pixel_unshuffle"},
      Row{"Pooling", kNumbers, kGradient, kComposed,
          "max_pool1d, max_pool2d, max_pool1d_with_indices, max_pool2d_with_indices, adaptive_max_pool, "
          "global_max_pool, interpolate"},
      Row{"Pooling", kNumbers, kGradient, kComposed, "avg_pool1d, avg_pool2d, adaptive_avg_pool, global_avg_pool",
          kInF32},
  };
  return kRows;
}

namespace {

ops::PoolShape pool_shape(std::string_view what, const NodePtr& x, int spatial, const PerAxis& kernel,
                          const PoolOptions& options) {
  ops::PoolShape s;
  s.taps = per_axis(what, "the kernel size", kernel, spatial, 1);
  s.stride = options.stride.values().empty() ? s.taps : per_axis(what, "stride", options.stride, spatial, 1);
  s.dilation = per_axis(what, "dilation", options.dilation, spatial, 1);
  const ops::Sizes spans = spans_of(what, s.taps, s.dilation);
  std::tie(s.low, s.high) = padding_of(what, options.padding, spans, s.stride);
  for (int i = 0; i < spatial; ++i) {
    const std::int64_t size = x->shape()[2 + i];
    if (std::max(s.low[as_index(i)], s.high[as_index(i)]) > spans[as_index(i)] / 2) {
      fail(ErrorKind::kValue, "{}: the padding {} is more than half of the kernel, which reaches {} elements.", what,
           std::max(s.low[as_index(i)], s.high[as_index(i)]), spans[as_index(i)]);
    }
    const std::int64_t room = size + s.low[as_index(i)] + s.high[as_index(i)] - spans[as_index(i)];
    const std::int64_t step = s.stride[as_index(i)];
    std::int64_t count = room < 0 ? 0 : room / step + 1;
    if (options.ceil_mode) {
      count = room / step + (room > 0 && room % step != 0 ? 1 : 0) + 1;
      // A window must start inside, or in the padding before.
      if ((count - 1) * step >= size + s.low[as_index(i)]) --count;
    }
    if (count < 1 || size < 1) {
      fail(ErrorKind::kShape, "{}: the kernel reaches {} elements along axis {}, and the padded input {} has {}.", what,
           spans[as_index(i)], i, x->shape().str(), size + s.low[as_index(i)] + s.high[as_index(i)]);
    }
    s.out.push_back(count);
  }
  drop_unused_steps(s.out, s.stride);
  drop_unused_steps(s.taps, s.dilation);
  Shape larger{x->shape()[0], x->shape()[1]};  // of the input and the result
  for (int i = 0; i < spatial; ++i) larger.push_back(std::max(x->shape()[2 + i], s.out[as_index(i)]));
  static_cast<void>(checked_numel(what, larger, x->dtype()));
  return s;
}

std::pair<Tensor, Tensor> max_pool(std::string_view what, int spatial, const Tensor& input, const PerAxis& kernel,
                                   const PoolOptions& options, bool with_indices) {
  const Images x = images_of(what, input, spatial, options.layout);
  const ops::MaxPooled y = ops::max_pool(x.node, pool_shape(what, x.node, spatial, kernel, options), with_indices);
  return {x.back(y.values), with_indices ? x.back(y.indices) : Tensor()};
}

Tensor avg_pool(std::string_view what, int spatial, const Tensor& input, const PerAxis& kernel,
                const PoolOptions& options) {
  const Images x = images_of(what, input, spatial, options.layout);
  if (!is_float(x.node->dtype())) {
    fail(ErrorKind::kDType, "{}: the input is {}; a type of floating point is expected.", what, name(x.node->dtype()));
  }
  const ops::PoolShape s = pool_shape(what, x.node, spatial, kernel, options);
  for (const std::int64_t d : options.dilation.values()) {
    if (d != 1) fail(ErrorKind::kValue, "{}: the dilation is {}; averages are taken of neighbours, with 1.", what, d);
  }
  return x.back(ops::avg_pool(x.node, s, options.count_include_pad));
}

/// `size` numbers, one for each of the last axes of x.
ops::Sizes adaptive_sizes(std::string_view what, const NodePtr& x, const PerAxis& size) {
  const auto count = static_cast<int>(size.values().size());
  if (count < 1 || count > x->shape().rank()) {
    fail(ErrorKind::kShape, "{}: {} sizes were given for a tensor of shape {}.", what, count, x->shape().str());
  }
  const ops::Sizes sizes = per_axis(what, "the size", size, count, 1);
  for (int i = x->shape().rank() - count; i < x->shape().rank(); ++i) {
    if (x->shape()[i] < 1) fail(ErrorKind::kShape, "{}: axis {} of {} has no elements.", what, i, x->shape().str());
  }
  return sizes;
}

std::vector<int> spatial_axes(std::string_view what, const NodePtr& x) {
  if (x->shape().rank() < 3) {
    fail(ErrorKind::kShape, "{}: the input has shape {}; at least 3 axes, [N, C, ..], are expected.", what,
         x->shape().str());
  }
  std::vector<int> axes;
  for (int i = 2; i < x->shape().rank(); ++i) axes.push_back(i);
  return axes;
}

}  // namespace

Tensor max_pool1d(const Tensor& x, const PerAxis& kernel, const PoolOptions& options) {
  return max_pool("max_pool1d", 1, x, kernel, options, false).first;
}
Tensor max_pool2d(const Tensor& x, const PerAxis& kernel, const PoolOptions& options) {
  return max_pool("max_pool2d", 2, x, kernel, options, false).first;
}
std::pair<Tensor, Tensor> max_pool1d_with_indices(const Tensor& x, const PerAxis& kernel, const PoolOptions& options) {
  return max_pool("max_pool1d", 1, x, kernel, options, true);
}
std::pair<Tensor, Tensor> max_pool2d_with_indices(const Tensor& x, const PerAxis& kernel, const PoolOptions& options) {
  return max_pool("max_pool2d", 2, x, kernel, options, true);
}
Tensor avg_pool1d(const Tensor& x, const PerAxis& kernel, const PoolOptions& options) {
  return avg_pool("avg_pool1d", 1, x, kernel, options);
}
Tensor avg_pool2d(const Tensor& x, const PerAxis& kernel, const PoolOptions& options) {
  return avg_pool("avg_pool2d", 2, x, kernel, options);
}

Tensor adaptive_avg_pool(const Tensor& x, const PerAxis& size) {
  const NodePtr& n = given("adaptive_avg_pool", "the input", x);
  if (!is_float(n->dtype())) {
    fail(ErrorKind::kDType, "adaptive_avg_pool: the input is {}; a type of floating point is expected.",
         name(n->dtype()));
  }
  return Tensor(ops::adaptive_avg_pool(n, adaptive_sizes("adaptive_avg_pool", n, size)));
}
Tensor adaptive_max_pool(const Tensor& x, const PerAxis& size) {
  const NodePtr& n = given("adaptive_max_pool", "the input", x);
  return Tensor(ops::adaptive_max_pool(n, adaptive_sizes("adaptive_max_pool", n, size)));
}
Tensor global_avg_pool(const Tensor& x) {
  const NodePtr& n = given("global_avg_pool", "the input", x);
  return Tensor(ops::mean(n, spatial_axes("global_avg_pool", n), true));
}
Tensor global_max_pool(const Tensor& x) {
  const NodePtr& n = given("global_max_pool", "the input", x);
  return Tensor(ops::reduce(Op::kMax, "global_max_pool", n, spatial_axes("global_max_pool", n), true));
}

Tensor interpolate(const Tensor& x, const InterpolateOptions& options) {
  const NodePtr& n = given("interpolate", "the input", x);
  const std::vector<int> axes = spatial_axes("interpolate", n);
  const auto rank = static_cast<int>(axes.size());
  if (options.size.has_value() == !options.scale.empty()) {
    fail(ErrorKind::kValue, "interpolate: {} were given; one of size and scale is expected.",
         options.size.has_value() ? "a size and a scale" : "neither size nor scale");
  }
  if (options.align_corners && options.mode == InterpolationMode::kNearest) {
    fail(ErrorKind::kValue, "interpolate: align_corners was given with the mode nearest, which has no corners.");
  }
  if (options.mode != InterpolationMode::kNearest && !is_float(n->dtype())) {
    fail(ErrorKind::kDType, "interpolate: the input is {}; a type of floating point is expected.", name(n->dtype()));
  }
  for (const int axis : axes) {
    if (n->shape()[axis] < 1)
      fail(ErrorKind::kShape, "interpolate: axis {} of {} has no elements.", axis, n->shape().str());
  }
  ops::Sizes out;
  std::vector<double> scales(as_index(rank), 0);
  if (options.size.has_value()) {
    out = per_axis("interpolate", "the size", PerAxis(*options.size), rank, 1);
  } else {
    if (options.scale.size() != 1 && static_cast<int>(options.scale.size()) != rank) {
      fail(ErrorKind::kShape, "interpolate: {} scales were given; one, or one for each of {} axes, is expected.",
           options.scale.size(), rank);
    }
    for (int i = 0; i < rank; ++i) {
      const double scale = options.scale[options.scale.size() == 1 ? 0 : as_index(i)];
      const auto size = static_cast<double>(n->shape()[2 + i]);
      if (size * scale > static_cast<double>(kMaxTensorBytes)) {
        fail(ErrorKind::kLimit,
             "interpolate: the scale {} of axis {} with {} elements was given; the most of an axis is {}.", scale, i,
             size, kMaxTensorBytes);
      }
      if (!(scale > 0) || !std::isfinite(scale) || size * scale < 1) {
        fail(ErrorKind::kValue, "interpolate: the scale {} of axis {} with {} elements leaves none.", scale, i, size);
      }
      out.push_back(static_cast<std::int64_t>(std::floor(size * scale)));
      if (static_cast<double>(out.back()) != size * scale) scales[as_index(i)] = 1 / scale;
    }
  }
  const auto mode = options.mode == InterpolationMode::kNearest  ? ops::Interpolation::kNearest
                    : options.mode == InterpolationMode::kLinear ? ops::Interpolation::kLinear
                                                                 : ops::Interpolation::kCubic;
  return Tensor(ops::interpolate(n, out, scales, mode, options.align_corners));
}

Tensor pixel_shuffle(const Tensor& x, std::int64_t factor) {
  return Tensor(ops::pixel_shuffle(given("pixel_shuffle", "the input", x), factor));
}
Tensor pixel_unshuffle(const Tensor& x, std::int64_t factor) {
  return Tensor(ops::pixel_unshuffle(given("pixel_unshuffle", "the input", x), factor));
}

}  // namespace tessera
