// Custom gradient rules of compositions, and the gradients of variables.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "graph/node.h"

namespace tessera {

/// Accumulates the gradient of a variable for backward().
struct GradientSlot {
  std::mutex mutex;
  NodePtr gradient;  // null: none yet
};

/// The gradient rule of a group of results (the kMark nodes that share it), called once with the gradients of all of
/// them.
struct Gradient {
  struct Call {
    std::span<const NodePtr> inputs;
    std::span<const NodePtr> outputs;
    std::span<const NodePtr> gradients;  // of the outputs; null for unused ones
  };
  /// The gradients of the inputs, in their order and with their shapes; null for none.
  using Function = std::function<std::vector<NodePtr>(const Call&)>;

  std::string name;
  std::shared_ptr<const Node::Inputs> inputs;
  Function function;                               // empty: not differentiable, which is an error
  std::vector<std::weak_ptr<const Node>> outputs;  // set by ops::with_gradient()
  std::shared_ptr<GradientSlot> slot;              // of a variable, which has no inputs

  Gradient() = default;
  ~Gradient();
  Gradient(const Gradient&) = delete;
  Gradient& operator=(const Gradient&) = delete;
};

/// Whether nodes created by this thread are tracked; no_grad disables it.
bool gradients_enabled();
bool enable_gradients(bool on);  // returns the previous value

}  // namespace tessera
