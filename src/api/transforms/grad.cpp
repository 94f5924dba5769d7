// Differentiation of functions, and backward() for the history of a tensor.
#include "tessera/grad.h"

#include <algorithm>

#include "api/transforms/differentiating.h"
#include "api/transforms/draws.h"
#include "autograd/reverse.h"
#include "base/fail.h"
#include "graph/made_nodes.h"
#include "ops/autocast.h"
#include "ops/build.h"

namespace tessera {

namespace {

using autograd::reverse;
using Nodes = std::vector<NodePtr>;

Nodes nodes_of(std::string_view what, std::string_view which, const Tensors& tensors) {
  Nodes nodes;
  for (const Tensor& t : tensors) {
    if (!t.defined()) fail(ErrorKind::kValue, "{}: {} {} is an empty Tensor.", what, which, nodes.size());
    nodes.push_back(t.node());
  }
  return nodes;
}

Tensors tensors_of(const Nodes& nodes) {
  Tensors tensors;
  for (const NodePtr& n : nodes) tensors.push_back(n != nullptr ? Tensor(n) : Tensor());
  return tensors;
}

Nodes variables_of(std::string_view what, const Tensors& arguments) {
  Nodes variables;
  for (const NodePtr& n : nodes_of(what, "argument", arguments)) {
    if (!is_float(n->dtype())) {
      fail(ErrorKind::kDType, "{}: argument {} has type {}; gradients are taken with respect to floats{}.", what,
           variables.size(), name(n->dtype()), is_complex(n->dtype()) ? ", not yet to complex numbers" : "");
    }
    variables.push_back(autograd::variable(n));
  }
  return variables;
}

thread_local int differentiating = 0;

/// Variables that are retired at scope exit, with all nodes made from them.
class Scope {
 public:
  Scope(std::string_view what, const Tensors& arguments) : variables(variables_of(what, arguments)) {}
  ~Scope() { autograd::retire(variables, made); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  void add(const Nodes& nodes) {
    for (const NodePtr& n : nodes) {
      if (n != nullptr) made.push_back(n);
    }
  }

  Nodes variables;
  Nodes made;

 private:
  const Differentiating inside_;
};

void check_like(std::string_view what, std::string_view which, const Nodes& given, const Nodes& of) {
  if (given.size() != of.size())
    fail(ErrorKind::kValue, "{}: {} {} were given; {} are expected.", what, given.size(), which, of.size());
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (given[i]->shape() != of[i]->shape()) {
      fail(ErrorKind::kShape, "{}: number {} of the {} has shape {}; {} is expected.", what, i, which,
           given[i]->shape(), of[i]->shape());
    }
  }
}

NodePtr one(const NodePtr& like) { return ops::full(like->shape(), ops::scalar({1.0}, like->dtype()), like->device()); }

void check_number(std::string_view what, const NodePtr& value) {
  if (value->numel() != 1) {
    fail(ErrorKind::kShape, "{}: a result of shape {} was given; a single number is expected (sum or mean it).", what,
         value->shape());
  }
  if (!is_float(value->dtype()))
    fail(ErrorKind::kDType, "{}: the result has type {}; a float is expected.", what, name(value->dtype()));
}

}  // namespace

Differentiating::Differentiating() { ++differentiating; }
Differentiating::~Differentiating() { --differentiating; }
bool Differentiating::now() { return differentiating > 0; }

std::pair<Tensors, Tensors> vjp(const TensorFunction& f, const Tensors& arguments, const Tensors& cotangents) {
  Scope scope("vjp", arguments);
  const Nodes outputs = nodes_of("vjp", "result", f(tensors_of(scope.variables)));
  scope.add(outputs);
  const Nodes seeds = nodes_of("vjp", "cotangent", cotangents);
  check_like("vjp", "cotangents", seeds, outputs);
  const Nodes gradients = reverse(outputs, seeds, scope.variables);
  scope.add(gradients);
  return {tensors_of(outputs), tensors_of(gradients)};
}

std::pair<Tensors, Tensors> jvp(const TensorFunction& f, const Tensors& arguments, const Tensors& tangents) {
  Scope scope("jvp", arguments);
  const Nodes outputs = nodes_of("jvp", "result", f(tensors_of(scope.variables)));
  scope.add(outputs);
  const Nodes along = nodes_of("jvp", "tangent", tangents);
  check_like("jvp", "tangents", along, scope.variables);
  // The gradient is linear in the cotangents: its own gradient along the tangents is the change of f's results.
  Nodes cotangents;
  for (const NodePtr& y : outputs) {
    if (!is_float(y->dtype()))
      fail(ErrorKind::kDType, "jvp: a result has type {}; floats are expected.", name(y->dtype()));
    cotangents.push_back(autograd::variable(one(y)));
  }
  const Nodes gradients = reverse(outputs, cotangents, scope.variables);
  const Nodes changes = reverse(gradients, along, cotangents);
  scope.add(gradients);
  scope.add(changes);
  scope.variables.insert(scope.variables.end(), cotangents.begin(), cotangents.end());
  return {tensors_of(outputs), tensors_of(changes)};
}

std::pair<Tensors, Tensors> detail::value_and_grad_of_first(const TensorFunction& f, const Tensors& arguments) {
  Scope scope("value_and_grad", arguments);
  const Tensors results = f(tensors_of(scope.variables));
  for (const Tensor& t : results) scope.add({t.node()});
  const Nodes value = nodes_of("value_and_grad", "result", {results.at(0)});
  check_number("value_and_grad", value[0]);
  const Nodes gradients = reverse(value, Nodes{one(value[0])}, scope.variables);
  scope.add(gradients);
  return {results, tensors_of(gradients)};
}

void detail::check_variables(std::size_t argument, std::span<const Tensor> tensors) {
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (!tensors[i].defined() || is_float(tensors[i].dtype())) continue;
    const std::string which = tensors.size() > 1 ? fmt::format("tensor {} of argument {}", i, argument)
                                                 : fmt::format("argument {}", argument);
    fail(ErrorKind::kDType, "value_and_grad: {} has type {}; gradients are taken with respect to floats{}.", which,
         name(tensors[i].dtype()), is_complex(tensors[i].dtype()) ? ", not yet to complex numbers" : "");
  }
}

