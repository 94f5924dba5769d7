// What stands in brackets behind a tensor, checked against its shape.
#include "python.h"

namespace tessera::python {

namespace {

/// Axes that an entry takes up; text, floats and the like are refused.
int axes_of(const At& at) {
  if (std::holds_alternative<Ellipsis>(at) || std::holds_alternative<NewAxis>(at)) return 0;
  if (const Tensor* t = std::get_if<Tensor>(&at)) return t->dtype() == boolean ? t->rank() : 1;
  return 1;
}

std::optional<std::int64_t> bound(nb::handle h) {
  if (h.is_none()) return std::nullopt;
  if (!PyIndex_Check(h.ptr())) {
    raise(PyExc_TypeError,
          "A slice has the bound " + text_of(h) + " of type " + kind_text(h) + "; an integer or nothing is expected.");
  }
  // Past 64 bits is past every end.
  const nb::object whole = nb::steal(PyNumber_Index(h.ptr()));
  if (!whole.is_valid()) {
    if (is_tensor(h)) throw nb::python_error();
    PyErr_Clear();
    raise(PyExc_TypeError,
          "A slice has the bound " + text_of(h) + " of type " + kind_text(h) + "; an integer or nothing is expected.");
  }
  int overflow = 0;
  const std::int64_t v = PyLong_AsLongLongAndOverflow(whole.ptr(), &overflow);
  return overflow == 0 ? v : (overflow > 0 ? INT64_MAX / 2 : INT64_MIN / 2);
}

At entry(nb::handle h, const Device& device) {
  if (h.is(Py_Ellipsis)) return Ellipsis{};
  if (h.is_none()) return NewAxis{};
  if (PySlice_Check(h.ptr())) {
    const Slice s{bound(h.attr("start")), bound(h.attr("stop")), bound(h.attr("step")).value_or(1)};
    if (s.step == 0) raise(PyExc_ValueError, "A slice has the step 0; another number is expected.");
    return s;
  }
  if (PyLong_Check(h.ptr()) && !PyBool_Check(h.ptr())) return integer_from(h, "an index", "index");
  if (!PyFloat_Check(h.ptr()) && like_tensor(h)) {
    if ((PyList_Check(h.ptr()) || PyTuple_Check(h.ptr())) && PySequence_Size(h.ptr()) == 0) {
      return array_from(h, i32, device);
    }
    Tensor t = PyBool_Check(h.ptr()) ? tensor_from(h, device, "an index", "index") : array_from(h, {}, {});
    if (t.dtype() != boolean && !is_integer(t.dtype())) {
      raise(PyExc_IndexError, "A tensor was indexed by elements of type " + std::string(name(t.dtype())) +
                                  "; integers or bool are expected.");
    }
    if (device.impl() != nullptr && !is_tensor(h)) t = t.to(device);
    return t;
  }
  if (PyIndex_Check(h.ptr())) return integer_from(h, "an index", "index");
  raise(PyExc_IndexError, "A tensor was indexed by " + text_of(h) + " of type " + kind_text(h) +
                              "; integers, slices, '...', None, and arrays of integers or bool are expected.");
}

}  // namespace

std::vector<At> index_from(nb::handle h, const Tensor& of) {
  const Device device = of.defined() ? of.device() : Device();
  std::vector<At> at;
  if (PyTuple_Check(h.ptr())) {
    for (nb::handle each : nb::borrow<nb::sequence>(h)) at.push_back(entry(each, device));
  } else {
    at.push_back(entry(h, device));
  }
  if (!of.defined()) return at;
  int taken = 0;
  int ellipses = 0;
  for (const At& a : at) {
    taken += axes_of(a);
    ellipses += std::holds_alternative<Ellipsis>(a) ? 1 : 0;
  }
  if (ellipses > 1) raise(PyExc_IndexError, "A tensor was indexed with several '...'; one is expected.");
  if (taken > of.rank()) {
    raise(PyExc_IndexError, "A tensor of shape " + of.shape().str() + " was indexed with " + std::to_string(taken) +
                                " entries; at most " + std::to_string(of.rank()) + " are expected.");
  }
  int axis = 0;
  for (At& a : at) {
    if (std::holds_alternative<Ellipsis>(a)) axis += of.rank() - taken;
    if (const auto* i = std::get_if<std::int64_t>(&a)) {
      const std::int64_t size = of.shape()[axis];
      if (*i >= size || *i < -size) {
        raise(PyExc_IndexError, "Index " + std::to_string(*i) + " was given for axis " + std::to_string(axis) +
                                    " of size " + std::to_string(size) +
                                    (size == 0 ? ", which has no elements."
                                               : "; from " + std::to_string(-size) + " to " + std::to_string(size - 1) +
                                                     " is expected."));
      }
    }
    if (const auto* t = std::get_if<Tensor>(&a); t != nullptr && t->dtype() == boolean) {
      Shape whole;
      bool short_of = false;  // an axis of size 0 in the mask selects nothing, whatever the tensor has there
      for (int i = 0; i < t->rank(); ++i) {
        whole.push_back(of.shape()[axis + i]);
        short_of = short_of || (t->shape()[i] == 0 && whole[i] != 0);
        if (t->shape()[i] != whole[i] && t->shape()[i] != 0) {
          raise(PyExc_IndexError, "A mask of shape " + t->shape().str() + " was given for a tensor of shape " +
                                      of.shape().str() + "; equal sizes are expected.");
        }
      }
      if (short_of) a = zeros(whole, boolean, of.device());
    }
    axis += axes_of(a);
  }
  return at;
}

}  // namespace tessera::python
