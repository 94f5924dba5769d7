// Loads GGUF: the files of a split model, one tensor of the mapped files, or all of them.
#include <algorithm>
#include <array>
#include <optional>
#include <system_error>
#include <unordered_map>

#include "base/fail.h"
#include "base/os/files.h"
#include "io/gguf/gguf_format.h"
#include "io/named_tensors.h"

namespace tessera::io {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kFunction = "GgufFile";
constexpr std::int64_t kMaxFiles = 99999;  // names have five digits

/// A file in memory, and what was parsed of it.
struct Part {
  Part(const fs::path& file)  // NOLINT(google-explicit-constructor)
      : mapped(std::in_place, file),
        bytes(mapped->bytes()),
        header(parse_gguf(bytes, Fault(file.string(), kFunction))) {}
  Part(HostView given, const std::string& name)
      : memory(std::move(given)), bytes(memory.bytes), header(parse_gguf(bytes, Fault(name, kFunction))) {}

  std::optional<os::MappedFile> mapped = std::nullopt;  // or
  HostView memory = {};
  std::span<const std::byte> bytes;
  GgufHeader header;
};

/// What a split file says about the others; count 1 in one that is not split.
struct Split {
  std::int64_t number = 0;
  std::int64_t count = 1;
  std::optional<std::int64_t> tensors = std::nullopt;  // of all files together
};

Split split_of(const GgufMetadata& metadata, const Fault& fault) {
  const auto integer = [&](std::string_view key, std::int64_t least, std::int64_t most) -> std::optional<std::int64_t> {
    const GgufValue* value = metadata.find(key);
    if (value == nullptr) return std::nullopt;
    std::optional<std::int64_t> given;
    try {
      given = value->integer();
    } catch (const Error&) {
      given.reset();
    }
    if (!given || *given < least || *given > most) {
      fault(fmt::format("has the {} {}; an integer from {} to {} is expected", key, value->str(), least, most));
    }
    return given;
  };
  Split split;
  split.count = std::max<std::int64_t>(integer("split.count", 0, kMaxFiles).value_or(1), 1);  // 0: not split
  split.number = integer("split.no", 0, kMaxFiles).value_or(0);
  split.tensors = integer("split.tensors.count", 0, std::numeric_limits<std::int32_t>::max());
  if (split.number >= split.count) {
    fault(fmt::format("has the split.no {} of {} files; a smaller number is expected", split.number, split.count));
  }
  return split;
}

std::string suffix_of(std::int64_t number, std::int64_t count) {
  return fmt::format("-{:05}-of-{:05}.gguf", number + 1, count);
}

/// The names of the files of a split model, from that of one of them.
std::vector<fs::path> split_files(const fs::path& path, const Split& split, const Fault& fault) {
  const std::string name = path.filename().string();
  const std::string suffix = suffix_of(split.number, split.count);
  if (!name.ends_with(suffix)) {
    fault(fmt::format("is file {} of a model that is split into {}; a name that ends in '{}' is expected",
                      split.number + 1, split.count, suffix));
  }
  const std::string stem = name.substr(0, name.size() - suffix.size());
  std::vector<fs::path> files;
  for (std::int64_t i = 0; i < split.count; ++i) {
    files.push_back(path.parent_path() / (stem + suffix_of(i, split.count)));
  }
  return files;
}

void check_all_there(const std::vector<fs::path>& files) {
  std::string missing;
  std::size_t count = 0;
  for (const fs::path& file : files) {
    std::error_code none;
    if (fs::exists(file, none)) continue;
    if (++count <= 8) missing += fmt::format("{}'{}'", count > 1 ? ", " : "", file.filename().string());
  }
  if (count == 0) return;
  fail(ErrorKind::kIo, "GgufFile: '{}' is split into {} files, of which {} are missing: {}{}.", files.front().string(),
       files.size(), count, missing, count > 8 ? ", ..." : "");
}

}  // namespace

struct GgufFile::Impl {
  explicit Impl(const fs::path& path) : files{path} {
    parts.push_back(std::make_unique<const Part>(path));
    const Fault fault(path.string(), kFunction);
    const Split split = split_of(metadata(), fault);
    if (split.count > 1) add_split(path, split, fault);
    collect(split);
  }
  Impl(HostView given, const std::string& name) : files{name} {
    parts.push_back(std::make_unique<const Part>(std::move(given), name));
    const Split split = split_of(metadata(), Fault(name, kFunction));
    if (split.count > 1) {
      fail(ErrorKind::kValue,
           "GgufFile: '{}' is one of {} files of a split model in memory; the path of the first one is expected.", name,
           split.count);
    }
    collect(split);
  }

  [[nodiscard]] const GgufMetadata& metadata() const { return parts.front()->header.metadata; }

