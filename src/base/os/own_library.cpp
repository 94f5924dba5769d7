// Finds a library of ours beside the engine, or where an environment variable says, and loads it.
#include "base/os/own_library.h"

#include <array>
#include <utility>

#include <fmt/ranges.h>

#include "base/fail.h"
#include "base/os/library.h"
#include "base/os/system.h"

namespace tessera {

namespace {

std::string find(const OwnLibrary& library) {
  if (const auto path = os::environment(library.variable.c_str()); path && !path->empty()) return *path;
  const std::array names{os::library_file_name(library.name)};
  os::BundledLibrary found = os::find_bundled(names);
  if (found.path.empty()) {
    fail(ErrorKind::kUnsupported, "No library for {}: there is no {} in {}. {}, or name the library in {}.",
         library.purpose, names[0], fmt::join(found.searched, " or "), library.to_have_it, library.variable);
  }
  return std::move(found.path);
}

}  // namespace

LoadedOwnLibrary::LoadedOwnLibrary(OwnLibrary library) : library_(std::move(library)), path_(find(library_)) {
  os::LoadedLibrary loaded = os::load_library(path_);
  if (loaded.handle == nullptr) {
    fail(ErrorKind::kUnsupported, "The {} library '{}' does not load: {}.", library_.what, path_, loaded.why);
  }
  handle_ = loaded.handle;
}

void* LoadedOwnLibrary::symbol(const char* name) const {
  void* found = os::find_symbol(handle_, name);
  if (found == nullptr) {
    fail(ErrorKind::kUnsupported, "The {} library '{}' has no function {}: it is of another version.", library_.what,
         path_, name);
  }
  return found;
}

}  // namespace tessera
