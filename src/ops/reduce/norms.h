// Normalizations as functions on nodes; weights, biases and running statistics may be null.
#pragma once

#include <string_view>

#include "ops/build.h"

namespace tessera::ops {

// ---- Of the last axis ----
NodePtr layer_norm(const NodePtr& x, const NodePtr& weight, const NodePtr& bias, double eps);
NodePtr rms_norm(const NodePtr& x, const NodePtr& weight, double eps);

// ---- Of the channels of [N, C, ..] ----
struct BatchNormed {
  NodePtr result;
  NodePtr mean, var;  // the new running statistics
};
NodePtr batch_norm(const NodePtr& x, const NodePtr& mean, const NodePtr& var, const NodePtr& weight,
                   const NodePtr& bias, double eps);
BatchNormed batch_norm_training(const NodePtr& x, const NodePtr& running_mean, const NodePtr& running_var,
                                const NodePtr& weight, const NodePtr& bias, double momentum, double eps);
NodePtr group_norm(std::string_view what, const NodePtr& x, std::int64_t groups, const NodePtr& weight,
                   const NodePtr& bias, double eps);
NodePtr normalize(const NodePtr& x, double p, int axis, double eps);
NodePtr local_response_norm(const NodePtr& x, std::int64_t size, double alpha, double beta, double k);

}  // namespace tessera::ops
