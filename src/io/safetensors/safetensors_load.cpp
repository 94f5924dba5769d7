// Loads safetensors: one tensor of a mapped file, all of them, or those of an index of shards.
#include <algorithm>
#include <optional>
#include <unordered_map>

#include "base/fail.h"
#include "base/os/files.h"
#include "io/named_tensors.h"
#include "io/safetensors/safetensors_format.h"
#include "io/safetensors/safetensors_shards.h"
#include "tessera/host.h"

namespace tessera::io {

namespace fs = std::filesystem;

struct SafetensorsFile::Impl {
  explicit Impl(const fs::path& file)
      : path(file),
        fault(path.string()),
        mapped(std::in_place, file),
        bytes(mapped->bytes()),
        header(read_header(bytes, bytes.size(), fault)) {
    index();
  }
  Impl(HostView given, const std::string& name)
      : path(name),
        fault(name),
        memory(std::move(given)),
        bytes(memory.bytes),
        header(read_header(bytes, bytes.size(), fault)) {
    index();
  }
  void index() {
    for (std::size_t i = 0; i < header.entries.size(); ++i) positions.emplace(header.entries[i].name, i);
  }

  fs::path path;
  Fault fault;
  std::optional<os::MappedFile> mapped = std::nullopt;  // or
  HostView memory = {};
  std::span<const std::byte> bytes;
  SafetensorsHeader header;
  std::unordered_map<std::string_view, std::size_t> positions = {};
};

SafetensorsFile::SafetensorsFile(const fs::path& path) : impl_(std::make_shared<const Impl>(path)) {}
SafetensorsFile::SafetensorsFile(HostView bytes, const std::string& name)
    : impl_(std::make_shared<const Impl>(std::move(bytes), name)) {}

const fs::path& SafetensorsFile::path() const { return impl_->path; }

const std::vector<TensorEntry>& SafetensorsFile::entries() const { return impl_->header.entries; }

const Metadata& SafetensorsFile::metadata() const { return impl_->header.metadata; }

bool SafetensorsFile::contains(std::string_view name) const { return impl_->positions.contains(name); }

const TensorEntry& SafetensorsFile::entry(std::string_view name) const {
  const auto found = impl_->positions.find(name);
  if (found != impl_->positions.end()) return entries()[found->second];
  std::string others;
  for (std::size_t i = 0; i < entries().size() && i < 8; ++i) others += (i == 0 ? "" : ", ") + quote(entries()[i].name);
  fail(ErrorKind::kValue, "SafetensorsFile: '{}' has no tensor {}; it has {} tensors{}{}.", path().string(),
       quote(name), entries().size(), others.empty() ? "" : ", such as ", others);
}

Tensor SafetensorsFile::tensor(std::string_view name, const Device& device) const {
  const TensorEntry& e = entry(name);
  const std::span<const std::byte> bytes =
      impl_->bytes.subspan(static_cast<std::size_t>(e.offset), static_cast<std::size_t>(e.bytes));
  if (e.dtype == DType::kBool) {
    const auto wrong = std::ranges::find_if(bytes, [](std::byte b) { return b > std::byte{1}; });
    if (wrong != bytes.end()) {
      impl_->fault(fmt::format("has a tensor {} of dtype BOOL with the byte {} at element {}; 0 or 1 is expected",
                               quote(name), std::to_integer<int>(*wrong), wrong - bytes.begin()));
    }
  }
  try {
    return from_host({bytes, impl_, false}, e.dtype, e.shape, device);
  } catch (const Error& error) {  // a dtype that the device does not have, or no memory
    throw Error(error.kind(),
                fmt::format("load_safetensors: the tensor {} of '{}' cannot be loaded: {}", quote(name),
                            path().string(), error.what()),
                error.fields());
  }
}

std::vector<Tree::Named> SafetensorsFile::tensors(const LoadOptions& options) const {
  std::vector<Loadable> all;
  for (const TensorEntry& e : entries()) all.push_back({e.name, e.bytes});
  return load_named(all, options, [&](std::size_t i) { return tensor(all[i].name, options.device); });
}

std::vector<Tree::Named> load_safetensors_list(const fs::path& path, const LoadOptions& options) {
  if (path.extension() == ".json") return SafetensorsShards(path).tensors(options);
  return SafetensorsFile(path).tensors(options);
}

Tree load_safetensors(const fs::path& path, const LoadOptions& options) {
  return tree_of(load_safetensors_list(path, options), Fault(path.string()));
}

}  // namespace tessera::io
