// The graph of a traced function for all sizes of its dynamic axes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/transforms/size_formula.h"
#include "graph/graph.h"

namespace tessera {

/// The snapshot of a function that was called on placeholders.
struct TracedGraph {
  Graph graph;
  std::vector<NodePtr> placeholders;  // one for each argument
};

/// A graph whose numbers (extents, strides, offsets, paddings, attributes of calls, scalars) are functions of sizes.
class SymbolicGraph {
 public:
  struct Fit {
    std::shared_ptr<const SymbolicGraph> graph;  // null: there is none
    std::string reason;                          // of that, as the end of a sentence
    bool final = false;                          // no other grid would help
  };
  /// From the graphs at the points of the grid.
  static Fit fit(SizeGrid grid, std::span<const TracedGraph* const> at);

  [[nodiscard]] const SizeGrid& grid() const { return grid_; }
  /// The extents that do not depend on sizes, each once, in order.
  [[nodiscard]] std::vector<std::int64_t> fixed_extents() const;
  /// The graph at sizes on the grid. Nodes that do not depend on sizes are shared.
  [[nodiscard]] TracedGraph at(const Sizes& sizes) const;
  /// How the graph at these sizes differs from the one that was traced there; none if they are equal.
  [[nodiscard]] std::optional<std::string> difference(const Sizes& sizes, const TracedGraph& given) const;

 private:
  struct Entry {
    bool fixed = true;  // as at the first point: neither its numbers nor its inputs depend on sizes
    std::vector<SizeFormula> integers;
    std::vector<SizeFormula> reals;
  };
  explicit SymbolicGraph(SizeGrid grid) : grid_(std::move(grid)) {}

  SizeGrid grid_;
  TracedGraph first_;
  std::vector<Entry> entries_;
};

}  // namespace tessera
