// Where a provider's functions come from: a shared library that is opened at run time; in a browser, what was linked.
#pragma once

#include <string>

namespace tessera::runtime::webgpu {

/// The library that comes with the engine. Throws device where there is none.
std::string bundled_library();
/// Opens a library; it is never closed. Throws device, with the reason.
void* open_library(const std::string& path);
/// A function of it, or null.
void* find_symbol(void* library, const char* name);

}  // namespace tessera::runtime::webgpu
