// Visits the tracked nodes behind the outputs in reverse topological order, and accumulates their gradients.
#include "autograd/reverse.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "autograd/rules.h"
#include "base/fail.h"
#include "graph/node_log.h"
#include "graph/op.h"
#include "graph/op_name.h"
#include "ops/autocast.h"
#include "ops/build.h"

namespace tessera::autograd {

namespace {

/// The unit of one step: a node, or the results of one gradient rule or of one custom call.
struct Unit {
  std::vector<NodePtr> nodes;  // those that were visited
  std::shared_ptr<const Node::Inputs> inputs;
  const Gradient* rule = nullptr;
  const CustomCall* call = nullptr;
  bool needed = false;  // depends on a variable
};

class Walk {
 public:
  /// Ends at the nodes `ends`: their inputs are not visited.
  explicit Walk(std::span<const NodePtr> outputs, const std::unordered_set<const Node*>& ends = {}) {
    std::vector<int> order;
    for (const NodePtr& o : outputs) visit(o, ends, order);
    position_.resize(pool_.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
      position_[static_cast<std::size_t>(order[k])] = static_cast<int>(k);
      units.push_back(std::move(pool_[static_cast<std::size_t>(order[k])]));
    }
  }

  /// Units in topological order.
  std::vector<Unit> units;

  /// The index of the node's unit; -1 if it was not visited.
  [[nodiscard]] int position(const Node* node) const {
    const auto it = unit_of_.find(node);
    return it == unit_of_.end() ? -1 : position_[static_cast<std::size_t>(it->second)];
  }

 private:
  static const void* key_of(const Node& n) {
    if (n.gradient() != nullptr && n.gradient()->slot == nullptr) return n.gradient().get();
    if (n.op() == Op::kCustom) return n.custom().call.get();
    return &n;
  }

  void visit(const NodePtr& root, const std::unordered_set<const Node*>& ends, std::vector<int>& order) {
    struct Frame {
      int unit;
      std::size_t next;
    };
    std::vector<Frame> stack;
    const auto enter = [&](const NodePtr& n) {
      if (!n->tracked()) return;
      const auto [it, fresh] = by_key_.emplace(key_of(*n), static_cast<int>(pool_.size()));
      if (!unit_of_.contains(n.get())) {
        unit_of_[n.get()] = it->second;
        if (!fresh) pool_[static_cast<std::size_t>(it->second)].nodes.push_back(n);
      }
      if (!fresh) return;
      Unit unit;
      unit.nodes = {n};
      if (ends.contains(n.get())) {
        unit.inputs = nullptr;
      } else if (n->gradient() != nullptr && n->gradient()->slot == nullptr) {
        unit.rule = n->gradient().get();
        unit.inputs = unit.rule->inputs;
      } else {
        unit.inputs = n->inputs();
        if (n->op() == Op::kCustom) unit.call = n->custom().call.get();
      }
      pool_.push_back(std::move(unit));
      stack.push_back({it->second, 0});
    };
    enter(root);
    while (!stack.empty()) {
      const int at = stack.back().unit;
      const auto inputs = pool_[static_cast<std::size_t>(at)].inputs;
      if (inputs != nullptr && stack.back().next < inputs->size()) {
        enter((*inputs)[stack.back().next++]);
        continue;
      }
      order.push_back(at);
      stack.pop_back();
    }
  }

  std::vector<Unit> pool_;
  std::vector<int> position_;  // in `units`
  std::unordered_map<const void*, int> by_key_;
  std::unordered_map<const Node*, int> unit_of_;
};

class Pass {
 public:
  Pass(std::span<const NodePtr> outputs, std::span<const NodePtr> variables)
      : wanted_(pointers_to(variables)), walk_(outputs, wanted_) {
    for (Unit& u : walk_.units) {
      for (const NodePtr& n : u.nodes) u.needed = u.needed || wanted_.contains(n.get());
      if (u.inputs == nullptr) continue;
      for (const NodePtr& in : *u.inputs) {
        const int p = walk_.position(in.get());
        u.needed = u.needed || (p >= 0 && walk_.units[static_cast<std::size_t>(p)].needed);
      }
    }
  }

  void run(std::span<const NodePtr> outputs, std::span<const NodePtr> seeds) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (seeds[i] != nullptr) add(outputs[i], seeds[i]);
    }
    for (std::size_t k = walk_.units.size(); k-- > 0;) {
      const Unit& u = walk_.units[k];
      if (!u.needed || u.inputs == nullptr) continue;
      if (std::none_of(u.nodes.begin(), u.nodes.end(),
                       [&](const NodePtr& n) { return gradient_of(n.get()) != nullptr; }))
        continue;
      pass_unit(u);
    }
  }

  [[nodiscard]] NodePtr gradient_of(const Node* node) const {
    const auto it = gradients_.find(node);
    return it == gradients_.end() ? nullptr : it->second;
  }
  [[nodiscard]] bool depends(const NodePtr& variable) const { return walk_.position(variable.get()) >= 0; }
  [[nodiscard]] const std::string& blocked() const { return blocked_; }

