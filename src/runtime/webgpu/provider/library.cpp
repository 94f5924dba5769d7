// Finds the provider's library next to ours and loads it.
#include "runtime/webgpu/provider/library.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/fail.h"
#include "base/os/library.h"

namespace tessera::runtime::webgpu {

namespace {

namespace fs = std::filesystem;

// The bundled ones; the first that exists is used.
constexpr std::array kLibraries{"tessera_wgpu", "wgpu_native"};

}  // namespace

std::string bundled_library() {
  std::array<std::string, kLibraries.size()> names;
  std::ranges::transform(kLibraries, names.begin(), os::library_file_name);
  const os::BundledLibrary found = os::find_bundled(names);
  if (!found.path.empty()) return found.path;
  fail(ErrorKind::kDevice,
       "No WebGPU library: there is no {} in {}. Put one there, or name one in TESSERA_WEBGPU_LIBRARY or "
       "DeviceConfig::webgpu_library.",
       fmt::join(names, " or "), fmt::join(found.searched, " or "));
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
