// Convolutions on tensors: checks the arguments and computes the shapes.
#include "tessera/conv.h"

#include "api/catalog_rows.h"
#include "api/ops/conv_arguments.h"
#include "base/fail.h"
#include "base/ints.h"
#include "base/sizes.h"
#include "ops/autocast.h"

namespace tessera {

catalog::Rows catalog::conv() {
  static constexpr std::array kRows{
      Row{"Convolution", "floats", kGradient, kPrimitive, "conv1d, conv2d, conv_transpose1d, conv_transpose2d", kLow},
      Row{"Convolution", kAny, kGradient, kComposed, "unfold"},
      Row{"Convolution", kAny, kGradient, kComposed, "fold", kInF32},
  };
  return kRows;
}

const NodePtr& given(std::string_view what, std::string_view which, const Tensor& t) {
  if (!t.defined()) fail(ErrorKind::kValue, "{}: an empty Tensor was given as {}; it holds no value.", what, which);
  return t.node();
}

ops::Sizes per_axis(std::string_view what, std::string_view which, const PerAxis& values, int rank,
                    std::int64_t least) {
  ops::Sizes result = values.values();
  if (result.size() == 1) result = ops::Sizes(as_index(rank), result[0]);
  if (static_cast<int>(result.size()) != rank) {
    fail(ErrorKind::kShape, "{}: {} numbers were given for {}; one, or one for each of {} axes, is expected.", what,
         result.size(), which, rank);
  }
  for (const std::int64_t v : result) {
    if (v < least) fail(ErrorKind::kValue, "{}: {} is {}; at least {} is expected.", what, which, v, least);
  }
  return result;
}

ops::Sizes spans_of(std::string_view what, const ops::Sizes& taps, const ops::Sizes& dilation) {
  ops::Sizes spans;
  for (std::size_t i = 0; i < taps.size(); ++i)
    spans.push_back(checked_size(what, Wide{taps[i] - 1} * dilation[i] + 1));
  return spans;
}

void drop_unused_steps(const ops::Sizes& count, ops::Sizes& step) {
  for (std::size_t i = 0; i < count.size(); ++i) {
    if (count[i] <= 1) step[i] = 1;
  }
}

std::pair<ops::Sizes, ops::Sizes> padding_of(std::string_view what, const Padding& padding, const ops::Sizes& spans,
                                             const ops::Sizes& stride) {
  std::pair<ops::Sizes, ops::Sizes> result;
  const std::size_t rank = spans.size();
  if (padding.mode() == "valid") return {ops::Sizes(rank, 0), ops::Sizes(rank, 0)};
  if (padding.mode() == "same") {
    for (std::size_t i = 0; i < rank; ++i) {
      if (stride[i] != 1) fail(ErrorKind::kValue, "{}: padding \"same\" needs stride 1, not {}.", what, stride[i]);
      result.first.push_back((spans[i] - 1) / 2);
      result.second.push_back(spans[i] - 1 - result.first.back());
    }
    return result;
  }
  if (!padding.mode().empty()) {
    fail(ErrorKind::kValue, "{}: the padding \"{}\" is not known; \"same\" and \"valid\" are.", what, padding.mode());
  }
  const auto& sides = padding.sides();
  if (sides.size() != 1 && sides.size() != rank) {
    fail(ErrorKind::kShape, "{}: padding was given for {} axes; one, or one for each of {} axes, is expected.", what,
         sides.size(), rank);
  }
  for (std::size_t i = 0; i < rank; ++i) {
    const auto [before, after] = sides[sides.size() == 1 ? 0 : i];
    if (before < 0 || after < 0) {
      fail(ErrorKind::kValue, "{}: the padding ({}, {}) is negative; at least 0 is expected.", what, before, after);
    }
    result.first.push_back(checked_size(what, before));
    result.second.push_back(checked_size(what, after));
  }
  return result;
}

Images images_of(std::string_view what, const Tensor& x, int spatial, ImageLayout layout) {
  Images images{given(what, "the input", x), true, layout == ImageLayout::kChannelsLast, spatial};
  const int rank = images.node->shape().rank();
  if (rank != spatial + 2 && rank != spatial + 1) {
    fail(ErrorKind::kShape, "{}: the input has shape {}; {} axes, or {} without a batch, are expected.", what,
         images.node->shape().str(), spatial + 2, spatial + 1);
  }
  images.batched = rank == spatial + 2;
  if (!images.batched) images.node = ops::expand_dims(images.node, 0);
  if (images.channels_last) {
    std::vector<int> order{0, spatial + 1};
    for (int i = 1; i <= spatial; ++i) order.push_back(i);
    images.node = ops::permute(images.node, order);
  }
  return images;
}

Tensor Images::back(NodePtr y) const {
  if (channels_last) {
    std::vector<int> order{0};
    for (int i = 2; i < 2 + spatial; ++i) order.push_back(i);
    order.push_back(1);
    y = ops::permute(y, order);
  }
  return Tensor(batched ? y : ops::squeeze(y, std::vector<int>{0}));
}

namespace {

NodePtr with_bias(std::string_view what, const NodePtr& y, const Tensor& bias) {
  if (!bias.defined()) return y;
  const std::int64_t channels = y->shape()[1];
  if (bias.shape().rank() != 1 || bias.shape()[0] != channels) {
    fail(ErrorKind::kShape, "{}: the bias has shape {}; [{}] is expected, one for each output channel.", what,
         bias.shape().str(), channels);
  }
  Shape spread{channels};
  for (int i = 2; i < y->shape().rank(); ++i) spread.push_back(1);
  const NodePtr& b = bias.node();
  return y + ops::reshape(ops::autocast_dtype().has_value() ? ops::cast(b, y->dtype()) : b, spread);
}

/// The weights; axis `inputs` has the input channels of all groups (0) or of one (1).
NodePtr check_weight(std::string_view what, const Tensor& weight, const NodePtr& x, int spatial, std::int64_t groups,
                     int inputs) {
  const NodePtr& w = given(what, "the weight", weight);
  if (w->shape().rank() != spatial + 2) {
    fail(ErrorKind::kShape, "{}: the weight has shape {}; {} axes are expected.", what, w->shape().str(), spatial + 2);
  }
  if (groups < 1) fail(ErrorKind::kValue, "{}: groups is {}; at least 1 is expected.", what, groups);
  const std::int64_t channels = x->shape()[1];
  const std::int64_t expected = inputs == 0 ? channels : channels / groups;
  if (channels % groups != 0 || w->shape()[0] % groups != 0) {
    fail(ErrorKind::kShape, "{}: {} input channels and a weight of {} do not divide into {} groups.", what, channels,
         w->shape().str(), groups);
  }
  if (w->shape()[inputs] != expected) {
    fail(ErrorKind::kShape,
         "{}: the weight has shape {}; axis {} should have size {}, for {} input channels in {} groups.", what,
         w->shape().str(), inputs, expected, channels, groups);
  }
  for (int i = 2; i < spatial + 2; ++i) {
    if (w->shape()[i] < 1) fail(ErrorKind::kShape, "{}: the weight {} has no taps.", what, w->shape().str());
  }
  return w;
}

DType float_type(std::string_view what, const NodePtr& x, const NodePtr& w) {
  const DType t = ops::low_dtype({x->dtype(), w->dtype()});
  if (!is_float(t))
    fail(ErrorKind::kDType, "{}: the inputs are {}; a type of floating point is expected.", what, name(t));
  return t;
}

ops::ConvShape shape_of(std::string_view what, const NodePtr& w, int spatial, const PerAxis& stride,
                        const PerAxis& dilation, std::int64_t groups, ImageLayout layout) {
  ops::ConvShape s;
  s.stride = per_axis(what, "stride", stride, spatial, 1);
  s.dilation = per_axis(what, "dilation", dilation, spatial, 1);
  s.groups = groups;
  s.channels_last = layout == ImageLayout::kChannelsLast;
  for (int i = 0; i < spatial; ++i) s.taps.push_back(w->shape()[2 + i]);
  return s;
}

/// Error of kind limit for images [n, channels, sizes..] that are no tensor.
void check_images(std::string_view what, std::int64_t n, std::int64_t channels, const ops::Sizes& sizes, DType dtype) {
  Shape shape{n, channels};
  for (const std::int64_t s : sizes) shape.push_back(s);
  static_cast<void>(checked_numel(what, shape, dtype));
}

Tensor conv(std::string_view what, int spatial, const Tensor& input, const Tensor& weight, const Tensor& bias,
            const ConvOptions& options) {
  const Images x = images_of(what, input, spatial, options.layout);
  const NodePtr w = check_weight(what, weight, x.node, spatial, options.groups, 1);
  const DType t = float_type(what, x.node, w);
  ops::ConvShape s = shape_of(what, w, spatial, options.stride, options.dilation, options.groups, options.layout);
  const ops::Sizes spans = spans_of(what, s.taps, s.dilation);
  const auto [low, high] = padding_of(what, options.padding, spans, s.stride);
  s.low = low;
  for (int i = 0; i < spatial; ++i) {
    s.in.push_back(x.node->shape()[2 + i]);
    const std::int64_t room = checked_size(what, Wide{s.in.back()} + low[as_index(i)] + high[as_index(i)]);
    if (room < spans[as_index(i)]) {
      fail(ErrorKind::kShape, "{}: the kernel reaches {} elements along axis {}, and the padded input {} has {}.", what,
           spans[as_index(i)], i, input.shape().str(), room);
    }
    s.out.push_back((room - spans[as_index(i)]) / s.stride[as_index(i)] + 1);
  }
  drop_unused_steps(s.out, s.stride);
  drop_unused_steps(s.taps, s.dilation);
  check_images(what, x.node->shape()[0], w->shape()[0], s.out, t);
  const NodePtr y = ops::conv(ops::cast(x.node, t), ops::cast(w, t), s);
  return x.back(with_bias(what, y, bias));
}

Tensor conv_transpose(std::string_view what, int spatial, const Tensor& input, const Tensor& weight, const Tensor& bias,
                      const ConvTransposeOptions& options) {
  const Images x = images_of(what, input, spatial, options.layout);
  const NodePtr w = check_weight(what, weight, x.node, spatial, options.groups, 0);
  const DType t = float_type(what, x.node, w);
  ops::ConvShape s = shape_of(what, w, spatial, options.stride, options.dilation, options.groups, options.layout);
  const ops::Sizes spans = spans_of(what, s.taps, s.dilation);
  const ops::Sizes more = per_axis(what, "output_padding", options.output_padding, spatial, 0);
  if (options.padding.mode() == "same") {
    fail(ErrorKind::kValue, "{}: the padding \"same\" has no meaning for a transpose; numbers or \"valid\" do.", what);
  }
  const auto [low, high] = padding_of(what, options.padding, spans, s.stride);
  s.low = low;
  for (int i = 0; i < spatial; ++i) {
    if (more[as_index(i)] >= std::max(s.stride[as_index(i)], s.dilation[as_index(i)])) {
      fail(ErrorKind::kValue, "{}: output_padding {} must be less than the stride {} or the dilation {}.", what,
           more[as_index(i)], s.stride[as_index(i)], s.dilation[as_index(i)]);
    }
    s.out.push_back(x.node->shape()[2 + i]);
    const std::int64_t size = checked_size(what, Wide{s.out.back() - 1} * s.stride[as_index(i)] + spans[as_index(i)] +
                                                     more[as_index(i)] - low[as_index(i)] - high[as_index(i)]);
    if (s.out.back() < 1 || size < 1) {
      fail(ErrorKind::kShape, "{}: an input of {} gives {} elements along axis {}; at least 1 is expected.", what,
           input.shape().str(), size, i);
    }
    s.in.push_back(size);
  }
  drop_unused_steps(s.out, s.stride);
  drop_unused_steps(s.taps, s.dilation);
  const std::int64_t channels = checked_size(what, Wide{s.groups} * w->shape()[1]);
  check_images(what, x.node->shape()[0], channels, s.in, t);
  const NodePtr y = ops::conv_input(ops::cast(x.node, t), ops::cast(w, t), s);
  return x.back(with_bias(what, y, bias));
}

/// The windows of an unfold along the last two axes.
std::vector<ops::Slide> slides_of(std::string_view what, const ops::Sizes& size, const PerAxis& kernel,
                                  const UnfoldOptions& options, ops::Sizes& low, ops::Sizes& high) {
  const ops::Sizes taps = per_axis(what, "the kernel size", kernel, 2, 1);
  const ops::Sizes stride = per_axis(what, "stride", options.stride, 2, 1);
  ops::Sizes dilation = per_axis(what, "dilation", options.dilation, 2, 1);
  const ops::Sizes spans = spans_of(what, taps, dilation);
  drop_unused_steps(taps, dilation);
  std::tie(low, high) = padding_of(what, options.padding, spans, stride);
  std::vector<ops::Slide> slides;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::int64_t room = checked_size(what, Wide{size[i]} + low[i] + high[i]);
    if (room < spans[i]) {
      fail(ErrorKind::kShape, "{}: the kernel reaches {} elements along axis {}, and the padded image has {}.", what,
           spans[i], i, room);
    }
    const std::int64_t count = (room - spans[i]) / stride[i] + 1;
    slides.push_back({2 + static_cast<int>(i), count, taps[i], count > 1 ? stride[i] : 1, dilation[i]});
  }
  return slides;
}

}  // namespace

