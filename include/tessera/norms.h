// Normalizations, with the names and arguments of torch.nn.functional. Weights and biases may be left out.
#pragma once

#include <cstdint>

#include "tessera/export.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

// ---- Of the last axis ----

Tensor layer_norm(const Tensor& x, const Tensor& weight = {}, const Tensor& bias = {}, double eps = 1e-5);
Tensor rms_norm(const Tensor& x, const Tensor& weight = {}, double eps = 1e-5);

// ---- Of the channels of [N, C, ..] ----

struct BatchNorm {
  Tensor result;
  Tensor mean, var;  // the updated running statistics
};
/// Uses the statistics of the batch; the running ones are updated with `momentum` (var is unbiased).
BatchNorm batch_norm_training(const Tensor& x, const Tensor& running_mean, const Tensor& running_var,
                              const Tensor& weight = {}, const Tensor& bias = {}, double momentum = 0.1,
                              double eps = 1e-5);
/// Uses the given statistics.
Tensor batch_norm(const Tensor& x, const Tensor& mean, const Tensor& var, const Tensor& weight = {},
                  const Tensor& bias = {}, double eps = 1e-5);
Tensor group_norm(const Tensor& x, std::int64_t groups, const Tensor& weight = {}, const Tensor& bias = {},
                  double eps = 1e-5);
Tensor instance_norm(const Tensor& x, const Tensor& weight = {}, const Tensor& bias = {}, double eps = 1e-5);
/// x / max(norm, eps), with the p-norm along an axis.
Tensor normalize(const Tensor& x, double p = 2, int axis = 1, double eps = 1e-12);
Tensor local_response_norm(const Tensor& x, std::int64_t size, double alpha = 1e-4, double beta = 0.75, double k = 1);

}  // namespace tessera

#include "tessera/members/norms.h"  // IWYU pragma: export
