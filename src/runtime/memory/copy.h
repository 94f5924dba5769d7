// Copies and fills inside a device's memory, at any byte offset: by kernels, in order with submissions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/device.h"

namespace tessera::runtime {

/// `from` may be `to` if the ranges do not overlap. The ranges are inside the buffers.
void copy_bytes(Device& device, Buffer& from, std::size_t from_at, Buffer& to, std::size_t to_at, std::size_t bytes);
void fill_bytes(Device& device, Buffer& to, std::size_t at, std::size_t bytes, std::uint8_t value);

}  // namespace tessera::runtime
