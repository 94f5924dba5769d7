// Shared libraries where the system is POSIX. The build for browsers leaves this out.
#include <algorithm>
#include <system_error>

#include <dlfcn.h>

#include "base/os/library.h"

namespace tessera::os {

namespace fs = std::filesystem;

LoadedLibrary load_library(const std::string& path) {
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle != nullptr) return {.handle = handle};
  const char* why = ::dlerror();
  return {.why = why != nullptr ? why : "the system gives no reason"};
}

void* find_symbol(void* library, const char* name) { return ::dlsym(library, name); }

std::string library_file_name(const std::string& name) {
#if defined(__APPLE__)
  return "lib" + name + ".dylib";
#else
  return "lib" + name + ".so";
#endif
}

std::vector<fs::path> own_folders() {
  std::vector<fs::path> folders;
  std::error_code error;
  Dl_info info{};
  if (::dladdr(reinterpret_cast<void*>(&own_folders), &info) != 0 && info.dli_fname != nullptr) {
    const fs::path own = fs::canonical(info.dli_fname, error);
    if (!error) folders.push_back(own.parent_path());
  }
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  if (!error) folders.push_back(executable.parent_path());
  return folders;
}

BundledLibrary find_bundled(std::span<const std::string> files) {
  BundledLibrary out;
  for (const fs::path& own : own_folders()) {
    for (const char* place : {".", "tessera", "../lib/tessera"}) {
      const fs::path folder = (own / place / "").lexically_normal().parent_path();
      for (const std::string& file : files) {
        std::error_code error;
        if (fs::exists(folder / file, error)) return {(folder / file).string(), {}};
      }
      if (std::ranges::find(out.searched, folder.string()) == out.searched.end()) {
        out.searched.push_back(folder.string());
      }
    }
  }
  return out;
}

}  // namespace tessera::os
