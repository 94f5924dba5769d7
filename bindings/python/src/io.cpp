// Safetensors files for Python: opened, loaded and written by the C++ library, on paths, bytes and file objects.
#include <algorithm>
#include <filesystem>

#include <tessera/io.h>

#include "files.h"

namespace tessera::python {

std::filesystem::path path_from(const nb::bytes& path) {
  const std::string_view text(path.c_str(), path.size());
  if (text.find('\0') != std::string_view::npos) {
    throw Error(ErrorKind::kIo, "The path " + text_of(path) + " has a zero byte, which no path can have.");
  }
  return std::string(text);
}

std::string utf8_from(nb::handle text, const char* function, const char* what) {
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes == nullptr) {
    PyErr_Clear();
    raise(PyExc_ValueError, std::string(function) + ": " + what + " " + text_of(text) + " is not valid UTF-8.");
  }
  return {bytes, static_cast<std::size_t>(size)};
}

nb::dict dict_of(const std::vector<Tree::Named>& named) {
  nb::dict out;
  for (const auto& [name, tensor] : named) out[nb::cast(name)] = give(tensor);
  return out;
}

std::function<void(const io::LoadProgress&)> progress_from(nb::handle function) {
  if (function.is_none()) return {};
  return [f = kept(nb::borrow(function))](const io::LoadProgress& p) {
    const nb::gil_scoped_acquire acquired;
    (*f)(p.loaded, p.total, nb::cast(std::string(p.tensor)));
  };
}

namespace {

constexpr std::size_t kWrittenAtOnce = std::size_t{16} << 20U;  // bytes that a file object is given
constexpr const char* kSave = "save_safetensors";

/// Gives the bytes of a file to a function of Python, in parts that it may keep.
void write_parts(nb::handle write, const std::vector<Tree::Named>& tensors, const io::Metadata& metadata) {
  const io::SafetensorsLayout layout = io::safetensors_layout(tensors, metadata);
  {
    const Waiting waiting;
    Tensors all;
    for (const auto& [name, tensor] : tensors) all.push_back(tensor);
    eval(all);  // in one submission
  }
  write(nb::bytes(layout.header.data(), layout.header.size()));
  for (const std::size_t i : layout.order) {
    HostView view;
    {
      const Waiting waiting;
      view = host_view(tensors[i].second);
    }
    for (std::size_t at = 0; at < view.bytes.size(); at += kWrittenAtOnce) {
      write(nb::bytes(view.bytes.data() + at, std::min(kWrittenAtOnce, view.bytes.size() - at)));
    }
  }
}

}  // namespace

void bind_io(nb::module_& m) {
  using io::SafetensorsFile;
  nb::class_<SafetensorsFile>(
      m, "SafetensorsFile",
      "A safetensors file: the header is read and checked, and tensors are read when they are asked for.")
      .def("__init__",
           [](SafetensorsFile* self, const nb::bytes& path) {
             const std::filesystem::path file = path_from(path);
             const Waiting waiting;
             new (self) SafetensorsFile(file);
           })
      // Bytes that C++ keeps, without a copy.
      .def_static("_from_bytes",
                  [](nb::bytes data, const std::string& name) {
                    const std::span bytes(static_cast<const std::byte*>(data.data()), data.size());
                    return SafetensorsFile(HostView{bytes, kept(std::move(data)), false}, name);
                  })
      .def("keys",
           [](const SafetensorsFile& f) {
             nb::list out;
             for (const io::TensorEntry& e : f.entries()) out.append(nb::cast(e.name));
             return out;
           })
      .def("__len__", [](const SafetensorsFile& f) { return f.entries().size(); })
      .def("__contains__", [](const SafetensorsFile& f, const std::string& name) { return f.contains(name); })
      .def(
          "tensor",
          [](const SafetensorsFile& f, const std::string& name, nb::handle device) {
            const Device on = device_from(device, "tensor");
            Tensor out;
            {
              const Waiting waiting;
              out = f.tensor(name, on);
            }
            return give(std::move(out));
          },
          nb::arg("name"), nb::kw_only(), nb::arg("device").none() = nb::none(), "Reads one tensor.")
      .def("shape", [](const SafetensorsFile& f, const std::string& name) { return give(f.entry(name).shape); })
      .def("dtype", [](const SafetensorsFile& f, const std::string& name) { return give(f.entry(name).dtype); })
      .def_prop_ro("metadata",
                   [](const SafetensorsFile& f) {
                     nb::dict out;
                     for (const auto& [key, value] : f.metadata()) out[nb::cast(key)] = nb::cast(value);
                     return out;
                   })
      .def(
          "_tensors",
          [](const SafetensorsFile& f, nb::handle device, nb::handle progress) {
            const io::LoadOptions options{device_from(device, "load_safetensors"), progress_from(progress)};
            std::vector<Tree::Named> named;
            {
              const Waiting waiting;
              named = f.tensors(options);
            }
            return dict_of(named);
          },
          nb::arg("device").none(), nb::arg("progress").none() = nb::none());
  m.def(
      "_load_safetensors",
      [](const nb::bytes& path, nb::handle device, nb::handle progress) {
        const std::filesystem::path file = path_from(path);
        const io::LoadOptions options{device_from(device, "load_safetensors"), progress_from(progress)};
        std::vector<Tree::Named> named;
        {
          const Waiting waiting;
          named = io::load_safetensors_list(file, options);
        }
        return dict_of(named);
      },
      nb::arg("path"), nb::arg("device").none(), nb::arg("progress").none() = nb::none());
  // The target is a path or a function that is called with bytes.
  m.def("_save_safetensors", [](nb::handle target, nb::handle named, nb::handle metadata) {
    std::vector<Tree::Named> tensors;
    for (nb::handle row : named) tensors.emplace_back(utf8_from(row[0], kSave, "the name"), tensor_ref(row[1]));
    io::Metadata about;
    for (const auto& [key, value] : nb::borrow<nb::dict>(metadata)) {
      about.emplace(utf8_from(key, kSave, "the metadata key"), utf8_from(value, kSave, "the metadata"));
    }
    if (!PyBytes_Check(target.ptr())) return write_parts(target, tensors, about);
    const std::filesystem::path file = path_from(nb::borrow<nb::bytes>(target));
    const Waiting waiting;
    io::save_safetensors(file, tensors, about);
  });
}

}  // namespace tessera::python
