// Allocates, and asks the system for large pages.
#include "base/host_memory.h"

#include <cstdlib>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tessera {

namespace {

constexpr std::size_t kAlign = 64;
constexpr std::size_t kLargePage = std::size_t{2} << 20U;

constexpr std::size_t round_up(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

}  // namespace

void FreeHostMemory::operator()(std::byte* data) const { std::free(data); }

HostMemory host_memory(std::size_t bytes) {
  const bool large = bytes >= 2 * kLargePage;
  const std::size_t align = large ? kLargePage : kAlign;
  const std::size_t size = round_up(bytes, align);
  auto* data = static_cast<std::byte*>(std::aligned_alloc(align, size));
#if defined(__linux__)
  if (large && data != nullptr) static_cast<void>(madvise(data, size, MADV_HUGEPAGE));  // it is but advice
#endif
  return HostMemory(data);
}

}  // namespace tessera
