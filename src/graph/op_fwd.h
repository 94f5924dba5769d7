// The op enum without its enumerators, for headers that only store or pass one: a new elementwise op does not rebuild
// their users. What names an op includes graph/op.h.
#pragma once

#include <cstdint>

namespace tessera {

enum class Op : std::uint8_t;
inline constexpr Op kInputOp{};  // Op::kInput

}  // namespace tessera
