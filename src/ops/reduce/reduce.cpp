// Reductions: the reduced axes are moved last, so every reduction is one over the columns of a matrix.
#include <algorithm>
#include <limits>

#include "base/fail.h"
#include "base/sizes.h"
#include "graph/op.h"
#include "ops/autocast.h"
#include "ops/gradient.h"

namespace tessera::ops {

namespace {

struct Reduced {
  NodePtr input;  // reduced axes last
  Shape shape;
  std::int64_t count;  // elements per result
};

Reduced prepare(std::string_view what, const NodePtr& x, Axes axes, bool keepdims) {
  const std::vector<int> over = normal_axes(what, axes, x->shape().rank());
  Reduced r{x, {}, 1};
  std::vector<int> order;
  for (int i = 0; i < x->shape().rank(); ++i) {
    if (std::find(over.begin(), over.end(), i) == over.end()) {
      order.push_back(i);
      r.shape.push_back(x->shape()[i]);
    } else {
      r.count *= x->shape()[i];
      if (keepdims) r.shape.push_back(1);
    }
  }
  order.insert(order.end(), over.begin(), over.end());
  r.input = permute(x, order);
  return r;
}

NodePtr make(Op op, DType dtype, const Reduced& r) {
  return std::make_shared<const Node>(op, dtype, r.shape, r.input->device(), Node::Inputs{r.input});
}

/// Sums and products of small integers have dtype i32 or u32, those of bool i32.
DType sum_type(DType t) {
  if (t == DType::kBool || t == DType::kI8 || t == DType::kI16) return DType::kI32;
  if (t == DType::kU8 || t == DType::kU16) return DType::kU32;
  return t;
}

[[noreturn]] void refuse_complex(std::string_view what, const NodePtr& x) {
  fail(ErrorKind::kDType, "{}: a tensor of type {} was given; it takes real numbers.", what, name(x->dtype()));
}

/// The sum over `divisor`; NaN for no elements: drivers may compute 0 / x as 0 if they see that the total is 0.
NodePtr mean_of(const Reduced& r, double divisor) {
  const NodePtr total = make(Op::kSum, r.input->dtype(), r);
  return r.count == 0 ? total + std::numeric_limits<double>::quiet_NaN() : total / divisor;
}

/// var() before the cast to x's dtype.
NodePtr wide_var(std::string_view what, const NodePtr& x, Axes axes, bool keepdims, int correction) {
  if (is_complex(x->dtype())) refuse_complex(what, x);
  const NodePtr y = wide(x);
  const NodePtr centred = y - mean(y, axes, true);
  const Reduced r = prepare(what, elementwise(Op::kSquare, {centred}), axes, keepdims);
  return mean_of(r, std::max(0.0, static_cast<double>(r.count - correction)));
}

}  // namespace

NodePtr reduce(Op op, std::string_view what, const NodePtr& x, Axes axes, bool keepdims) {
  if (op == Op::kSum || op == Op::kProd) {
    const DType t = f32_dtype(sum_type(x->dtype()));
    return make(op, t, prepare(what, cast(x, t), axes, keepdims));
  }
  if (is_complex(x->dtype())) refuse_complex(what, x);
  const Reduced r = prepare(what, x, axes, keepdims);
  if (r.count == 0 && x->dtype() != DType::kBool) {
    fail(ErrorKind::kValue, "{}: the axes of {} to reduce hold no elements, and it has no value for none.", what,
         x->shape().str());
  }
  return make(op, x->dtype(), r);
}

NodePtr sum(const NodePtr& x, Axes axes, bool keepdims) { return reduce(Op::kSum, "sum", x, axes, keepdims); }

NodePtr mean(const NodePtr& x, Axes axes, bool keepdims) {
  const Reduced r = prepare("mean", wide(x), axes, keepdims);
  return cast(mean_of(r, static_cast<double>(r.count)), float_of(x));
}

NodePtr var(const NodePtr& x, Axes axes, bool keepdims, int correction) {
  return cast(wide_var("var", x, axes, keepdims, correction), float_of(x));
}

NodePtr stddev(const NodePtr& x, Axes axes, bool keepdims, int correction) {
  const NodePtr variance = wide_var("stddev", x, axes, keepdims, correction);
  return cast(root_of_sum(variance, 0.5), float_of(x));
}

NodePtr any(const NodePtr& x, Axes axes, bool keepdims) {
  return reduce(Op::kMax, "any", cast(x, DType::kBool), axes, keepdims);
}

NodePtr all(const NodePtr& x, Axes axes, bool keepdims) {
  return reduce(Op::kMin, "all", cast(x, DType::kBool), axes, keepdims);
}

NodePtr arg_extreme(Op op, const NodePtr& x, std::optional<int> axis, bool keepdims) {
  const std::string_view what = op == Op::kArgMax ? "argmax" : "argmin";
  const std::vector<int> axes = axis.has_value() ? std::vector<int>{*axis} : std::vector<int>{};
  if (is_complex(x->dtype())) refuse_complex(what, x);
  const Reduced r = prepare(what, x, axes, keepdims);
  if (r.count == 0) {
    fail(ErrorKind::kValue, "{}: the axes of {} to reduce hold no elements, and it has no value for none.", what,
         x->shape().str());
  }
  check_i32_count(what, r.count);
  return make(op, DType::kI32, r);
}

NodePtr logsumexp(const NodePtr& x, Axes axes, bool keepdims) {
  if (is_complex(x->dtype())) refuse_complex("logsumexp", x);
  const NodePtr y = wide(x);
  // If the maximum is infinite it is not subtracted: inf - inf would be NaN.
  const NodePtr largest = reduce(Op::kMax, "logsumexp", y, axes, true);
  const NodePtr top = elementwise(Op::kWhere, {elementwise(Op::kIsFinite, {largest}), largest, number(0)});
  const NodePtr total = sum(elementwise(Op::kExp, {y - top}), axes, true);
  const NodePtr value = elementwise(Op::kLog, {total}) + top;
  // Recomputed from x: the exponentials would take as much memory as x. If all are -inf, each is exp(-inf), not
  // exp(NaN).
  const auto rule = [](const Gradient::Call& call) -> std::vector<NodePtr> {
    const NodePtr& out = call.outputs[0];
    const NodePtr none = elementwise(Op::kEqual, {out, number(-std::numeric_limits<double>::infinity())});
    const NodePtr shift = elementwise(Op::kWhere, {none, number(0), out});
    return {call.gradients[0] * elementwise(Op::kExp, {call.inputs[0] - shift})};
  };
  const NodePtr result = with_gradient("logsumexp", {y}, value, rule);
  return cast(keepdims ? result : reshape(result, prepare("logsumexp", y, axes, false).shape), float_of(x));
}

}  // namespace tessera::ops
