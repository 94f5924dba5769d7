// Finds the provider's library beside ours and loads it.
#include "runtime/webgpu/provider/library.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#ifdef _WIN32
// The few functions used, instead of a header that redefines half the language.
extern "C" {
__declspec(dllimport) void* __stdcall LoadLibraryA(const char*);
__declspec(dllimport) void* __stdcall GetProcAddress(void*, const char*);
__declspec(dllimport) unsigned long __stdcall GetLastError();
__declspec(dllimport) unsigned long __stdcall GetModuleFileNameA(void*, char*, unsigned long);
}
#else
#include <dlfcn.h>
#endif

#include "base/fail.h"

namespace tessera::runtime::webgpu {

namespace {

namespace fs = std::filesystem;

// The bundled ones; the first that is there is taken.
#if defined(_WIN32)
constexpr std::array kLibraries{"tessera_wgpu.dll", "wgpu_native.dll"};
#elif defined(__APPLE__)
constexpr std::array kLibraries{"libtessera_wgpu.dylib", "libwgpu_native.dylib"};
#else
constexpr std::array kLibraries{"libtessera_wgpu.so", "libwgpu_native.so"};
#endif

#ifdef _WIN32
void* load(const std::string& path, std::string& why) {
  void* library = LoadLibraryA(path.c_str());
  if (library == nullptr) why = fmt::format("LoadLibrary gave error {}", GetLastError());
  return library;
}
std::vector<fs::path> own_folders() {
  char path[4096] = {};
  GetModuleFileNameA(nullptr, path, sizeof(path) - 1);
  return {fs::path(path).parent_path()};
}
#else
void* load(const std::string& path, std::string& why) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) why = dlerror();
  return library;
}
// Where the binary or the shared library that holds this function lies, then where the executable lies.
std::vector<fs::path> own_folders() {
  std::vector<fs::path> folders;
  std::error_code error;
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&own_folders), &info) != 0 && info.dli_fname != nullptr) {
    const fs::path own = fs::canonical(info.dli_fname, error);
    if (!error) folders.push_back(own.parent_path());
  }
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  if (!error) folders.push_back(executable.parent_path());
  return folders;
}
#endif

// Beside us, as in a bundle; in the private folder beside an installed libtessera; in that of the installation or the
// build folder that an executable belongs to.
constexpr std::array kPlaces{".", "tessera", "../lib/tessera"};

}  // namespace

std::string bundled_library() {
  std::vector<std::string> searched;
  for (const fs::path& own : own_folders()) {
    for (const char* place : kPlaces) {
      const fs::path folder = (own / place / "").lexically_normal().parent_path();
      for (const char* library : kLibraries) {
        std::error_code error;
        if (fs::exists(folder / library, error)) return (folder / library).string();
      }
      if (std::ranges::find(searched, folder.string()) == searched.end()) searched.push_back(folder.string());
    }
  }
  fail(ErrorKind::kDevice,
       "No WebGPU library: there is no {} in {}. Put one there, or name one in TESSERA_WEBGPU_LIBRARY or "
       "DeviceConfig::webgpu_library.",
       fmt::join(kLibraries, " or "), fmt::join(searched, " or "));
}

void* open_library(const std::string& path) {
  std::error_code error;
  // A bare name is searched for by the system; a path can be checked here, for a clearer message.
  if (path.find('/') != std::string::npos && !fs::exists(path, error)) {
    fail(ErrorKind::kDevice, "The WebGPU library '{}' does not exist.", path);
  }
  std::string why;
  void* library = load(path, why);
  if (library == nullptr) fail(ErrorKind::kDevice, "The WebGPU library '{}' does not load: {}.", path, why);
  return library;
}

#ifdef _WIN32
void* find_symbol(void* library, const char* name) { return GetProcAddress(library, name); }
#else
void* find_symbol(void* library, const char* name) { return dlsym(library, name); }
#endif

}  // namespace tessera::runtime::webgpu
