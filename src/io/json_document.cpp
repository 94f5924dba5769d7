// Builds documents from the events of the checked parser.
#include "io/json_document.h"

#include <vector>

#include "base/fail.h"
#include "base/os/files.h"

namespace tessera::io {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxDepth = 64;

Json json_of(const JsonValue& v) {
  switch (v.kind) {
    case JsonKind::kInteger:
      return v.integer;
    case JsonKind::kNegative:
      return static_cast<std::int64_t>(v.integer);
    case JsonKind::kNumber:
      return v.number;
    case JsonKind::kBool:
      return v.integer != 0;
    case JsonKind::kText:
      return std::string(v.text);
    case JsonKind::kObject:
      return Json::object();
    case JsonKind::kList:
      return Json::array();
    case JsonKind::kNull:
      return nullptr;
  }
  return nullptr;
}

class Builder final : public JsonVisitor {
 public:
  void value(const JsonPath& path, const JsonValue& v) override {
    Json* added = &root;
    if (open_.empty()) {
      root = json_of(v);
    } else if (open_.back()->is_array()) {
      added = &open_.back()->emplace_back(json_of(v));
    } else {
      added = &(*open_.back())[path.keys.back()];
      *added = json_of(v);
    }
    if (v.kind == JsonKind::kObject || v.kind == JsonKind::kList) open_.push_back(added);
  }
  void end(const JsonPath& /*path*/) override { open_.pop_back(); }

  Json root;

 private:
  std::vector<Json*> open_;  // the last one grows, so that pointers to the others stay valid
};

}  // namespace

std::optional<std::string> read_text(const fs::path& file, std::string_view function) {
  std::error_code error;
  if (!fs::exists(file, error)) return std::nullopt;
  const os::MappedFile mapped(file);
  const std::span<const std::byte> bytes = mapped.bytes();
  if (bytes.size() > kMaxHeaderBytes) {
    Fault(file.string(),
          function)(fmt::format("is a text of {} bytes; at most {} are expected", bytes.size(), kMaxHeaderBytes));
  }
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

Json parse_json(std::string_view text, std::string_view what, const Fault& fault) {
  Builder builder;
  visit_json(text, what, builder, fault, kMaxDepth);
  return std::move(builder.root);
}

}  // namespace tessera::io
