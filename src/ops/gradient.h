// Gradients at points where the chain rule alone gives inf * 0.
#pragma once

#include "ops/build.h"

namespace tessera::ops {

/// with_gradient() for a formula with broadcasting: tracked inputs are first broadcast and cast to the output's shape
/// and dtype. The function's results for other inputs are ignored.
NodePtr with_elementwise_gradient(std::string name, std::vector<NodePtr> inputs, const NodePtr& output,
                                  Gradient::Function function);

/// x to a power between 0 and 1, where x is a sum of terms of one sign: at 0 all terms are 0 and get no gradient, as in
/// PyTorch (the slope itself is infinite).
NodePtr root_of_sum(const NodePtr& x, double power);

}  // namespace tessera::ops
