// Kernels in WGSL from Python, with a gradient in Python.
#include <nanobind/stl/vector.h>

#include "python.h"

namespace tessera::python {

namespace {

WgslSize size_from(nb::handle h) {
  WgslSize out;
  std::uint32_t* parts[] = {&out.x, &out.y, &out.z};
  std::size_t i = 0;
  if (PyLong_Check(h.ptr())) {
    out.x = nb::cast<std::uint32_t>(h);
    return out;
  }
  for (nb::handle v : nb::borrow<nb::sequence>(h)) {
    if (i == 3) raise(PyExc_ValueError, "wgsl_kernel: a size has more than three numbers.");
    *parts[i++] = nb::cast<std::uint32_t>(v);
  }
  return out;
}

/// Floats are f32 in the shader, whole numbers i32.
WgslParams params_from(nb::handle dict) {
  WgslParams out;
  for (auto [key, value] : nb::borrow<nb::dict>(dict)) {
    const std::string name = nb::cast<std::string>(key);
    if (PyFloat_Check(value.ptr())) {
      out.push_back({name, nb::cast<double>(value)});
    } else if (PyLong_Check(value.ptr())) {
      out.push_back({name, static_cast<std::int32_t>(integer_from(value, "wgsl_kernel", name))});
    } else {
      raise(PyExc_TypeError, "wgsl_kernel: the parameter '" + name + "' is " + text_of(value) + " of type " +
                                 kind_text(value) + "; a float or an integer is expected.");
    }
  }
  return out;
}

nb::dict dict_of(const WgslParams& params) {
  nb::dict out;
  for (const WgslParam& p : params) {
    out[p.name.c_str()] = p.value.dtype() == f32 ? nb::object(nb::float_(p.value[0]))
                                                 : nb::object(nb::int_(static_cast<std::int64_t>(p.value[0])));
  }
  return out;
}

nb::list shapes_of(std::span<const Shape> shapes) {
  nb::list out;
  for (const Shape& s : shapes) out.append(give(s));
  return out;
}

}  // namespace

void bind_wgsl(nb::module_& m) {
  nb::class_<WgslKernel>(m, "_WgslKernel")
      .def("__call__", [](const WgslKernel& k, nb::handle inputs, nb::handle params) {
        std::vector<Tensor> in;
        for (nb::handle h : nb::borrow<nb::sequence>(inputs)) in.push_back(tensor_from(h, {}, "wgsl_kernel", "input"));
        return list_of(k(in, params_from(params)));
      });
  m.def(
      "_wgsl_kernel",
      [](const std::string& name, const std::string& source, nb::handle inputs, nb::handle outputs, nb::handle params,
         nb::handle workgroup_size, nb::handle grid, nb::object gradient, nb::object cpu, bool strided) {
        WgslDefinition d;
        d.name = name;
        d.source = source;
        for (nb::handle i : nb::borrow<nb::sequence>(inputs)) {
          std::optional<DType> type;
          if (!i[1].is_none()) type = dtype_from(i[1], "wgsl_kernel: the type of an input");
          d.inputs.emplace_back(nb::cast<std::string>(i[0]), type);
        }
        for (nb::handle o : nb::borrow<nb::sequence>(outputs)) {
          std::optional<DType> type;
          if (!o[1].is_none()) type = dtype_from(o[1], "wgsl_kernel: the type of an output");
          WgslOutput::AnyShape shape;
          if (nb::object given = o[2]; PyCallable_Check(given.ptr()) != 0) {
            const PythonFunction f(given);
            shape = [f](std::span<const Shape> in) {
              const nb::gil_scoped_acquire lock;
              return shape_from(f.get()(*shapes_of(in)), "wgsl_kernel");
            };
          } else if (!given.is_none()) {
            shape = shape_from(given, "wgsl_kernel");
          }
          d.outputs.emplace_back(nb::cast<std::string>(o[0]), type, shape);
        }
        d.params = params_from(params);
        d.strided = strided;
        if (!workgroup_size.is_none()) d.workgroup_size = size_from(workgroup_size);
        if (!grid.is_none()) d.grid = size_from(grid);
        if (!gradient.is_none()) {
          const PythonFunction f(std::move(gradient));
          d.gradient = [f](const WgslGradient& g) {
            const nb::gil_scoped_acquire lock;
            const nb::object result =
                f.get()(list_of(g.inputs), list_of(g.outputs), list_of(g.gradients), dict_of(g.params));
            std::vector<Tensor> out;
            for (nb::handle h : nb::borrow<nb::sequence>(result)) {
              out.push_back(h.is_none() ? Tensor() : tensor_from(h, {}, "wgsl_kernel", "gradient"));
            }
            return out;
          };
        }
        if (!cpu.is_none()) {
          const PythonFunction f(std::move(cpu));
          d.cpu = [f](const WgslHostCall& call) {
            const nb::gil_scoped_acquire lock;
            nb::list in;
            nb::list out;
            for (std::size_t i = 0; i < call.inputs.size(); ++i) {
              in.append(
                  nb::make_tuple(nb::bytes(call.inputs[i].data(), call.inputs[i].size()), give(call.input_shapes[i])));
            }
            for (std::size_t i = 0; i < call.outputs.size(); ++i) {
              nb::object view =
                  nb::steal(PyMemoryView_FromMemory(reinterpret_cast<char*>(call.outputs[i].data()),
                                                    static_cast<Py_ssize_t>(call.outputs[i].size()), PyBUF_WRITE));
              out.append(nb::make_tuple(view, give(call.output_shapes[i])));
            }
            f.get()(in, out, dict_of(call.params));
            for (nb::handle o : out) o[0].attr("release")();
          };
        }
        return WgslKernel(std::move(d));
      },
      nb::arg("name"), nb::arg("source"), nb::arg("inputs"), nb::arg("outputs"), nb::arg("params"),
      nb::arg("workgroup_size").none(), nb::arg("grid").none(), nb::arg("gradient").none(), nb::arg("cpu").none(),
      nb::arg("strided"));
}

}  // namespace tessera::python
