// Initial values of parameters.
#include "tessera/nn/init.h"

#include <cmath>
#include <vector>

#include "nn/fail.h"
#include "tessera/linalg.h"
#include "tessera/random.h"

namespace tessera::nn::init {

Fans fans_of(const Shape& shape) {
  if (shape.rank() < 2) {
    fail(ErrorKind::kShape, "init: a shape of {} was given; at least two axes are needed for fan in and fan out.",
         shape.str());
  }
  double taps = 1;
  for (int i = 2; i < shape.rank(); ++i) taps *= static_cast<double>(shape[i]);
  return {static_cast<double>(shape[1]) * taps, static_cast<double>(shape[0]) * taps};
}

double gain(Nonlinearity nonlinearity, double slope) {
  switch (nonlinearity) {
    case Nonlinearity::kTanh:
      return 5.0 / 3;
    case Nonlinearity::kRelu:
      return std::sqrt(2.0);
    case Nonlinearity::kLeakyRelu:
      return std::sqrt(2.0 / (1 + slope * slope));
    case Nonlinearity::kSelu:
      return 0.75;
    default:
      return 1;
  }
}

Tensor uniform(const Shape& shape, double low, double high, DType dtype, const Device& device) {
  return random::uniform(shape, low, high, dtype, device);
}
Tensor normal(const Shape& shape, double mean, double deviation, DType dtype, const Device& device) {
  return random::normal(shape, mean, deviation, dtype, device);
}
Tensor trunc_normal(const Shape& shape, double mean, double deviation, double low, double high, DType dtype,
                    const Device& device) {
  return random::truncated_normal(shape, low, high, mean, deviation, dtype, device);
}
Tensor constant(const Shape& shape, double value, DType dtype, const Device& device) {
  return full(shape, value, dtype, device);
}
Tensor zeros(const Shape& shape, DType dtype, const Device& device) { return tessera::zeros(shape, dtype, device); }
Tensor ones(const Shape& shape, DType dtype, const Device& device) { return tessera::ones(shape, dtype, device); }

Tensor xavier_uniform(const Shape& shape, double gain, DType dtype, const Device& device) {
  const Fans fans = fans_of(shape);
  const double bound = gain * std::sqrt(6 / (fans.in + fans.out));
  return uniform(shape, -bound, bound, dtype, device);
}
Tensor xavier_normal(const Shape& shape, double gain, DType dtype, const Device& device) {
  const Fans fans = fans_of(shape);
  return normal(shape, 0, gain * std::sqrt(2 / (fans.in + fans.out)), dtype, device);
}

namespace {
double kaiming_deviation(const Shape& shape, const KaimingOptions& options) {
  const Fans fans = fans_of(shape);
  return gain(options.nonlinearity, options.a) / std::sqrt(options.mode == Fan::kIn ? fans.in : fans.out);
}
}  // namespace

Tensor kaiming_uniform(const Shape& shape, const KaimingOptions& options, DType dtype, const Device& device) {
  const double bound = std::sqrt(3.0) * kaiming_deviation(shape, options);
  return uniform(shape, -bound, bound, dtype, device);
}
Tensor kaiming_normal(const Shape& shape, const KaimingOptions& options, DType dtype, const Device& device) {
  return normal(shape, 0, kaiming_deviation(shape, options), dtype, device);
}

Tensor orthogonal(const Shape& shape, double gain, DType dtype, const Device& device) {
  if (shape.rank() < 2) {
    fail(ErrorKind::kShape, "init::orthogonal: a shape of {} was given; at least two axes are expected.", shape.str());
  }
  const std::int64_t rows = shape[0];
  const std::int64_t cols = shape.numel() / rows;
  const bool wide = rows < cols;
  const auto [q, r] = linalg::qr(normal(wide ? Shape{cols, rows} : Shape{rows, cols}, 0, 1, f32, device));
  // Signs by the diagonal of r: the distribution is uniform.
  const Tensor signs = where(less(diagonal(r), 0), -1.0, 1.0);
  const Tensor matrix = q * signs;
  return ((wide ? matrix.T() : matrix) * gain).reshape(shape).astype(dtype);
}

Tensor eye(const Shape& shape, DType dtype, const Device& device) {
  if (shape.rank() != 2) {
    fail(ErrorKind::kShape, "init::eye: a shape of {} was given; two axes are expected.", shape.str());
  }
  return tessera::eye(shape[0], shape[1], 0, dtype, device);
}

Tensor dirac(const Shape& shape, std::int64_t groups, DType dtype, const Device& device) {
  if (shape.rank() < 3 || shape.rank() > 5) {
    fail(ErrorKind::kShape,
         "init::dirac: a shape of {} was given; [out, in, taps..] with 1 to 3 axes of taps is expected.", shape.str());
  }
  if (groups < 1 || shape[0] % groups != 0) {
    fail(ErrorKind::kValue, "init::dirac: {} groups were given for {} channels; they must divide them.", groups,
         shape[0]);
  }
  std::vector<float> data(static_cast<std::size_t>(shape.numel()));
  const std::int64_t each = shape[0] / groups;
  std::int64_t middle = 0;  // the tap in the middle, row-major
  std::int64_t taps = 1;
  for (int i = 2; i < shape.rank(); ++i) {
    middle = middle * shape[i] + shape[i] / 2;
    taps *= shape[i];
  }
  for (std::int64_t g = 0; g < groups; ++g) {
    for (std::int64_t d = 0; d < std::min(each, shape[1]); ++d) {
      data[static_cast<std::size_t>(((g * each + d) * shape[1] + d) * taps + middle)] = 1;
    }
  }
  return Tensor(data, shape, device).astype(dtype);
}

}  // namespace tessera::nn::init
