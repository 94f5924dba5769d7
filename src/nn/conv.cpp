// Convolutions as modules.
#include "tessera/nn/conv.h"

#include <cmath>

#include "nn/check.h"
#include "nn/fail.h"
#include "tessera/nn/init.h"

namespace tessera::nn {

namespace {

/// [first, second, taps..], checked.
Shape weight_shape(const char* module, int axes, std::int64_t in, std::int64_t out, const PerAxis& kernel,
                   std::int64_t groups, bool transposed) {
  check_sizes(module, {{"in", in}, {"out", out}, {"groups", groups}});
  if (in % groups != 0 || out % groups != 0) {
    fail(ErrorKind::kValue, "{}: {} groups were given for {} and {} channels; they must divide both.", module, groups,
         in, out);
  }
  const auto& taps = kernel.values();
  if (taps.size() != 1 && taps.size() != static_cast<std::size_t>(axes)) {
    fail(ErrorKind::kValue, "{}: a kernel of {} sizes was given; 1 or {} are expected.", module, taps.size(), axes);
  }
  Shape shape = transposed ? Shape{in, out / groups} : Shape{out, in / groups};
  for (int i = 0; i < axes; ++i) {
    shape.push_back(taps[taps.size() == 1 ? 0 : static_cast<std::size_t>(i)]);
    check_sizes(module, {{"a size of the kernel", shape.back()}});
  }
  return shape;
}

/// PyTorch's default: uniform, with a bound of 1 / sqrt(fan in).
void initialize(Tensor& weight, Tensor& bias, const Shape& shape, std::int64_t out, bool with_bias) {
  const double bound = 1 / std::sqrt(init::fans_of(shape).in);
  weight = init::uniform(shape, -bound, bound);
  if (with_bias) bias = init::uniform({out}, -bound, bound);
}

}  // namespace

Conv::Conv(int axes, std::int64_t in, std::int64_t out, const PerAxis& kernel, const ConvOptions& options)
    : axes_(axes),
      options_{.stride = options.stride,
               .padding = options.padding,
               .dilation = options.dilation,
               .groups = options.groups} {
  const Shape shape = weight_shape(axes == 1 ? "Conv1d" : "Conv2d", axes, in, out, kernel, options.groups, false);
  initialize(weight, bias, shape, out, options.bias);
}

void Conv::fields(Fields& f) {
  f("weight", weight);
  f("bias", bias);
}

Tensor Conv::forward(const Tensor& x) {
  return axes_ == 1 ? conv1d(x, weight, bias, options_) : conv2d(x, weight, bias, options_);
}

double Conv::flops(const Shape& /*input*/, const Shape& output) const {
  return 2.0 * static_cast<double>(output.numel()) * static_cast<double>(weight.numel() / weight.size(0));
}

ConvTranspose::ConvTranspose(int axes, std::int64_t in, std::int64_t out, const PerAxis& kernel,
                             const ConvTransposeOptions& options)
    : axes_(axes),
      options_{.stride = options.stride,
               .padding = options.padding,
               .output_padding = options.output_padding,
               .dilation = options.dilation,
               .groups = options.groups} {
  const Shape shape =
      weight_shape(axes == 1 ? "ConvTranspose1d" : "ConvTranspose2d", axes, in, out, kernel, options.groups, true);
  initialize(weight, bias, shape, out, options.bias);
}

void ConvTranspose::fields(Fields& f) {
  f("weight", weight);
  f("bias", bias);
}

Tensor ConvTranspose::forward(const Tensor& x) {
  return axes_ == 1 ? conv_transpose1d(x, weight, bias, options_) : conv_transpose2d(x, weight, bias, options_);
}

double ConvTranspose::flops(const Shape& input, const Shape& /*output*/) const {
  return 2.0 * static_cast<double>(input.numel()) * static_cast<double>(weight.numel() / weight.size(0));
}

}  // namespace tessera::nn
