// Checks and conversions of arguments, shared by the public functions.
#pragma once

#include <algorithm>
#include <string_view>

#include "base/compute.h"
#include "base/fail.h"
#include "ops/build.h"
#include "tessera/ops.h"

namespace tessera {

/// The node of an operand. Error of kind value where the tensor is empty; of one that may be, t.node() is null.
inline const NodePtr& node_of(const Tensor& t) {
  if (!t.defined()) fail(ErrorKind::kValue, "An empty Tensor was given as an operand; it holds no value.");
  return t.node();
}

/// Integers and bool become f32.
inline Tensor floating(const Tensor& x) { return is_float(node_of(x)->dtype()) ? x : cast(x, f32); }
/// f16 and bf16 too: see ops::wide.
inline Tensor wide(const Tensor& x) {
  return cast(x, wide_float(is_float(x.dtype()) || is_complex(x.dtype()) ? x.dtype() : f32));
}

/// A range of an axis by NumPy's rules, normalized: bounds counted from the front, and clipped.
inline ops::Range plain_range(std::string_view what, const Slice& s, std::int64_t size, int axis) {
  if (s.step == 0) fail(ErrorKind::kValue, "{}: the step of axis {} is 0.", what, axis);
  const bool up = s.step > 0;
  const auto bound = [&](std::optional<std::int64_t> v, std::int64_t whole) {
    if (!v.has_value()) return whole;
    const std::int64_t at = *v < 0 ? *v + size : *v;
    return up ? std::clamp<std::int64_t>(at, 0, size) : std::clamp<std::int64_t>(at, -1, size - 1);
  };
  return {bound(s.start, up ? 0 : size - 1), bound(s.stop, up ? size : -1), s.step};
}

}  // namespace tessera
