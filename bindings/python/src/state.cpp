// State that objects of Python hold: gradients with respect to it, updates, loading, and compiled steps that have it.
#include "state.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "train.h"

namespace tessera::python {

namespace {

/// A compiled step, and what its state refers to.
struct PythonStep {
  std::vector<std::unique_ptr<PythonState>> own;
  nb::list objects;
  std::unique_ptr<nn::CompiledStep> step;
};

/// Where arrays are converted to the dtype of what they replace: a GPU has no f64.
Device host() { return device_from(nb::str("cpu"), "load_state_dict"); }

/// f(arguments) while the state of the step is collected.
template <class F>
auto with_state(PythonStep& s, nb::handle arguments, const F& f) {
  const Tensors in = Call("compile").get<std::vector<Tensor>>(arguments, "arguments");
  struct Release {
    PythonStep& step;
    ~Release() {
      for (const auto& state : step.own) state->release();
    }
  };
  VariablesAside variables;
  const Release release{s};
  for (const auto& state : s.own) state->begin(variables);
  return f(in);
}

}  // namespace

nn::Stateful& stateful_of(nb::handle h) {
  if (nb::isinstance<PythonMetric>(h)) return *nb::inst_ptr<PythonMetric>(h)->metric;
  if (nb::isinstance<optim::Optimizer>(h)) return *nb::inst_ptr<optim::Optimizer>(h);
  if (nb::isinstance<optim::LossScaler>(h)) return *nb::inst_ptr<optim::LossScaler>(h);
  if (nb::isinstance<optim::Accumulator>(h)) return *nb::inst_ptr<optim::Accumulator>(h);
  return *nb::inst_ptr<optim::Ema>(h);
}

Tree tree_from(nb::handle dict, const char* what, const Device& device) {
  if (!PyDict_Check(dict.ptr())) {
    raise(PyExc_TypeError, std::string(what) + ": " + text_of(dict) + " of type " + kind_text(dict) +
                               " was given; a dict of tensors by name is expected.");
  }
  std::vector<Tree::Named> all;
  for (const auto& [key, value] : nb::borrow<nb::dict>(dict)) {
    const std::string name = nb::cast<std::string>(nb::str(key));
    all.emplace_back(name, is_tensor(value) ? tensor_ref(value) : tensor_from(value, device, what, name));
  }
  return all.empty() ? Tree() : Tree::unflatten(all);
}

nb::dict dict_of(const Tree& tree) {
  nb::dict out;
  for (const auto& [name, tensor] : tree.flatten()) out[nb::str(name.c_str())] = give(tensor);
  return out;
}

nb::list holders_of(const MemoryEstimate& estimate) {
  nb::list out;
  for (const MemoryEstimate::Holder& h : estimate.holders) out.append(nb::make_tuple(h.name, h.kind, h.bytes));
  return out;
}

PythonModule::PythonModule(nb::handle given) : given_(nb::borrow(given)) {
  kind_ = nb::cast<std::string>(nb::str(given[0]));
  for (nb::handle row : given[1]) {
    entries_.push_back({nb::cast<std::string>(nb::str(row[0])), &handle_of(row[1]), nb::cast<bool>(row[2])});
  }
}

void PythonModule::fields(nn::Fields& f) {
  for (Entry& e : entries_) {
    if (e.buffer) {
      f.buffer(e.name, e.handle->value);
    } else {
      f(e.name, e.handle->value);
    }
  }
}

void PythonModule::put_aside(VariablesAside& variables) const {
  for (const Entry& e : entries_) variables.add(*e.handle);
}

void VariablesAside::add(Handle& handle) {
  if (!handle.variable) return;
  const Tensor before = handle.value;
  handle.value = before.detach();
  handle.variable = false;
  entries_.push_back({&handle, before, handle.value});
}

VariablesAside::~VariablesAside() {
  for (Entry& e : entries_) {
    Handle& h = *e.handle;
    h.variable = true;
    if (h.value.node() == e.plain.node()) {
      h.value = e.before;
      continue;
    }
    const Tensor gradient = e.before.grad();
    if (gradient.defined()) h.kept_gradient = h.kept_gradient.defined() ? h.kept_gradient + gradient : gradient;
    h.value = h.value.detach();
    h.value.requires_grad();
  }
}

void PythonState::begin(VariablesAside& variables) {
  kept_.push_back(collect_.get()());
  for (nb::handle tensor : kept_.back()) variables.add(handle_of(tensor));
  begun_ = true;
}

void PythonState::fields(nn::Fields& f) {
  const nb::gil_scoped_acquire lock;
  if (!begun_) kept_.push_back(collect_.get()());
  begun_ = false;
  if (const std::size_t count = nb::len(kept_.back()); known_.size() != count) {
    known_ = nb::cast<std::vector<std::string>>(names_.get()());
    known_.resize(count);
  }
  auto name = known_.begin();
  for (nb::handle tensor : kept_.back()) f.buffer(*name++, handle_of(tensor).value);
}

void bind_state(nb::module_& m) {
  m.def("_nn_matches", [](const std::string& pattern, const std::string& name) { return nn::matches(pattern, name); });
  m.def("_nn_write", [](Handle& h, const Handle& value, const std::string& owner, const std::string& name) {
    nn::detail::check_write(h.value, owner, name);
    if (h.value.node() == value.value.node()) return;
    VariablesAside variables;
    variables.add(h);
    h.value = value.value;
  });
  // Other values for the time being, and the ones before.
  m.def("_nn_exchange", [](nb::handle tensors, nb::handle values) {
    Tensors next;
    for (nb::handle h : values) next.push_back(tensor_ref(h));
    nb::list before;
    std::size_t i = 0;
    for (nb::handle h : tensors) {
      Tensor& slot = handle_of(h).value;
      before.append(give(slot));
      slot = next.at(i++);
    }
    return before;
  });
  m.def("_nn_update", [](nb::handle module, nb::handle tensors) {
    PythonModule target(module);
    VariablesAside variables;
    target.put_aside(variables);
    target.update(tree_from(tensors, "update"));
  });
  m.def("_nn_load", [](nb::handle module, nb::handle tensors, bool strict) {
    PythonModule target(module);
    VariablesAside variables;
    target.put_aside(variables);
    const nn::LoadReport report = target.load(tree_from(tensors, "load_state_dict", host()), strict);
    return nb::make_tuple(nb::cast(report.missing), nb::cast(report.unexpected), nb::cast(report.mismatched));
  });
  // The function takes nothing and gives the list of one loss.
  m.def("_nn_value_and_grad", [](nb::handle module, nb::object f) {
    PythonModule target(module);
    const PythonFunction function(std::move(f));
    const auto [value, gradients] =
        nn::detail::value_and_grad_of(target, [&] { return function({}, "value_and_grad").at(0); });
    return nb::make_tuple(give(value), dict_of(gradients));
  });

  nb::class_<PythonStep>(m, "_CompiledStep")
      .def("__call__",
           [](PythonStep& s, nb::handle arguments) {
             const Tensors out = with_state(s, arguments, [&](const Tensors& in) {
               const Waiting waiting;
               return (*s.step)(in);
             });
             nb::list results;
             for (const Tensor& t : out) results.append(give(t));
             return results;
           })
      .def("memory",
           [](PythonStep& s, nb::handle arguments) {
             return holders_of(with_state(s, arguments, [&](const Tensors& in) { return s.step->memory(in); }));
           })
      .def_prop_ro("traces", [](const PythonStep& s) { return s.step->traces(); })
      .def_prop_ro("kernel_count", [](const PythonStep& s) { return s.step->kernel_count(); });
  // States are optimizers and averages, or pairs of functions that list tensors of Python and their names.
  m.def(
      "_nn_compile",
      [](nb::object f, nb::handle states, const std::vector<int>& donate) {
        auto made = std::make_unique<PythonStep>();
        std::vector<nn::StateRef> refs;
        for (nb::handle h : states) {
          made->objects.append(h);
          if (PyTuple_Check(h.ptr())) {
            made->own.push_back(std::make_unique<PythonState>(nb::borrow(h[0]), nb::borrow(h[1])));
            refs.emplace_back(*made->own.back());
          } else {
            refs.emplace_back(stateful_of(h));
          }
        }
        const PythonFunction function(std::move(f));
        made->step =
            std::make_unique<nn::CompiledStep>([function](const Tensors& x) { return function({&x}, "compile"); },
                                               std::move(refs), CompileOptions{donate});
        return made.release();
      },
      nb::rv_policy::take_ownership);
}

}  // namespace tessera::python
