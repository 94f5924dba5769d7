// `tessera inspect`: what a safetensors file, a GGUF file or a model folder has, from its headers alone.
#include <algorithm>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "terminal.h"
#include "tessera/tessera.h"

namespace tessera::app {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kElementsShown = 8;  // of an array of the metadata
constexpr std::size_t kTextShown = 80;     // characters of a text, for people

struct Row {
  std::string name;
  std::string type;
  Shape shape;
  std::uint64_t offset;
  std::uint64_t bytes;
  std::size_t file;
};

struct Field {
  std::string key;
  std::string type;
  Json value;  // of an array the first elements
  std::size_t size;
};

struct TensorTotal {
  std::uint64_t tensors = 0;
  std::uint64_t elements = 0;
  std::uint64_t bytes = 0;
};

struct Contents {
  std::string format;
  Json facts = Json::object();  // of the format
  std::vector<fs::path> files = {};
  std::vector<Field> metadata = {};
  std::vector<Row> tensors = {};
};

/// Text of a file on a terminal: ASCII with escapes, shortened.
std::string printable(const std::string& text) {
  std::string out = Json(text).dump(-1, ' ', true, Json::error_handler_t::replace);
  out = out.substr(1, out.size() - 2);
  if (out.size() > kTextShown) out.replace(kTextShown - 3, std::string::npos, "...");
  return out;
}

std::string value_text(const Field& field) {
  if (!field.value.is_array()) return field.value.is_string() ? printable(field.value) : field.value.dump();
  std::vector<std::string> parts;
  for (const Json& v : field.value) parts.push_back(v.is_string() ? "\"" + printable(v) + "\"" : v.dump());
  if (field.size > parts.size()) parts.emplace_back("...");
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

Json json_of(const io::GgufValue& value) {
  return std::visit(
      [](const auto& v) -> Json {
        if constexpr (requires { v.capacity(); } && !std::is_same_v<std::remove_cvref_t<decltype(v)>, std::string>) {
          Json out = Json::array();
          for (std::size_t i = 0; i < std::min(v.size(), kElementsShown); ++i) {
            out.push_back(typename std::remove_cvref_t<decltype(v)>::value_type(v[i]));
          }
          return out;
        } else {
          return v;
        }
      },
      value.data());
}

Contents of_gguf(const fs::path& path) {
  const io::GgufFile file(path);
  Contents out{.format = "gguf", .files = file.files()};
  out.facts = {{"version", file.version()}, {"alignment", file.alignment()}};
  for (const auto& [key, value] : file.metadata().entries()) {
    out.metadata.push_back({key, value.type_text(), json_of(value), value.size()});
  }
  for (const io::GgufEntry& e : file.entries()) {
    out.tensors.push_back({e.name, std::string(name(e.type)), e.shape, e.offset, e.bytes, e.file});
  }
  return out;
}

void add_file(Contents& out, const io::SafetensorsFile& file) {
  for (const auto& [key, value] : file.metadata()) out.metadata.push_back({key, "string", value, 1});
  for (const io::TensorEntry& e : file.entries()) {
    out.tensors.push_back({e.name, std::string(name(e.dtype)), e.shape, e.offset, e.bytes, out.files.size()});
  }
  out.files.push_back(file.path());
}

Contents of_safetensors(const fs::path& path) {
  Contents out{.format = "safetensors"};
  add_file(out, io::SafetensorsFile(path));
  return out;
}

Contents of_folder(const fs::path& path) {
  const io::HfFolder folder(path);
  Contents out{.format = "huggingface"};
  const Json config = Json::parse(folder.config());
  for (const auto& [key, value] : config.items()) {
    Field field{key, value.type_name(), value, value.is_array() ? value.size() : 1};
    if (field.size > kElementsShown) field.value.erase(field.value.begin() + kElementsShown, field.value.end());
    out.metadata.push_back(std::move(field));
  }
  out.facts = {{"tokenizer", folder.tokenizer().has_value()},
               {"generation_config", folder.generation_config().has_value()},
               {"chat_template", folder.chat_template().has_value()}};
  const std::size_t of_config = out.metadata.size();
  for (const fs::path& file : folder.files()) add_file(out, io::SafetensorsFile(file));
  out.metadata.resize(of_config);
  // Shards may have tensors that the index does not list.
  std::erase_if(out.tensors, [&](const Row& row) { return !folder.contains(row.name); });
  return out;
}

Contents contents_of(const fs::path& path) {
  if (fs::is_directory(path)) return of_folder(path);
  std::string magic(4, '\0');
  std::ifstream(path, std::ios::binary).read(magic.data(), 4);
  if (magic == "GGUF" || path.extension() == ".gguf") return of_gguf(path);
  if (path.extension() == ".json") return of_folder(path.has_parent_path() ? path.parent_path() : fs::path("."));
  return of_safetensors(path);
}

std::map<std::string, TensorTotal> totals_of(const Contents& c) {
  std::map<std::string, TensorTotal> out;
  for (const Row& row : c.tensors) {
    for (TensorTotal* total : {&out[row.type], &out[""]}) {
      ++total->tensors;
      total->elements += static_cast<std::uint64_t>(row.shape.numel());
      total->bytes += row.bytes;
    }
  }
  return out;
}

Json json_of(const TensorTotal& t) { return {{"tensors", t.tensors}, {"elements", t.elements}, {"bytes", t.bytes}}; }

void print_json(const Contents& c) {
  Json all{{"format", c.format}};
  all.update(c.facts);
  all["files"] = Json::array();
  for (const fs::path& file : c.files) all["files"].push_back(file.string());
  all["metadata"] = Json::object();
  for (const Field& f : c.metadata) {
    Json& field = all["metadata"][f.key] = {{"type", f.type}, {"value", f.value}};
    if (f.value.is_array()) field["size"] = f.size;
  }
  all["tensors"] = Json::array();
  for (const Row& row : c.tensors) {
    all["tensors"].push_back({{"name", row.name},
                              {"type", row.type},
                              {"shape", std::vector<std::int64_t>(row.shape.begin(), row.shape.end())},
                              {"offset", row.offset},
                              {"bytes", row.bytes},
                              {"file", row.file}});
  }
  auto totals = totals_of(c);
  all["total"] = json_of(totals[""]);
  totals.erase("");
  all["totals"] = Json::object();
  for (const auto& [type, total] : totals) all["totals"][type] = json_of(total);
  fmt::print("{}\n", all.dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// Rows of cells in columns as wide as their longest cell.
void print_rows(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    std::string line = " ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += i + 1 < row.size() ? fmt::format(" {:<{}} ", row[i], widths[i]) : " " + row[i];
    }
    fmt::print("{}\n", line);
  }
}

void print_text(const Contents& c) {
  std::vector<std::string> facts;
  for (const auto& [key, value] : c.facts.items()) facts.push_back(fmt::format("{} {}", key, value.dump()));
  fmt::print("{}{}{}\n", styled(Style::kBold, c.format), facts.empty() ? "" : ": ", fmt::join(facts, ", "));
  for (const fs::path& file : c.files) fmt::print("  {}\n", printable(file.string()));
  std::vector<std::vector<std::string>> rows;
  for (const Field& f : c.metadata) rows.push_back({printable(f.key), f.type, value_text(f)});
  fmt::print("\n{} ({})\n", styled(Style::kBold, c.format == "huggingface" ? "config.json" : "Metadata"), rows.size());
  print_rows(rows);
  rows.clear();
  for (const Row& row : c.tensors) {
    rows.push_back({printable(row.name), row.type, row.shape.str(), bytes_text(row.bytes)});
  }
  fmt::print("\n{} ({})\n", styled(Style::kBold, "Tensors"), rows.size());
  print_rows(rows);
  rows.clear();
  auto totals = totals_of(c);
  const TensorTotal all = totals[""];
  totals.erase("");
  for (const auto& [type, t] : totals) {
    rows.push_back({type, fmt::format("{} tensors", t.tensors),
                    count_text(static_cast<double>(t.elements)) + " elements", bytes_text(t.bytes)});
  }
  rows.push_back({"all", fmt::format("{} tensors", all.tensors),
                  count_text(static_cast<double>(all.elements)) + " elements", bytes_text(all.bytes)});
  fmt::print("\n{}\n", styled(Style::kBold, "Totals"));
  print_rows(rows);
}

}  // namespace

int inspect(const InspectOptions& options) {
  const Contents contents = contents_of(options.path);
  if (options.json) {
    print_json(contents);
  } else {
    print_text(contents);
  }
  return 0;
}

}  // namespace tessera::app
