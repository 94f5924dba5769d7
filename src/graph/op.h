// The primitive ops.
#pragma once

#include <cstdint>

#include "graph/elementwise_list.h"
#include "graph/op_fwd.h"

namespace tessera {

enum class Op : std::uint8_t {
  // Leaves.
  kInput,   // data: a storage, or a placeholder of a trace
  kScalar,  // one value, a parameter of the plan
  kIota,    // 0, 1, 2, ... along the row-major order of the shape
  kRandom,  // 32 Philox bits per element
  // Structure.
  kView,  // the input's elements in another order or shape: attribute View
  kCopy,  // the input, written out row-major
  kPad,   // the first input inside a box, the second outside: attribute PadLow
  kMark,  // the identity of the first input, with a gradient rule; computed after the other inputs, if any
  // Reductions over the trailing axes of the input. They have no attribute: rows and columns follow from the shapes.
  kSum,
  kProd,
  kMax,
  kMin,
  kArgMax,
  kArgMin,
  // Contractions.
  kMatmul,  // [B.., M, K] x [B.., K, N], batch axes equal
  kGather,  // elements of the first input at the row-major positions in the second, with the second's shape
  kPut,  // the first input with the elements of the second at the row-major positions in the third, each at most once
  kCustom,  // one result of a custom kernel: attribute CustomResult
  kCall,    // one result of an op that schedule/calls lowers to kernels and other nodes: attribute CallResult
  // Elementwise: rows of the table, in its order.
  kCast,
#define TESSERA_ENUMERATOR(Name, name, arity) k##Name,
  TESSERA_ELEMENTWISE_OPS(TESSERA_ENUMERATOR)
#undef TESSERA_ENUMERATOR
  // Memory.
  kPack,  // the elements of all inputs, one after the other; each has a multiple of kPackUnit elements
};

static_assert(Op::kInput == kInputOp);
inline constexpr Op kFirstElementwise = Op::kCast;
inline constexpr Op kLastElementwise = Op::kWhere;

/// Elements between which the inputs of a kPack begin: 256 bytes or more in every dtype, where a binding may begin on
/// every adapter, and as many in all dtypes, so that arenas of the same tensors in two dtypes have the same layout.
inline constexpr std::int64_t kPackUnit = 256;

constexpr bool is_elementwise(Op op) { return op >= kFirstElementwise && op <= kLastElementwise; }
constexpr bool is_reduction(Op op) { return op >= Op::kSum && op <= Op::kArgMin; }
constexpr bool is_leaf(Op op) { return op <= Op::kRandom; }

}  // namespace tessera
