// The elementwise ops over blocks of values on the CPU: one function for each row of the table.
#pragma once

#include <type_traits>

#include "base/fail.h"
#include "graph/elementwise_list.h"
#include "ops/elementwise/elementwise.h"

namespace tessera::cpu {

#define TESSERA_DECLARE(Name, name, arity) void name(const CpuBlock& block);
TESSERA_ELEMENTWISE_OPS(TESSERA_DECLARE)
#undef TESSERA_DECLARE

/// A function from a formula, such as each<[](auto x) { return x * x; }>, for numbers. Integers come unsigned, so that
/// they wrap; where that changes the meaning, or SIMD intrinsics pay, write a function instead.
template <auto kFormula>
void each(const CpuBlock& block) {
  const auto run = [&](auto zero) {
    using T = decltype(zero);
    const auto arg = [&](int k, std::int64_t i) { return static_cast<const T*>(block.args[k])[i]; };
    if constexpr (std::is_invocable_v<decltype(kFormula), T>) {
      auto* out = static_cast<std::invoke_result_t<decltype(kFormula), T>*>(block.out);
      for (std::int64_t i = 0; i < block.n; ++i) out[i] = kFormula(arg(0, i));
    } else {
      auto* out = static_cast<std::invoke_result_t<decltype(kFormula), T, T>*>(block.out);
      for (std::int64_t i = 0; i < block.n; ++i) out[i] = kFormula(arg(0, i), arg(1, i));
    }
  };
  switch (block.type) {
    case Compute::kF32:
      return run(float{});
    case Compute::kF64:
      return run(double{});
    case Compute::kI32:
    case Compute::kU32:
      return run(std::uint32_t{});
    case Compute::kI64:
    case Compute::kU64:
      return run(std::uint64_t{});
    case Compute::kBool:
      return run(static_cast<unsigned char>(0));
    default:
      fail(ErrorKind::kDType, "A block of complex numbers reached an elementwise op that takes real numbers.");
  }
}

}  // namespace tessera::cpu
