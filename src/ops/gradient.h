// Gradients at points where the chain rule alone gives inf * 0.
#pragma once

#include "ops/build.h"

namespace tessera::ops {

/// with_gradient() for a formula whose inputs broadcast: those that are tracked are brought to the output's shape and
/// dtype first, so that the function sees all of one shape. What it gives for the others is not looked at.
NodePtr with_elementwise_gradient(std::string name, std::vector<NodePtr> inputs, const NodePtr& output,
                                  Gradient::Function function);

/// x to a power between 0 and 1, for x that is a sum of terms of one sign: where x is 0 all of them are, and no
/// gradient goes to them, as in PyTorch; the slope alone would be infinite.
NodePtr root_of_sum(const NodePtr& x, double power);

}  // namespace tessera::ops
