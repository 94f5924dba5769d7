// Shared libraries: opened at run time, and where the code of this process lies.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tessera::os {

struct LoadedLibrary {
  void* handle = nullptr;  // it is never closed
  std::string why = {};    // where there is no handle: the system's reason
};
LoadedLibrary load_library(const std::string& path);
/// A function of a library, or null.
void* find_symbol(void* library, const char* name);

/// What the file of a library is called here: "libname.so", "libname.dylib".
std::string library_file_name(const std::string& name);

/// The folder of the binary or shared library that holds this function, then that of the executable; those that are
/// known.
std::vector<std::filesystem::path> own_folders();

}  // namespace tessera::os
