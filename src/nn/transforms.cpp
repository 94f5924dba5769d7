// Gradients with respect to modules, and compiled steps that keep their state in objects.
#include "tessera/nn/transforms.h"

#include <algorithm>
#include <map>

#include "nn/fail.h"
#include "nn/restore.h"
#include "nn/start.h"
#include "nn/state_scope.h"
#include "tessera/ops.h"
#include "tessera/tracing.h"

namespace tessera::nn {

namespace {

/// A tensor of its own with the same elements.
Tensor copy_of(const Tensor& x) {
  const Shape shape = x.shape();
  Shape longer{1};
  for (const std::int64_t size : shape) longer.push_back(size);
  const Tensor view = x.reshape(longer).eval();
  return view.reshape(shape);
}

}  // namespace

Tensor functional_call(Module& module, const Tree& tensors, const std::function<Tensor()>& f) {
  std::map<std::string, Tensor> given;
  for (auto& [name, tensor] : tensors.flatten()) given.emplace(name, tensor);
  std::vector<Tensor*> slots;
  Tensors values;
  nn::visit(module, [&](const Field& field) {
    const auto it = given.find(field.name);
    if (it == given.end()) return;
    slots.push_back(&field.tensor);
    values.push_back(it->second);
    given.erase(it);
  });
  if (!given.empty()) {
    fail(ErrorKind::kValue, "functional_call: '{}' was given, and {} has no tensor of that name.", given.begin()->first,
         module.kind());
  }
  const Restore restore(slots);
  const StateScope scope(slots, false);
  for (std::size_t i = 0; i < slots.size(); ++i) *slots[i] = values[i];
  return f();
}

struct detail::WriteScope::State {
  StateScope scope;
};

detail::WriteScope::WriteScope(Stateful& object) {
  std::vector<Tensor*> slots;
  nn::visit(object, [&](const Field& field) { slots.push_back(&field.tensor); });
  state_ = std::unique_ptr<State>(new State{StateScope(slots)});
}
detail::WriteScope::~WriteScope() = default;

std::pair<Tensor, Tree> detail::value_and_grad_of(Module& model, const std::function<Tensor()>& f) {
  std::vector<std::string> names;
  std::vector<Tensor*> slots;
  nn::visit(model, [&](const Field& field) {
    if (!field.trainable || !is_float(field.tensor.dtype())) return;
    names.push_back(field.name);
    slots.push_back(&field.tensor);
  });
  if (slots.empty()) {
    fail(ErrorKind::kValue, "value_and_grad: {} has no trainable parameters.", model.kind());
  }
  for (std::size_t i = 0; i < slots.size() && is_compiling(); ++i) {
    if (StateScope::has(slots[i])) continue;
    fail(ErrorKind::kValue,
         "value_and_grad: '{}' of {} is a constant of the compiled function, which does not have the module in its "
         "state: its gradient would be that of the same old value at every call. Pass the module as state: "
         "compile(step, model, optimizer), or compile(step, state=[model, optimizer]) in Python.",
         names[i], model.kind());
  }
  const Restore restore(slots);
  auto [value, gradients] = tessera::value_and_grad_of(
      [&](const Tensors& variables) {
        for (std::size_t i = 0; i < slots.size(); ++i) *slots[i] = variables[i];
        return f();
      },
      restore.before());
  nn::visit(model, [](const Field& field) {
    if (field.kind == FieldKind::kBuffer) detach(field.tensor);
  });
  std::vector<Tree::Named> named;
  for (std::size_t i = 0; i < names.size(); ++i) named.emplace_back(names[i], gradients[i]);
  return {std::move(value), Tree::unflatten(named)};
}

void detail::start(Module& model, Tensors tensors) {
  nn::visit(model, [&](const Field& field) {
    if (field.kind == FieldKind::kBuffer) tensors.push_back(field.tensor);
  });
  std::erase_if(tensors, [](const Tensor& t) { return !t.defined(); });
  start_unless_recorded(tensors);
}

void StateRef::visit(const std::function<void(const std::string&, Tensor&)>& f) const {
  if (Tree* const* tree = std::get_if<Tree*>(&object_)) return (*tree)->visit(f);
  nn::visit(*std::get<Stateful*>(object_), [&](const Field& field) { f(field.name, field.tensor); });
}

bool StateRef::is_module() const {
  Stateful* const* object = std::get_if<Stateful*>(&object_);
  return object == nullptr || dynamic_cast<Module*>(*object) != nullptr;
}

std::string StateRef::mode() const {
  if (std::holds_alternative<Tree*>(object_)) return {};
  std::string text;
  nn::visit(*std::get<Stateful*>(object_), {},
            [&](const std::string&, const Stateful& part) { text += part.mode() + ";"; });
  return text;
}

struct CompiledStep::State {
  Function step;  // of a list
  std::vector<StateRef> objects;
  CompileOptions options;
  tessera::detail::CompiledSet compiled;  // by what they depend on besides tensors

  [[nodiscard]] std::vector<Tensor*> slots() const {
    std::vector<Tensor*> all;
    for (const StateRef& object : objects) {
      object.visit([&](const std::string&, Tensor& t) { all.push_back(&t); });
    }
    return all;
  }

