// Selection by a mask: counted on the device by a scan, then compacted.
#include "base/sizes.h"
#include "graph/op.h"
#include "ops/rows.h"
#include "ops/sort/sort.h"

namespace tessera::ops {

namespace {

NodePtr flat(const NodePtr& x) { return reshape(x, {x->numel()}); }

NodePtr part(const NodePtr& x, std::int64_t start, std::int64_t stop) {
  const std::array<Range, 1> range{{{start, stop, 1}}};
  return slice(x, range);
}

}  // namespace

NodePtr running_count(const NodePtr& mask) {
  check_i32_count("nonzero", mask->numel());
  return cumsum(cast(flat(stop_gradient(mask)), DType::kI32), 0);
}

NodePtr picked(const NodePtr& counts, std::int64_t count) {
  if (count == 0) return arange(0, 0, 1, DType::kI32, counts->device());
  return call("picked", {}, {counts}, {{DType::kI32, {count}}})[0];
}

NodePtr coordinates(const NodePtr& positions, const Shape& shape) {
  const std::int64_t n = positions->numel();
  if (shape.rank() == 0) return reshape(broadcast_to(integer(0), {0}), {n, 0});
  std::vector<NodePtr> columns(static_cast<std::size_t>(shape.rank()));
  NodePtr rest = positions;
  for (int d = shape.rank() - 1; d >= 0; --d) {
    const NodePtr size = integer(shape[d]);
    columns[static_cast<std::size_t>(d)] = d > 0 ? elementwise(Op::kRemainder, {rest, size}) : rest;
    rest = elementwise(Op::kFloorDivide, {rest, size});
  }
  return stack(columns, 1);
}

NodePtr take_flat(const NodePtr& x, const NodePtr& positions) {
  return flat(take_in_rows(reshape(x, {1, x->numel()}), reshape(positions, {1, positions->numel()})));
}

namespace {

/// Complex numbers are ordered by real part, then by imaginary part, by stable sorts. Zeros of either sign are equal.
std::pair<NodePtr, NodePtr> sorted_parts(const NodePtr& x) {
  const NodePtr zero = cast(number(0), real_of(x->dtype()));
  const NodePtr by_imag = sort(elementwise(Op::kImag, {x}) + zero, 0, false).second;
  const NodePtr by_both = sort(take_flat(elementwise(Op::kReal, {x}) + zero, by_imag), 0, false).second;
  const NodePtr order = take_flat(by_imag, by_both);
  return {take_flat(x, order), order};
}

}  // namespace

Distinct distinct(const NodePtr& x) {
  const std::int64_t n = x->numel();
  const auto [sorted, order] =
      is_complex(x->dtype()) ? sorted_parts(flat(stop_gradient(x))) : sort(flat(stop_gradient(x)), 0, false);
  Distinct d{sorted, order, nullptr};
  if (n == 0) {
    d.counts = cast(sorted, DType::kI32);
    return d;
  }
  const NodePtr here = part(sorted, 1, n);
  const NodePtr before = part(sorted, 0, n - 1);
  NodePtr changes = elementwise(Op::kNotEqual, {here, before});
  if (is_float(x->dtype())) {  // NaNs count as equal, and are last
    changes =
        elementwise(Op::kLogicalAnd, {changes, elementwise(Op::kLogicalNot, {elementwise(Op::kIsNan, {before})})});
  }
  const std::array<NodePtr, 2> parts{broadcast_to(integer(1), {1}), cast(changes, DType::kI32)};
  d.counts = cumsum(concat(parts, 0), 0);
  return d;
}

NodePtr distinct_inverse(const Distinct& d, const Shape& shape) {
  const std::int64_t n = shape.numel();
  if (n == 0) return reshape(d.counts, shape);
  return reshape(put_in_rows(reshape(d.counts - integer(1), {1, n}), reshape(d.order, {1, n})), shape);
}

NodePtr run_lengths(const NodePtr& starts, std::int64_t n) {
  const std::int64_t count = starts->numel();
  if (count == 0) return starts;
  const std::array<NodePtr, 2> parts{part(starts, 1, count), broadcast_to(integer(n), {1})};
  return concat(parts, 0) - starts;
}

}  // namespace tessera::ops
