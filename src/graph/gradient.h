// How gradients pass a node that says so itself: compositions with a rule of their own, and variables.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "graph/node.h"

namespace tessera {

/// Where the gradient of a variable is gathered by backward().
struct GradientSlot {
  std::mutex mutex;
  NodePtr gradient;  // null: none yet
};

/// The rule of a group of results (kMark nodes that share it): it is asked once, with the gradients of all of them.
struct Gradient {
  struct Call {
    std::span<const NodePtr> inputs;
    std::span<const NodePtr> outputs;
    std::span<const NodePtr> gradients;  // of the outputs; null where nothing uses one
  };
  /// The gradients of the inputs, in their order and with their shapes; null where there is none.
  using Function = std::function<std::vector<NodePtr>(const Call&)>;

  std::string name;
  std::shared_ptr<const Node::Inputs> inputs;
  Function function;                               // empty: there is no gradient, and the error says so
  std::vector<std::weak_ptr<const Node>> outputs;  // set by ops::with_gradient()
  std::shared_ptr<GradientSlot> slot;              // of a variable, which has no inputs

  Gradient() = default;
  ~Gradient();
  Gradient(const Gradient&) = delete;
  Gradient& operator=(const Gradient&) = delete;
};

/// Whether nodes made by this thread are tracked; no_grad switches it off.
bool gradients_enabled();
bool enable_gradients(bool on);  // returns what it was

}  // namespace tessera
