// Opens the shards of an index: all files are checked before a tensor is loaded.
#include "io/safetensors/safetensors_shards.h"

#include <map>
#include <system_error>

#include "base/fail.h"
#include "base/os/files.h"
#include "io/json.h"
#include "io/named_tensors.h"

namespace tessera::io {

namespace fs = std::filesystem;

namespace {

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

}  // namespace

SafetensorsShards::SafetensorsShards(const fs::path& path) {
  if (path.extension() == ".json") {
    open_index(path);
    return;
  }
  files_.emplace_back(path);
  for (const TensorEntry& e : files_.front().entries()) parts_.push_back({e.name, 0});
}

void SafetensorsShards::open_index(const fs::path& path) {
  const Fault fault(path.string());
  const os::MappedFile index(path);
  const std::span<const std::byte> bytes = index.bytes();
  if (bytes.size() > kMaxHeaderBytes) {
    fault(fmt::format("is an index of {} bytes; at most {} are expected", bytes.size(), kMaxHeaderBytes));
  }
  IndexVisitor visitor(fault);
  visit_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "an index", visitor, fault);
  constexpr std::size_t kPrinted = 8;
  std::string missing;
  std::size_t count = 0;
  for (const auto& [name, tensors] : visitor.files()) {
    std::error_code none;
    if (fs::exists(path.parent_path() / name, none) || ++count > kPrinted) continue;
    missing += (missing.empty() ? "" : ", ") + quote(name);
  }
  if (count > 0) {
    fail(ErrorKind::kIo, "load_safetensors: '{}' has {} shards, some of which are missing beside it: {}{}.",
         path.string(), visitor.files().size(), missing,
         count > kPrinted ? fmt::format(" and {} others", count - kPrinted) : "");
  }
  for (const auto& [name, tensors] : visitor.files()) {
    const SafetensorsFile& shard = files_.emplace_back(path.parent_path() / name);
    for (const std::string& tensor : tensors) {
      if (!shard.contains(tensor)) {
        fault(fmt::format("has a tensor {} in the file {}, which does not have it; its tensors are {}", quote(tensor),
                          quote(name), shard.entries().size()));
      }
      parts_.push_back({tensor, files_.size() - 1});
    }
  }
}

std::vector<Tree::Named> SafetensorsShards::tensors(const LoadOptions& options) const {
  std::vector<Loadable> all;
  for (const Part& p : parts_) all.push_back({p.name, entry(p).bytes});
  return load_named(all, options,
                    [&](std::size_t i) { return files_[parts_[i].file].tensor(parts_[i].name, options.device); });
}

}  // namespace tessera::io
