// Positions in graphs and kernels are ints, since -1 means none; vectors are indexed by std::size_t.
#pragma once

#include <cstddef>

namespace tessera {

constexpr std::size_t idx(int i) { return static_cast<std::size_t>(i); }

}  // namespace tessera
