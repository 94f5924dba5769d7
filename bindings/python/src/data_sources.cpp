// Sources of data sets for Python, and images: files and arrays, batches of images on a device.
#include <nanobind/stl/vector.h>
#include <tessera/data/image.h>
#include <tessera/data/sources.h>

#include "call.h"
#include "data.h"
#include "files.h"

namespace tessera::python {

namespace {

using data::DatasetPtr;

/// make() without the GIL: files are read.
template <class F>
PythonDataset made(const F& make) {
  const Waiting waiting;
  return {make()};
}

/// A dict of paths (bytes) by field.
data::FieldFiles field_files_from(nb::handle files) {
  data::FieldFiles out;
  for (const auto& [name, path] : nb::borrow<nb::dict>(files)) {
    out.emplace_back(nb::cast<std::string>(nb::str(name)), path_from(nb::borrow<nb::bytes>(path)));
  }
  return out;
}

/// An array of images, or of any elements, of Python.
data::Array image_from(nb::handle image, const char* what) {
  const data::Sample sample = arrays_from(nb::make_tuple(nb::borrow(image)), what, false);
  return sample.fields()[0].second;
}

nb::object numpy_array(const data::Array& array) {
  return numpy_of({array.bytes(), std::make_shared<data::Array>(array), true}, array.dtype(), array.shape());
}

}  // namespace

void bind_data_sources(nb::module_& m) {
  m.def("_data_npy", [](nb::handle files) {
    const data::FieldFiles all = field_files_from(files);
    return made([&] { return data::from_npy(all); });
  });
  m.def("_data_idx", [](nb::handle files) {
    const data::FieldFiles all = field_files_from(files);
    return made([&] { return data::from_idx(all); });
  });
  m.def("_data_npz", [](const nb::bytes& path, const std::vector<std::string>& names) {
    const std::filesystem::path file = path_from(path);
    return made([&] { return data::from_npz(file, names); });
  });
  m.def("_data_safetensors", [](const nb::bytes& path, const std::vector<std::string>& names) {
    const std::filesystem::path file = path_from(path);
    return made([&] { return data::from_safetensors(file, names); });
  });
  // Fields are rows (name, columns, kind).
  m.def("_data_csv", [](const nb::bytes& path, nb::handle delimiter, const std::vector<std::string>& names,
                        nb::handle fields) {
    const std::filesystem::path file = path_from(path);
    data::CsvOptions options;
    const std::string text = utf8_text(delimiter, "from_csv", "the delimiter");
    if (text.size() != 1) {
      raise(PyExc_ValueError, "from_csv: the delimiter '" + text + "' was given; one ASCII character is expected.");
    }
    options.delimiter = text[0];
    options.names = names;
    for (nb::handle row : fields) {
      options.fields.push_back(
          {.name = nb::cast<std::string>(nb::str(nb::object(row[0]))),
           .columns = nb::cast<std::vector<std::string>>(nb::object(row[1])),
           .kind = Call("from_csv").choose<data::CsvKind>(nb::object(row[2]), "kinds", {"float", "integer", "label"})});
    }
    return made([&] { return data::from_csv(file, options); });
  });
  m.def(
      "_data_image_folder",
      [](const nb::bytes& folder, nb::handle extensions, int channels) {
        const std::filesystem::path path = path_from(folder);
        data::ImageFolderOptions options;
        if (!extensions.is_none()) options.extensions = nb::cast<std::vector<std::string>>(extensions);
        options.channels = channels;
        return made([&] { return data::from_image_folder(path, options); });
      },
      nb::arg("folder"), nb::arg("extensions").none(), nb::arg("channels"));
  m.def("_data_tokens", [](nb::handle source, std::int64_t context, std::int64_t stride, nb::handle dtype,
                           std::int64_t offset, std::int64_t vocabulary) {
    const data::TokenOptions options{.context = context,
                                     .stride = stride,
                                     .dtype = dtype_from(dtype, "from_tokens: the dtype"),
                                     .offset = offset,
                                     .vocabulary = vocabulary};
    if (PyBytes_Check(source.ptr())) {
      const std::filesystem::path path = path_from(nb::borrow<nb::bytes>(source));
      return made([&] { return data::from_tokens(path, options); });
    }
    std::vector<std::int32_t> tokens;
    for (const std::int64_t id : Call("from_tokens").get<std::vector<std::int64_t>>(source, "source")) {
      if (!std::in_range<std::int32_t>(id)) {
        raise(PyExc_ValueError,
              "from_tokens: the token " + std::to_string(id) + " was given; one of 32 bits is expected.");
      }
      tokens.push_back(static_cast<std::int32_t>(id));
    }
    return made([&] { return data::from_tokens(std::move(tokens), options); });
  });

  m.def("_data_image_library", [] {
    const data::ImageLibrary library = data::image_library();
    return nb::make_tuple(library.path, library.version, library.error);
  });
  m.def("_data_load_image", [](const nb::bytes& path, int channels) {
    const std::filesystem::path file = path_from(path);
    data::Array image;
    {
      const Waiting waiting;
      image = data::load_image(file, {.channels = channels});
    }
    return numpy_array(image);
  });
  m.def("_data_decode_image", [](nb::handle bytes, nb::handle name, int channels) {
    const BufferView buffer(bytes, PyBUF_SIMPLE);
    const std::string text = utf8_text(name, "decode_image", "the name");
    data::Array image;
    {
      const Waiting waiting;
      image =
          data::decode_image({static_cast<const std::byte*>((*buffer).buf), static_cast<std::size_t>((*buffer).len)},
                             text, {.channels = channels});
    }
    return numpy_array(image);
  });
  m.def("_data_save_png", [](const nb::bytes& path, nb::handle image) {
    const std::filesystem::path file = path_from(path);
    const data::Array array = image_from(image, "save_png");
    const Waiting waiting;
    data::save_png(file, array);
  });
  m.def("_data_image_grid", [](nb::handle images, std::int64_t columns, std::int64_t padding) {
    Call call("image_grid");
    return give(data::image_grid(call.get<Tensor>(images, "images"), columns, padding));
  });
}

}  // namespace tessera::python
