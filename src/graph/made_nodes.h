// The nodes that a function makes while it is traced: all others that its results need are captured.
#pragma once

#include <unordered_set>

namespace tessera {

class Node;

/// While one lives, it notes the nodes that its thread makes. One at a time on a thread.
class MadeNodes {
 public:
  MadeNodes();
  ~MadeNodes();
  MadeNodes(const MadeNodes&) = delete;
  MadeNodes& operator=(const MadeNodes&) = delete;

  /// Whether one lives on this thread: it is tracing a function.
  static bool noting();
  [[nodiscard]] bool contains(const Node* node) const { return nodes_.contains(node); }
  /// Notes no more; what it noted stays.
  void stop();

 private:
  friend class Node;
  std::unordered_set<const Node*> nodes_;
};

}  // namespace tessera
