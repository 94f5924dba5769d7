// The class Tensor: operators, comparisons, conversions to numbers, brackets, properties and gradients.
#include <nanobind/stl/optional.h>

#include "python.h"

namespace tessera::python {

namespace {

PyTypeObject* tensor_type = nullptr;
thread_local int untracked_depth = 0;

using Unary = Tensor (*)(const Tensor&);
using Binary = Tensor (*)(const Tensor&, const Tensor&);

nb::object not_implemented() { return nb::borrow(Py_NotImplemented); }

/// Two operands, of which at least one is a tensor; none where the other is nothing like one.
std::optional<std::pair<Tensor, Tensor>> operands(PyObject* a, PyObject* b) {
  const bool first = is_tensor(a);
  if (first && is_tensor(b)) return std::pair(tensor_ref(a), tensor_ref(b));
  const nb::handle other = first ? b : a;
  if (!like_tensor(other)) return std::nullopt;
  const Tensor& own = tensor_ref(first ? a : b);
  Tensor made = tensor_from(other, own.node() != nullptr ? own.device() : Device(), "an operator", "operand");
  return first ? std::pair(own, std::move(made)) : std::pair(std::move(made), own);
}

template <Binary F>
PyObject* binary(PyObject* a, PyObject* b) {
  return guarded([&] {
    auto both = operands(a, b);
    return both ? give(F(both->first, both->second)) : not_implemented();
  });
}
template <Binary F>
PyObject* in_place(PyObject* a, PyObject* b) {
  return guarded([&] {
    auto both = operands(a, b);
    if (!both || !is_tensor(a)) return not_implemented();
    handle_of(a).assign(F(both->first, both->second), "an operation in place");
    return nb::borrow(a);
  });
}
template <Unary F>
PyObject* unary(PyObject* a) {
  return guarded([&] { return give(F(tensor_ref(a))); });
}

PyObject* power_of(PyObject* a, PyObject* b, PyObject* modulus) {
  if (modulus != Py_None) return guarded([] { return not_implemented(); });
  return binary<power>(a, b);
}
PyObject* power_in_place(PyObject* a, PyObject* b, PyObject* modulus) {
  if (modulus != Py_None) return guarded([] { return not_implemented(); });
  return in_place<power>(a, b);
}
PyObject* divmod(PyObject* a, PyObject* b) {
  return guarded([&]() -> nb::object {
    auto both = operands(a, b);
    if (!both) return not_implemented();
    return nb::make_tuple(give(floor_divide(both->first, both->second)), give(remainder(both->first, both->second)));
  });
}
/// Bitwise on integers, logical on bool, as the standard has it.
PyObject* invert(PyObject* a) {
  return guarded([&] {
    const Tensor& x = tensor_ref(a);
    return give(x.dtype() == boolean ? logical_not(x) : bitwise_not(x));
  });
}

PyObject* compare(PyObject* a, PyObject* b, int how) {
  return guarded([&] {
    auto both = operands(a, b);
    if (!both) return not_implemented();
    constexpr Binary kOps[] = {less, less_equal, equal, not_equal, greater, greater_equal};
    return give(kOps[how](both->first, both->second));
  });
}

/// The one element.
nb::object item(const Tensor& x, std::string_view what) {
  if (x.numel() != 1) {
    raise(PyExc_ValueError, std::string(what) + ": the tensor has shape " + x.shape().str() + " and " +
                                std::to_string(x.numel()) + " elements; exactly one is expected.");
  }
  HostView view;
  {
    const Waiting waiting;
    view = host_view(x);
  }
  return element(x.dtype(), view.bytes.data());
}

int truth(PyObject* a) {
  return guarded_int([&] {
    const Tensor& x = tensor_ref(a);
    if (x.numel() != 1) {
      raise(PyExc_ValueError, "bool: a tensor of shape " + x.shape().str() +
                                  " is neither true nor false; use any() or all(), or a tensor of one element.");
    }
    return PyObject_IsTrue(item(x, "bool").ptr());
  });
}
PyObject* to_int(PyObject* a) {
  return guarded([&] { return nb::steal(PyNumber_Long(item(tensor_ref(a), "int").ptr())); });
}
PyObject* to_float(PyObject* a) {
  return guarded([&] { return nb::steal(PyNumber_Float(item(tensor_ref(a), "float").ptr())); });
}
PyObject* to_index(PyObject* a) {
  return guarded([&] {
    const Tensor& x = tensor_ref(a);
    if (!is_integer(x.dtype())) {
      raise(PyExc_TypeError,
            "A tensor of type " + std::string(name(x.dtype())) + " was used as an index; one integer is expected.");
    }
    return item(x, "an index");
  });
}
Py_ssize_t length(PyObject* a) {
  Py_ssize_t out = -1;
  const int ok = guarded_int([&] {
    const Tensor& x = tensor_ref(a);
    if (x.rank() == 0) raise(PyExc_TypeError, "len: a tensor of rank 0 has no length.");
    out = static_cast<Py_ssize_t>(x.shape()[0]);
    return 0;
  });
  return ok < 0 ? -1 : out;
}

bool has_mask(const std::vector<At>& at) {
  for (const At& a : at) {
    if (const Tensor* t = std::get_if<Tensor>(&a); t != nullptr && t->dtype() == boolean) return true;
  }
  return false;
}

/// One bool alone in the brackets, which is read: true selects all, false nothing, along a new first axis.
std::optional<bool> single_mask(const std::vector<At>& at) {
  const Tensor* t = at.size() == 1 ? std::get_if<Tensor>(at.data()) : nullptr;
  if (t == nullptr || t->dtype() != boolean || t->rank() != 0) return std::nullopt;
  return PyObject_IsTrue(item(*t, "an index").ptr()) == 1;
}

PyObject* get_item(PyObject* a, PyObject* key) {
  return guarded([&] {
    const Tensor x = tensor_ref(a);
    const std::vector<At> at = index_from(key, x);
    if (const auto mask = single_mask(at)) {
      const Tensor whole = expand_dims(x, 0);
      return give(*mask ? whole : slice(whole, {Slice{0, 0}}));
    }
    if (!has_mask(at)) return give(index(x, at));
    Tensor result;
    {
      const Waiting waiting;
      result = index(x, at);
    }
    return give(std::move(result));
  });
}

int set_item(PyObject* a, PyObject* key, PyObject* value) {
  return guarded_int([&] {
    if (value == nullptr) raise(PyExc_TypeError, "Elements of a tensor cannot be deleted.");
    Handle& handle = handle_of(a);
    const Tensor x = handle.value;
    const std::vector<At> at = index_from(key, x);
    if (!like_tensor(value)) {
      raise(PyExc_TypeError, "An element was set to " + text_of(value) + " of type " + kind_text(value) +
                                 "; a tensor, a number or an array is expected.");
    }
    const Tensor values = tensor_from(value, x.device(), "an assignment", "value");
    if (const auto mask = single_mask(at)) {
      if (*mask) handle.assign(broadcast_to(cast(values, x.dtype()), x.shape()), "an assignment");
      return 0;
    }
    Tensor result;
    {
      const Waiting waiting;
      result = index_set(x, at, values.dtype() == x.dtype() ? values : cast(values, x.dtype()));
    }
    handle.assign(std::move(result), "an assignment");
    return 0;
  });
}

Py_hash_t hash_of(PyObject* a) { return static_cast<Py_hash_t>(reinterpret_cast<std::uintptr_t>(a) >> 4U); }

// ---- The buffer protocol: the CPU's own memory, read-only; a copy of other devices'. ----

struct Exported {
  HostView view;
  std::vector<Py_ssize_t> shape, strides;
};

const char* format_of(DType t) {
  constexpr const char* kFormats[] = {"?", "b", "B", "h", "H", "i", "I", "q", "Q", "e", nullptr, "f", "d", "Zf", "Zd"};
  return is_block(t) ? nullptr : kFormats[static_cast<std::size_t>(t)];
}

int get_buffer(PyObject* self, Py_buffer* out, int flags) {
  out->obj = nullptr;
  return guarded_int([&] {
    const Tensor x = tensor_ref(self);
    if (flags & PyBUF_WRITABLE) {
      PyErr_SetString(
          PyExc_BufferError,
          "A tensor's memory is read-only: copy it, as numpy.array(tensor) and tensor.numpy(copy=True) do.");
      throw nb::python_error();
    }
    const char* format = format_of(x.dtype());
    if (format == nullptr) {
      const std::string text = "Python's buffers have no " +
                               std::string(is_block(x.dtype()) ? name(x.dtype()) : "bfloat16") +
                               ": convert to float32 first.";
      PyErr_SetString(PyExc_BufferError, text.c_str());
      throw nb::python_error();
    }
    auto exported = std::make_unique<Exported>();
    {
      const Waiting waiting;
      exported->view = host_view(x);
    }
    const auto size = static_cast<Py_ssize_t>(size_of(x.dtype()));
    exported->shape.assign(x.shape().begin(), x.shape().end());
    exported->strides.resize(exported->shape.size());
    Py_ssize_t step = size;
    for (std::size_t i = exported->shape.size(); i-- > 0;) {
      exported->strides[i] = step;
      step *= exported->shape[i];
    }
    static std::byte nothing{};
    const auto& bytes = exported->view.bytes;
    out->buf = const_cast<std::byte*>(bytes.empty() ? &nothing : bytes.data());
    out->len = static_cast<Py_ssize_t>(bytes.size());
    out->itemsize = size;
    out->readonly = 1;
    out->ndim = x.rank();
    out->format = (flags & PyBUF_FORMAT) != 0 ? const_cast<char*>(format) : nullptr;
    out->shape = (flags & PyBUF_ND) != 0 ? exported->shape.data() : nullptr;
    out->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? exported->strides.data() : nullptr;
    out->suboffsets = nullptr;
    out->internal = exported.release();
    out->obj = Py_NewRef(self);
    return 0;
  });
}
void release_buffer(PyObject*, Py_buffer* view) { delete static_cast<Exported*>(view->internal); }

template <class F>
void* slot(F* f) {
  return reinterpret_cast<void*>(f);
}

PyType_Slot slots[] = {
    {Py_nb_add, slot(binary<add>)},
    {Py_nb_subtract, slot(binary<subtract>)},
    {Py_nb_multiply, slot(binary<multiply>)},
    {Py_nb_true_divide, slot(binary<divide>)},
    {Py_nb_floor_divide, slot(binary<floor_divide>)},
    {Py_nb_remainder, slot(binary<remainder>)},
    {Py_nb_matrix_multiply, slot(binary<matmul>)},
    {Py_nb_and, slot(binary<bitwise_and>)},
    {Py_nb_or, slot(binary<bitwise_or>)},
    {Py_nb_xor, slot(binary<bitwise_xor>)},
    {Py_nb_lshift, slot(binary<left_shift>)},
    {Py_nb_rshift, slot(binary<right_shift>)},
    {Py_nb_power, slot(power_of)},
    {Py_nb_divmod, slot(divmod)},
    {Py_nb_inplace_add, slot(in_place<add>)},
    {Py_nb_inplace_subtract, slot(in_place<subtract>)},
    {Py_nb_inplace_multiply, slot(in_place<multiply>)},
    {Py_nb_inplace_true_divide, slot(in_place<divide>)},
    {Py_nb_inplace_floor_divide, slot(in_place<floor_divide>)},
    {Py_nb_inplace_remainder, slot(in_place<remainder>)},
    {Py_nb_inplace_matrix_multiply, slot(in_place<matmul>)},
    {Py_nb_inplace_and, slot(in_place<bitwise_and>)},
    {Py_nb_inplace_or, slot(in_place<bitwise_or>)},
    {Py_nb_inplace_xor, slot(in_place<bitwise_xor>)},
    {Py_nb_inplace_lshift, slot(in_place<left_shift>)},
    {Py_nb_inplace_rshift, slot(in_place<right_shift>)},
    {Py_nb_inplace_power, slot(power_in_place)},
    {Py_nb_negative, slot(unary<negative>)},
    {Py_nb_positive, slot(unary<positive>)},
    {Py_nb_absolute, slot(unary<abs>)},
    {Py_nb_invert, slot(invert)},
    {Py_nb_bool, slot(truth)},
    {Py_nb_int, slot(to_int)},
    {Py_nb_float, slot(to_float)},
    {Py_nb_index, slot(to_index)},
    {Py_mp_length, slot(length)},
    {Py_mp_subscript, slot(get_item)},
    {Py_mp_ass_subscript, slot(set_item)},
    {Py_tp_richcompare, slot(compare)},
    {Py_tp_hash, slot(hash_of)},
    {Py_bf_getbuffer, slot(get_buffer)},
    {Py_bf_releasebuffer, slot(release_buffer)},
    {0, nullptr},
};

nb::object nested(const Tensor& x, const HostView& view, int axis, std::size_t& at) {
  const std::size_t size = size_of(x.dtype());
  if (axis == x.rank()) {
    nb::object out = element(x.dtype(), view.bytes.data() + at);
    at += size;
    return out;
  }
  nb::list out;
  for (std::int64_t i = 0; i < x.shape()[axis]; ++i) out.append(nested(x, view, axis + 1, at));
  return out;
}

Handle& self_of(nb::handle h) { return handle_of(h); }

}  // namespace

bool is_tensor(nb::handle h) { return Py_TYPE(h.ptr()) == tensor_type; }
Handle& handle_of(nb::handle h) { return *nb::inst_ptr<Handle>(h); }
nb::object give(Tensor tensor) { return nb::cast(Handle{std::move(tensor), false, {}}); }

void Handle::assign(Tensor next, std::string_view what) {
  const std::string text(what);
  if (next.shape() != value.shape()) {
    raise(PyExc_ValueError, text + " has a result of shape " + next.shape().str() + "; the tensor keeps its shape " +
                                value.shape().str() + ".");
  }
  if (next.dtype() != value.dtype()) {
    raise(PyExc_TypeError, text + " has a result of type " + std::string(name(next.dtype())) +
                               "; the tensor keeps its type " + std::string(name(value.dtype())) + ".");
  }
  if (!variable) {
    value = std::move(next);
    return;
  }
  if (untracked_depth == 0) {
    raise(PyExc_ValueError, text + " would change a variable whose gradient is asked for: do it inside no_grad().");
  }
  const Tensor gradient = value.grad();
  if (gradient.defined()) kept_gradient = kept_gradient.defined() ? kept_gradient + gradient : gradient;
  value = std::move(next);
  value.requires_grad();
}

void bind_tensor(nb::module_& m) {
  auto type = nb::class_<Handle>(m, "Tensor", nb::type_slots(slots),
                                 "An n-dimensional array of one dtype on one device. Ops record the computation; "
                                 "reading a value computes it.");
  tensor_type = reinterpret_cast<PyTypeObject*>(type.ptr());
  type.def(
      "__init__",
      [](Handle* self, nb::handle data, nb::handle dtype, nb::handle device) {
        std::optional<DType> wanted;
        if (!dtype.is_none()) wanted = dtype_from(dtype, "Tensor: the type");
        new (self) Handle{array_from(data, wanted, device_from(device, "Tensor")), false, {}};
      },
      nb::arg("data").none(), nb::arg("dtype").none() = nb::none(), nb::arg("device").none() = nb::none());
  type.def_prop_ro(
          "shape", [](const Handle& h) { return give(h.value.shape()); }, "The sizes of the axes.")
      .def_prop_ro(
          "dtype", [](const Handle& h) { return give(h.value.dtype()); }, "The dtype of the elements.")
      .def_prop_ro(
          "ndim", [](const Handle& h) { return h.value.rank(); }, "The number of axes.")
      .def_prop_ro(
          "size", [](const Handle& h) { return h.value.numel(); }, "The number of elements.")
      .def_prop_ro("itemsize", [](const Handle& h) { return size_of(h.value.dtype()); })
      .def_prop_ro("nbytes", [](const Handle& h) { return byte_size(h.value.dtype(), h.value.numel()); })
      .def_prop_ro(
          "device",
          [](const Handle& h) {
            const Waiting waiting;
            return h.value.device();
          },
          "The tensor's device.")
      .def_prop_ro(
          "is_evaluated", [](const Handle& h) { return h.value.is_evaluated(); },
          "Whether the value has been computed, or at least submitted.")
      .def_prop_ro(
          "mT",
          [](const Handle& h) {
            if (h.value.rank() < 2) {
              raise(PyExc_ValueError,
                    "mT: the tensor has rank " + std::to_string(h.value.rank()) + "; at least 2 is expected.");
            }
            return give(transpose(h.value));
          },
          "The last two axes swapped.")
      .def_prop_ro(
          "T",
          [](const Handle& h) {
            Axes order;
            for (int i = h.value.rank(); i-- > 0;) order.push_back(i);
            return give(h.value.rank() < 2 ? h.value : permute(h.value, order));
          },
          "The axes in reverse order.")
      .def_prop_ro(
          "real", [](const Handle& h) { return give(real(h.value)); }, "The real parts.")
      .def_prop_ro(
          "imag", [](const Handle& h) { return give(imag(h.value)); }, "The imaginary parts.")
      .def("__complex__",
           [](const Handle& h) {
             const nb::object v = item(h.value, "complex");
             return nb::steal(PyComplex_FromDoubles(PyComplex_RealAsDouble(v.ptr()), PyComplex_ImagAsDouble(v.ptr())));
           })
      .def(
          "item", [](const Handle& h) { return item(h.value, "item"); }, "The one element as a number of Python.")
      .def(
          "tolist",
          [](const Handle& h) {
            HostView view;
            {
              const Waiting waiting;
              view = host_view(h.value);
            }
            std::size_t at = 0;
            return nested(h.value, view, 0, at);
          },
          "The elements as nested lists of numbers.")
      .def(
          "eval",
          [](nb::handle self) {
            const Tensor x = self_of(self).value;
            {
              const Waiting waiting;
              x.eval();
            }
            return nb::borrow(self);
          },
          "Starts computing, without waiting; returns the tensor itself.")
      .def("_astype",
           [](const Handle& h, nb::handle t) { return give(h.value.astype(dtype_from(t, "astype: the type"))); })
      .def("_to",
           [](const Handle& h, nb::handle device) {
             const Device target = device_from(device, "to");
             Tensor result;
             {
               const Waiting waiting;
               result = h.value.to(target);
             }
             return give(std::move(result));
           })
      .def("_copy",
           [](const Handle& h) {
             Handle out = h;
             return nb::cast(std::move(out));
           })
      // ---- Gradients ----
      .def_prop_rw(
          "requires_grad", [](const Handle& h) { return h.variable || h.value.is_tracked(); },
          [](Handle& h, bool on) {
            h.value.requires_grad(on);
            h.variable = on;
            h.kept_gradient = {};
          },
          "Whether gradients pass through it; set it to make the tensor a variable.")
      .def_prop_rw(
          "grad",
          [](const Handle& h) -> nb::object {
            const Tensor g = h.value.grad();
            if (!g.defined() && !h.kept_gradient.defined()) return nb::none();
            if (!h.kept_gradient.defined()) return give(g);
            return give(g.defined() ? h.kept_gradient + g : h.kept_gradient);
          },
          [](Handle& h, nb::handle next) {
            h.value.zero_grad();
            h.kept_gradient = next.is_none() ? Tensor() : tensor_from(next, h.value.device(), "grad", "grad");
          },
          nb::for_setter(nb::arg("value").none()), "What backward() has added up for this variable, or None.")
      .def(
          "zero_grad",
          [](Handle& h) {
            h.value.zero_grad();
            h.kept_gradient = {};
          },
          "Clears the gradient.")
      .def(
          "backward",
          [](const Handle& h, nb::handle gradient, bool retain_graph) {
            const Tensor seed =
                gradient.is_none() ? Tensor() : tensor_from(gradient, h.value.device(), "backward", "gradient");
            const Tensor value = h.value;
            const Waiting waiting;
            value.backward(seed, retain_graph);
          },
          nb::arg("gradient").none() = nb::none(), nb::arg("retain_graph") = false,
          "Accumulates the gradients of this tensor into all variables that it depends on.")
      .def("detach", [](const Handle& h) { return give(h.value.detach()); }, "The same value without a way back.");

  m.def("_untracked", [](bool on) { untracked_depth += on ? 1 : -1; });
  m.def(
      "eval",
      [](nb::args tensors) {
        std::vector<Tensor> all;
        for (nb::handle h : tensors) {
          if (!is_tensor(h)) {
            raise(PyExc_TypeError, "eval: an argument is " + text_of(h) + "; tensors are expected.");
          }
          all.push_back(tensor_ref(h));
        }
        const Waiting waiting;
        eval(all);
      },
      "Starts computing all of them in one submission, without waiting.");
}

}  // namespace tessera::python
