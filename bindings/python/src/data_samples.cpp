// Samples of Python as arrays in host memory, and samples and batches as Python writes them.
#include <cstring>

#include "data.h"

namespace tessera::python {

namespace {

using data::Array;
using data::Sample;

constexpr char kObject = '\x01';  // ends the names of fields that hold an object of Python

Array copied(const void* from, std::size_t size, DType dtype, const Shape& shape) {
  const std::shared_ptr<std::byte[]> memory(new std::byte[std::max<std::size_t>(size, 1)]);  // NOLINT
  if (size > 0) std::memcpy(memory.get(), from, size);
  return {HostView{{memory.get(), size}, memory, false}, dtype, shape};
}

template <class V>
Array single(V value, DType dtype) {
  return copied(&value, sizeof(V), dtype, {});
}

/// Elements of a buffer; those that are kept in place must not change. None for elements of other types.
std::optional<Array> array_of_buffer(nb::handle h, bool copy) {
  const std::shared_ptr<BufferView> buffer(new BufferView(h), [](const BufferView* view) {
    if (Py_IsInitialized() == 0) return;  // it goes with the process
    const nb::gil_scoped_acquire lock;
    delete view;
  });
  const Py_buffer& view = **buffer;
  const std::optional<DType> type = type_of_format(view.format, view.itemsize);
  if (!type) return std::nullopt;
  Shape shape;
  for (int i = 0; i < view.ndim; ++i) shape.push_back(view.shape[i]);
  const auto size = static_cast<std::size_t>(view.len);
  if (PyBuffer_IsContiguous(&view, 'C') == 0) {
    const std::shared_ptr<std::byte[]> memory(new std::byte[std::max<std::size_t>(size, 1)]);  // NOLINT
    if (PyBuffer_ToContiguous(memory.get(), &view, view.len, 'C') != 0) throw nb::python_error();
    return Array(HostView{{memory.get(), size}, memory, false}, *type, shape);
  }
  if (copy) return copied(view.buf, size, *type, shape);
  return Array(HostView{{static_cast<const std::byte*>(view.buf), size}, buffer, true}, *type, shape);
}

Array array_of_tensor(const Tensor& tensor) {
  const Waiting waiting;
  return Array::of(tensor);
}

/// None for what is no array.
std::optional<Array> array_of(nb::handle h, bool copy) {
  if (PyBool_Check(h.ptr())) return single(static_cast<std::uint8_t>(h.is(Py_True) ? 1 : 0), boolean);
  if (PyFloat_Check(h.ptr())) return single(static_cast<float>(PyFloat_AsDouble(h.ptr())), f32);
  if (PyLong_Check(h.ptr())) {
    int overflow = 0;
    const std::int64_t v = PyLong_AsLongLongAndOverflow(h.ptr(), &overflow);
    if (overflow == 0 && std::in_range<std::int32_t>(v)) return single(static_cast<std::int32_t>(v), i32);
    if (overflow == 0) return single(v, i64);
  }
  if (is_tensor(h)) return array_of_tensor(tensor_ref(h));
  if (!like_tensor(h)) return std::nullopt;
  if (!is_list(h) && PyObject_CheckBuffer(h.ptr()) != 0) return array_of_buffer(h, copy);
  try {
    return array_of_tensor(array_from(h, {}, device_from(nb::str("cpu"), "DataLoader")));
  } catch (const nb::python_error& e) {
    if (is_list(h) && e.matches(PyExc_TypeError)) return std::nullopt;  // of texts
    throw;
  }
}

/// An object of Python as an array: its address, in memory that keeps it alive.
Array array_of_object(nb::handle h) {
  struct Held {
    PyObject* object;
  };
  const std::shared_ptr<Held> held(new Held{h.inc_ref().ptr()}, [](const Held* p) {
    if (Py_IsInitialized() != 0) {
      const nb::gil_scoped_acquire lock;
      Py_DECREF(p->object);
    }
    delete p;
  });
  return {HostView{std::as_bytes(std::span(&held->object, 1)), held, false}, u8,
          Shape{static_cast<std::int64_t>(sizeof(PyObject*))}};
}
nb::object object_in(const Array& array) {
  PyObject* object = nullptr;
  std::memcpy(static_cast<void*>(&object), array.bytes().data(), sizeof(object));
  return nb::borrow(object);
}

bool is_object(std::string_view name) { return !name.empty() && name.back() == kObject; }
std::string plain(std::string_view name) {
  return std::string(is_object(name) ? name.substr(0, name.size() - 1) : name);
}

/// The items of a dict, a tuple or a list, or the value itself, by their names.
std::vector<std::pair<std::string, nb::object>> items_of(nb::handle value) {
  std::vector<std::pair<std::string, nb::object>> items;
  if (is_list(value)) {
    for (nb::handle item : nb::borrow<nb::sequence>(value))
      items.emplace_back(std::to_string(items.size()), nb::borrow(item));
  } else if (PyDict_Check(value.ptr()) || (!like_tensor(value) && nb::hasattr(value, "keys"))) {
    const nb::object dict =
        PyDict_Check(value.ptr())
            ? nb::borrow(value)
            : nb::steal(PyObject_CallOneArg(reinterpret_cast<PyObject*>(&PyDict_Type), value.ptr()));
    if (!dict.is_valid()) throw nb::python_error();
    for (const auto& [key, item] : nb::borrow<nb::dict>(dict)) {
      if (!PyUnicode_Check(key.ptr())) {
        raise(PyExc_TypeError, "A sample has the key " + text_of(key) + " of type " + kind_text(key) +
                                   "; the names of fields are of type str.");
      }
      items.emplace_back(nb::cast<std::string>(nb::str(key)), nb::borrow(item));
    }
  } else {
    items.emplace_back(kOnly, nb::borrow(value));
  }
  if (items.empty())
    raise(PyExc_ValueError, "A sample is an empty " + kind_text(value) + "; it needs at least one field.");
  return items;
}

/// The structure of Python for fields: value(i) of each.
template <class F>
nb::object structured(const std::vector<std::string>& names, const F& value) {
  if (names.size() == 1 && (names[0] == kOnly || names[0].empty())) return value(0);
  bool numbered = true;
  for (std::size_t i = 0; i < names.size(); ++i) numbered = numbered && names[i] == std::to_string(i);
  if (numbered) {
    nb::list out;
    for (std::size_t i = 0; i < names.size(); ++i) out.append(value(i));
    return nb::tuple(out);
  }
  nb::dict out;
  for (std::size_t i = 0; i < names.size(); ++i) out[nb::cast(names[i])] = value(i);
  return out;
}

}  // namespace

std::string utf8_text(nb::handle h, const char* what, const char* name) {
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_Check(h.ptr()) ? PyUnicode_AsUTF8AndSize(h.ptr(), &size) : nullptr;
  if (bytes != nullptr) return {bytes, static_cast<std::size_t>(size)};
  PyErr_Clear();
  raise(PyExc_TypeError, std::string(what) + ": " + name + " is " + text_of(h) + " of type " + kind_text(h) +
                             "; text that is valid UTF-8 is expected.");
}

nb::object batch_of(const Tree& batch) {
  const std::vector<Tree::Named> named = batch.flatten();
  std::vector<std::string> names;
  for (const auto& [name, tensor] : named) names.push_back(name);
  return structured(names, [&](std::size_t i) { return give(named[i].second); });
}

nb::object sample_of(const Sample& sample) {
  std::vector<std::string> names;
  for (const auto& [name, array] : sample.fields()) names.push_back(plain(name));
  return structured(names, [&](std::size_t i) {
    const auto& [name, array] = sample.fields()[i];
    if (is_object(name)) return object_in(array);
    return numpy_of({array.bytes(), std::make_shared<Array>(array), true}, array.dtype(), array.shape());
  });
}

Sample sample_from(nb::handle value) {
  std::vector<Sample::Named> fields;
  for (const auto& [name, item] : items_of(value)) {
    if (std::optional<Array> array = array_of(item, true)) {
      fields.emplace_back(name, *std::move(array));
    } else {
      fields.emplace_back(name + kObject, array_of_object(item));
    }
  }
  return Sample(std::move(fields));
}

Sample object_from(nb::handle value) {
  return Sample({Sample::Named(std::string(kOnly) + kObject, array_of_object(value))});
}

Sample arrays_from(nb::handle value, const char* what, bool copy) {
  std::vector<Sample::Named> fields;
  for (const auto& [name, item] : items_of(value)) {
    std::optional<Array> array = array_of(item, copy);
    if (!array) {
      raise(PyExc_TypeError, std::string(what) + ": " + (name == kOnly ? "" : "the field '" + name + "' is ") +
                                 text_of(item) + " of type " + kind_text(item) + (name == kOnly ? " was given" : "") +
                                 "; arrays, tensors, numbers and lists of them are expected.");
    }
    fields.emplace_back(name, *std::move(array));
  }
  return Sample(std::move(fields));
}

std::string other_object_in(const Sample& sample) {
  for (const auto& [name, array] : sample.fields()) {
    if (!is_object(name)) continue;
    const nb::gil_scoped_acquire lock;
    const nb::object object = object_in(array);
    const std::string field = plain(name);
    return (field == kOnly ? "it" : "its field '" + field + "'") + " is " + text_of(object) + " of type " +
           kind_text(object);
  }
  return {};
}

}  // namespace tessera::python