Tensor conv1d(const Tensor& x, const Tensor& weight, const Tensor& bias, const ConvOptions& options) {
  return conv("conv1d", 1, x, weight, bias, options);
}
Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias, const ConvOptions& options) {
  return conv("conv2d", 2, x, weight, bias, options);
}
Tensor conv_transpose1d(const Tensor& x, const Tensor& weight, const Tensor& bias,
                        const ConvTransposeOptions& options) {
  return conv_transpose("conv_transpose1d", 1, x, weight, bias, options);
}
Tensor conv_transpose2d(const Tensor& x, const Tensor& weight, const Tensor& bias,
                        const ConvTransposeOptions& options) {
  return conv_transpose("conv_transpose2d", 2, x, weight, bias, options);
}

Tensor unfold(const Tensor& x, const PerAxis& kernel, const UnfoldOptions& options) {
  const Images images = images_of("unfold", x, 2, ImageLayout::kChannelsFirst);
  const Shape& shape = images.node->shape();
  ops::Sizes low;
  ops::Sizes high;
  const auto slides = slides_of("unfold", {shape[2], shape[3]}, kernel, options, low, high);
  for (std::size_t i = 0; i < 2; ++i) high[i] = slides[i].reach() - low[i] - shape[2 + static_cast<int>(i)];
  const NodePtr padded =
      ops::resize_ends(images.node, 2, low, high, ops::scalar({std::int64_t{0}}, images.node->dtype()));
  const NodePtr windows = ops::permute(ops::sliding(padded, slides), std::vector<int>{0, 1, 4, 5, 2, 3});
  const std::int64_t taps = checked_size("unfold", Wide{slides[0].taps} * slides[1].taps);
  const std::int64_t rows = checked_size("unfold", Wide{shape[1]} * taps);
  const std::int64_t count = checked_size("unfold", Wide{slides[0].count} * slides[1].count);
  const NodePtr columns = ops::reshape(windows, {shape[0], rows, count});
  return Tensor(images.batched ? columns : ops::squeeze(columns, std::vector<int>{0}));
}

