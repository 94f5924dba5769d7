// Memory of the host for the elements of tensors.
#pragma once

#include <cstddef>
#include <memory>

namespace tessera {

struct FreeHostMemory {
  void operator()(std::byte* data) const;
};
using HostMemory = std::unique_ptr<std::byte[], FreeHostMemory>;

/// Not filled, aligned for the widest loads, and in large pages where there is much of it and the system has them:
/// with small ones, the first touch takes longer than a copy does. Null where there is none left.
HostMemory host_memory(std::size_t bytes);

}  // namespace tessera
