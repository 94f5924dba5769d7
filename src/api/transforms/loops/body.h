// The function of a loop, called once on placeholders, and one step of its backward pass.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "api/transforms/draws.h"
#include "api/transforms/loops/loops.h"
#include "graph/gradient.h"
#include "graph/made_nodes.h"
#include "graph/node.h"
#include "runtime/device.h"

namespace tessera::loops {

using Nodes = std::vector<NodePtr>;
using DevicePtr = std::shared_ptr<runtime::Device>;

Tensors tensors_of(std::span<const NodePtr> nodes);
void append(Nodes& to, std::span<const NodePtr> nodes);
NodePtr input(DType dtype, const Shape& shape, const DevicePtr& device, std::shared_ptr<Storage> storage = nullptr);
NodePtr input_like(const NodePtr& n, const DevicePtr& device, std::shared_ptr<Storage> storage = nullptr);
NodePtr zeros_like(const NodePtr& n, DType dtype, const DevicePtr& device);
NodePtr i32(std::int64_t value);

/// all[row], read where it is: the position is part of the loads of its readers.
NodePtr read_row(const NodePtr& all, const NodePtr& row);
/// `all` with `value` as all[row], which is all that is written if `all` is donated.
NodePtr write_row(const NodePtr& all, const NodePtr& value, const NodePtr& row);

/// The function, called once on placeholders.
struct Body {
  MadeNodes made;
  random::DrawLog draws;
  // Placeholders: the state, all rows of xs, and the row of the step.
  Nodes carry;
  Nodes xs;
  NodePtr row;
  // The arguments of the function: variables, if they are floats and gradients are enabled.
  Nodes carry_in;
  Nodes x_in;
  // Its results.
  Nodes carry_out;
  Nodes ys;
  Nodes captured;  // tracked tensors that it did not make
  Nodes kept;      // values that the backward pass needs and that take long to compute
};

std::shared_ptr<Body> trace(const Loop& loop, const Tensors& carry, const Tensors& xs);

/// One step of the backward pass: from the gradients of the state after it to those of the state before it, with sums
/// for captured tensors and rows for xs.
struct BackwardStep {
  Nodes carried;  // placeholders: gradients of the float carries, the row, rows of xs, sums of captured tensors
  Nodes results;  // one for each
  Nodes others;   // placeholders: the gradients of ys
  std::vector<char> given;  // of all ys: whether it has a gradient
  std::size_t floats = 0;   // among the carry
};

/// `wanted`: of carry, xs and captured tensors. Errors of kind unsupported, as of the function itself.
BackwardStep backward_step(const Loop& loop, const Body& body, const std::vector<char>& wanted,
                           const std::vector<char>& given);

/// Decides what the backward pass will need besides the states. Without a gradient nothing is kept: the error, if there
/// is one, is that of the backward pass.
void note_kept(const Loop& loop, Body& body, const std::vector<char>& wanted);

/// Whether each of the inputs of a loop's gradient rule has a gradient.
std::vector<char> wanted_of(std::span<const NodePtr> inputs);
/// The nodes that are wanted, and gradients in the places of all inputs.
Nodes picked(std::span<const NodePtr> all, const std::vector<char>& wanted);
Nodes spread(std::span<const NodePtr> gradients, const std::vector<char>& wanted);

// ---- Gradients of an unrolled loop: f is called again for each step (unrolled.cpp) ----

/// What they need of a loop that ran.
struct Unrolling {
  Loop loop;
  std::shared_ptr<Body> body;
  random::DrawTape tape;  // the draws of all steps
};

/// The gradients of carry, xs and captured tensors, the inputs of the call, as a graph.
Nodes graph_gradients(const Unrolling& run, const Gradient::Call& call, const std::vector<char>& wanted);
/// The same for the gradient rule of a backward pass that is not a graph: it has gradients by second_gradients().
/// `gradients` are those that are wanted.
Nodes with_second_gradients(const std::shared_ptr<const Unrolling>& run, const Gradient::Call& call,
                            const std::vector<char>& wanted, const Nodes& gradients);
/// A loop whose plan cannot be replayed, as a graph; its first step was traced, and its draws are on the tape.
Scanned unrolled_again(const Unrolling& run, const Loop& loop, const Tensors& carry, const Tensors& xs);

}  // namespace tessera::loops
