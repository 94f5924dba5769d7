// Element types and devices as values of Python, and the many ways in which people name them.
#include <array>

#include <nanobind/stl/optional.h>

#include "python.h"

namespace tessera::python {

namespace {

struct ElementType {
  DType value;
};

constexpr std::array kLongNames{"bool",     "int8",    "uint8",   "int16",     "uint16",
                                "int32",    "uint32",  "int64",   "uint64",    "float16",
                                "bfloat16", "float32", "float64", "complex64", "complex128"};

using Types = std::array<nb::object, kLongNames.size() + kBlockDTypeInfo.size()>;
Types& types() {
  static auto& value = *new Types;
  return value;
}

std::string long_name(DType t) { return is_block(t) ? std::string(name(t)) : kLongNames[static_cast<std::size_t>(t)]; }

std::optional<DType> dtype_named(std::string_view text) {
  for (const DTypeInfo& info : kDTypeInfo) {
    if (text == info.name || text == kLongNames[static_cast<std::size_t>(info.dtype)]) return info.dtype;
  }
  for (const DTypeInfo& info : kBlockDTypeInfo) {
    if (text == info.name) return info.dtype;
  }
  return std::nullopt;
}

Device make_device(const std::string& text) {
  const Waiting waiting;
  DeviceConfig config;
  config.device = text;
  return Device::create(config);
}

/// One device for each name that was asked for, so that tensors made by name meet.
Device device_named(const std::string& text) {
  static auto& known = *new std::vector<std::pair<std::string, Device>>;
  for (const auto& [name, device] : known) {
    if (name == text) return device;
  }
  const Device now = [] {
    const Waiting waiting;
    return Device::current();
  }();
  Device device = now.info().id == text ? now : make_device(text);
  for (const auto& [name, other] : known) {
    if (other.info().id == device.info().id) device = other;
  }
  known.emplace_back(text, device);
  return device;
}

nb::dict stats_of(const MemoryStats& s) {
  nb::dict out;
  out["allocated"] = s.allocated;
  out["in_use"] = s.in_use;
  out["peak"] = s.peak;
  out["hits"] = s.hits;
  out["misses"] = s.misses;
  return out;
}

}  // namespace

std::string kind_text(nb::handle h) { return nb::cast<std::string>(nb::str(h.type().attr("__name__"))); }

std::string text_of(nb::handle h) {
  std::string text = "an object";  // where it has no text, such as lists that are nested too deep for one
  try {
    text = is_tensor(h) ? "a tensor of shape " + tensor_ref(h).shape().str() : nb::cast<std::string>(nb::repr(h));
  } catch (const nb::python_error&) {
  }
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return text;
}

nb::object give(DType dtype) { return types()[static_cast<std::size_t>(dtype)]; }
nb::object give(const Device& device) { return nb::cast(device); }
nb::object give(const Shape& shape) {
  nb::object out = nb::steal(PyTuple_New(shape.rank()));
  for (int i = 0; i < shape.rank(); ++i) PyTuple_SetItem(out.ptr(), i, PyLong_FromLongLong(shape[i]));
  return out;
}

DType dtype_from(nb::handle h, std::string_view what) {
  if (nb::isinstance<ElementType>(h)) return nb::inst_ptr<ElementType>(h)->value;
  std::optional<DType> found;
  if (PyUnicode_Check(h.ptr())) {
    found = dtype_named(nb::cast<std::string>(nb::str(h)));
  } else if (h.is(reinterpret_cast<PyObject*>(&PyFloat_Type))) {
    found = f32;
  } else if (h.is(reinterpret_cast<PyObject*>(&PyLong_Type))) {
    found = i32;
  } else if (h.is(reinterpret_cast<PyObject*>(&PyBool_Type))) {
    found = boolean;
  } else if (h.is(reinterpret_cast<PyObject*>(&PyComplex_Type))) {
    found = c64;
  } else if (nb::hasattr(h, "name")) {  // numpy.dtype
    found = dtype_named(nb::cast<std::string>(nb::str(h.attr("name"))));
  } else if (nb::hasattr(h, "dtype") && nb::hasattr(h, "__name__")) {  // numpy.float32 and its kin
    std::string text = nb::cast<std::string>(nb::str(h.attr("__name__")));
    found = dtype_named(text.ends_with('_') ? text.substr(0, text.size() - 1) : text);
  }
  if (found.has_value()) return *found;
  raise(PyExc_TypeError,
        std::string(what) + " is " + text_of(h) +
            ", which is no type of elements; one of bool, int8 to int64, uint8 to uint64, float16, "
            "bfloat16, float32, float64, complex64, complex128 and the block dtypes q4_0 to mxfp4 is expected.");
}

Device device_from(nb::handle h, std::string_view what) {
  if (h.is_none()) return {};
  if (nb::isinstance<Device>(h)) return *nb::inst_ptr<Device>(h);
  if (PyUnicode_Check(h.ptr())) return device_named(nb::cast<std::string>(nb::str(h)));
  raise(PyExc_TypeError, std::string(what) + ": the device is " + text_of(h) +
                             "; a Device, or a name such as 'cpu' or 'webgpu:0', is expected.");
}

/// A new device.
static Device device_with(nb::handle name, DeviceConfig config) {
  if (!PyUnicode_Check(name.ptr())) {
    raise(PyExc_TypeError, "Device: options were given with " + text_of(name) + "; a name such as 'cpu' is expected.");
  }
  config.device = nb::cast<std::string>(nb::str(name));
  const Waiting waiting;
  return Device::create(config);
}

void bind_types(nb::module_& m) {
  nb::class_<ElementType>(m, "DType", "A type of elements, such as tessera.float32.")
      .def_prop_ro("name", [](const ElementType& t) { return long_name(t.value); })
      .def_prop_ro("itemsize", [](const ElementType& t) { return size_of(t.value); })
      .def_prop_ro("kind",
                   [](const ElementType& t) {
                     constexpr std::array kKinds{"bool",          "signed integer",   "unsigned integer",
                                                 "real floating", "complex floating", "block"};
                     return kKinds[static_cast<std::size_t>(info(t.value).kind)];
                   })
      .def("__repr__", [](const ElementType& t) { return "tessera." + long_name(t.value); })
      .def("__hash__", [](const ElementType& t) { return static_cast<int>(t.value) + 1; })
      .def(
          "__eq__",
          [](const ElementType& t, nb::handle other) {
            if (nb::isinstance<ElementType>(other)) return nb::inst_ptr<ElementType>(other)->value == t.value;
            // Equal to NumPy's type of that name, so that code for both reads the same.
            return nb::hasattr(other, "name") && nb::hasattr(other, "itemsize") &&
                   dtype_named(nb::cast<std::string>(nb::str(other.attr("name")))) == t.value;
          },
          nb::arg("other").none());
  for (const DTypeInfo& i : kDTypeInfo) {
    const auto at = static_cast<std::size_t>(i.dtype);
    types()[at] = nb::cast(ElementType{i.dtype});
    m.attr(kLongNames[at]) = types()[at];
  }
  for (const DTypeInfo& i : kBlockDTypeInfo) {
    types()[static_cast<std::size_t>(i.dtype)] = nb::cast(ElementType{i.dtype});
    m.attr(std::string(i.name).c_str()) = types()[static_cast<std::size_t>(i.dtype)];
  }
  m.def("_dtype", [](nb::handle h) { return give(dtype_from(h, "dtype: the argument")); }, nb::arg("name").none());
  m.def("_promote", [](nb::handle a, nb::handle b) {
    return give(promote(dtype_from(a, "result_type: an argument"), dtype_from(b, "result_type: an argument")));
  });
}

void bind_devices(nb::module_& m) {
  nb::class_<Device>(m, "Device", "A device that tensors live on: Device('cpu'), Device('webgpu'), Device('webgpu:0').")
      .def(
          "__init__",
          [](Device* self, nb::handle name, std::uint64_t memory_budget, bool reduced_precision, bool half_sums,
             bool deterministic, bool keep_host_copies) {
            DeviceConfig config;
            config.memory_budget = memory_budget;
            config.reduced_precision = reduced_precision;
            config.half_sums = half_sums;
            config.deterministic = deterministic;
            config.keep_host_copies = keep_host_copies;
            const bool own = memory_budget != 0 || reduced_precision || half_sums || deterministic || keep_host_copies;
            new (self) Device(own ? device_with(name, std::move(config)) : device_from(name, "Device"));
          },
          nb::arg("name"), nb::kw_only(), nb::arg("memory_budget") = 0, nb::arg("reduced_precision") = false,
          nb::arg("half_sums") = false, nb::arg("deterministic") = false, nb::arg("keep_host_copies") = false,
          "With options a separate device, else the one of that name. memory_budget: total bytes of all buffers;\n"
          "reduced_precision: f32 and bf16 matmuls may run on f16 tensor cores; half_sums: f16 matmuls may accumulate\n"
          "in f16; deterministic: bitwise reproducible runs; keep_host_copies: uploaded data survives device loss.")
      .def_prop_ro("id", [](const Device& d) { return d.info().id; })
      .def_prop_ro("name", [](const Device& d) { return d.info().name; })
      .def_prop_ro("backend", [](const Device& d) { return d.info().backend; })
      .def_prop_ro(
          "memory_size", [](const Device& d) { return d.info().memory_size; },
          "Bytes of device memory; of system memory for the CPU; 0 if unknown.")
      .def_prop_ro("available", [](const Device& d) { return d.is_available(); })
      .def_prop_ro("is_cpu", [](const Device& d) { return d.info().type == DeviceType::kCpu; })
      .def_prop_ro("has_float64", [](const Device& d) { return d.info().features.f64; })
      .def_prop_ro("has_complex", [](const Device& d) { return d.info().features.complex; })
      .def("memory_stats", [](const Device& d) { return stats_of(d.memory_stats()); })
      .def("trim", &Device::trim, "Frees pooled memory that is not in use; returns the number of bytes freed.")
      .def(
          "synchronize",
          [](const Device& d) {
            const Waiting waiting;
            d.synchronize();
          },
          "Waits for all submitted work; raises errors since the last wait.")
      .def("set_current", &Device::set_current, "Makes this the default device.")
      .def(
          "restore",
          [](const Device& d) {
            const Waiting waiting;
            d.restore();
          },
          "Recreates a lost device in place.")
      .def(
          "__eq__",
          [](const Device& d, nb::handle other) {
            if (nb::isinstance<Device>(other)) return *nb::inst_ptr<Device>(other) == d;
            return PyUnicode_Check(other.ptr()) && nb::cast<std::string>(nb::str(other)) == d.info().id;
          },
          nb::arg("other").none())
      .def("__hash__", [](const Device& d) { return reinterpret_cast<std::intptr_t>(d.impl().get()) >> 4; })
      .def("__str__", [](const Device& d) { return d.info().id; })
      .def("__repr__", [](const Device& d) { return "Device('" + d.info().id + "', " + d.info().name + ")"; });

  m.def(
      "current_device",
      [] {
        const Waiting waiting;
        return Device::current();
      },
      "The default device.");
  m.def(
      "set_device", [](nb::handle h) { device_from(h, "set_device").set_current(); }, nb::arg("device"),
      "Makes a device, given or named, the default device.");
  m.def("_devices", [] {
    nb::list out;
    std::vector<DeviceInfo> all;
    {
      const Waiting waiting;
      all = Device::list();
    }
    for (const DeviceInfo& i : all) {
      nb::dict d;
      d["id"] = i.id;
      d["name"] = i.name;
      d["vendor"] = i.vendor;
      d["driver"] = i.driver;
      d["backend"] = i.backend;
      d["float16"] = i.features.f16;
      d["float64"] = i.features.f64;
      d["complex"] = i.features.complex;
      d["subgroups"] = i.features.subgroups;
      d["memory_size"] = i.memory_size;
      d["max_buffer_size"] = i.limits.max_buffer_size;
      out.append(d);
    }
    return out;
  });
  m.def("_metrics", [] { return metrics().json(); });
}

}  // namespace tessera::python
