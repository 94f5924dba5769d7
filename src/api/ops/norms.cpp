// Normalizations on tensors.
#include "tessera/norms.h"

#include <algorithm>

#include "api/arguments.h"
#include "api/catalog_rows.h"
#include "api/ops/conv_arguments.h"
#include "ops/reduce/norms.h"

namespace tessera {

catalog::Rows catalog::norms() {
  static constexpr std::array kRows{
      Row{"Normalization", kFloats, kGradient, kComposed,
          "layer_norm, rms_norm, batch_norm, batch_norm_training, group_norm, instance_norm, normalize, "
          "local_response_norm",
          kInF32},
  };
  return kRows;
}

Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double eps) {
  return Tensor(ops::layer_norm(node_of(x), weight.node(), bias.node(), eps));
}
Tensor rms_norm(const Tensor& x, const Tensor& weight, double eps) {
  return Tensor(ops::rms_norm(node_of(x), weight.node(), eps));
}

BatchNorm batch_norm_training(const Tensor& x, const Tensor& running_mean, const Tensor& running_var,
                              const Tensor& weight, const Tensor& bias, double momentum, double eps) {
  const ops::BatchNormed r = ops::batch_norm_training(given("batch_norm", "the input", x), running_mean.node(),
                                                      running_var.node(), weight.node(), bias.node(), momentum, eps);
  return {Tensor(r.result), Tensor(r.mean), Tensor(r.var)};
}
Tensor batch_norm(const Tensor& x, const Tensor& mean, const Tensor& var, const Tensor& weight, const Tensor& bias,
                  double eps) {
  return Tensor(ops::batch_norm(given("batch_norm", "the input", x), given("batch_norm", "the mean", mean),
                                given("batch_norm", "the variance", var), weight.node(), bias.node(), eps));
}
Tensor group_norm(const Tensor& x, std::int64_t groups, const Tensor& weight, const Tensor& bias, double eps) {
  return Tensor(
      ops::group_norm("group_norm", given("group_norm", "the input", x), groups, weight.node(), bias.node(), eps));
}
Tensor instance_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double eps) {
  const NodePtr& n = given("instance_norm", "the input", x);
  const std::int64_t channels = n->shape().rank() < 2 ? 1 : std::max<std::int64_t>(n->shape()[1], 1);
  return Tensor(ops::group_norm("instance_norm", n, channels, weight.node(), bias.node(), eps));
}
Tensor normalize(const Tensor& x, double p, int axis, double eps) {
  return Tensor(ops::normalize(given("normalize", "the input", x), p, axis, eps));
}
Tensor local_response_norm(const Tensor& x, std::int64_t size, double alpha, double beta, double k) {
  return Tensor(ops::local_response_norm(given("local_response_norm", "the input", x), size, alpha, beta, k));
}

}  // namespace tessera
