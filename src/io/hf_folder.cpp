// Model folders of Hugging Face: the weights are opened at once, the texts beside them when they are used.
#include "tessera/hf_folder.h"

#include <algorithm>
#include <unordered_map>

#include "base/fail.h"
#include "base/utf8.h"
#include "io/json_document.h"
#include "io/named_tensors.h"
#include "io/safetensors/safetensors_shards.h"

namespace tessera::io {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::json;

constexpr std::string_view kFunction = "HfFolder";

/// The text of a JSON file and what it says.
struct Document {
  std::string text;
  Json json;
};

std::optional<Document> read_document(const fs::path& file) {
  std::optional<std::string> text = read_text(file, kFunction);
  if (!text) return std::nullopt;
  Json json = parse_json(*text, "a text", Fault(file.string(), kFunction));
  return Document{std::move(*text), std::move(json)};
}

std::optional<std::string> text_of(std::optional<Document> document) {
  return document ? std::optional(std::move(document->text)) : std::nullopt;
}

/// The template of a "chat_template": a text, or a list of objects with name and template.
std::optional<std::string> template_of(const Document& document, std::string_view name, const Fault& fault) {
  const auto found = document.json.find("chat_template");
  if (found == document.json.end() || found->is_null()) return std::nullopt;
  if (found->is_string()) return name == "default" ? std::optional(found->get<std::string>()) : std::nullopt;
  if (!found->is_array()) {
    fault(fmt::format("has a chat_template that is {} {}; a text or a list is expected",
                      found->is_object() ? "an" : "a", found->type_name()));
  }
  for (const Json& entry : *found) {
    if (!entry.is_object() || !entry.value("name", Json()).is_string() ||
        !entry.value("template", Json()).is_string()) {
      fault("has a chat_template with an entry that is no object with the texts 'name' and 'template'");
    }
    if (entry["name"] == name) return entry["template"].get<std::string>();
  }
  return std::nullopt;
}

/// The file of the weights: one safetensors file, or the index of several.
fs::path weights_of(const fs::path& folder) {
  std::error_code none;
  for (const char* name : {"model.safetensors", "model.safetensors.index.json"}) {
    if (fs::exists(folder / name, none)) return folder / name;
  }
  const bool pickled =
      fs::exists(folder / "pytorch_model.bin", none) || fs::exists(folder / "pytorch_model.bin.index.json", none);
  fail(ErrorKind::kIo,
       "HfFolder: '{}' has no weights; model.safetensors or model.safetensors.index.json is expected{}.",
       folder.string(), pickled ? ", and pytorch_model.bin is a pickled file, which is not read" : "");
}

}  // namespace

struct HfFolder::Impl {
  explicit Impl(const fs::path& folder) : path(folder) {
    std::error_code none;
    if (!fs::is_directory(folder, none)) {
      fail(ErrorKind::kIo, "HfFolder: '{}' is {}; a folder with config.json is expected.", folder.string(),
           fs::exists(folder, none) ? "a file" : "missing");
    }
    std::optional<Document> document = read_document(folder / "config.json");
    if (!document) fail(ErrorKind::kIo, "HfFolder: '{}' has no config.json; it is expected.", folder.string());
    config = std::move(document->text);
    shards.emplace(weights_of(folder));
    parts = shards->parts();
    std::ranges::sort(parts, name_before, &SafetensorsShards::Part::name);
    for (const auto& part : parts) entries.push_back(shards->entry(part));
    for (std::size_t i = 0; i < parts.size(); ++i) positions.emplace(parts[i].name, i);
    for (const SafetensorsFile& file : shards->files()) files.push_back(file.path());
  }

  fs::path path;
  std::string config;
  std::optional<SafetensorsShards> shards;
  std::vector<SafetensorsShards::Part> parts;  // sorted, as the entries
  std::vector<TensorEntry> entries;
  std::unordered_map<std::string_view, std::size_t> positions;
  std::vector<fs::path> files;
};

HfFolder::HfFolder(const fs::path& folder) : impl_(std::make_shared<const Impl>(folder)) {}

const fs::path& HfFolder::path() const { return impl_->path; }
const std::string& HfFolder::config() const { return impl_->config; }
std::optional<std::string> HfFolder::generation_config() const {
  return text_of(read_document(path() / "generation_config.json"));
}
std::optional<std::string> HfFolder::tokenizer() const { return text_of(read_document(path() / "tokenizer.json")); }
std::optional<std::string> HfFolder::tokenizer_config() const {
  return text_of(read_document(path() / "tokenizer_config.json"));
}

std::optional<std::string> HfFolder::chat_template(std::string_view name) const {
  if (name == "default") {
    const fs::path file = path() / "chat_template.jinja";
    std::optional<std::string> text = read_text(file, kFunction);
    if (text && !is_utf8(*text)) Fault(file.string(), kFunction)("is not valid UTF-8");
    if (text) return text;
  }
  for (const char* file : {"tokenizer_config.json", "chat_template.json"}) {
    const std::optional<Document> document = read_document(path() / file);
    if (!document) continue;
    if (auto found = template_of(*document, name, Fault((path() / file).string(), kFunction))) return found;
  }
  return std::nullopt;
}

const std::vector<fs::path>& HfFolder::files() const { return impl_->files; }
const std::vector<TensorEntry>& HfFolder::entries() const { return impl_->entries; }
bool HfFolder::contains(std::string_view name) const { return impl_->positions.contains(name); }

const TensorEntry& HfFolder::entry(std::string_view name) const {
  const auto found = impl_->positions.find(name);
  if (found != impl_->positions.end()) return entries()[found->second];
  fail(ErrorKind::kValue, "HfFolder: '{}' has no tensor {}; it has {} tensors.", path().string(), quote(name),
       entries().size());
}

Tensor HfFolder::tensor(std::string_view name, const Device& device) const {
  const auto position = static_cast<std::size_t>(&entry(name) - entries().data());
  return impl_->shards->files()[impl_->parts[position].file].tensor(name, device);
}

std::vector<Tree::Named> HfFolder::tensors(const LoadOptions& options) const { return impl_->shards->tensors(options); }

}  // namespace tessera::io
