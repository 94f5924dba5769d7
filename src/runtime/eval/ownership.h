// Which inputs of a graph nobody else holds, and taking their storages for one evaluation.
#pragma once

#include <memory>
#include <vector>

#include "graph/graph.h"

namespace tessera::runtime {

/// Inputs that only the graph itself holds, so that results may be written into their memory: their nodes go when the
/// roots are published. Those that updates (kPut) write to, and others that are large. `graph` is a snapshot that was
/// not simplified.
std::vector<NodePtr> inputs_to_overwrite(const Graph& graph);

/// Takes the storages of such nodes, so that no other evaluation reads them while they are overwritten. One that
/// somebody else uses after all stays where it is.
class Claim {
 public:
  /// The storages have one other owner, the snapshot.
  explicit Claim(std::vector<NodePtr> nodes);
  /// Gives back what was not consumed.
  ~Claim();
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;

  /// The nodes whose storages were taken.
  [[nodiscard]] const std::vector<NodePtr>& nodes() const { return nodes_; }
  /// The results are published: the storages are no longer those of the nodes.
  void consume() { consumed_ = true; }

 private:
  void release();

  std::vector<NodePtr> nodes_;
  std::vector<std::shared_ptr<Storage>> storages_;
  bool consumed_ = false;
};

/// If another thread has claimed the node, waits until it is done: a new snapshot finds its results. Error of kind
/// value if this thread has, in the middle of the same evaluation.
void wait_for_claim(const Node& node);

}  // namespace tessera::runtime
