// Options of functions that load the tensors of a file: the device, and a function that follows the progress.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "tessera/device.h"
#include "tessera/export.h"

namespace TESSERA_API tessera {
namespace io {

/// How far loading is.
struct LoadProgress {
  std::uint64_t loaded;     // bytes of tensors
  std::uint64_t total;      // bytes of all tensors
  std::string_view tensor;  // the one that was loaded last
};

struct LoadOptions {
  Device device = {};
  /// Called after each tensor, on the thread that loads. What it throws ends loading.
  std::function<void(const LoadProgress&)> progress = {};
};

}  // namespace io
}  // namespace tessera
