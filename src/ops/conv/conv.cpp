// Convolution and its two transposes as calls; each is the gradient of the others.
#include "ops/conv/conv.h"

#include <algorithm>

#include "base/sizes.h"

namespace tessera::ops {

namespace {

Shape join(std::int64_t first, std::int64_t second, const Sizes& sizes) {
  Shape shape{first, second};
  for (const std::int64_t d : sizes) shape.push_back(d);
  return shape;
}

/// Error of kind limit for windows that no view can have.
void check_windows(std::string_view what, std::int64_t n, std::int64_t channels, const ConvShape& shape, DType dtype) {
  Sizes padded;
  Shape windows{n, channels};
  for (std::size_t i = 0; i < shape.taps.size(); ++i) {
    const Wide reach = Wide{shape.out[i] - 1} * shape.stride[i] + Wide{shape.taps[i] - 1} * shape.dilation[i] + 1;
    padded.push_back(std::max(shape.in[i], checked_size(what, reach)));
    windows.push_back(std::max(shape.out[i], shape.in[i]));
    windows.push_back(shape.taps[i]);
  }
  static_cast<void>(checked_numel(what, join(n, channels, padded), dtype));
  static_cast<void>(checked_numel(what, windows, dtype));
}

/// Lowered by schedule/calls/conv.cpp, which splits what kernels cannot count.
NodePtr call_conv(std::string_view what, const ConvShape& shape, const NodePtr& a, const NodePtr& b,
                  const Shape& result) {
  return call(what, to_attributes(shape), {a, b}, {{a->dtype(), result}}, /*any_size=*/true)[0];
}

}  // namespace

NodePtr conv(const NodePtr& x, const NodePtr& w, const ConvShape& shape) {
  check_windows("conv", x->shape()[0], x->shape()[1], shape, x->dtype());
  const NodePtr y = call_conv("conv", shape, x, w, join(x->shape()[0], w->shape()[0], shape.out));
  return with_gradient("conv", {x, w}, y, [shape](const Gradient::Call& call) {
    return std::vector{conv_input(call.gradients[0], call.inputs[1], shape),
                       conv_weight(call.inputs[0], call.gradients[0], shape)};
  });
}

NodePtr conv_input(const NodePtr& y, const NodePtr& w, const ConvShape& shape) {
  const std::int64_t n = y->shape()[0];
  const std::int64_t channels = shape.groups * w->shape()[1];
  check_windows("conv_input", n, std::max(channels, y->shape()[1]), shape, y->dtype());
  const NodePtr x = call_conv("conv_input", shape, y, w, join(n, channels, shape.in));
  return with_gradient("conv_input", {y, w}, x, [shape](const Gradient::Call& call) {
    return std::vector{conv(call.gradients[0], call.inputs[1], shape),
                       conv_weight(call.gradients[0], call.inputs[0], shape)};
  });
}

NodePtr conv_weight(const NodePtr& x, const NodePtr& y, const ConvShape& shape) {
  check_windows("conv_weight", x->shape()[0], x->shape()[1], shape, x->dtype());
  const NodePtr dw =
      call_conv("conv_weight", shape, x, y, join(y->shape()[1], x->shape()[1] / shape.groups, shape.taps));
  return with_gradient("conv_weight", {x, y}, dw, [shape](const Gradient::Call& call) {
    return std::vector{conv_input(call.inputs[1], call.gradients[0], shape),
                       conv(call.inputs[0], call.gradients[0], shape)};
  });
}

}  // namespace tessera::ops