  /// The compiled function for arguments of a structure and for the modes of the objects.
  Compiled compiled_for(const tessera::detail::FlatCall& arguments, std::size_t slot_count,
                        const std::function<Compiled::FormedFunction()>& make) const {
    std::string key = std::to_string(slot_count);
    for (const StateRef& object : objects) key += "|" + object.mode();
    return compiled.at(key + "|" + arguments.key, [&] {
      CompileOptions flat = tessera::detail::flat_options(options, arguments.counts, slot_count);
      for (std::size_t i = 0; i < slot_count; ++i) flat.donate.push_back(static_cast<int>(i));
      // The state owns the compiled function.
      return Compiled([this, function = make()](const Tensors& in) { return call(function, in); }, flat);
    });
  }

  /// The step as a pure function: state and arguments to results and state.
  Compiled::Formed call(const Compiled::FormedFunction& function, const Tensors& in) const {
    const std::vector<Tensor*> before = slots();
    const Restore restore(before);
    for (std::size_t i = 0; i < before.size(); ++i) *before[i] = in[i];
    const StateScope scope(before);
    Compiled::Formed out = function({in.begin() + static_cast<std::ptrdiff_t>(before.size()), in.end()});
    if (slots() != before) {
      fail(ErrorKind::kValue,
           "compile: the step added or removed tensors of its state; the state must have all of them before the call.");
    }
    for (const Tensor* s : before) out.results.push_back(*s);
    return out;
  }
};

CompiledStep::CompiledStep(std::vector<StateRef> state, CompileOptions options)
    : state_(std::make_shared<State>(
          State{{}, std::move(state), options, tessera::detail::CompiledSet(options.max_traces)})) {}

CompiledStep::CompiledStep(Function step, std::vector<StateRef> state, CompileOptions options)
    : CompiledStep(std::move(state), std::move(options)) {
  state_->step = std::move(step);
}

Compiled::Formed CompiledStep::formed(const tessera::detail::FlatCall& arguments,
                                      const std::function<Compiled::FormedFunction()>& make) const {
  State& own = *state_;
  const std::vector<Tensor*> slots = own.slots();
  const Compiled compiled = own.compiled_for(arguments, slots.size(), make);
  Tensors all;
  all.reserve(slots.size() + arguments.tensors.size());
  for (const Tensor* s : slots) all.push_back(*s);
  if (is_tracing()) {  // inside another compiled function: part of its graph, and nothing is donated
    for (const Tensor* s : slots) detail::check_write(*s, "compile", "a tensor of the state of a step inside");
  } else {
    for (std::size_t i = 0; i < slots.size(); ++i) {
      // The member's handle and ours. A tensor that others hold is not donated: it is copied.
      if (all[i].node().use_count() > 2 && !all[i].is_tracked()) all[i] = copy_of(all[i]);
    }
  }
  all.insert(all.end(), arguments.tensors.begin(), arguments.tensors.end());
  Compiled::Formed formed = compiled.formed(all);
  const std::size_t count = formed.results.size() - slots.size();
  for (std::size_t i = 0; i < slots.size(); ++i) *slots[i] = std::move(formed.results[count + i]);
  formed.results.resize(count);
  return formed;
}

MemoryEstimate CompiledStep::estimate(const tessera::detail::FlatCall& arguments,
                                      const std::function<Compiled::FormedFunction()>& make) const {
  std::vector<std::pair<std::string, bool>> names;  // of the state, and whether it is a module's
  Tensors all;
  for (const StateRef& object : state_->objects) {
    const bool module = object.is_module();
    object.visit([&](const std::string& name, const Tensor& t) {
      names.emplace_back(name, module);
      all.push_back(t);
    });
  }
  all.insert(all.end(), arguments.tensors.begin(), arguments.tensors.end());
  MemoryEstimate estimate = state_->compiled_for(arguments, names.size(), make).memory(all);
  constexpr std::string_view kArgument = "argument ";
  for (MemoryEstimate::Holder& h : estimate.holders) {
    if (h.kind != "arguments") continue;
    const std::size_t i = std::stoul(h.name.substr(kArgument.size()));
    if (i >= names.size()) {
      h.name = std::string(kArgument) + std::to_string(i - names.size());
      continue;
    }
    h.name = names[i].first;
    h.kind = names[i].second ? "parameters" : "optimizer";
    estimate.arguments -= h.bytes;
    (names[i].second ? estimate.parameters : estimate.optimizer) += h.bytes;
  }
  return estimate;
}

namespace {

/// Donated arguments are positions in the list.
tessera::detail::FlatCall flat_list(const Tensors& arguments) {
  tessera::detail::FlatCall flat(arguments);
  flat.counts.assign(arguments.size(), 1);
  return flat;
}

}  // namespace

Compiled::FormedFunction CompiledStep::list_function() const {
  return [state = state_.get()](const Tensors& in) { return Compiled::Formed{state->step(in)}; };
}

Tensors CompiledStep::operator()(const Tensors& arguments) const {
  return formed(flat_list(arguments), [&] { return list_function(); }).results;
}

MemoryEstimate CompiledStep::memory(const Tensors& arguments) const {
  return estimate(flat_list(arguments), [&] { return list_function(); });
}

std::size_t CompiledStep::traces() const { return state_->compiled.traces(); }
std::size_t CompiledStep::kernel_count() const { return state_->compiled.kernel_count(); }

}  // namespace tessera::nn
