// How much memory a device has left.
#pragma once

#include <cstdint>
#include <optional>

#include "tessera/device.h"
#include "tessera/export.h"

namespace TESSERA_API tessera {

/// Bytes that new tensors may have on a device: what is not in use of its memory budget, or else of its memory; on the
/// CPU not more than what the system has free. None if that is not known. A device that is none is the current one.
std::optional<std::uint64_t> available_memory(const Device& device = {});

}  // namespace tessera
