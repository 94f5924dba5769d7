// The oracle: interprets a graph node by node, unfused, in f64 and 64-bit integers.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "graph/graph.h"

namespace tessera::reference {

/// A tensor's elements in row-major order: in `f` where the dtype is a float, in `c` where it is complex, else in `i`
/// (bool as 0 and 1, u64 as two's complement).
struct Value {
  DType dtype = DType::kF32;
  Shape shape;
  std::vector<double> f;
  std::vector<std::int64_t> i;
  std::vector<std::complex<double>> c = {};
};

/// The rounding of floats after each node. Leaves and casts always round to their dtype; integers always wrap.
enum class Rounding : std::uint8_t {
  kNone,      // they stay in f64: the mathematically exact result
  kEachNode,  // they are rounded to the node's dtype
};

/// Returns the data of a node that is an input or already evaluated.
using Input = std::function<Value(const Node&)>;

/// The values of `roots`, in their order.
std::vector<Value> evaluate(std::span<const NodePtr> roots, const Input& input, Rounding rounding = Rounding::kNone);

/// The elements as stored in a tensor's memory, and back.
std::vector<std::byte> to_bytes(const Value& value);
Value from_bytes(std::span<const std::byte> bytes, DType dtype, const Shape& shape);

/// To the nearest value of a float dtype, or of the parts of a complex one; ties to even, overflow to infinity.
double round_to(double v, DType t);
std::complex<double> round_to(std::complex<double> v, DType t);
/// Wraps to the range of an integer dtype; bool: whether it is nonzero.
std::int64_t wrap_to(std::int64_t v, DType t);
/// Truncates to the compute type of `t`, saturating, NaN to 0; then wraps. bool: whether it is nonzero.
std::int64_t to_integer(double v, DType t);
/// Rounded once.
double to_float(std::int64_t v, bool is_unsigned, DType t);

/// Word index % 4 of Philox4x32-10's block at counter (index / 4, 0, counter low, counter high).
std::uint32_t philox(std::uint64_t index, std::uint64_t seed, std::uint64_t counter);

}  // namespace tessera::reference
