// The oracle's values with how far a device may be from each: a running error analysis, node by node.
#pragma once

#include <span>
#include <vector>

#include "runtime/reference/reference.h"

namespace tessera::test {

/// What a device should give. An error of 0 means exactly the value, rounded to the type; an infinite one means that
/// nothing is known (a comparison of two numbers that may be equal decided on it, say).
struct Bounded {
  reference::Value value;
  std::vector<double> error;  // absolute, one for each element
};

/// Each op adds its own error, in ulps of the type that it computes in (see ulps_of in the source), and what its
/// arguments' errors make of it, found by evaluating it at the ends of their intervals. `flush`: denormals on the way
/// may be taken for zero.
std::vector<Bounded> evaluate_bounded(std::span<const NodePtr> roots, const reference::Input& input, bool flush);

/// The largest finite value and the smallest normal one.
double largest(DType t);
double smallest_normal(DType t);
/// Half the distance from 1 to the next value.
double unit_roundoff(DType t);

}  // namespace tessera::test
