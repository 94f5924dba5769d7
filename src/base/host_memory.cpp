// Allocates host memory, with large pages for large blocks.
#include "base/host_memory.h"

#include "base/ints.h"
#include "base/os/system.h"

namespace tessera {

namespace {

constexpr std::size_t kAlign = 64;

}  // namespace

void FreeHostMemory::operator()(std::byte* data) const { os::free_aligned(data); }

HostMemory host_memory(std::size_t bytes) {
  const bool large = bytes >= 2 * os::kLargePage;
  const std::size_t align = large ? os::kLargePage : kAlign;
  const std::size_t size = round_up(bytes, align);
  std::byte* data = os::allocate_aligned(size, align);
  if (large && data != nullptr) os::advise_large_pages(data, size);
  return HostMemory(data);
}

}  // namespace tessera