 private:
  void add(const NodePtr& node, const NodePtr& gradient) {
    NodePtr g = gradient;
    if (g->dtype() != node->dtype() || g->op() == Op::kScalar) g = ops::cast(g, node->dtype());
    if (g->shape() != node->shape()) {
      if (g->numel() != node->numel())
        g = ops::broadcast_to(g, node->shape());
      else
        g = ops::reshape(g, node->shape());
    }
    NodePtr& sum = gradients_[node.get()];
    sum = sum == nullptr ? g : sum + g;
  }

  static std::unordered_set<const Node*> pointers_to(std::span<const NodePtr> nodes) {
    std::unordered_set<const Node*> result;
    for (const NodePtr& n : nodes) result.insert(n.get());
    return result;
  }

  void block(std::string_view name) {
    if (blocked_.empty()) blocked_ = name;
  }

  void pass_unit(const Unit& u) {
    const NodeLog::GradientOf scope(*u.nodes[0], u.rule != nullptr ? &u.rule->name : nullptr);
    const Node::Inputs& inputs = *u.inputs;
    std::vector<NodePtr> passed;
    for (const NodePtr& in : inputs) {  // an error, unlike for integers: the gradient would be wrong
      const int p = is_complex(in->dtype()) ? walk_.position(in.get()) : -1;
      if (p < 0 || !walk_.units[static_cast<std::size_t>(p)].needed) continue;
      fail(ErrorKind::kUnsupported, "A gradient came to the result of {}, of type {}; complex numbers have none yet.",
           op_name(in->op()), name(in->dtype()));
    }
    if (u.rule != nullptr) {
      if (!u.rule->function) return block(u.rule->name);
      passed = by_outputs(
          u, u.rule->outputs.size(), [&](std::size_t i) { return u.rule->outputs[i].lock(); },
          [&](auto outputs, auto gradients) { return u.rule->function({inputs, outputs, gradients}); });
      check_rule(u.rule->name, inputs, passed);
    } else if (u.call != nullptr) {
      const CustomKernel& kernel = *u.call->kernel;
      if (!kernel.gradient) return block(kernel.name);
      passed = by_outputs(
          u, u.call->outputs.size(), [&](std::size_t i) { return result_of(u, inputs, i); },
          [&](auto outputs, auto gradients) { return kernel.gradient({inputs, outputs, gradients, u.call->params}); });
      check_rule(kernel.name, inputs, passed);
    } else {
      Passed p = pass(u.nodes[0], inputs, gradient_of(u.nodes[0].get()));
      if (!p.known) return block(op_name(u.nodes[0]->op()));
      passed = std::move(p.gradients);
    }
    for (std::size_t i = 0; i < passed.size(); ++i) {
      if (passed[i] == nullptr) continue;
      const int p = walk_.position(inputs[i].get());
      if (p < 0 || !walk_.units[static_cast<std::size_t>(p)].needed) continue;
      if (!is_float(inputs[i]->dtype())) {
        block(op_name(inputs[i]->op()));
        continue;
      }
      add(inputs[i], passed[i]);
    }
  }

  template <class Output, class Rule>
  std::vector<NodePtr> by_outputs(const Unit& u, std::size_t count, Output output, Rule rule) {
    std::vector<NodePtr> outputs(count);
    std::vector<NodePtr> gradients(count);
    for (std::size_t i = 0; i < count; ++i) {
      outputs[i] = output(i);
      if (outputs[i] != nullptr) gradients[i] = gradient_of(outputs[i].get());
    }
    for (const NodePtr& n : u.nodes) {  // a result that was created again
      if (n->op() != Op::kCustom) continue;
      const auto i = static_cast<std::size_t>(n->custom().output);
      if (gradients[i] == nullptr) gradients[i] = gradient_of(n.get());
    }
    return rule(std::span<const NodePtr>(outputs), std::span<const NodePtr>(gradients));
  }

  static NodePtr result_of(const Unit& u, const Node::Inputs& inputs, std::size_t i) {
    if (NodePtr held = u.call->results[i].lock(); held != nullptr) return held;
    const TensorSpec& t = u.call->outputs[i];
    const Node& sibling = *u.nodes[0];
    return std::make_shared<const Node>(Op::kCustom, t.dtype, t.shape, sibling.device(), inputs,
                                        CustomResult{sibling.custom().call, static_cast<int>(i)});
  }

  static void check_rule(const std::string& name, const Node::Inputs& inputs, const std::vector<NodePtr>& passed) {
    if (passed.size() != inputs.size()) {
      fail(ErrorKind::kValue, "The gradient function of {} gave {} gradients; it has {} inputs.", name, passed.size(),
           inputs.size());
    }
    for (std::size_t i = 0; i < passed.size(); ++i) {
      if (passed[i] != nullptr && passed[i]->shape() != inputs[i]->shape() && passed[i]->shape().rank() != 0) {
        fail(ErrorKind::kShape, "The gradient function of {} gave a gradient of shape {} for input {}, which has {}.",
             name, passed[i]->shape(), i, inputs[i]->shape());
      }
    }
  }

