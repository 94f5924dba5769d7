// Gradients with respect to modules, and compiled steps that keep their state in objects.
#include "tessera/nn/transforms.h"

#include <algorithm>
#include <map>

#include "nn/arenas.h"
#include "nn/fail.h"
#include "nn/recorder.h"
#include "nn/restore.h"
#include "nn/start.h"
#include "nn/state_scope.h"
#include "tessera/ops.h"
#include "tessera/tracing.h"

namespace tessera::nn {

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

struct detail::CallScope::State {
  Recorder::Inside inside;
};

detail::CallScope::CallScope(const Module& module) : state_(new State{Recorder::Inside(module)}) {}
detail::CallScope::~CallScope() = default;

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

std::vector<NameLists> StateRef::together() const {
  std::vector<NameLists> all;
  if (std::holds_alternative<Tree*>(object_)) return all;
  nn::visit(*std::get<Stateful*>(object_), {}, [&](const std::string& path, const Stateful& part) {
    for (NameLists& lists : part.together()) {
      all.push_back(lists);
      if (path.empty()) continue;
      for (std::vector<std::string>& list : lists) {
        for (std::string& name : list) name.insert(0, path + ".");  // all are its own
      }
      all.push_back(std::move(lists));
    }
  });
  return all;
}

struct CompiledStep::State {
  Function step;  // of a list
  std::vector<StateRef> objects;
  CompileOptions options;
  tessera::detail::CompiledSet compiled;                                   // by what they depend on besides tensors
  std::map<std::string, std::shared_ptr<const StateLayout>> layouts = {};  // by the modes of the objects
  std::size_t made = 0;                                                    // layouts so far

  [[nodiscard]] std::vector<Tensor*> slots() const {
    std::vector<Tensor*> all;
    for (const StateRef& object : objects) {
      object.visit([&](const std::string&, Tensor& t) { all.push_back(&t); });
    }
    return all;
  }

  /// How the state is passed now.
  std::shared_ptr<const StateLayout> layout_of(const std::vector<Tensor*>& slots) {
    // In another compiled function it is part of its graph, and nothing is donated.
    const bool packs = !is_tracing() && std::ranges::none_of(slots, [](const Tensor* t) { return t->is_tracked(); });
    std::string key = std::to_string(slots.size()) + (packs ? "|arenas" : "");
    for (const StateRef& object : objects) key += "|" + object.mode();
    if (const auto it = layouts.find(key); it != layouts.end() && it->second->serves(slots)) return it->second;
    if (layouts.size() >= options.max_traces) layouts = {};
    auto layout = std::make_shared<const StateLayout>(objects, packs, std::to_string(made++) + "|" + key);
    layouts[key] = layout;
    return layout;
  }

  /// The compiled function for arguments of a structure.
  Compiled compiled_for(const tessera::detail::FlatCall& arguments, const std::shared_ptr<const StateLayout>& layout,
                        const std::function<Compiled::FormedFunction()>& make) const {
    return compiled.at(layout->key() + "|" + arguments.key, [&] {
      CompileOptions flat = tessera::detail::flat_options(options, arguments.counts, layout->passed());
      for (std::size_t i = 0; i < layout->passed(); ++i) flat.donate.push_back(static_cast<int>(i));
      // The state owns the compiled function.
      return Compiled([this, layout, function = make()](const Tensors& in) { return call(*layout, function, in); },
                      flat);
    });
  }

  /// The step as a pure function: state and arguments to results and state.
  Compiled::Formed call(const StateLayout& layout, const Compiled::FormedFunction& function, const Tensors& in) const {
    const std::vector<Tensor*> before = slots();
    const Restore restore(before);
    layout.put(before, std::span(in).first(layout.passed()));
    const StateScope scope(before);
    Compiled::Formed out = function({in.begin() + static_cast<std::ptrdiff_t>(layout.passed()), in.end()});
    if (slots() != before) {
      fail(ErrorKind::kValue,
           "compile: the step added or removed tensors of its state; the state must have all of them before the call.");
    }
    for (Tensor& t : layout.take(before)) out.results.push_back(std::move(t));
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
  const std::vector<Tensor*> slots = state_->slots();
  const std::shared_ptr<const StateLayout> layout = state_->layout_of(slots);
  const Compiled compiled = state_->compiled_for(arguments, layout, make);
  for (std::size_t i = 0; i < slots.size() && is_tracing(); ++i) {
    detail::check_write(*slots[i], "compile", "a tensor of the state of a step inside");
  }
  LentState lent(*layout, slots);
  Tensors all = lent.tensors();
  all.insert(all.end(), arguments.tensors.begin(), arguments.tensors.end());
  Compiled::Formed formed = compiled.formed(all);
  const std::size_t count = formed.results.size() - layout->passed();
  lent.replace(std::span(formed.results).subspan(count));
  formed.results.resize(count);
  return formed;
}

MemoryEstimate CompiledStep::estimate(const tessera::detail::FlatCall& arguments,
                                      const std::function<Compiled::FormedFunction()>& make) const {
  std::vector<std::pair<std::string, bool>> names;  // of the state, and whether it is a module's
  for (const StateRef& object : state_->objects) {
    const bool module = object.is_module();
    object.visit([&](const std::string& name, const Tensor&) { names.emplace_back(name, module); });
  }
  const std::vector<Tensor*> slots = state_->slots();
  const std::shared_ptr<const StateLayout> layout = state_->layout_of(slots);
  Tensors all = layout->take(slots);
  all.insert(all.end(), arguments.tensors.begin(), arguments.tensors.end());
  MemoryEstimate estimate = state_->compiled_for(arguments, layout, make).memory(all);
  constexpr std::string_view kArgument = "argument ";
  std::vector<MemoryEstimate::Holder> holders;
  for (MemoryEstimate::Holder& h : estimate.holders) {
    const std::size_t i = h.kind == "arguments" ? std::stoul(h.name.substr(kArgument.size())) : 0;
    if (h.kind != "arguments" || i >= layout->passed()) {
      if (h.kind == "arguments") h.name = std::string(kArgument) + std::to_string(i - layout->passed());
      holders.push_back(std::move(h));
      continue;
    }
    const std::vector<StateLayout::Member>& members = layout->members(i);
    for (const auto& [slot, numel] : members) {
      const auto& [name, module] = names[slot];
      const std::uint64_t bytes =
          members.size() == 1 ? h.bytes : static_cast<std::uint64_t>(numel) * size_of(all[i].dtype());
      holders.push_back({name, module ? "parameters" : "optimizer", bytes});
      estimate.arguments -= bytes;
      (module ? estimate.parameters : estimate.optimizer) += bytes;
    }
  }
  std::ranges::stable_sort(holders, std::ranges::greater(), &MemoryEstimate::Holder::bytes);
  estimate.holders = std::move(holders);
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
