// Texts and JSON files of training jobs.
#include "train/files.h"

#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "tessera/error.h"

namespace tessera::app {

namespace fs = std::filesystem;

std::string read_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text;
  if (in && !fs::is_directory(file)) text.assign(std::istreambuf_iterator<char>(in), {});
  if (!in || fs::is_directory(file)) {
    throw Error(ErrorKind::kIo, fmt::format("The file '{}' cannot be read.", file.string()));
  }
  return text;
}

Json read_json(const fs::path& file) {
  Json value = Json::parse(read_text(file), nullptr, false);
  if (!value.is_object()) {
    throw Error(ErrorKind::kParse, fmt::format("'{}' is not valid JSON; an object is expected.", file.string()));
  }
  return value;
}

void write_text(const fs::path& file, std::string_view text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  if (!out.flush()) throw Error(ErrorKind::kIo, fmt::format("The file '{}' cannot be written.", file.string()));
}

void write_json(const fs::path& file, const Json& value) { write_text(file, value.dump(2) + '\n'); }

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw Error(ErrorKind::kIo, fmt::format("The folder '{}' cannot be made: {}.", folder.string(), error.message()));
  }
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kMost = 80;
  const std::string all = Json(text.substr(0, 2 * kMost)).dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string inside = all.substr(1, all.size() - 2);
  if (inside.size() > kMost) inside.replace(kMost - 3, std::string::npos, "...");
  return fmt::format("'{}'", inside);
}

}  // namespace tessera::app
