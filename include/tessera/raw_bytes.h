// Bytes where they lie, for who moves them himself.
#pragma once

#include <cstddef>

#include "tessera/export.h"

namespace TESSERA_API tessera {

/// In memory of the host; or, where `host` is null, inside an object of the WebGPU provider: from `offset` on in a
/// WGPUBuffer. Only a browser, whose buffers are not in the program's memory, gives the latter.
struct RawBytes {
  void* host = nullptr;
  void* object = nullptr;
  std::size_t offset = 0;
  std::size_t size = 0;
};

}  // namespace tessera
