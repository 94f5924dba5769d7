// Initial values of parameters, with the names and defaults of torch.nn.init. Random ones draw from tessera::random.
#pragma once

#include <cstdint>

#include "tessera/export.h"
#include "tessera/ops.h"

namespace TESSERA_API tessera {
namespace nn {
namespace init {

struct Fans {
  double in, out;
};
/// Inputs and outputs of one unit of a weight [out, in, taps..]. Error of kind shape below rank 2.
Fans fans_of(const Shape& shape);

enum class Fan : std::uint8_t { kIn, kOut };
enum class Nonlinearity : std::uint8_t { kLinear, kSigmoid, kTanh, kRelu, kLeakyRelu, kSelu };
/// The factor that keeps the variance behind a nonlinearity; `slope` is that of leaky_relu.
double gain(Nonlinearity nonlinearity, double slope = 0.01);

Tensor uniform(const Shape& shape, double low = 0, double high = 1, DType dtype = f32, const Device& device = {});
Tensor normal(const Shape& shape, double mean = 0, double deviation = 1, DType dtype = f32, const Device& device = {});
Tensor trunc_normal(const Shape& shape, double mean = 0, double deviation = 1, double low = -2, double high = 2,
                    DType dtype = f32, const Device& device = {});
Tensor constant(const Shape& shape, double value, DType dtype = f32, const Device& device = {});
Tensor zeros(const Shape& shape, DType dtype = f32, const Device& device = {});
Tensor ones(const Shape& shape, DType dtype = f32, const Device& device = {});
/// Glorot and Bengio: a variance of 2 / (fan in + fan out).
Tensor xavier_uniform(const Shape& shape, double gain = 1, DType dtype = f32, const Device& device = {});
Tensor xavier_normal(const Shape& shape, double gain = 1, DType dtype = f32, const Device& device = {});
struct KaimingOptions {
  double a = 0;  // the slope of leaky_relu
  Fan mode = Fan::kIn;
  Nonlinearity nonlinearity = Nonlinearity::kLeakyRelu;
};
/// He et al.: a variance of gain^2 / fan.
Tensor kaiming_uniform(const Shape& shape, const KaimingOptions& options = {}, DType dtype = f32,
                       const Device& device = {});
Tensor kaiming_normal(const Shape& shape, const KaimingOptions& options = {}, DType dtype = f32,
                      const Device& device = {});
/// Orthonormal rows, or columns if there are fewer: [rows, the rest flattened].
Tensor orthogonal(const Shape& shape, double gain = 1, DType dtype = f32, const Device& device = {});
Tensor eye(const Shape& shape, DType dtype = f32, const Device& device = {});  // rank 2
/// The identity as a convolution [out, in, taps..], for each of the groups.
Tensor dirac(const Shape& shape, std::int64_t groups = 1, DType dtype = f32, const Device& device = {});

}  // namespace init
}  // namespace nn
}  // namespace tessera
