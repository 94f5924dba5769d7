// The gradients of the structural ops; those of elementwise ops are in the table.
#pragma once

#include <span>
#include <vector>

#include "graph/node.h"

namespace tessera::autograd {

/// The gradients of the inputs of a node with one result; null for none.
struct Passed {
  std::vector<NodePtr> gradients;
  bool known = true;  // false: the op has no gradient
};
Passed pass(const NodePtr& node, const Node::Inputs& inputs, const NodePtr& gradient);

}  // namespace tessera::autograd