std::pair<Tensor, Tensors> value_and_grad_of(const std::function<Tensor(const Tensors&)>& f, const Tensors& arguments) {
  auto [values, gradients] =
      detail::value_and_grad_of_first([&](const Tensors& x) { return Tensors{f(x)}; }, arguments);
  return {std::move(values[0]), std::move(gradients)};
}

Tensor stop_gradient(const Tensor& x) {
  if (!x.defined()) fail(ErrorKind::kValue, "stop_gradient: an empty Tensor was given.");
  return Tensor(ops::stop_gradient(x.node()));
}

TensorFunction checkpoint(TensorFunction f) {
  return [f = std::move(f)](const Tensors& arguments) {
    const Nodes inputs = nodes_of("checkpoint", "argument", arguments);
    Nodes stopped;
    for (const NodePtr& n : inputs) stopped.push_back(ops::stop_gradient(n));
    const auto tape = std::make_shared<random::DrawTape>();  // so that both calls draw the same numbers
    const Nodes outputs = [&] {
      const random::DrawTape::Record record(*tape);
      return nodes_of("checkpoint", "result", f(tensors_of(stopped)));
    }();
    for (const NodePtr& y : outputs) {
      if (y->tracked()) {
        fail(ErrorKind::kValue,
             "checkpoint: the function uses a variable that is not among its {} arguments; hand it over as one.",
             inputs.size());
      }
    }
    const auto rule = [f, tape, low = ops::autocast_dtype()](const Gradient::Call& call) {
      const Tracking tracking;              // backward() disables it
      const ops::AutocastScope scope(low);  // and the reverse pass this
      Nodes after;
      for (const NodePtr& g : call.gradients) {
        if (g != nullptr) after.push_back(g);
      }
      Nodes again;
      Nodes variables;  // of the differentiable arguments
      for (const NodePtr& x : call.inputs) {
        NodePtr late = ops::after(x, after);
        if (is_float(x->dtype())) {
          late = autograd::variable(late);
          variables.push_back(late);
        }
        again.push_back(std::move(late));
      }
      const Nodes results = [&] {
        const random::DrawTape::Play play(*tape);
        return nodes_of("checkpoint", "result", f(tensors_of(again)));
      }();
      const Nodes gradients = reverse(results, call.gradients, variables);
      Nodes made = results;
      made.insert(made.end(), gradients.begin(), gradients.end());
      autograd::retire(variables, made);
      Nodes all(call.inputs.size());
      std::size_t next = 0;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (is_float(call.inputs[i]->dtype())) all[i] = gradients[next++];
      }
      return all;
    };
    return tensors_of(ops::with_gradient("checkpoint", inputs, outputs, rule));
  };
}

