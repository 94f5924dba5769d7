// A snapshot of the graph to evaluate: nodes in topological order with their inputs as positions. The passes after it
// are pure functions, and other threads may publish results meanwhile.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "graph/node.h"

namespace tessera {

struct Graph {
  struct Entry {
    NodePtr node;
    std::vector<int> inputs;           // positions in `entries`; empty for leaves and evaluated nodes
    std::shared_ptr<Storage> storage;  // set for evaluated nodes: they count as kInput
    [[nodiscard]] Op op() const { return storage != nullptr ? kInputOp : node->op(); }
  };
  std::vector<Entry> entries;  // each after its inputs
  std::vector<int> roots;      // positions of the requested nodes

  [[nodiscard]] const Node& node(int i) const { return *entries[static_cast<std::size_t>(i)].node; }
  [[nodiscard]] const Entry& operator[](int i) const { return entries[static_cast<std::size_t>(i)]; }
  [[nodiscard]] int size() const { return static_cast<int>(entries.size()); }
};

/// All nodes that `roots` depend on, down to evaluated nodes and leaves. Iterative: depth costs no stack.
Graph snapshot(std::span<const NodePtr> roots);

/// One line per node: "%3 = add f32[2, 3] %1 %2".
std::string to_text(const Graph& graph);
/// The same in Graphviz's language.
std::string to_graphviz(const Graph& graph);

}  // namespace tessera
