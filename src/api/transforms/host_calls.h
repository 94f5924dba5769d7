// Calls of host steps with effects, such as collectives, in a function that compile() traces.
#pragma once

#include <utility>
#include <vector>

#include "graph/node.h"

namespace tessera {

/// While it lives, lists the calls of this thread that each call of the compiled function must run, whether anything
/// reads their results or not.
class HostCalls {
 public:
  HostCalls() : outer_(std::exchange(current, this)) {}
  ~HostCalls() { current = outer_; }
  HostCalls(const HostCalls&) = delete;
  HostCalls& operator=(const HostCalls&) = delete;

  static bool noting() { return current != nullptr; }
  /// Adds a result of a call; noting() holds.
  static void note(NodePtr result) { current->results_.push_back(std::move(result)); }
  [[nodiscard]] const std::vector<NodePtr>& results() const { return results_; }

 private:
  static thread_local HostCalls* current;
  std::vector<NodePtr> results_;
  HostCalls* outer_;
};

}  // namespace tessera
