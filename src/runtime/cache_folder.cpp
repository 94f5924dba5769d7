// Reads the environment for the folder of what is kept.
#include "runtime/cache_folder.h"

#include <cstdlib>

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

}  // namespace tessera::runtime
