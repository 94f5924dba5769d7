// The memory that a device has left.
#include "tessera/memory.h"

#include <algorithm>

#include "base/os/system.h"
#include "runtime/device.h"

namespace tessera {

std::optional<std::uint64_t> available_memory(const Device& device) {
  const Device on = device.impl() != nullptr ? device : Device::current();
  const std::uint64_t budget = on.impl()->config().memory_budget;
  if (budget == 0 && on.info().memory_size == 0) return std::nullopt;
  const std::uint64_t left = on.impl()->pool().available();
  const std::uint64_t system = on.info().type == DeviceType::kCpu ? os::available_memory() : 0;
  return system != 0 ? std::min(left, system) : left;
}

}  // namespace tessera
