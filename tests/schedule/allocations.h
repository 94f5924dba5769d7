// Counts the allocations of the whole test process.
#pragma once

#include <cstdint>

namespace tessera::test {

/// Calls of operator new so far.
std::uint64_t allocations();

}  // namespace tessera::test
