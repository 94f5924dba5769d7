// Memory of the host for the elements of tensors.
#pragma once

#include <cstddef>
#include <memory>

namespace tessera {

struct FreeHostMemory {
  void operator()(std::byte* data) const;
};
using HostMemory = std::unique_ptr<std::byte[], FreeHostMemory>;

/// Uninitialized, aligned for the widest loads, with large pages for large blocks if the system has them: with small
/// ones the first touch takes longer than a copy. Null if out of memory.
HostMemory host_memory(std::size_t bytes);

}  // namespace tessera
