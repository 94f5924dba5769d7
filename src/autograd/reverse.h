// The reverse pass: gradients as graphs of the same ops.
#pragma once

#include <span>
#include <vector>

#include "graph/gradient.h"

namespace tessera::autograd {

/// A variable: the same value, from which on nodes are tracked.
NodePtr variable(const NodePtr& x);

/// The gradients of sum(outputs[i] * seeds[i]) with respect to the variables, with their shapes and types; zeros where
/// the outputs do not depend on one. Error of kind unsupported where they depend on it only through ops without a
/// gradient.
std::vector<NodePtr> reverse(std::span<const NodePtr> outputs, std::span<const NodePtr> seeds,
                             std::span<const NodePtr> variables);

/// All variables with a slot behind the outputs: what backward() gives gradients to.
std::vector<NodePtr> variables_behind(std::span<const NodePtr> outputs);

/// Ends the life of variables: what hangs on no other one is not tracked any more, and drops its history once it is
/// evaluated. `roots` are all that was made from them.
void retire(std::span<const NodePtr> variables, std::span<const NodePtr> roots);

}  // namespace tessera::autograd
