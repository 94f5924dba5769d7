// The nodes that a function creates while it is traced. All other nodes that its results depend on are captured.
#pragma once

#include <unordered_set>

namespace tessera {

class Node;

/// While it lives, records the nodes that its thread creates. The functions of loops are traced inside of others: both
/// record then.
class MadeNodes {
 public:
  MadeNodes();
  /// Records further nodes beside those that were recorded before.
  explicit MadeNodes(const MadeNodes* before);
  ~MadeNodes();
  MadeNodes(const MadeNodes&) = delete;
  MadeNodes& operator=(const MadeNodes&) = delete;

  /// Whether this thread is tracing a function.
  static bool noting();
  [[nodiscard]] bool contains(const Node* node) const { return nodes_.contains(node); }
  /// Stops recording; the recorded nodes stay.
  void stop();

 private:
  friend class Node;
  std::unordered_set<const Node*> nodes_;
  MadeNodes* outer_;
};

}  // namespace tessera