  void add_split(const fs::path& path, const Split& first, const Fault& fault) {
    const std::vector<fs::path> all = split_files(path, first, fault);
    if (first.number != 0) {
      fail(ErrorKind::kValue, "GgufFile: '{}' is file {} of {} of a split model; the first one, '{}', is expected.",
           path.string(), first.number + 1, first.count, all.front().filename().string());
    }
    check_all_there(all);
    for (std::size_t i = 1; i < all.size(); ++i) {
      parts.push_back(std::make_unique<const Part>(all[i]));
      const Fault here(all[i].string(), kFunction);
      const Split split = split_of(parts.back()->header.metadata, here);
      if (split.number != static_cast<std::int64_t>(i) || split.count != first.count) {
        here(fmt::format("has the split.no {} and the split.count {}; {} and {} are expected", split.number,
                         split.count, i, first.count));
      }
    }
    files = all;
  }

  void collect(const Split& split) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (GgufEntry e : parts[i]->header.entries) {
        e.file = i;
        entries.push_back(std::move(e));
      }
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto [other, is_new] = positions.emplace(entries[i].name, i);
      if (!is_new) {
        Fault(files[entries[i].file].string(),
              kFunction)(fmt::format("has a tensor {}, which '{}' has too; each name is expected once",
                                     quote(entries[i].name), files[entries[other->second].file].filename().string()));
      }
    }
    if (split.count > 1 && split.tensors && static_cast<std::uint64_t>(*split.tensors) != entries.size()) {
      Fault(files.front().string(), kFunction)(fmt::format(
          "has the split.tensors.count {}; its {} files have {} tensors", *split.tensors, split.count, entries.size()));
    }
  }

  [[nodiscard]] std::span<const std::byte> bytes(const GgufEntry& e) const {
    return parts[e.file]->bytes.subspan(static_cast<std::size_t>(e.offset), static_cast<std::size_t>(e.bytes));
  }

  /// Block dtypes are repacked as soon as they are asked for.
  void read_ahead(const GgufEntry& e) const {
    const std::optional<DType> dtype = dtype_of(e.type);
    if (dtype && is_block(*dtype) && parts[e.file]->mapped) os::read_ahead(bytes(e));
  }

  std::vector<fs::path> files;
  std::vector<std::unique_ptr<const Part>> parts;
  std::vector<GgufEntry> entries;
  std::unordered_map<std::string_view, std::size_t> positions;
};

GgufFile::GgufFile(const fs::path& path) : impl_(std::make_shared<const Impl>(path)) {}
GgufFile::GgufFile(HostView bytes, const std::string& name)
    : impl_(std::make_shared<const Impl>(std::move(bytes), name)) {}

const std::vector<fs::path>& GgufFile::files() const { return impl_->files; }
std::uint32_t GgufFile::version() const { return impl_->parts.front()->header.version; }
std::uint64_t GgufFile::alignment() const { return impl_->parts.front()->header.alignment; }
const GgufMetadata& GgufFile::metadata() const { return impl_->metadata(); }
const std::vector<GgufEntry>& GgufFile::entries() const { return impl_->entries; }
bool GgufFile::contains(std::string_view name) const { return impl_->positions.contains(name); }

const GgufEntry& GgufFile::entry(std::string_view name) const {
  const auto found = impl_->positions.find(name);
  if (found != impl_->positions.end()) return entries()[found->second];
  std::string others;
  for (std::size_t i = 0; i < entries().size() && i < 8; ++i) others += (i == 0 ? "" : ", ") + quote(entries()[i].name);
  fail(ErrorKind::kValue, "GgufFile: '{}' has no tensor {}; it has {} tensors{}{}.", path().string(), quote(name),
       entries().size(), others.empty() ? "" : ", such as ", others);
}

HostView GgufFile::bytes(std::string_view name) const { return {impl_->bytes(entry(name)), impl_, false}; }

Tensor GgufFile::tensor(std::string_view name, const Device& device) const {
  const GgufEntry& e = entry(name);
  const std::optional<DType> dtype = dtype_of(e.type);
  if (!dtype) {
    fail(ErrorKind::kUnsupported,
         "GgufFile: the tensor {} of '{}' is of type {}, which is a block format that Tessera does not have.",
         quote(name), path().string(), io::name(e.type));
  }
  try {
    if (is_block(*dtype)) {
      impl_->read_ahead(e);
      return from_blocks(*dtype, impl_->bytes(e), e.shape, device);
    }
    return from_host({impl_->bytes(e), impl_, false}, *dtype, e.shape, device);
  } catch (const Error& error) {  // a dtype that the device does not have, or no memory
    throw Error(
        error.kind(),
        fmt::format("GgufFile: the tensor {} of '{}' cannot be loaded: {}", quote(name), path().string(), error.what()),
        error.fields());
  }
}

std::vector<Tree::Named> GgufFile::tensors(const LoadOptions& options) const {
  std::vector<Loadable> all;
  for (const GgufEntry& e : entries()) all.push_back({e.name, e.bytes});
  return load_named(all, options, [&](std::size_t i) {
    if (i + 1 < all.size()) impl_->read_ahead(entries()[i + 1]);  // while this one is repacked
    return tensor(all[i].name, options.device);
  });
}

Tree load_gguf(const fs::path& path, const LoadOptions& options) {
  return tree_of(GgufFile(path).tensors(options), Fault(path.string(), "load_gguf"));
}

}  // namespace tessera::io
