// Optimizers, schedules, clipping and averages for Python.
#include <map>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "state.h"

namespace tessera::python {

namespace {

using optim::Optimizer;
using optim::Schedule;

struct ScheduleObject {
  Schedule function;
};

/// A schedule, or a function of Python that takes the number of updates.
Schedule schedule_from(nb::handle h) {
  if (nb::isinstance<ScheduleObject>(h)) return nb::inst_ptr<ScheduleObject>(h)->function;
  const PythonFunction function(nb::borrow(h));
  return [function](const Tensor& step) {
    const nb::gil_scoped_acquire lock;
    const nb::object rate = function.get()(give(step));
    return tensor_from(rate, step.device(), "schedule", "result");
  };
}

std::vector<std::string> texts_from(nb::handle h, const std::string& what) {
  std::vector<std::string> out;
  if (PyUnicode_Check(h.ptr()) || !PySequence_Check(h.ptr())) {
    raise(PyExc_TypeError, what + " is " + text_of(h) + "; a list of patterns such as ['*.bias'] is expected.");
  }
  for (nb::handle each : nb::borrow<nb::sequence>(h)) out.push_back(nb::cast<std::string>(nb::str(each)));
  return out;
}

/// Options by name: what is not given stays as it is, and a name that the optimizer does not have is an Error.
class Reader {
 public:
  Reader(const char* kind, nb::handle given) : kind_(kind), given_(nb::borrow<nb::dict>(given)) {}
  void finish() const {
    for (const auto& [key, value] : given_) {
      const std::string name = nb::cast<std::string>(nb::str(key));
      if (("," + known_ + ",").find("," + name + ",") != std::string::npos) continue;
      std::string listed;
      for (const char c : known_) listed += c == ',' ? std::string(", ") : std::string(1, c);
      raise(PyExc_TypeError,
            std::string(kind_) + ": the option '" + name + "' was given; one of " + listed + " is expected.");
    }
  }
  template <class T>
  void operator()(const char* name, T& field) {
    if (const nb::object value = find(name); value.is_valid()) field = Call(kind_).get<T>(value, name);
  }
  void operator()(const char* name, optim::Rate& rate) {
    const nb::object value = find(name);
    if (!value.is_valid()) return;
    if (nb::isinstance<ScheduleObject>(value) || PyCallable_Check(value.ptr()) != 0) {
      rate = schedule_from(value);
    } else {
      rate = Call(kind_).get<double>(value, name);
    }
  }
  void operator()(const char* name, std::vector<std::string>& patterns) {
    if (const nb::object value = find(name); value.is_valid()) {
      patterns = texts_from(value, std::string(kind_) + ": the argument '" + name + "'");
    }
  }
  void pair(const char* name, double& first, double& second) {
    const nb::object value = find(name);
    if (!value.is_valid()) return;
    const auto both = Call(kind_).get<std::vector<double>>(value, name);
    if (both.size() != 2) {
      raise(PyExc_ValueError, std::string(kind_) + ": the argument '" + name + "' has " + std::to_string(both.size()) +
                                  " numbers; two are expected.");
    }
    first = both[0];
    second = both[1];
  }
  nb::object find(const char* name) {
    known_ += (known_.empty() ? "" : ",") + std::string(name);
    return given_.contains(name) ? nb::object(given_[name]) : nb::object();
  }

