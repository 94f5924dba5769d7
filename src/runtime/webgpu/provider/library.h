// The source of a provider's functions: a shared library loaded at run time; in a browser, linked functions.
#pragma once

#include <string>

namespace tessera::runtime::webgpu {

/// The bundled library. Throws device if there is none.
std::string bundled_library();
/// Loads a library, which is never closed. Throws device, with the reason.
void* open_library(const std::string& path);
/// A function of it, or null.
void* find_symbol(void* library, const char* name);

}  // namespace tessera::runtime::webgpu
