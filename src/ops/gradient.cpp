// Marks: identity nodes with a gradient rule.
#include "ops/gradient.h"

#include <algorithm>

#include "graph/op.h"

namespace tessera::ops {

namespace {

NodePtr mark(const NodePtr& x, std::shared_ptr<const Gradient> gradient) {
  return std::make_shared<const Node>(Op::kMark, x->dtype(), x->shape(), x->device(), Node::Inputs{x}, Attrs{},
                                      std::move(gradient));
}

}  // namespace

std::vector<NodePtr> with_gradient(std::string name, std::vector<NodePtr> inputs, std::span<const NodePtr> outputs,
                                   Gradient::Function function) {
  std::vector<NodePtr> results(outputs.begin(), outputs.end());
  const bool any = std::any_of(inputs.begin(), inputs.end(), [](const NodePtr& n) { return n->tracked(); });
  if (!any || !gradients_enabled()) return results;
  const auto rule = std::make_shared<Gradient>();
  rule->name = std::move(name);
  rule->inputs = std::make_shared<const Node::Inputs>(std::move(inputs));
  rule->function = std::move(function);
  for (NodePtr& r : results) r = mark(r, rule);
  rule->outputs.assign(results.begin(), results.end());
  return results;
}

NodePtr with_gradient(std::string name, std::vector<NodePtr> inputs, const NodePtr& output,
                      Gradient::Function function) {
  return with_gradient(std::move(name), std::move(inputs), std::span(&output, 1), std::move(function))[0];
}

NodePtr with_elementwise_gradient(std::string name, std::vector<NodePtr> inputs, const NodePtr& output,
                                  Gradient::Function function) {
  for (NodePtr& in : inputs) {
    if (in->tracked()) in = broadcast_to(cast(in, output->dtype()), output->shape());
  }
  return with_gradient(std::move(name), std::move(inputs), output,
                       [function = std::move(function)](const Gradient::Call& call) {
                         std::vector<NodePtr> result = function(call);
                         for (std::size_t i = 0; i < result.size(); ++i) {
                           if (!call.inputs[i]->tracked()) result[i] = nullptr;
                         }
                         return result;
                       });
}

NodePtr root_of_sum(const NodePtr& x, double power) {
  const NodePtr root = power == 0.5 ? elementwise(Op::kSqrt, {x}) : elementwise(Op::kPower, {x, number(power)});
  return with_gradient("root", {x}, root, [power](const Gradient::Call& call) -> std::vector<NodePtr> {
    const NodePtr& value = power == 0.5 ? call.outputs[0] : call.inputs[0];
    const NodePtr zero = elementwise(Op::kEqual, {value, number(0)});
    const NodePtr of = elementwise(Op::kWhere, {zero, number(1), value});
    const NodePtr slope = power == 0.5 ? call.gradients[0] * 0.5 / of
                                       : call.gradients[0] * power * elementwise(Op::kPower, {of, number(power - 1)});
    return {elementwise(Op::kWhere, {zero, number(0), slope})};
  });
}

NodePtr stop_gradient(const NodePtr& x) {
  if (!x->tracked()) return x;
  NodePtr result = mark(x, nullptr);
  result->set_tracked(false);
  return result;
}

NodePtr after(const NodePtr& x, std::span<const NodePtr> others) {
  Node::Inputs inputs{x};
  inputs.insert(inputs.end(), others.begin(), others.end());
  return std::make_shared<const Node>(Op::kMark, x->dtype(), x->shape(), x->device(), std::move(inputs));
}

}  // namespace tessera::ops
