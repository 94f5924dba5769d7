// A view of raw bytes, for callers that copy them themselves.
#pragma once

#include <cstddef>

#include "tessera/export.h"

namespace TESSERA_API tessera {

/// Bytes in host memory; or, if `host` is null, at `offset` in a WGPUBuffer `object` of the WebGPU provider. The latter
/// occurs only in a browser, whose buffers are not in the program's memory.
struct RawBytes {
  void* host = nullptr;
  void* object = nullptr;
  std::size_t offset = 0;
  std::size_t size = 0;
};

}  // namespace tessera
