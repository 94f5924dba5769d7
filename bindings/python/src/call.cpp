// Arguments of ops: each type of the headers read from what people write for it in Python.
#include "call.h"

#include <map>

namespace tessera::python {

namespace {

std::map<std::string, nb::object, std::less<>>& results() {
  static auto& value = *new std::map<std::string, nb::object, std::less<>>;
  return value;
}

/// Whether it can be walked through as a list of arguments: a list or a tuple, or what gives its items by number.

bool is_integer_like(nb::handle h) {
  return PyLong_Check(h.ptr()) || (PyIndex_Check(h.ptr()) && !is_list(h) && !is_array(h));
}

/// The elements of an array as numbers of Python: one, or a list. A tensor is read.
nb::object numbers_of(nb::handle h) { return h.attr("tolist")(); }

}  // namespace

void Results::add_result(const char* name, std::vector<const char*> fields) {
  nb::list names;
  for (const char* f : fields) names.append(f);
  nb::object type = nb::module_::import_("collections").attr("namedtuple")(name, names);
  type.attr("__module__") = "tessera";
  results()[name] = type;
}

void Call::refuse(nb::handle h, const char* name, const char* expected) const {
  if (!last_) throw nb::next_overload();
  raise(PyExc_TypeError, std::string(op_) + ": the argument '" + name + "' is " + text_of(h) + " of type " +
                             kind_text(h) + "; " + expected + " is expected.");
}

std::size_t Call::position(nb::handle h, const char* name, std::initializer_list<const char*> names) const {
  std::string listed;
  const char* text = PyUnicode_Check(h.ptr()) ? PyUnicode_AsUTF8AndSize(h.ptr(), nullptr) : nullptr;
  std::size_t at = 0;
  for (const char* n : names) {
    if (text != nullptr && std::string_view(n) == text) return at;
    listed += std::string(at == 0 ? "'" : (at + 1 == names.size() ? " or '" : ", '")) + n + "'";
    ++at;
  }
  if (text == nullptr) refuse(h, name, ("one of " + listed).c_str());
  raise(PyExc_ValueError,
        std::string(op_) + ": the argument '" + name + "' is '" + text + "'; " + listed + " is expected.");
}

nb::object Call::give(std::vector<Tensor> all) {
  nb::list out;
  for (Tensor& t : all) out.append(python::give(std::move(t)));
  return out;
}

nb::object Call::give_named(const char* type, std::vector<Tensor> all) {
  nb::list out;
  for (Tensor& t : all) out.append(python::give(std::move(t)));
  if (type == nullptr) return nb::tuple(out);
  return results().find(type)->second.attr("_make")(out);
}

template <>
Tensor Call::get(nb::handle h, const char* name) {
  if (is_tensor(h)) {
    const Tensor& t = tensor_ref(h);
    if (device_.impl() == nullptr && t.node() != nullptr) device_ = t.device();
    return t;
  }
  if (!like_tensor(h)) refuse(h, name, "a tensor, a number, a list of numbers or an array");
  return tensor_from(h, device_, op_, name);
}

template <>
bool Call::get(nb::handle h, const char* name) {
  if (PyBool_Check(h.ptr())) return h.is(Py_True);
  const int truth = is_list(h) || PyUnicode_Check(h.ptr()) || is_tensor(h) ? -1 : PyObject_IsTrue(h.ptr());
  if (truth < 0) {
    PyErr_Clear();
    refuse(h, name, "True or False");
  }
  return truth != 0;
}

template <>
std::int64_t Call::get(nb::handle h, const char* name) {
  if (PyFloat_Check(h.ptr()) || !PyIndex_Check(h.ptr())) refuse(h, name, "an integer");
  if (is_tensor(h)) {  // one integer is read
    const Tensor& t = tensor_ref(h);
    if (!is_integer(t.dtype()) || t.numel() != 1) refuse(h, name, "an integer");
  } else if (!PyLong_Check(h.ptr())) {
    // Arrays of other libraries have __index__, whatever their elements and sizes are.
    const nb::object whole = nb::steal(PyNumber_Index(h.ptr()));
    if (!whole.is_valid()) {
      PyErr_Clear();
      refuse(h, name, "an integer");
    }
    return integer_from(whole, op_, name);
  }
  return integer_from(h, op_, name);
}

int Call::narrow(std::int64_t v, const char* name) const {
  if (v < INT32_MIN || v > INT32_MAX) {
    raise(PyExc_ValueError, std::string(op_) + ": the argument '" + name + "' is " + std::to_string(v) +
                                "; a smaller number is expected.");
  }
  return static_cast<int>(v);
}

template <>
int Call::get(nb::handle h, const char* name) {
  return narrow(get<std::int64_t>(h, name), name);
}

template <>
double Call::get(nb::handle h, const char* name) {
  if (PyFloat_Check(h.ptr())) return PyFloat_AsDouble(h.ptr());
  if (PyUnicode_Check(h.ptr()) || is_list(h)) refuse(h, name, "a number");
  if (is_tensor(h) && (tensor_ref(h).numel() != 1 || is_complex(tensor_ref(h).dtype()))) refuse(h, name, "a number");
  const double v = PyFloat_AsDouble(h.ptr());
  if (v == -1 && PyErr_Occurred() != nullptr) {
    if (is_tensor(h)) throw nb::python_error();  // it could not be read
    PyErr_Clear();
    refuse(h, name, "a number");
  }
  return v;
}

template <>
std::string Call::get(nb::handle h, const char* name) {
  if (!PyUnicode_Check(h.ptr())) refuse(h, name, "a text");
  return nb::cast<std::string>(nb::str(h));
}

template <>
DType Call::get(nb::handle h, const char* name) {
  return dtype_from(h, std::string(op_) + ": the argument '" + name + "'");
}
template <>
Device Call::get(nb::handle h, const char*) {
  return device_from(h, op_);
}

template <>
std::vector<std::int64_t> Call::get(nb::handle h, const char* name) {
  if (is_integer_like(h)) return {get<std::int64_t>(h, name)};
  if (is_array(h) && nb::hasattr(h, "tolist")) return get<std::vector<std::int64_t>>(numbers_of(h), name);
  if (!is_list(h)) {
    if (PyUnicode_Check(h.ptr()) || !PySequence_Check(h.ptr())) refuse(h, name, "an integer or a list of integers");
    return get<std::vector<std::int64_t>>(nb::list(nb::borrow<nb::object>(h)), name);
  }
  std::vector<std::int64_t> out;
  for (nb::handle each : nb::borrow<nb::sequence>(h)) {
    if (PyFloat_Check(each.ptr()) || !PyIndex_Check(each.ptr())) refuse(h, name, "an integer or a list of integers");
    out.push_back(get<std::int64_t>(each, name));
  }
  return out;
}

template <>
std::vector<int> Call::get(nb::handle h, const char* name) {
  std::vector<int> out;
  for (const std::int64_t v : get<std::vector<std::int64_t>>(h, name)) out.push_back(narrow(v, name));
  return out;
}
template <>
Shape Call::get(nb::handle h, const char* name) {
  return Shape(get<std::vector<std::int64_t>>(h, name));
}
template <>
PerAxis Call::get(nb::handle h, const char* name) {
  return PerAxis(get<std::vector<std::int64_t>>(h, name));
}

template <>
std::vector<double> Call::get(nb::handle h, const char* name) {
  if (!is_list(h)) {
    if (PyFloat_Check(h.ptr()) || PyLong_Check(h.ptr())) return {get<double>(h, name)};
    if (is_array(h) && nb::hasattr(h, "tolist")) return get<std::vector<double>>(numbers_of(h), name);
    if (PyUnicode_Check(h.ptr()) || !PySequence_Check(h.ptr())) refuse(h, name, "a list of numbers");
    return get<std::vector<double>>(nb::list(nb::borrow<nb::object>(h)), name);
  }
  std::vector<double> out;
  for (nb::handle each : nb::borrow<nb::sequence>(h)) out.push_back(get<double>(each, name));
  return out;
}

template <>
std::vector<Tensor> Call::get(nb::handle h, const char* name) {
  std::vector<Tensor> out;
  if (is_tensor(h) || PyUnicode_Check(h.ptr()) || !PySequence_Check(h.ptr())) refuse(h, name, "a list of tensors");
  for (nb::handle each : nb::list(nb::borrow<nb::object>(h))) out.push_back(get<Tensor>(each, name));
  return out;
}

template <>
std::vector<std::pair<std::int64_t, std::int64_t>> Call::get(nb::handle h, const char* name) {
  std::vector<std::pair<std::int64_t, std::int64_t>> out;
  if (!is_list(h)) refuse(h, name, "a list of pairs of integers");
  for (nb::handle each : nb::borrow<nb::sequence>(h)) {
    const auto pair = get<std::vector<std::int64_t>>(each, name);
    if (!is_list(each) || pair.size() != 2) refuse(h, name, "a list of pairs of integers");
    out.emplace_back(pair[0], pair[1]);
  }
  return out;
}

template <>
Padding Call::get(nb::handle h, const char* name) {
  if (PyUnicode_Check(h.ptr())) {
    return {position(h, name, {"valid", "same"}) == 0 ? "valid" : "same"};
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> sides;
  if (is_integer_like(h)) {
    const auto all = get<std::int64_t>(h, name);
    return Padding(std::vector<std::pair<std::int64_t, std::int64_t>>{{all, all}});
  }
  if (!is_list(h)) refuse(h, name, "a number, numbers or pairs of them for each axis, 'valid' or 'same'");
  for (nb::handle each : nb::borrow<nb::sequence>(h)) {
    const auto pair = get<std::vector<std::int64_t>>(each, name);
    if (pair.empty() || pair.size() > 2) refuse(h, name, "a number, or a pair of them, for each axis");
    sides.emplace_back(pair[0], pair.back());
  }
  return {sides};
}

namespace {
Slice slice_from(nb::handle h, const char* op, const char* name) {
  const auto part = [&](const char* which) -> std::optional<std::int64_t> {
    const nb::object v = h.attr(which);
    if (v.is_none()) return std::nullopt;
    return integer_from(v, op, name);
  };
  return {part("start"), part("stop"), part("step").value_or(1)};
}
}  // namespace

template <>
std::vector<Slice> Call::get(nb::handle h, const char* name) {
  std::vector<Slice> out;
  if (PySlice_Check(h.ptr())) return {slice_from(h, op_, name)};
  if (!is_list(h)) refuse(h, name, "a list of slices");
  for (nb::handle each : nb::borrow<nb::sequence>(h)) {
    if (!PySlice_Check(each.ptr())) refuse(h, name, "a list of slices");
    out.push_back(slice_from(each, op_, name));
  }
  return out;
}

template <>
std::vector<At> Call::get(nb::handle h, const char*) {
  return index_from(h, Tensor());
}

template <>
std::optional<int> Call::get(nb::handle h, const char* name) {
  return h.is_none() ? std::nullopt : std::optional(get<int>(h, name));
}
template <>
std::optional<double> Call::get(nb::handle h, const char* name) {
  return h.is_none() ? std::nullopt : std::optional(get<double>(h, name));
}
template <>
std::optional<std::int64_t> Call::get(nb::handle h, const char* name) {
  return h.is_none() ? std::nullopt : std::optional(get<std::int64_t>(h, name));
}
template <>
std::optional<DType> Call::get(nb::handle h, const char* name) {
  return h.is_none() ? std::nullopt : std::optional(get<DType>(h, name));
}
template <>
std::optional<std::vector<std::int64_t>> Call::get(nb::handle h, const char* name) {
  return h.is_none() ? std::nullopt : std::optional(get<std::vector<std::int64_t>>(h, name));
}

}  // namespace tessera::python
