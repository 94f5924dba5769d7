// Nodes that read at computed places, and that replace a part.
#pragma once

#include <span>

#include "graph/node.h"

namespace tessera::ops {

/// Elements of x at row-major positions (i32), which the caller keeps in bounds.
NodePtr gather(const NodePtr& x, const NodePtr& positions);
/// x with `part` in place of what lies from `low` on.
NodePtr replace(const NodePtr& x, const NodePtr& part, std::span<const std::int64_t> low);

/// The next f32 or f64 after a towards b.
NodePtr nextafter(const NodePtr& a, const NodePtr& b);

}  // namespace tessera::ops
