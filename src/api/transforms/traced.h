// Traced functions: their captured tensors, and bound plans of them.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "graph/made_nodes.h"
#include "graph/node.h"
#include "runtime/eval/bound_plan.h"
#include "tessera/tensor.h"

namespace tessera {

std::vector<NodePtr> nodes_of(std::span<const Tensor> tensors);

/// Evaluates the nodes that the results need and that the function did not create: they become constants. Views,
/// weights that are dequantized on load and nodes without memory stay as they are.
void evaluate_captured(std::span<const NodePtr> roots, const MadeNodes& made,
                       const std::shared_ptr<runtime::Device>& device);

/// The simplified graph of a traced function, with the positions of its arguments.
struct PositionedTrace {
  Graph graph;
  std::vector<int> inputs;   // of the placeholders; -1 for one that the graph dropped
  std::vector<int> donated;  // those that may be overwritten
};
/// The arguments are the placeholders; those at the positions `donate` are donated. Error of kind value, with the name
/// `what`, if another node has no data.
PositionedTrace position_trace(std::string_view what, const Graph& taken, const DeviceInfo& device,
                               std::span<const NodePtr> placeholders, std::span<const int> donate);

/// A bound plan of the snapshot of a traced function: of position_trace().
std::unique_ptr<runtime::BoundPlan> bind_trace(std::string_view what, const Graph& taken,
                                               std::shared_ptr<runtime::Device> device,
                                               std::span<const NodePtr> placeholders, std::span<const int> donate,
                                               std::vector<RandomState> drawn);

}  // namespace tessera
