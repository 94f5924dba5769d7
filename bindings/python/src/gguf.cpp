// GGUF files for Python: metadata as values of Python, tensors, blocks, and the writer.
#include <cmath>
#include <limits>

#include <tessera/gguf.h>

#include "files.h"

namespace tessera::python {

namespace {

using io::GgufFile;
using io::GgufMetadata;
using io::GgufValue;

constexpr const char* kSaveGguf = "save_gguf";

template <class T>
nb::object object_of(const T& v) {
  if constexpr (requires { v.capacity(); } && !std::is_same_v<T, std::string>) {
    nb::list out;
    for (const typename T::value_type& x : v) out.append(nb::cast(x));
    return out;
  } else {
    return nb::cast(v);
  }
}

[[noreturn]] void wrong_value(nb::handle v, const std::string& key, std::string_view expected) {
  raise(PyExc_ValueError, std::string(kSaveGguf) + ": the metadata '" + key + "' has the value " + text_of(v) + "; " +
                              std::string(expected) + " is expected.");
}

template <class T>
T value_from(nb::handle v, const std::string& key, std::string_view type) {
  if constexpr (std::is_same_v<T, std::string>) {
    if (!PyUnicode_Check(v.ptr())) wrong_value(v, key, "a str");
    return utf8_from(v, kSaveGguf, "the metadata");
  } else if constexpr (std::is_same_v<T, bool>) {
    const int truth = PyObject_IsTrue(v.ptr());
    if (truth < 0) throw nb::python_error();
    return truth != 0;
  } else if constexpr (std::is_floating_point_v<T>) {
    const double number = PyFloat_AsDouble(v.ptr());
    if (PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      wrong_value(v, key, "a number");
    }
    return static_cast<T>(number);
  } else {
    const nb::object integer = nb::steal(PyNumber_Index(v.ptr()));
    bool fits = integer.is_valid();
    T out{};
    if (fits && std::is_signed_v<T>) {
      const long long number = PyLong_AsLongLong(integer.ptr());
      fits = PyErr_Occurred() == nullptr && std::in_range<T>(number);
      out = static_cast<T>(number);
    } else if (fits) {
      const unsigned long long number = PyLong_AsUnsignedLongLong(integer.ptr());
      fits = PyErr_Occurred() == nullptr && std::in_range<T>(number);
      out = static_cast<T>(number);
    }
    PyErr_Clear();
    if (!fits) wrong_value(v, key, "an integer of type " + std::string(type));
    return out;
  }
}

/// A value of the type with this name; with "[]" behind it an array.
template <std::size_t I = 0>
GgufValue typed_value(nb::handle v, const std::string& key, const std::string& type) {
  if constexpr (I < 12) {
    using T = std::variant_alternative_t<I, GgufValue::Data>;
    const std::string name(io::name(GgufValue(T{}).type()));
    if (type == name) return GgufValue(value_from<T>(v, key, name));
    if (type == name + "[]") {
      std::vector<T> out;
      for (nb::handle x : v) out.push_back(value_from<T>(x, key, name));
      return GgufValue(std::move(out));
    }
    return typed_value<I + 1>(v, key, type);
  } else {
    raise(PyExc_ValueError, std::string(kSaveGguf) + ": the metadata '" + key + "' was given the type '" + type +
                                "'; u8, i8, u16, i16, u32, i32, f32, bool, string, u64, i64 or f64 is expected, or "
                                "one of them with [] behind it.");
  }
}

/// A tensor, or (type, shape, bytes) of any format; `buffers` keeps the bytes.
io::GgufSource source_from(const std::string& name, nb::handle given,
                           std::vector<std::unique_ptr<BufferView>>& buffers) {
  if (is_tensor(given)) return io::gguf_source(name, tensor_ref(given));
  const auto text = nb::cast<std::string>(given[0]);
  const auto type = io::ggml_type(text);
  if (!type) {
    raise(PyExc_ValueError, std::string(kSaveGguf) + ": '" + name + "' was given the type '" + text +
                                "', which ggml does not have; 'Q4_0' is an example.");
  }
  buffers.push_back(std::make_unique<BufferView>(given[2], PyBUF_SIMPLE));
  const Py_buffer& view = **buffers.back();
  const std::span bytes(static_cast<const std::byte*>(view.buf), static_cast<std::size_t>(view.len));
  return {name, *type, shape_from(given[1], kSaveGguf), [bytes] { return HostView{bytes, nullptr, false}; }};
}

void save(const nb::bytes& target, nb::handle metadata, nb::handle tensors) {
  const std::filesystem::path file = path_from(target);
  GgufMetadata about;
  for (nb::handle row : metadata) {
    const std::string key = utf8_from(row[0], kSaveGguf, "the metadata key");
    about.set(key, typed_value(row[2], key, nb::cast<std::string>(row[1])));
  }
  std::vector<std::unique_ptr<BufferView>> buffers;
  std::vector<io::GgufSource> sources;
  Tensors all;
  for (nb::handle row : tensors) {
    sources.push_back(source_from(utf8_from(row[0], kSaveGguf, "the name"), row[1], buffers));
    if (is_tensor(row[1])) all.push_back(tensor_ref(row[1]));
  }
  const Waiting waiting;
  eval(all);  // in one submission
  io::save_gguf(file, about, sources);
}

nb::object load(const GgufFile& file, const std::string& name, nb::handle device) {
  const Device on = device_from(device, "tensor");
  Tensor out;
  {
    const Waiting waiting;
    out = file.tensor(name, on);
  }
  return give(std::move(out));
}

nb::dict metadata_types(const GgufFile& file) {
  nb::dict out;
  for (const auto& [key, value] : file.metadata().entries()) {
    out[nb::cast(key)] = nb::cast(std::string(io::name(value.element_type())) + (value.is_array() ? "[]" : ""));
  }
  return out;
}

}  // namespace

void bind_gguf(nb::module_& m) {
  nb::class_<GgufFile>(m, "GgufFile",
                       "A GGUF file: metadata and the list of tensors are read and checked, and tensors are read when "
                       "they are asked for.")
      .def("__init__",
           [](GgufFile* self, const nb::bytes& path) {
             const std::filesystem::path file = path_from(path);
             const Waiting waiting;
             new (self) GgufFile(file);
           })
      // Bytes that C++ keeps, without a copy.
      .def_static("_from_bytes",
                  [](nb::bytes data, const std::string& name) {
                    const std::span bytes(static_cast<const std::byte*>(data.data()), data.size());
                    return GgufFile(HostView{bytes, kept(std::move(data)), false}, name);
                  })
      .def("keys",
           [](const GgufFile& f) {
             nb::list out;
             for (const io::GgufEntry& e : f.entries()) out.append(nb::cast(e.name));
             return out;
           })
      .def("__len__", [](const GgufFile& f) { return f.entries().size(); })
      .def("__contains__", [](const GgufFile& f, const std::string& name) { return f.contains(name); })
      .def("tensor", &load, nb::arg("name"), nb::kw_only(), nb::arg("device").none() = nb::none(),
           "Reads one tensor; one in a block format has its block dtype.")
      .def(
          "bytes",
          [](const GgufFile& f, const std::string& name) {
            const HostView view = f.bytes(name);
            return nb::bytes(view.bytes.data(), view.bytes.size());
          },
          nb::arg("name"), "A copy of the bytes of a tensor of any format.")
      .def("shape", [](const GgufFile& f, const std::string& name) { return give(f.entry(name).shape); })
      .def("nbytes", [](const GgufFile& f, const std::string& name) { return f.entry(name).bytes; })
      .def(
          "type", [](const GgufFile& f, const std::string& name) { return std::string(io::name(f.entry(name).type)); },
          nb::arg("name"), "The name of a tensor's format: 'F16', 'Q4_K'.")
      .def_prop_ro("metadata",
                   [](const GgufFile& f) {
                     nb::dict out;
                     for (const auto& [key, value] : f.metadata().entries()) {
                       out[nb::cast(key)] = std::visit([](const auto& v) { return object_of(v); }, value.data());
                     }
                     return out;
                   })
      .def_prop_ro("metadata_types", &metadata_types)
      .def_prop_ro("version", &GgufFile::version)
      .def_prop_ro("alignment", &GgufFile::alignment)
      .def_prop_ro("files", [](const GgufFile& f) {
        nb::list out;
        for (const auto& file : f.files()) out.append(nb::cast(file.string()));
        return out;
      });
  m.def("_save_gguf", &save, nb::arg("path"), nb::arg("metadata"), nb::arg("tensors"));
}

}  // namespace tessera::python
