// Parts of a snapshot: what some of its nodes need.
#pragma once

#include <span>

#include "graph/graph.h"

namespace tessera {

/// The graph with other roots, without what they do not need. Where `leaves` has a node for an entry, it stands for the
/// entry, and what only the entry needs is left out, too.
Graph part_of(const Graph& graph, std::span<const int> roots, std::span<const NodePtr> leaves = {});

/// The graph with its entries in another order: first what the first of these roots, given by position, needs, then
/// what the second one does, and at last all others.
Graph ordered_by(const Graph& graph, std::span<const int> roots);

}  // namespace tessera
