// Loads safetensors: one tensor of a mapped file, all of them, or those of an index of shards.
#include <algorithm>
#include <cctype>
#include <functional>
#include <optional>
#include <unordered_map>

#include "base/fail.h"
#include "base/os/files.h"
#include "io/safetensors_format.h"
#include "tessera/host.h"

namespace tessera::io {

namespace fs = std::filesystem;

namespace {

constexpr std::ptrdiff_t kMaxKeys = 256;  // of a name: trees are visited recursively

/// Orders names key by key: positions as numbers and before texts, so that lists stay lists.
bool before(std::string_view a, std::string_view b) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  while (true) {
    const std::string_view key_a = a.substr(0, a.find('.'));
    const std::string_view key_b = b.substr(0, b.find('.'));
    const bool number_a = !key_a.empty() && std::ranges::all_of(key_a, is_digit);
    const bool number_b = !key_b.empty() && std::ranges::all_of(key_b, is_digit);
    if (number_a != number_b) return number_a;
    if (number_a && key_a.size() != key_b.size()) return key_a.size() < key_b.size();
    if (key_a != key_b) return key_a < key_b;
    const bool ends_a = key_a.size() == a.size();
    const bool ends_b = key_b.size() == b.size();
    if (ends_a || ends_b) return ends_a && !ends_b;
    a.remove_prefix(key_a.size() + 1);
    b.remove_prefix(key_b.size() + 1);
  }
}

Tree tree_of(const std::vector<Tree::Named>& named, const Fault& fault) {
  for (const auto& [name, tensor] : named) {
    const std::ptrdiff_t keys = std::ranges::count(name, '.') + 1;
    if (keys > kMaxKeys) {
      fault(
          fmt::format("has a tensor {} whose name has {} keys; at most {} are expected", quote(name), keys, kMaxKeys));
    }
  }
  try {
    return Tree::unflatten(named);
  } catch (const Error& e) {
    std::string text = e.what();
    if (text.ends_with('.')) text.pop_back();
    fault("has names that do not make a tree: " + text);
  }
}

/// Collects weight_map.
class IndexVisitor final : public JsonVisitor {
 public:
  explicit IndexVisitor(const Fault& fault) : fault_(fault) {}

  void value(const JsonPath& path, const JsonValue& v) override {
    if (path.depth() == 0 || path.keys[0] != "weight_map") return;
    if (path.depth() == 1) {
      if (v.kind != JsonKind::kObject) {
        fault_(fmt::format("has the weight_map {}; an object with the file of each tensor is expected", v.str()));
      }
      found_ = true;
    } else if (path.depth() == 2) {
      // Of the same folder: an index must not open other files.
      if (v.kind != JsonKind::kText || v.text.empty() || v.text == "." || v.text == ".." ||
          v.text.find_first_of(std::string_view("/\\\0", 3)) != std::string_view::npos) {
        fault_(fmt::format("has a tensor {} in the file {}; the name of a file beside the index is expected",
                           quote(path.keys[1]), v.str()));
      }
      files_[std::string(v.text)].push_back(path.keys[1]);
    }
  }
  void end(const JsonPath& /*path*/) override {}

  /// The names of the tensors of each file.
  [[nodiscard]] const std::map<std::string, std::vector<std::string>>& files() const {
    if (!found_) fault_("has no weight_map; an object with the file of each tensor is expected");
    return files_;
  }

 private:
  const Fault& fault_;
  bool found_ = false;
  std::map<std::string, std::vector<std::string>> files_;
};

std::vector<Tree::Named> load_shards(const fs::path& path, const LoadOptions& options) {
  const Fault fault(path.string());
  const os::MappedFile index(path);
  const std::span<const std::byte> bytes = index.bytes();
  if (bytes.size() > kMaxHeaderBytes) {
    fault(fmt::format("is an index of {} bytes; at most {} are expected", bytes.size(), kMaxHeaderBytes));
  }
  IndexVisitor visitor(fault);
  visit_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "an index", visitor, fault);
  std::vector<Tree::Named> named;
  for (const auto& [name, tensors] : visitor.files()) {
    const SafetensorsFile shard(path.parent_path() / name);
    for (const std::string& tensor : tensors) {
      if (!shard.contains(tensor)) {
        fault(fmt::format("has a tensor {} in the file {}, which does not have it; its tensors are {}", quote(tensor),
                          quote(name), shard.entries().size()));
      }
      named.emplace_back(tensor, shard.tensor(tensor, options.device));
    }
  }
  std::ranges::sort(named, before, &Tree::Named::first);
  return named;
}

}  // namespace

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

std::vector<Tree::Named> SafetensorsFile::tensors(const Device& device) const {
  std::vector<Tree::Named> named;
  for (const TensorEntry& e : entries()) named.emplace_back(e.name, tensor(e.name, device));
  std::ranges::sort(named, before, &Tree::Named::first);
  return named;
}

std::vector<Tree::Named> load_safetensors_list(const fs::path& path, const LoadOptions& options) {
  if (path.extension() == ".json") return load_shards(path, options);
  return SafetensorsFile(path).tensors(options.device);
}

Tree load_safetensors(const fs::path& path, const LoadOptions& options) {
  return tree_of(load_safetensors_list(path, options), Fault(path.string()));
}

}  // namespace tessera::io
