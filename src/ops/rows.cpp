// Moves an axis last and back.
#include "ops/rows.h"

namespace tessera::ops {

RowsOf rows_of(std::string_view what, const NodePtr& x, int axis) {
  RowsOf r;
  const int rank = x->shape().rank();
  const int at = normal_axis(what, axis, rank);
  for (int i = 0; i < rank; ++i) {
    if (i != at) r.order.push_back(i);
  }
  r.order.push_back(at);
  const NodePtr moved = permute(x, r.order);
  r.moved = moved->shape();
  r.cols = r.moved.back();
  r.count = 1;
  for (int i = 0; i + 1 < rank; ++i) r.count *= r.moved[i];
  r.rows = reshape(moved, {r.count, r.cols});
  return r;
}

NodePtr RowsOf::back(const NodePtr& result) const {
  Shape shape = moved;
  shape[shape.rank() - 1] = count == 0 ? result->shape().back() : result->numel() / count;
  std::vector<int> inverse(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) inverse[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  return permute(reshape(result, shape), inverse);
}

DType wide_type(DType t) {
  if (t == DType::kF16 || t == DType::kBF16) return DType::kF32;
  if (t == DType::kBool || t == DType::kI8 || t == DType::kI16) return DType::kI32;
  if (t == DType::kU8 || t == DType::kU16) return DType::kU32;
  return t;
}

NodePtr integer(std::int64_t value) { return scalar({value}, DType::kI32); }

}  // namespace tessera::ops
