// Scans along an axis.
#include "ops/reduce/scan.h"

#include <array>
#include <limits>

#include "base/fail.h"
#include "base/sizes.h"
#include "graph/op.h"
#include "ops/autocast.h"
#include "ops/rows.h"
#include "ops/sort/sort.h"

namespace tessera::ops {

std::string_view name_of(ScanKind kind) {
  constexpr std::array<std::string_view, 5> kNames{"cumsum", "cumprod", "cummax", "cummin", "logcumsumexp"};
  return kNames[static_cast<std::size_t>(kind)];
}

namespace {

/// The results of a scan of x, which has a wide or a complex dtype, along the axis.
std::vector<NodePtr> scan(ScanKind kind, const NodePtr& x, int axis, ScanOptions o) {
  const RowsOf r = rows_of(name_of(kind), x, axis);
  const DType t = f32_dtype(x->dtype());
  const bool index = with_index(kind);
  if (x->numel() == 0) {
    std::vector<NodePtr> none{x};
    if (index) none.push_back(cast(x, DType::kI32));
    return none;
  }
  if (is_complex(t) && kind != ScanKind::kSum && kind != ScanKind::kProd)
    fail(ErrorKind::kDType, "{}: type {} has no scan.", name_of(kind), name(t));
  if (index) check_i32_count(name_of(kind), r.cols);
  std::vector<TensorSpec> outputs{{t, r.rows->shape()}};
  if (index) outputs.push_back({DType::kI32, r.rows->shape()});
  std::vector<NodePtr> results =
      call("scan", to_attributes(ScanAttributes{kind, o.exclusive, o.reverse}), {r.rows}, std::move(outputs));
  for (NodePtr& y : results) y = r.back(y);
  return results;
}

NodePtr op(Op which, const NodePtr& x) { return elementwise(which, {x}); }

std::pair<NodePtr, NodePtr> extreme(ScanKind s, const NodePtr& x, int axis) {
  const int at = normal_axis(name_of(s), axis, x->shape().rank());
  const std::vector<NodePtr> found = scan(s, cast(x, wide_type(x->dtype())), at, {});
  const NodePtr values = cast(found[0], x->dtype());
  const NodePtr& index = found[1];
  const NodePtr result = with_gradient(std::string(name_of(s)), {x}, values, [at, index](const Gradient::Call& call) {
    const NodePtr& g = call.gradients[0];
    return std::vector<NodePtr>{scatter_add_along(g->shape(), index, g, at)};
  });
  return {result, stop_gradient(index)};
}

}  // namespace

NodePtr cumsum(const NodePtr& x, int axis, ScanOptions o) {
  if (is_complex(x->dtype())) return scan(ScanKind::kSum, x, axis, o)[0];
  const DType t = f32_dtype(x->dtype());
  const NodePtr y = scan(ScanKind::kSum, cast(x, wide_type(t)), axis, o)[0];
  return with_gradient("cumsum", {x}, is_float(t) ? cast(y, t) : y, [axis, o](const Gradient::Call& call) {
    return std::vector<NodePtr>{cumsum(call.gradients[0], axis, {o.exclusive, !o.reverse})};
  });
}

NodePtr cumprod(const NodePtr& x, int axis, ScanOptions o) {
  if (is_complex(x->dtype())) return scan(ScanKind::kProd, x, axis, o)[0];
  const DType t = f32_dtype(x->dtype());
  const NodePtr y = scan(ScanKind::kProd, cast(x, wide_type(t)), axis, o)[0];
  return with_gradient("cumprod", {x}, is_float(t) ? cast(y, t) : y, [axis, o](const Gradient::Call& call) {
    // d y[j] / d x[i] = y[j] / x[i] up to the first zero of the row; at that zero, the product without it; then 0.
    const NodePtr& v = call.inputs[0];
    const NodePtr& g = call.gradients[0];
    const ScanOptions back{o.exclusive, !o.reverse};
    const NodePtr zero = elementwise(Op::kEqual, {v, cast(number(0), v->dtype())});
    const NodePtr zeros = cumsum(cast(zero, DType::kI32), axis, {false, o.reverse});
    const NodePtr none = elementwise(Op::kEqual, {zeros, integer(0)});
    const NodePtr first = elementwise(Op::kLogicalAnd, {zero, elementwise(Op::kEqual, {zeros, integer(1)})});
    const NodePtr one = cast(number(1), v->dtype());
    const NodePtr nothing = cast(number(0), v->dtype());
    const NodePtr plain = cumsum(g * call.outputs[0], axis, back) / elementwise(Op::kWhere, {zero, one, v});
    const NodePtr without = cumprod(elementwise(Op::kWhere, {first, one, v}), axis, o);
    const NodePtr at_zero = cumsum(elementwise(Op::kWhere, {none, nothing, g * without}), axis, back);
    return std::vector<NodePtr>{
        elementwise(Op::kWhere, {none, plain, elementwise(Op::kWhere, {first, at_zero, nothing})})};
  });
}

NodePtr logcumsumexp(const NodePtr& x, int axis, ScanOptions o) {
  const NodePtr f = cast(x, float_of(x));
  const NodePtr y = scan(ScanKind::kLogSumExp, cast(f, wide_type(f->dtype())), axis, o)[0];
  return with_gradient("logcumsumexp", {f}, cast(y, f->dtype()), [axis, o](const Gradient::Call& call) {
    // The sum over j of g[j] exp(x[i] - y[j]), in logarithms, separately for positive and negative gradients.
    const NodePtr& g = call.gradients[0];
    const NodePtr one = cast(number(1), g->dtype());
    const NodePtr low = cast(number(-std::numeric_limits<double>::infinity()), g->dtype());
    const NodePtr zero = cast(number(0), g->dtype());
    const auto part = [&](const NodePtr& h) {
      const NodePtr above =
          elementwise(Op::kLogicalAnd, {elementwise(Op::kGreater, {h, zero}), op(Op::kIsFinite, call.outputs[0])});
      const NodePtr log = op(Op::kLog, elementwise(Op::kWhere, {above, h, one})) - call.outputs[0];
      const NodePtr sums = logcumsumexp(elementwise(Op::kWhere, {above, log, low}), axis, {o.exclusive, !o.reverse});
      return op(Op::kExp, sums + call.inputs[0]);
    };
    return std::vector<NodePtr>{part(g) - part(op(Op::kNegative, g))};
  });
}

std::pair<NodePtr, NodePtr> cummax(const NodePtr& x, int axis) { return extreme(ScanKind::kMax, x, axis); }
std::pair<NodePtr, NodePtr> cummin(const NodePtr& x, int axis) { return extreme(ScanKind::kMin, x, axis); }

}  // namespace tessera::ops
