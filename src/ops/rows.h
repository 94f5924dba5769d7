// Tensors as rows along one axis, for ops that work on rows.
#pragma once

#include <string_view>
#include <vector>

#include "ops/build.h"

namespace tessera::ops {

/// x with `axis` last, as rows x cols, and the inverse for a result of the same rows.
struct RowsOf {
  NodePtr rows;  // [rows, cols]
  std::int64_t count = 0, cols = 0;
  Shape moved;             // the shape with the axis last
  std::vector<int> order;  // the permutation that moves it there
  /// A result of the same rows, with the axis moved back.
  [[nodiscard]] NodePtr back(const NodePtr& rows_of_result) const;
};
RowsOf rows_of(std::string_view what, const NodePtr& x, int axis);

/// The dtype in which kernels take an element: small floats as f32, small integers and bool as i32 or u32.
DType wide_type(DType t);
/// An i32 constant.
NodePtr integer(std::int64_t value);

}  // namespace tessera::ops
