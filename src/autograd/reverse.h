// The reverse pass: gradients as graphs of the same ops.
#pragma once

#include <span>
#include <vector>

#include "graph/gradient.h"

namespace tessera::autograd {

/// A variable: the same value, from which on nodes are tracked.
NodePtr variable(const NodePtr& x);

/// The gradients of sum(outputs[i] * seeds[i]) with respect to the variables, with their shapes and dtypes; zeros for
/// variables that the outputs do not depend on. Error of kind unsupported if they depend on it only through ops without
/// a gradient.
std::vector<NodePtr> reverse(std::span<const NodePtr> outputs, std::span<const NodePtr> seeds,
                             std::span<const NodePtr> variables);

/// All variables with a slot that the outputs depend on: backward() accumulates into them.
std::vector<NodePtr> variables_behind(std::span<const NodePtr> outputs);

/// Retires variables: nodes that depend on no other variable are no longer tracked, and drop their history once they
/// are evaluated. `roots` are all nodes made from them.
void retire(std::span<const NodePtr> variables, std::span<const NodePtr> roots);

}  // namespace tessera::autograd
