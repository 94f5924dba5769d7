// Data sets of files of arrays: npy, npz, safetensors and IDX.
#include <algorithm>
#include <memory>

#include "base/fail.h"
#include "base/os/files.h"
#include "data/arrays.h"
#include "io/idx_header.h"
#include "io/npy/npy.h"
#include "tessera/data/sources.h"
#include "tessera/io.h"

namespace tessera::data {

namespace fs = std::filesystem;

namespace {

/// "images.npy, labels.npy"
std::string names_of_files(const FieldFiles& files) {
  std::string names;
  for (const auto& [field, path] : files) names += (names.empty() ? "" : ", ") + path.string();
  return names;
}

DatasetPtr from_files(const FieldFiles& files, std::string_view function,
                      io::HostArray (*read)(const fs::path&, std::string_view)) {
  if (files.empty()) fail(ErrorKind::kValue, "{}: no files were given; at least one is expected.", function);
  std::vector<Arrays::Named> fields;
  for (const auto& [field, path] : files) fields.emplace_back(field, read(path, function));
  return std::make_shared<const Arrays>(std::move(fields), function, names_of_files(files));
}

/// The arrays in the order of the names, if there are any.
DatasetPtr selected(std::vector<Arrays::Named> arrays, const std::vector<std::string>& names, const fs::path& path,
                    std::string_view function) {
  std::vector<Arrays::Named> fields;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(arrays, name, &Arrays::Named::first);
    if (found == arrays.end()) {
      fail(ErrorKind::kValue, "{}: '{}' has no array {}.", function, path.string(), io::quote(name));
    }
    fields.push_back(*found);
  }
  if (names.empty()) fields = std::move(arrays);
  if (fields.empty()) {
    fail(ErrorKind::kValue, "{}: '{}' has no arrays; at least one is expected.", function, path.string());
  }
  return std::make_shared<const Arrays>(std::move(fields), fmt::format("{}: '{}'", function, path.string()),
                                        path.string());
}

bool is_wanted(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

}  // namespace

DatasetPtr from_npy(const FieldFiles& files) { return from_files(files, "from_npy", io::read_npy); }

DatasetPtr from_idx(const FieldFiles& files) { return from_files(files, "from_idx", io::read_idx); }

DatasetPtr from_npz(const fs::path& path, const std::vector<std::string>& names) {
  return selected(io::read_npz(path, "from_npz", [&](std::string_view name) { return is_wanted(names, name); }), names,
                  path, "from_npz");
}

DatasetPtr from_safetensors(const fs::path& path, const std::vector<std::string>& names) {
  const auto file = std::make_shared<const os::MappedFile>(path);
  const std::span<const std::byte> bytes = file->bytes();
  const std::string text = path.string();
  const std::size_t header_bytes = io::safetensors_header_bytes(bytes, bytes.size(), text);
  const io::SafetensorsHeader header = io::parse_safetensors_header(bytes.first(header_bytes), bytes.size(), text);
  std::vector<Arrays::Named> arrays;
  for (const io::TensorEntry& e : header.entries) {
    if (!is_wanted(names, e.name)) continue;
    const auto data = bytes.subspan(static_cast<std::size_t>(e.offset), static_cast<std::size_t>(e.bytes));
    if (e.dtype == DType::kBool && std::ranges::any_of(data, [](std::byte b) { return b > std::byte{1}; })) {
      fail(ErrorKind::kParse, "from_safetensors: '{}' has a tensor {} of bool with bytes that are neither 0 nor 1.",
           text, io::quote(e.name));
    }
    arrays.emplace_back(e.name, io::HostArray{{data, file, false}, e.dtype, e.shape});
  }
  return selected(std::move(arrays), names, path, "from_safetensors");
}

}  // namespace tessera::data
