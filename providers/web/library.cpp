// The provider in a browser: its functions are linked, not loaded.
#include "runtime/webgpu/provider/library.h"

#include <string_view>
#include <utility>

#include "base/fail.h"
#include "imports.h"
#include "runtime/webgpu/provider/provider.h"

namespace tessera::runtime::webgpu {

namespace {
constexpr std::string_view kName = "navigator.gpu";
int marker = 0;
}  // namespace

std::string bundled_library() { return std::string(kName); }

void* open_library(const std::string& path) {
  if (path != kName) {
    fail(ErrorKind::kDevice,
         "The WebGPU library '{}' was asked for, but a browser loads none; leave TESSERA_WEBGPU_LIBRARY and "
         "DeviceConfig::webgpu_library empty.",
         path);
  }
  return &marker;
}

void* find_symbol(void* /*library*/, const char* name) {
  const std::string_view wanted = name;
  if (wanted == "tesseraWebVersion") return &marker;
  if (wanted == "tesseraWebSuspends") return tessera_web_suspends() != 0 ? &marker : nullptr;
#define TESSERA_WEBGPU_LINKED(function) \
  if (wanted == #function) return reinterpret_cast<void*>(&::function);
  TESSERA_WEBGPU_REQUIRED(TESSERA_WEBGPU_LINKED)
#undef TESSERA_WEBGPU_LINKED
  return nullptr;
}

}  // namespace tessera::runtime::webgpu
