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

/// What happens to a float after each node. Leaves and casts round to their dtype in both; integers always wrap.
enum class Rounding : std::uint8_t {
  kNone,      // it stays in f64: the mathematically right result
  kEachNode,  // it is rounded to the node's dtype
};

/// Gives the data of a node that is an input or was evaluated before.
using Input = std::function<Value(const Node&)>;

/// The values of `roots`, in their order.
std::vector<Value> evaluate(std::span<const NodePtr> roots, const Input& input, Rounding rounding = Rounding::kNone);

/// The elements as they lie in a tensor's memory, and back.
std::vector<std::byte> to_bytes(const Value& value);
Value from_bytes(std::span<const std::byte> bytes, DType dtype, const Shape& shape);

/// To the nearest value of a float type, or of the parts of a complex one, ties to even, past the largest one to
/// infinity.
double round_to(double v, DType t);
std::complex<double> round_to(std::complex<double> v, DType t);
/// Into the range of an integer type modulo its size; bool: 0 or 1 by whether it is 0.
std::int64_t wrap_to(std::int64_t v, DType t);
/// Towards zero into the integer that `t` is computed in, saturating, NaN to 0; then wrapped. bool: whether it is 0.
std::int64_t to_integer(double v, DType t);
/// Rounded once.
double to_float(std::int64_t v, bool is_unsigned, DType t);

/// Word index % 4 of Philox4x32-10's block at counter (index / 4, 0, counter low, counter high).
std::uint32_t philox(std::uint64_t index, std::uint64_t seed, std::uint64_t counter);

}  // namespace tessera::reference