TensorFunction custom_vjp(TensorFunction f, GradientFunction gradient) {
  return [f = std::move(f), gradient = std::move(gradient)](const Tensors& arguments) {
    const Nodes inputs = nodes_of("custom_vjp", "argument", arguments);
    Nodes stopped;
    for (const NodePtr& n : inputs) stopped.push_back(ops::stop_gradient(n));
    const Nodes outputs = nodes_of("custom_vjp", "result", f(tensors_of(stopped)));
    const auto rule = [gradient, low = ops::autocast_dtype()](const Gradient::Call& call) {
      const ops::AutocastScope scope(low);
      const auto tensors = [](std::span<const NodePtr> nodes) { return tensors_of({nodes.begin(), nodes.end()}); };
      Nodes result;
      for (const Tensor& t : gradient(tensors(call.inputs), tensors(call.outputs), tensors(call.gradients)))
        result.push_back(t.node());
      return result;
    };
    return tensors_of(ops::with_gradient("custom_vjp", inputs, outputs, rule));
  };
}

NoGrad::NoGrad() : was_(enable_gradients(false)) {}
NoGrad::~NoGrad() { enable_gradients(was_); }

// ---- The style of PyTorch ----

Tensor& Tensor::requires_grad(bool on) {
  if (node_ == nullptr) fail(ErrorKind::kValue, "requires_grad: an empty Tensor was given.");
  if (!on) {
    *this = detach();
    return *this;
  }
  if (!is_float(dtype()))
    fail(ErrorKind::kDType, "requires_grad: the tensor has type {}; a float is expected{}.", name(dtype()),
         is_complex(dtype()) ? ", since complex numbers have no gradients yet" : "");
  if (node_->gradient() != nullptr && node_->gradient()->slot != nullptr && node_->tracked()) return *this;
  node_ = autograd::variable(ops::stop_gradient(node_));
  return *this;
}

bool Tensor::is_tracked() const { return node_ != nullptr && node_->tracked(); }

Tensor Tensor::detach() const {
  if (node_ == nullptr) fail(ErrorKind::kValue, "detach: an empty Tensor was given.");
  return Tensor(ops::stop_gradient(node_));
}

void Tensor::backward(const Tensor& seed, bool keep_graph) const {
  if (node_ == nullptr) fail(ErrorKind::kValue, "backward: an empty Tensor was given.");
  if (MadeNodes::noting()) {
    fail(
        ErrorKind::kValue,
        "backward: a function that compile() or scan() traces computes no values, and grad() of its variables would be "
        "missing in later calls; use value_and_grad() or grad() inside of it, and return the gradients.");
  }
  if (!node_->tracked()) {
    fail(ErrorKind::kValue,
         "backward: no variable is behind this tensor of shape {}: call requires_grad() on one before the tensor is "
         "made; a second backward() needs the first to keep the graph.",
         shape());
  }
  if (!seed.defined()) check_number("backward", node_);
  if (seed.defined() && seed.shape() != shape()) {
    fail(ErrorKind::kShape, "backward: the seed has shape {}; {} is expected.", seed.shape(), shape());
  }
  const Nodes outputs{node_};
  const Nodes variables = autograd::variables_behind(outputs);
  const NoGrad untracked;
  const Nodes gradients = reverse(outputs, Nodes{seed.defined() ? seed.node() : one(node_)}, variables);
  for (std::size_t i = 0; i < variables.size(); ++i) {
    GradientSlot& slot = *variables[i]->gradient()->slot;
    NodePtr before = gradients[i];  // destroyed outside of the lock
    const std::lock_guard lock(slot.mutex);
    if (slot.gradient != nullptr) before = slot.gradient + before;
    slot.gradient.swap(before);
  }
  const bool variable = node_->gradient() != nullptr && node_->gradient()->slot != nullptr;
  if (!keep_graph && !variable) node_->set_tracked(false);
  // Evaluated now, in one submission with the value: a pending gradient would hold its variable, which holds the
  // gradient.
  Tensors all{*this};
  for (const NodePtr& v : variables) all.emplace_back(Tensor(v).grad());
  tessera::eval(all);
}

Tensor Tensor::grad() const {
  if (node_ == nullptr || node_->gradient() == nullptr || node_->gradient()->slot == nullptr) return {};
  GradientSlot& slot = *node_->gradient()->slot;
  const std::lock_guard lock(slot.mutex);
  return slot.gradient != nullptr ? Tensor(slot.gradient) : Tensor();
}

void Tensor::zero_grad() const {
  if (node_ == nullptr || node_->gradient() == nullptr || node_->gradient()->slot == nullptr) return;
  GradientSlot& slot = *node_->gradient()->slot;
  NodePtr before;  // destroyed outside of the lock
  const std::lock_guard lock(slot.mutex);
  slot.gradient.swap(before);
}

}  // namespace tessera