Tensor fold(const Tensor& columns, const PerAxis& size, const PerAxis& kernel, const UnfoldOptions& options) {
  NodePtr x = given("fold", "the columns", columns);
  const bool batched = x->shape().rank() == 3;
  if (x->shape().rank() == 2) x = ops::expand_dims(x, 0);
  const ops::Sizes image = per_axis("fold", "the size", size, 2, 1);
  ops::Sizes low;
  ops::Sizes high;
  const auto slides = slides_of("fold", image, kernel, options, low, high);
  const std::int64_t taps = checked_size("fold", Wide{slides[0].taps} * slides[1].taps);
  const std::int64_t count = checked_size("fold", Wide{slides[0].count} * slides[1].count);
  if (x->shape().rank() != 3 || x->shape()[1] % taps != 0 || x->shape()[2] != count) {
    fail(ErrorKind::kShape, "fold: the columns have shape {}; [N, C * {}, {}] is expected for images of {} x {}.",
         columns.shape().str(), taps, count, image[0], image[1]);
  }
  const std::int64_t n = x->shape()[0];
  const std::int64_t channels = x->shape()[1] / taps;
  const NodePtr cut = ops::reshape(x, {n, channels, slides[0].taps, slides[1].taps, slides[0].count, slides[1].count});
  const NodePtr windows = ops::permute(cut, std::vector<int>{0, 1, 4, 5, 2, 3});
  const NodePtr result = ops::slide_sum(windows, slides, {n, channels, image[0], image[1]}, low);
  return Tensor(batched ? result : ops::squeeze(result, std::vector<int>{0}));
}

}  // namespace tessera
