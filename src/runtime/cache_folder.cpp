// Reads the environment for the folder of what is kept, and puts files in place by a rename.
#include "runtime/cache_folder.h"

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>

#include <unistd.h>

namespace tessera::runtime {

std::filesystem::path cache_folder() {
  const auto variable = [](const char* name) {
    const char* text = std::getenv(name);
    return std::filesystem::path(text != nullptr ? text : "");
  };
  if (std::getenv("TESSERA_CACHE") != nullptr) return variable("TESSERA_CACHE");
  if (const auto cache = variable("XDG_CACHE_HOME"); !cache.empty()) return cache / "tessera";
  if (const auto home = variable("HOME"); !home.empty()) return home / ".cache" / "tessera";
  return {};
}

void replace_file(const std::filesystem::path& file, std::string_view text) {
  std::filesystem::create_directories(file.parent_path());
  const std::filesystem::path temporary = file.string() + '.' + std::to_string(getpid());
  try {
    {
      std::ofstream out(temporary);
      out << text;
      if (!out.flush()) throw std::runtime_error("it cannot be written");
    }
    std::filesystem::rename(temporary, file);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw;
  }
}

}  // namespace tessera::runtime
