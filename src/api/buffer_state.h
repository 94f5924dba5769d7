// The state of a Buffer handle, for the files that use its memory.
#pragma once

#include <mutex>
#include <string_view>

#include "runtime/device.h"
#include "runtime/memory/storage.h"
#include "tessera/buffer.h"

namespace tessera {

struct Buffer::State {
  BufferDescriptor descriptor;
  std::shared_ptr<runtime::Device> device;
  mutable std::mutex mutex;
  std::shared_ptr<Storage> storage;  // null once freed; under the mutex
};

/// The memory of a handle for the named call. Error of kind value if it is empty, freed, or not created for `use`.
std::shared_ptr<Storage> storage_for(const Buffer& buffer, BufferUsage use, std::string_view what);
/// Error of kind value if the range is not inside the buffer.
void check_range(const Buffer& buffer, std::uint64_t offset, std::uint64_t bytes, std::string_view what);

}  // namespace tessera
