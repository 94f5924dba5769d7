// The reverse pass: gradients as graphs of the same ops.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "graph/gradient.h"
#include "graph/made_nodes.h"

namespace tessera::autograd {

/// A variable: the same value, from which on nodes are tracked.
NodePtr variable(const NodePtr& x);

/// The gradients of sum(outputs[i] * seeds[i]) with respect to the variables, with their shapes and dtypes; zeros for
/// variables that the outputs do not depend on. Error of kind unsupported if they depend on it only through ops without
/// a gradient. `variables` may be any tracked nodes: the pass ends at them. A seed may be null: none.
std::vector<NodePtr> reverse(std::span<const NodePtr> outputs, std::span<const NodePtr> seeds,
                             std::span<const NodePtr> variables);

/// The same before zeros and errors.
struct Reached {
  std::vector<NodePtr> gradients;    // null where no gradient arrived
  std::vector<std::string> blocked;  // then the op without a gradient that it was lost at, or ""
};
Reached reverse_to(std::span<const NodePtr> outputs, std::span<const NodePtr> seeds,
                   std::span<const NodePtr> variables);
/// The gradient of variable i, zeros, or the error.
NodePtr gradient_or_zeros(const Reached& reached, std::size_t i, const NodePtr& variable);

/// The tracked nodes that the outputs depend on and that a traced function did not make, without those behind them.
std::vector<NodePtr> captured_by(std::span<const NodePtr> outputs, const MadeNodes& made);

/// All variables with a slot that the outputs depend on: backward() accumulates into them.
std::vector<NodePtr> variables_behind(std::span<const NodePtr> outputs);

/// Retires variables: nodes that depend on no other variable are no longer tracked, and drop their history once they
/// are evaluated. `roots` are all nodes made from them.
void retire(std::span<const NodePtr> variables, std::span<const NodePtr> roots);

}  // namespace tessera::autograd