  std::unordered_set<const Node*> wanted_;
  Walk walk_;
  std::unordered_map<const Node*, NodePtr> gradients_;
  std::string blocked_;
};

}  // namespace

NodePtr variable(const NodePtr& x) {
  const auto gradient = std::make_shared<Gradient>();
  gradient->name = "variable";
  gradient->inputs = std::make_shared<const Node::Inputs>();
  gradient->slot = std::make_shared<GradientSlot>();
  const bool was = enable_gradients(true);
  auto node =
      std::make_shared<const Node>(Op::kMark, x->dtype(), x->shape(), x->device(), Node::Inputs{x}, Attrs{}, gradient);
  enable_gradients(was);
  return node;
}

Reached reverse_to(std::span<const NodePtr> outputs, std::span<const NodePtr> seeds,
                   std::span<const NodePtr> variables) {
  const ops::AutocastScope as_forward(std::nullopt);  // gradients have the dtypes of the forward pass
  Pass pass(outputs, variables);
  pass.run(outputs, seeds);
  Reached result;
  for (const NodePtr& v : variables) {
    result.gradients.push_back(pass.gradient_of(v.get()));
    const bool blocked = result.gradients.back() == nullptr && pass.depends(v);
    result.blocked.push_back(blocked ? pass.blocked() : std::string());
  }
  return result;
}

NodePtr gradient_or_zeros(const Reached& reached, std::size_t i, const NodePtr& variable) {
  if (reached.gradients[i] != nullptr) return reached.gradients[i];
  if (!reached.blocked[i].empty()) {
    fail(ErrorKind::kUnsupported, "{} has no gradient, and the result depends on a variable only through it.",
         reached.blocked[i]);
  }
  return ops::full(variable->shape(), ops::scalar({0.0}, variable->dtype()), variable->device());
}

std::vector<NodePtr> reverse(std::span<const NodePtr> outputs, std::span<const NodePtr> seeds,
                             std::span<const NodePtr> variables) {
  const Reached reached = reverse_to(outputs, seeds, variables);
  std::vector<NodePtr> result;
  for (std::size_t i = 0; i < variables.size(); ++i) result.push_back(gradient_or_zeros(reached, i, variables[i]));
  return result;
}

std::vector<NodePtr> captured_by(std::span<const NodePtr> outputs, const MadeNodes& made) {
  std::vector<NodePtr> result;
  std::unordered_set<const Node*> seen;
  std::vector<NodePtr> stack(outputs.begin(), outputs.end());
  while (!stack.empty()) {
    const NodePtr node = std::move(stack.back());
    stack.pop_back();
    if (!node->tracked() || !seen.insert(node.get()).second) continue;
    if (!made.contains(node.get())) {
      result.push_back(node);
      continue;
    }
    const bool rule = node->gradient() != nullptr && node->gradient()->slot == nullptr;
    const auto inputs = rule ? node->gradient()->inputs : node->inputs();
    if (inputs != nullptr) stack.insert(stack.end(), inputs->begin(), inputs->end());
  }
  return result;
}

std::vector<NodePtr> variables_behind(std::span<const NodePtr> outputs) {
  const Walk walk(outputs);
  std::vector<NodePtr> result;
  for (const Unit& u : walk.units) {
    if (u.nodes[0]->gradient() != nullptr && u.nodes[0]->gradient()->slot != nullptr) result.push_back(u.nodes[0]);
  }
  return result;
}

void retire(std::span<const NodePtr> variables, std::span<const NodePtr> roots) {
  const Walk walk(roots);
  std::unordered_set<const Node*> dead;  // the variables, and what follows from them alone
  for (const NodePtr& v : variables) dead.insert(v.get());
  for (const NodePtr& v : variables) {
    const auto inputs = v->inputs();
    v->set_tracked(inputs != nullptr && !inputs->empty() && (*inputs)[0]->tracked());
  }
  for (const Unit& u : walk.units) {
    if (u.inputs == nullptr) continue;
    const bool alive = std::any_of(u.inputs->begin(), u.inputs->end(), [](const NodePtr& n) { return n->tracked(); });
    if (alive) continue;
    for (const NodePtr& n : u.nodes) {
      // A variable inside of another function, such as a checkpoint's, ends with what it was made from.
      const bool leaf = n->gradient() != nullptr && n->gradient()->slot != nullptr;
      const bool follows =
          std::any_of(u.inputs->begin(), u.inputs->end(), [&](const NodePtr& in) { return dead.contains(in.get()); });
      if (leaf && !follows && !dead.contains(n.get())) continue;
      n->set_tracked(false);
      dead.insert(n.get());
    }
  }
}

}  // namespace tessera::autograd
