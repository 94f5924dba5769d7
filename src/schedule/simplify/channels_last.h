// Which images of a graph a GPU stores with channels last: those between convolutions.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace tessera::schedule {

/// For each node, whether its memory is [N, .., C] although its shape is [N, C, ..]. Images that are connected by
/// elementwise ops are stored alike. They are the results of convolutions or of their input gradients, in f16 or in a
/// training step, and only convolutions, elementwise ops and reductions read them; roots keep their order. Empty: there
/// are none.
std::vector<char> stored_channels_last(const Graph& graph);

}  // namespace tessera::schedule
