// The gradients of the structural ops; elementwise ops have theirs in the table.
#pragma once

#include <span>
#include <vector>

#include "graph/node.h"

namespace tessera::autograd {

/// What passes on to the inputs of a node with one result; null where nothing does.
struct Passed {
  std::vector<NodePtr> gradients;
  bool known = true;  // false: the op has no gradient
};
Passed pass(const NodePtr& node, const Node::Inputs& inputs, const NodePtr& gradient);

}  // namespace tessera::autograd
