// Finds the provider's library next to ours and loads it.
#include "runtime/webgpu/provider/library.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include "base/fail.h"
#include "base/os/library.h"

namespace tessera::runtime::webgpu {

namespace {

namespace fs = std::filesystem;

// The bundled ones; the first that exists is used.
constexpr std::array kLibraries{"tessera_wgpu", "wgpu_native"};

// Next to our binary, as in a bundle; in the private folder next to an installed libtessera; in that of the
// executable's installation or build folder.
constexpr std::array kPlaces{".", "tessera", "../lib/tessera"};

}  // namespace

std::string bundled_library() {
  std::array<std::string, kLibraries.size()> names;
  std::ranges::transform(kLibraries, names.begin(), os::library_file_name);
  std::vector<std::string> searched;
  for (const fs::path& own : os::own_folders()) {
    for (const char* place : kPlaces) {
      const fs::path folder = (own / place / "").lexically_normal().parent_path();
      for (const std::string& library : names) {
        std::error_code error;
        if (fs::exists(folder / library, error)) return (folder / library).string();
      }
      if (std::ranges::find(searched, folder.string()) == searched.end()) searched.push_back(folder.string());
    }
  }
  fail(ErrorKind::kDevice,
       "No WebGPU library: there is no {} in {}. Put one there, or name one in TESSERA_WEBGPU_LIBRARY or "
       "DeviceConfig::webgpu_library.",
       fmt::join(names, " or "), fmt::join(searched, " or "));
}

void* open_library(const std::string& path) {
  std::error_code error;
  // A bare name is searched for by the system; a path is checked here, for a clearer message.
  if (path.find('/') != std::string::npos && !fs::exists(path, error)) {
    fail(ErrorKind::kDevice, "The WebGPU library '{}' does not exist.", path);
  }
  const os::LoadedLibrary library = os::load_library(path);
  if (library.handle == nullptr) {
    fail(ErrorKind::kDevice, "The WebGPU library '{}' does not load: {}.", path, library.why);
  }
  return library.handle;
}

void* find_symbol(void* library, const char* name) { return os::find_symbol(library, name); }

}  // namespace tessera::runtime::webgpu
