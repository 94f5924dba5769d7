// Loops as graphs: the function is called for each step, and so is its gradient.
#include <algorithm>
#include <optional>

#include "api/transforms/differentiating.h"
#include "api/transforms/loops/body.h"
#include "api/transforms/traced.h"
#include "autograd/reverse.h"
#include "graph/gradient.h"
#include "ops/build.h"

namespace tessera::loops {

namespace {

/// The loop as a graph, with variables in place of carry and xs.
struct Graphed {
  Nodes created;    // variables
  Nodes variables;  // of carry, xs and captured tensors; captured ones are their own
  Nodes outputs;    // carry and ys
};

Graphed graph_of(const Unrolling& run, std::span<const NodePtr> inputs) {
  Graphed g;
  const std::size_t given = run.body->carry.size() + run.body->xs.size();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const bool variable = i < given && is_float(inputs[i]->dtype());
    g.variables.push_back(variable ? autograd::variable(inputs[i]) : inputs[i]);
    if (variable) g.created.push_back(g.variables.back());
  }
  const std::span<const NodePtr> all = g.variables;
  const random::DrawTape::Play play(run.tape);
  const Scanned result = unrolled(run.loop, tensors_of(all.first(run.body->carry.size())),
                                  tensors_of(all.subspan(run.body->carry.size(), run.body->xs.size())));
  g.outputs = nodes_of(result.carry);
  append(g.outputs, nodes_of(result.ys));
  return g;
}

}  // namespace

Nodes graph_gradients(const Unrolling& run, const Gradient::Call& call, const std::vector<char>& wanted) {
  const Tracking tracking;
  Graphed g = graph_of(run, call.inputs);
  const Nodes gradients = autograd::reverse(g.outputs, call.gradients, picked(g.variables, wanted));
  append(g.outputs, gradients);
  autograd::retire(g.created, g.outputs);
  return spread(gradients, wanted);
}

namespace {

/// The gradients of the backward pass. Its inputs are those of the loop, then the gradients that were `given`.
Nodes second_gradients(const Unrolling& run, const Gradient::Call& call, const std::vector<char>& wanted,
                       const std::vector<char>& given) {
  const Tracking tracking;
  Graphed g = graph_of(run, call.inputs.first(wanted.size()));
  Nodes seeds;
  for (const NodePtr& n : call.inputs.subspan(wanted.size())) seeds.push_back(autograd::variable(n));
  const Nodes first = autograd::reverse(g.outputs, spread(seeds, given), picked(g.variables, wanted));
  append(g.variables, seeds);
  append(g.created, seeds);
  std::vector<char> floats;
  for (const NodePtr& n : g.variables) floats.push_back(is_float(n->dtype()) ? 1 : 0);
  const Nodes gradients = autograd::reverse(first, call.gradients, picked(g.variables, floats));
  Nodes made = g.outputs;
  append(made, first);
  append(made, gradients);
  autograd::retire(g.created, made);
  return spread(gradients, floats);
}

}  // namespace

Nodes with_second_gradients(const std::shared_ptr<const Unrolling>& run, const Gradient::Call& call,
                            const std::vector<char>& wanted, const Nodes& gradients) {
  std::vector<char> given;
  Nodes inputs(call.inputs.begin(), call.inputs.end());
  for (const NodePtr& g : call.gradients) {
    given.push_back(g != nullptr ? 1 : 0);
    if (g != nullptr) inputs.push_back(g);
  }
  return spread(ops::with_gradient("the backward pass of a loop", std::move(inputs), gradients,
                                   [run, wanted, given](const Gradient::Call& second) {
                                     return second_gradients(*run, second, wanted, given);
                                   }),
                wanted);
}

Scanned unrolled_again(const Unrolling& run, const Loop& loop, const Tensors& carry, const Tensors& xs) {
  Loop repeated = loop;
  repeated.step = [&loop, &run, first = true](const Tensor& row, const Tensors& c, const Tensors& x) mutable {
    std::optional<random::DrawTape::Rehearse> again;  // tapes around it have these draws already
    if (first) again.emplace(run.tape);
    first = false;
    return loop.step(row, c, x);
  };
  return unrolled(repeated, carry, xs);
}

}  // namespace tessera::loops
