// Shared libraries loaded at run time, and the folders of this process's binaries.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace tessera::os {

struct LoadedLibrary {
  void* handle = nullptr;  // never closed
  std::string why = {};    // without a handle: the system's reason
};
LoadedLibrary load_library(const std::string& path);
/// A function of a library, or null.
void* find_symbol(void* library, const char* name);

/// The file name of a library on this system: "libname.so", "libname.dylib".
std::string library_file_name(const std::string& name);

/// The folder of the binary or shared library that contains this function, then that of the executable; unknown ones
/// are left out.
std::vector<std::filesystem::path> own_folders();

struct BundledLibrary {
  std::string path;                   // empty: there is none
  std::vector<std::string> searched;  // without one: these folders
};
/// The first of these files that lies next to our binary, as in a bundle; in the private folder next to an installed
/// libtessera; or in that of the executable's installation or build folder.
BundledLibrary find_bundled(std::span<const std::string> files);

}  // namespace tessera::os
