// Nodes that read at computed positions, and that replace a slice.
#pragma once

#include <span>

#include "graph/node.h"

namespace tessera::ops {

/// An integer index within [0, size), as i32: negative ones count from the end, and one out of bounds is an Error at
/// the next wait.
NodePtr checked_index(const NodePtr& index, std::int64_t size);
/// Elements of x at row-major positions (i32), which must be in bounds.
NodePtr gather(const NodePtr& x, const NodePtr& positions);
/// x with `values` at row-major positions (i32, the shape of values), which must be in bounds and differ. Only the
/// values are written where nobody else needs x; otherwise x is copied first.
NodePtr put(const NodePtr& x, const NodePtr& values, const NodePtr& positions);
/// x with `part` in place of the elements from `low` on.
NodePtr replace(const NodePtr& x, const NodePtr& part, std::span<const std::int64_t> low);

}  // namespace tessera::ops