 private:
  const char* kind_;
  nb::dict given_;
  std::string known_;
};

template <class O>
void read_common(Reader& r, O& o) {
  r("lr", o.lr);
  r("weight_decay", o.weight_decay);
  r("no_decay", o.no_decay);
}
template <class O>
void read_adam(Reader& r, O& o) {
  read_common(r, o);
  r.pair("betas", o.beta1, o.beta2);
  if constexpr (requires { o.eps; }) r("eps", o.eps);
  if constexpr (requires { o.amsgrad; }) r("amsgrad", o.amsgrad);
  if constexpr (requires { o.momentum_decay; }) r("momentum_decay", o.momentum_decay);
  if constexpr (requires { o.decoupled_weight_decay; }) r("decoupled_weight_decay", o.decoupled_weight_decay);
}

void read(Reader& r, optim::SgdOptions& o) {
  read_common(r, o);
  r("momentum", o.momentum);
  r("dampening", o.dampening);
  r("nesterov", o.nesterov);
}
void read(Reader& r, optim::AdamOptions& o) { read_adam(r, o); }
void read(Reader& r, optim::AdamWOptions& o) { read_adam(r, o); }
void read(Reader& r, optim::AdamaxOptions& o) { read_adam(r, o); }
void read(Reader& r, optim::NAdamOptions& o) { read_adam(r, o); }
void read(Reader& r, optim::RAdamOptions& o) { read_adam(r, o); }
void read(Reader& r, optim::LionOptions& o) { read_adam(r, o); }
void read(Reader& r, optim::RMSpropOptions& o) {
  read_common(r, o);
  r("alpha", o.alpha);
  r("eps", o.eps);
  r("momentum", o.momentum);
  r("centered", o.centered);
}
void read(Reader& r, optim::AdagradOptions& o) {
  read_common(r, o);
  r("lr_decay", o.lr_decay);
  r("initial_accumulator_value", o.initial_accumulator_value);
  r("eps", o.eps);
}
void read(Reader& r, optim::AdadeltaOptions& o) {
  read_common(r, o);
  r("rho", o.rho);
  r("eps", o.eps);
}
void read(Reader& r, optim::AdafactorOptions& o) {
  read_common(r, o);
  r("beta2_decay", o.beta2_decay);
  r.pair("eps", o.eps1, o.eps2);
  r("d", o.d);
}

using MakeOptimizer =
    std::function<Optimizer*(const char* kind, const optim::Parameters&, nb::handle options, nb::handle groups)>;

/// Options of a group are those of the optimizer except for what the group has itself.
template <class O, class OptionsOf>
MakeOptimizer made_with_groups() {
  return [](const char* kind, const optim::Parameters& parameters, nb::handle given, nb::handle groups) {
    OptionsOf options;
    Reader reader(kind, given);
    read(reader, options);
    reader.finish();
    std::vector<optim::Group<OptionsOf>> others;
    for (const auto& [pattern, own] : nb::borrow<nb::dict>(groups)) {
      OptionsOf other = options;
      Reader inner(kind, own);
      read(inner, other);
      inner.finish();
      others.push_back({nb::cast<std::string>(nb::str(pattern)), std::move(other)});
    }
    return static_cast<Optimizer*>(new O(parameters, std::move(options), std::move(others)));
  };
}

Optimizer* make_muon(const char* kind, const optim::Parameters& parameters, nb::handle given, nb::handle groups) {
  static_cast<void>(groups);  // Python has none for it
  optim::MuonOptions o;
  Reader r(kind, given);
  read_common(r, o);
  r("momentum", o.momentum);
  r("nesterov", o.nesterov);
  r("eps", o.eps);
  r("ns_steps", o.ns_steps);
  if (const nb::object scale = r.find("adjust_lr_fn"); scale.is_valid()) {
    o.scale = Call(kind).choose<optim::MuonScale>(scale, "adjust_lr_fn", {"original", "match_rms_adamw"});
  }
  r("use_adamw", o.use_adamw);
  if (const nb::object adamw = r.find("adamw"); adamw.is_valid()) {
    Reader inner("Muon: adamw", adamw);
    read(inner, o.adamw);
    inner.finish();
  }
  r.finish();
  return new optim::Muon(parameters, std::move(o));
}

const std::map<std::string, MakeOptimizer, std::less<>>& optimizer_makers() {
  using namespace optim;
  static const auto& all = *new std::map<std::string, MakeOptimizer, std::less<>>{
      {"SGD", made_with_groups<SGD, SgdOptions>()},
      {"Adam", made_with_groups<Adam, AdamOptions>()},
      {"AdamW", made_with_groups<AdamW, AdamWOptions>()},
      {"Adamax", made_with_groups<Adamax, AdamaxOptions>()},
      {"NAdam", made_with_groups<NAdam, NAdamOptions>()},
      {"RAdam", made_with_groups<RAdam, RAdamOptions>()},
      {"RMSprop", made_with_groups<RMSprop, RMSpropOptions>()},
      {"Adagrad", made_with_groups<Adagrad, AdagradOptions>()},
      {"Adadelta", made_with_groups<Adadelta, AdadeltaOptions>()},
      {"Adafactor", made_with_groups<Adafactor, AdafactorOptions>()},
      {"Lion", made_with_groups<Lion, LionOptions>()},
      {"Muon", make_muon},
  };
  return all;
}

/// A copy with state of its own.
template <class... O>
Optimizer* copy_of(const Optimizer& o) {
  Optimizer* copy = nullptr;
  const auto attempt = [&]<class T>(const T* found) {
    if (found != nullptr) copy = new T(*found);
  };
  (attempt(dynamic_cast<const O*>(&o)), ...);
  return copy;
}

ScheduleObject object_of(Schedule s) { return {std::move(s)}; }

}  // namespace

void bind_optimizers(nb::module_& m) {
  nb::class_<ScheduleObject>(m, "Schedule",
                             "A learning rate as a function of the number of updates so far: a tensor of rank 0.")
      .def("__call__", [](const ScheduleObject& s, nb::handle step) {
        const Tensor at = tensor_from(step, {}, "Schedule", "step").astype(f32);
        return give(s.function(at));
      });
  m.def("_optim_constant", [](double rate) { return object_of(optim::constant(rate)); });
  m.def("_optim_step_decay",
        [](double rate, std::int64_t every, double gamma) { return object_of(optim::step_decay(rate, every, gamma)); });
  m.def("_optim_multistep", [](double rate, const std::vector<std::int64_t>& milestones, double gamma) {
    return object_of(optim::multistep(rate, milestones, gamma));
  });
  m.def("_optim_exponential", [](double rate, double gamma) { return object_of(optim::exponential(rate, gamma)); });
  m.def("_optim_cosine", [](double rate, std::int64_t steps, double minimum, std::int64_t warmup) {
    return object_of(optim::cosine(rate, steps, {.minimum = minimum, .warmup = warmup}));
  });
  m.def("_optim_cosine_restarts", [](double rate, std::int64_t first, std::int64_t factor, double minimum) {
    return object_of(optim::cosine_restarts(rate, first, factor, minimum));
  });
  m.def("_optim_linear",
        [](double from, double to, std::int64_t steps) { return object_of(optim::linear(from, to, steps)); });
  m.def("_optim_polynomial",
        [](double rate, std::int64_t steps, double power) { return object_of(optim::polynomial(rate, steps, power)); });
  m.def("_optim_one_cycle", [](double max, std::int64_t steps, double start, double divide, double last, bool linear) {
    return object_of(
        optim::one_cycle(max, steps, {.start = start, .divide = divide, .final_div = last, .linear = linear}));
  });
  m.def("_optim_inverse_sqrt",
        [](double rate, std::int64_t warmup) { return object_of(optim::inverse_sqrt(rate, warmup)); });
  m.def("_optim_join", [](nb::handle schedules, const std::vector<std::int64_t>& boundaries) {
    std::vector<Schedule> all;
    for (nb::handle h : nb::borrow<nb::sequence>(schedules)) all.push_back(schedule_from(h));
    return object_of(optim::join(std::move(all), boundaries));
  });

  nb::class_<Optimizer>(m, "_Optimizer")
      .def("__deepcopy__",
           [](const Optimizer& o, nb::handle) {
             using namespace optim;
             Optimizer* copy =
                 copy_of<SGD, Adam, AdamW, Adamax, NAdam, RAdam, RMSprop, Adagrad, Adadelta, Adafactor, Lion, Muon>(o);
             return nb::cast(copy, nb::rv_policy::take_ownership);
           })
      .def(
          "update",
          [](Optimizer& o, nb::handle module, nb::handle gradients, nb::handle when) {
            PythonModule target(module);
            VariablesAside variables;
            target.put_aside(variables);
            o.update(target, tree_from(gradients, "update"),
                     when.is_none() ? Tensor() : tensor_from(when, {}, "update", "when"));
          },
          nb::arg("module"), nb::arg("gradients"), nb::arg("when").none())
      .def("add", [](Optimizer& o, nb::handle module) { o.add(PythonModule(module)); })
      .def("steps", [](const Optimizer& o) { return give(o.steps()); })
      .def("groups", &Optimizer::groups)
      .def("rate", [](const Optimizer& o, std::size_t group) { return give(o.rate(group)); })
      .def("set_rate", &Optimizer::set_rate)
      .def("state", [](const Optimizer& o) { return dict_of(nn::state_of(o)); })
      .def("set_state", [](Optimizer& o, nb::handle state) { nn::set_state(o, tree_from(state, "load_state_dict")); })
      .def("to", [](Optimizer& o, nb::handle device) {
        const Device on = device_from(device, "Optimizer.to");
        const Waiting waiting;
        nn::move_to(o, on);
      });
  m.def("_optim_make", [](const std::string& kind, nb::handle module, nb::handle options, nb::handle groups) {
    const auto found = optimizer_makers().find(kind);
    if (found == optimizer_makers().end()) raise(PyExc_ValueError, "There is no optimizer '" + kind + "'.");
    const PythonModule target(module);
    VariablesAside variables;
    target.put_aside(variables);
    return nb::cast(found->second(kind.c_str(), target, options, groups), nb::rv_policy::take_ownership);
  });

  nb::class_<optim::Shards>(m, "_Shards")
      .def(
          "__init__",
          [](optim::Shards* self, nb::handle parameters, nb::handle group, nb::handle bucket_bytes, nb::handle wire) {
            const Tree tree = tree_from(parameters, "Shards");
            distributed::GradientOptions options{.bucket_bytes = integer_from(bucket_bytes, "Shards", "bucket_bytes")};
            if (!wire.is_none()) options.wire = dtype_from(wire, "Shards");
            const distributed::Group of = group_from(group).value_or(distributed::Group());
            const Waiting waiting;
            new (self) optim::Shards(tree, of, options);
          },
          nb::arg(), nb::arg().none(), nb::arg(), nb::arg().none())
      .def("parameters", [](const optim::Shards& s) { return dict_of(s.parameters().tree); });

  nb::class_<optim::Ema>(m, "_Ema")
      .def("__init__",
           [](optim::Ema* self, nb::handle module, double decay) {
             const PythonModule target(module);
             VariablesAside variables;
             target.put_aside(variables);
             new (self) optim::Ema(target, decay);
           })
      .def("__deepcopy__", [](const optim::Ema& e, nb::handle) { return optim::Ema(e); })
      .def("update",
           [](optim::Ema& e, nb::handle module) {
             const PythonModule target(module);
             VariablesAside variables;
             target.put_aside(variables);
             e.update(target);
           })
      .def("parameters", [](const optim::Ema& e) { return dict_of(e.parameters()); })
      .def("swap",
           [](optim::Ema& e, nb::handle module) {
             PythonModule target(module);
             VariablesAside variables;
             target.put_aside(variables);
             e.swap(target);
           })
      .def("state", [](const optim::Ema& e) { return dict_of(nn::state_of(e)); })
      .def("set_state", [](optim::Ema& e, nb::handle state) { nn::set_state(e, tree_from(state, "load_state_dict")); });

  nb::class_<optim::LossScaler>(m, "_LossScaler")
      .def(
          "__init__",
          [](optim::LossScaler* self, double init_scale, double growth_factor, double backoff_factor,
             int growth_interval, nb::handle device) {
            const Device on = device.is_none() ? Device() : device_from(device, "LossScaler");
            new (self) optim::LossScaler({.init_scale = init_scale,
                                          .growth_factor = growth_factor,
                                          .backoff_factor = backoff_factor,
                                          .growth_interval = growth_interval},
                                         on);
          },
          nb::arg("init_scale"), nb::arg("growth_factor"), nb::arg("backoff_factor"), nb::arg("growth_interval"),
          nb::arg("device").none())
      .def("__deepcopy__", [](const optim::LossScaler& s, nb::handle) { return optim::LossScaler(s); })
      .def("scale", [](const optim::LossScaler& s,
                       nb::handle loss) { return give(s.scale(tensor_from(loss, {}, "LossScaler.scale", "loss"))); })
      .def("unscale",
           [](const optim::LossScaler& s, nb::handle gradients) {
             const optim::UnscaledGradients u = s.unscale(tree_from(gradients, "LossScaler.unscale"));
             return nb::make_tuple(dict_of(u.gradients), give(u.finite));
           })
      // With unscaled gradients and whether they were finite.
      .def("update",
           [](optim::LossScaler& s, Optimizer& optimizer, nb::handle module, nb::handle gradients, nb::handle finite) {
             PythonModule target(module);
             VariablesAside variables;
             target.put_aside(variables);
             const Tree tree = tree_from(gradients, "LossScaler.update");
             const optim::UnscaledGradients unscaled{tree, tensor_from(finite, {}, "LossScaler.update", "finite")};
             return give(s.update(optimizer, target, unscaled));
           })
      .def("factor", [](const optim::LossScaler& s) { return give(s.factor()); })
      .def("skipped", [](const optim::LossScaler& s) { return give(s.skipped()); })
      .def("state", [](const optim::LossScaler& s) { return dict_of(nn::state_of(s)); })
      .def("set_state",
           [](optim::LossScaler& s, nb::handle state) { nn::set_state(s, tree_from(state, "load_state_dict")); });

  nb::class_<optim::Accumulator>(m, "_Accumulator")
      .def("__init__",
           [](optim::Accumulator* self, nb::handle module) {
             const PythonModule target(module);
             VariablesAside variables;
             target.put_aside(variables);
             new (self) optim::Accumulator(target);
           })
      .def("__deepcopy__", [](const optim::Accumulator& a, nb::handle) { return optim::Accumulator(a); })
      .def("add", [](optim::Accumulator& a, nb::handle gradients) { a.add(tree_from(gradients, "Accumulator.add")); })
      .def("take", [](optim::Accumulator& a) { return dict_of(a.take()); })
      .def("count", [](const optim::Accumulator& a) { return give(a.count()); })
      .def("state", [](const optim::Accumulator& a) { return dict_of(nn::state_of(a)); })
      .def("set_state",
           [](optim::Accumulator& a, nb::handle state) { nn::set_state(a, tree_from(state, "load_state_dict")); });

  nb::class_<optim::ReduceOnPlateau>(m, "_ReduceOnPlateau")
      .def("__init__",
           [](optim::ReduceOnPlateau* self, bool maximize, double factor, int patience, double threshold, bool relative,
              int cooldown, double minimum, double eps) {
             new (self) optim::ReduceOnPlateau({.maximize = maximize,
                                                .factor = factor,
                                                .patience = patience,
                                                .threshold = threshold,
                                                .relative = relative,
                                                .cooldown = cooldown,
                                                .minimum = minimum,
                                                .eps = eps});
           })
      .def("step", [](optim::ReduceOnPlateau& r, double metric, Optimizer& optimizer) {
        const Waiting waiting;
        return r.step(metric, optimizer);
      });

  m.def("_optim_clip_grad_norm", [](nb::handle gradients, double max_norm) {
    const optim::ClippedGradients clipped = optim::clip_grad_norm(tree_from(gradients, "clip_grad_norm"), max_norm);
    return nb::make_tuple(dict_of(clipped.gradients), give(clipped.norm));
  });
  m.def("_optim_clip_grad_value", [](nb::handle gradients, double limit) {
    return dict_of(optim::clip_grad_value(tree_from(gradients, "clip_grad_value"), limit));
  });
}

}  // namespace tessera::python
