// Functions of Python as functions on tensors: gradients, compilation, checkpoints, profiles and random generators.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "state.h"

namespace tessera::python {

namespace {

Tensors tensors_from(nb::handle list, std::string_view what) {
  Tensors out;
  for (nb::handle h : nb::borrow<nb::sequence>(list)) {
    if (h.is_none()) {
      out.emplace_back();
    } else if (is_tensor(h)) {
      out.push_back(tensor_ref(h));
    } else {
      out.push_back(tensor_from(h, {}, what, "result"));
    }
  }
  return out;
}

/// Measures kernels between enter and leave.
struct Profile {
  std::unique_ptr<Profiler> profiler;
  explicit Profile(const Device& device) : profiler(std::make_unique<Profiler>(device)) {}
};

Profiler& profiler_of(Profile& p) {
  if (p.profiler == nullptr) raise(PyExc_ValueError, "profile: it was closed.");
  return *p.profiler;
}

}  // namespace

std::shared_ptr<nb::object> kept(nb::object object) {
  return {new nb::object(std::move(object)), [](nb::object* o) {
            if (Py_IsInitialized() == 0) return;  // it goes with the process
            const nb::gil_scoped_acquire lock;
            delete o;
          }};
}

Tensors PythonFunction::operator()(std::initializer_list<const Tensors*> arguments, std::string_view what) const {
  const nb::gil_scoped_acquire lock;
  nb::list given;
  for (const Tensors* t : arguments) given.append(list_of(*t));
  const nb::object result = (*function_)(*given);
  return tensors_from(result, what);
}

void bind_transforms(nb::module_& m) {
  m.def("_value_and_grad", [](nb::object f, nb::handle arguments) {
    const PythonFunction function(std::move(f));
    auto [value, gradients] = value_and_grad_of(
        [&](const Tensors& x) {
          Tensors out = function({&x}, "grad");
          return out.at(0);
        },
        tensors_from(arguments, "grad"));
    return nb::make_tuple(give(value), list_of(gradients));
  });
  m.def("_vjp", [](nb::object f, nb::handle arguments, nb::object cotangents) {
    const PythonFunction function(std::move(f));
    const auto [results, gradients] = vjp([&](const Tensors& x) { return function({&x}, "vjp"); },
                                          tensors_from(arguments, "vjp"), tensors_from(cotangents, "vjp"));
    return nb::make_tuple(list_of(results), list_of(gradients));
  });
  m.def("_jvp", [](nb::object f, nb::handle arguments, nb::handle tangents) {
    const PythonFunction function(std::move(f));
    const auto [results, changes] = jvp([&](const Tensors& x) { return function({&x}, "jvp"); },
                                        tensors_from(arguments, "jvp"), tensors_from(tangents, "jvp"));
    return nb::make_tuple(list_of(results), list_of(changes));
  });
  m.def("_checkpoint", [](nb::object f, nb::handle arguments) {
    const PythonFunction function(std::move(f));
    return list_of(checkpoint([function](const Tensors& x) { return function({&x}, "checkpoint"); })(
        tensors_from(arguments, "checkpoint")));
  });
  m.def("_custom_vjp", [](nb::object f, nb::object gradient, nb::handle arguments) {
    const PythonFunction function(std::move(f));
    const PythonFunction rule(std::move(gradient));
    return list_of(custom_vjp([function](const Tensors& x) { return function({&x}, "custom_vjp"); },
                              [rule](const Tensors& x, const Tensors& y, const Tensors& g) {
                                return rule({&x, &y, &g}, "custom_vjp");
                              })(tensors_from(arguments, "custom_vjp")));
  });
  m.def(
      "stop_gradient", [](nb::handle x) { return give(stop_gradient(tensor_from(x, {}, "stop_gradient", "x"))); },
      nb::arg("x"), nb::sig("def stop_gradient(x: TensorLike) -> Tensor"),
      "The same value; no gradient passes through it.");

  nb::class_<NoGrad>(m, "_NoGrad");
  m.def("_no_grad", [] { return std::make_unique<NoGrad>().release(); }, nb::rv_policy::take_ownership);
  nb::class_<Autocast>(m, "_Autocast");
  m.def("_autocasting", [] { return Autocast::dtype().has_value(); });
  m.def(
      "_autocast",
      [](nb::handle dtype) {
        return std::make_unique<Autocast>(Call("autocast").get<std::optional<DType>>(dtype, "dtype")).release();
      },
      nb::rv_policy::take_ownership, nb::arg("dtype").none());

  nb::class_<Compiled>(m, "_Compiled")
      .def("__call__",
           [](const Compiled& c, nb::handle arguments) {
             const Tensors in = tensors_from(arguments, "compile");
             Tensors out;
             {
               const Waiting waiting;
               out = c(in);
             }
             return list_of(out);
           })
      .def("memory", [](const Compiled& c,
                        nb::handle arguments) { return holders_of(c.memory(tensors_from(arguments, "compile"))); })
      .def_prop_ro("traces", &Compiled::traces)
      .def_prop_ro("kernel_count", &Compiled::kernel_count);
  // Dynamic axes are (argument, axis, name).
  m.def("_compile", [](nb::object f, const std::vector<int>& donate,
                       const std::vector<std::tuple<int, int, std::string>>& dynamic_axes) {
    const PythonFunction function(std::move(f));
    CompileOptions options{.donate = donate};
    for (const auto& [argument, axis, name] : dynamic_axes) options.dynamic_axes.push_back({argument, axis, name});
    return compile([function](const Tensors& x) { return function({&x}, "compile"); }, std::move(options));
  });

  // The function receives the lists carry and x, and returns the carry and then ys in one list.
  m.def(
      "_scan",
      [](nb::object f, nb::handle carry, nb::handle xs, std::optional<std::int64_t> length, bool reverse,
         std::int64_t checkpoint_every, std::int64_t unroll) {
        const PythonFunction function(std::move(f));
        const Tensors start = tensors_from(carry, "scan");
        const Tensors rows = tensors_from(xs, "scan");
        const auto step = [function](const Tensors& c, const Tensors& x) {
          Tensors all = function({&c, &x}, "scan");
          const auto split = all.begin() + static_cast<std::ptrdiff_t>(std::min(c.size(), all.size()));
          return Scanned{Tensors(all.begin(), split), Tensors(split, all.end())};
        };
        Scanned out;
        {
          const Waiting waiting;
          out = scan(step, start, rows, {length, reverse, checkpoint_every, unroll});
        }
        return nb::make_tuple(list_of(out.carry), list_of(out.ys));
      },
      nb::arg("f"), nb::arg("carry"), nb::arg("xs"), nb::arg("length").none(), nb::arg("reverse"),
      nb::arg("checkpoint_every"), nb::arg("unroll"));
  // The function receives the list of the step's number and the list carry. The number of steps is one, or a tensor.
  m.def("_loop", [](nb::handle n, nb::object f, nb::handle carry, std::int64_t checkpoint_every, std::int64_t unroll) {
    const PythonFunction function(std::move(f));
    const Tensors start = tensors_from(carry, "loop");
    const auto step = [function](const Tensor& number, const Tensors& c) {
      const Tensors numbers{number};
      return function({&numbers, &c}, "loop");
    };
    const Tensor steps = is_tensor(n) ? tensor_ref(n) : Tensor();
    const auto count = steps.defined() ? 0 : nb::cast<std::int64_t>(n);
    Tensors out;
    {
      const Waiting waiting;
      const LoopOptions options{checkpoint_every, unroll};
      out = steps.defined() ? loop(steps, step, start, options) : loop(count, step, start, options);
    }
    return list_of(out);
  });

  nb::class_<Profile>(m, "_Profile")
      .def("records",
           [](Profile& p) {
             nb::list out;
             Profiler& profiler = profiler_of(p);
             const std::vector<KernelRecord>* records = nullptr;
             {
               const Waiting waiting;
               records = &profiler.records();
             }
             for (const KernelRecord& r : *records) {
               nb::dict d;
               d["label"] = r.label;
               d["start_us"] = r.start_us;
               d["duration_us"] = r.duration_us;
               d["bytes"] = r.bytes;
               d["bytes_written"] = r.written;
               d["flops"] = r.flops;
               d["where"] = r.where;
               out.append(d);
             }
             return out;
           })
      .def("table",
           [](Profile& p) {
             Profiler& profiler = profiler_of(p);
             const Waiting waiting;
             return profiler.table();
           })
      .def("write_trace",
           [](Profile& p, const std::string& path) {
             Profiler& profiler = profiler_of(p);
             const Waiting waiting;
             profiler.write_trace(path);
           })
      .def("peak_bytes", [](Profile& p) { return profiler_of(p).peak().bytes; })
      .def("stop", [](Profile& p) { p.profiler.reset(); });
  m.def(
      "_profile",
      [](nb::handle device) {
        Device on = device_from(device, "profile");
        if (on.impl() == nullptr) on = Device::current();
        return Profile(on);
      },
      nb::arg("device").none());

  m.def("_set_seed", [](std::uint64_t seed) { random::set_seed(seed); });
  m.def("_random_state", [] {
    const random::RandomState s = random::state();
    return std::pair(s.seed, s.position);
  });
  m.def("_set_random_state",
        [](const std::pair<std::uint64_t, std::uint64_t>& state) { random::set_state({state.first, state.second}); });
  nb::class_<random::Generator>(m, "Generator", "A sequence of draws of its own: the same seed gives the same numbers.")
      .def(nb::init<std::uint64_t>(), nb::arg("seed"))
      .def("split", &random::Generator::split, "A generator whose sequence is independent of this one's.")
      .def_prop_ro("seed", &random::Generator::seed)
      .def(
          "get_state",
          [](const random::Generator& g) {
            const random::RandomState s = g.state();
            return std::pair(s.seed, s.position);
          },
          "Its seed and its position: with set_state(), the same draws follow again.")
      .def(
          "set_state",
          [](random::Generator& g, const std::pair<std::uint64_t, std::uint64_t>& state) {
            g.set_state({state.first, state.second});
          },
          nb::arg("state"), "Continues from a state of get_state().");
  nb::class_<random::Use>(m, "_Use");
  m.def("_use", [](const random::Generator& g) { return new random::Use(g); }, nb::rv_policy::take_ownership);

  m.def("_read_async", [](const Handle& h, nb::object done) {
    const PythonFunction callback(std::move(done));
    const Tensor x = h.value;
    check_process();
    read_all(std::span(&x, 1)).then([callback](Async<std::vector<std::vector<std::byte>>> finished) {
      nb::gil_scoped_acquire lock;
      try {
        const auto bytes = finished.get();
        callback.get()(nb::bytes(bytes[0].data(), bytes[0].size()), nb::none());
      } catch (nb::python_error& e) {
        e.discard_as_unraisable("tessera: the end of a read");
      } catch (const Error& e) {
        callback.get()(nb::none(), nb::make_tuple(class_of(e), std::string(e.what())));
      }
    });
  });
  m.def("_poll", [](const Device& d) { poll(d); });

  m.def("_explain", [](const Handle& h) {
    const Explanation e = explain(h.value);
    nb::list kernels;
    for (const KernelText& k : e.kernels) kernels.append(nb::make_tuple(k.label, k.text, k.wgsl));
    return nb::make_tuple(e.graph, kernels);
  });
  m.def("_catalog", [] {
    nb::list out;
    for (const OpInfo& op : op_catalog()) out.append(op.name);
    return out;
  });
  m.def("_catalog_rows", [] {
    nb::list out;
    for (const OpInfo& op : op_catalog()) out.append(nb::make_tuple(op.name, op.family, op.gradient));
    return out;
  });
}

}  // namespace tessera::python
