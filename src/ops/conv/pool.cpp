// Pooling: reductions over the windows of a padded tensor.
#include <algorithm>
#include <limits>

#include "base/compute.h"
#include "base/fail.h"
#include "base/ints.h"
#include "base/sizes.h"
#include "graph/op.h"
#include "ops/autocast.h"
#include "ops/conv/conv.h"

namespace tessera::ops {

namespace {

NodePtr op(Op which, const NodePtr& a, const NodePtr& b) { return elementwise(which, {a, b}); }

/// 0, 1, .. along axis `axis` of a tensor of rank `rank`, to be broadcast.
NodePtr numbers_along(int axis, int rank, std::int64_t size, DType dtype, std::shared_ptr<runtime::Device> device) {
  Shape shape;
  for (int i = 0; i < rank; ++i) shape.push_back(i == axis ? size : 1);
  return reshape(arange(0, static_cast<double>(size), 1, dtype, std::move(device)), shape);
}

/// Error of kind limit for windows that no view can have.
void check_windows(const NodePtr& x, const PoolShape& shape) {
  Shape windows = pooled_shape(x->shape(), shape);
  for (const std::int64_t t : shape.taps) windows.push_back(t);
  static_cast<void>(checked_numel("max_pool", windows, x->dtype()));
}

}  // namespace

Scalar lowest(DType t) {
  if (is_float(t)) return {-std::numeric_limits<double>::infinity()};
  if (info(t).kind != DTypeKind::kSigned) return {std::int64_t{0}};
  return {static_cast<std::int64_t>(~0ULL << (size_of(t) * 8 - 1))};
}

Shape pooled_shape(const Shape& x, const PoolShape& shape) {
  Shape result = x;
  const auto s = static_cast<int>(shape.taps.size());
  for (int i = 0; i < s; ++i) result[result.rank() - s + i] = shape.out[as_index(i)];
  return result;
}

PoolWindows pool_windows(const NodePtr& x, const PoolShape& shape, const Scalar& fill) {
  PoolWindows p;
  const int s = static_cast<int>(shape.taps.size());
  const int first = x->shape().rank() - s;
  Shape flat = pooled_shape(x->shape(), shape);
  Sizes high;  // the padding that the windows need; negative: they leave a remainder
  std::int64_t taps = 1;
  for (int i = 0; i < s; ++i) {
    p.slides.push_back({first + i, shape.out[as_index(i)], shape.taps[as_index(i)], shape.stride[as_index(i)],
                        shape.dilation[as_index(i)]});
    high.push_back(p.slides.back().reach() - shape.low[as_index(i)] - x->shape()[first + i]);
    taps = checked_size("pool", Wide{taps} * shape.taps[as_index(i)]);
  }
  flat.push_back(taps);
  const NodePtr padded = resize_ends(x, first, shape.low, high, scalar(fill, x->dtype()));
  p.node = reshape(sliding(padded, p.slides), flat);
  return p;
}

NodePtr at_maxima(const PoolWindows& of, const NodePtr& values) {
  const NodePtr chosen = stop_gradient(arg_extreme(Op::kArgMax, of.node, -1, true));
  const int rank = of.node->shape().rank();
  const NodePtr tap = numbers_along(rank - 1, rank, of.node->shape().back(), DType::kI32, of.node->device());
  const NodePtr zero = scalar({std::int64_t{0}}, values->dtype());
  return elementwise(Op::kWhere, {op(Op::kEqual, chosen, tap), values, zero});
}

NodePtr max_pool_gradient(const NodePtr& x, const NodePtr& gradient, const PoolShape& shape) {
  check_windows(x, shape);
  const NodePtr total = call("max_pool_gradient", to_attributes(shape), {stop_gradient(x), gradient},
                             {{x->dtype(), x->shape()}}, /*any_size=*/true)[0];
  // The sum is linear in the gradient, and the choice has no gradient.
  return with_gradient("max_pool_gradient", {x, gradient}, total, [shape](const Gradient::Call& call) {
    const PoolWindows of = pool_windows(call.inputs[0], shape, lowest(call.inputs[0]->dtype()));
    const NodePtr picked = at_maxima(of, pool_windows(call.gradients[0], shape, {0.0}).node);
    return std::vector<NodePtr>{nullptr, sum(picked, std::vector<int>{-1}, false)};
  });
}

namespace {

MaxPooled marked(const NodePtr& x, const PoolShape& shape, const NodePtr& values, const NodePtr& places) {
  std::vector<NodePtr> outputs{values};
  if (places != nullptr) outputs.push_back(places);
  const auto results = with_gradient("max_pool", {x}, outputs, [shape](const Gradient::Call& call) {
    if (call.gradients[0] == nullptr) return std::vector<NodePtr>{nullptr};
    return std::vector{max_pool_gradient(call.inputs[0], call.gradients[0], shape)};
  });
  return {results[0], places != nullptr ? results[1] : nullptr};
}

}  // namespace

MaxPooled max_pool(const NodePtr& x, const PoolShape& shape, bool with_indices) {
  const int first = x->shape().rank() - static_cast<int>(shape.taps.size());
  check_windows(x, shape);
  const Shape pooled = pooled_shape(x->shape(), shape);
  std::vector<TensorSpec> outputs{{x->dtype(), pooled}};
  if (with_indices) outputs.push_back({DType::kI32, pooled});
  const auto found = call("max_pool", to_attributes(shape), {x}, std::move(outputs), /*any_size=*/true);
  const NodePtr& values = found[0];
  if (!with_indices) return marked(x, shape, values, nullptr);
  NodePtr rest = found[1];
  Wide plane = 1;
  for (std::size_t i = 0; i < shape.taps.size(); ++i) {
    plane *= x->shape()[first + static_cast<int>(i)];
    check_i32_count("max_pool", Wide{shape.out[i] - 1} * shape.stride[i] + Wide{shape.taps[i] - 1} * shape.dilation[i]);
  }
  check_i32_count("max_pool", plane);
  // The chosen tap as a position in x; one in the padding (if all are -inf) is clamped to the nearest element.
  NodePtr place;
  std::int64_t scale = 1;
  const auto i32 = [](std::int64_t v) { return scalar({v}, DType::kI32); };
  for (int i = static_cast<int>(shape.taps.size()) - 1; i >= 0; --i) {
    const std::int64_t size = x->shape()[first + i];
    const NodePtr tap = op(Op::kRemainder, rest, i32(shape.taps[as_index(i)]));
    rest = op(Op::kFloorDivide, rest, i32(shape.taps[as_index(i)]));
    const NodePtr window =
        numbers_along(first + i, rest->shape().rank(), shape.out[as_index(i)], DType::kI32, x->device());
    NodePtr at =
        window * i32(shape.stride[as_index(i)]) + tap * i32(shape.dilation[as_index(i)]) - i32(shape.low[as_index(i)]);
    at = clamp(at, i32(0), i32(size - 1));
    place = place == nullptr ? at : place + at * i32(scale);
    scale *= size;
  }
  return marked(x, shape, values, place);
}

NodePtr avg_pool(const NodePtr& x, const PoolShape& shape, bool include_pad) {
  const DType t = f32_dtype(x->dtype());
  const NodePtr wide = cast(x, wide_float(t));
  const int first = x->shape().rank() - static_cast<int>(shape.taps.size());
  NodePtr result = sum(pool_windows(wide, shape, {0.0}).node, std::vector<int>{-1}, false);
  double all = 1;  // elements of a window, along the axes where all windows have the same number
  NodePtr counts;
  for (int i = 0; i < static_cast<int>(shape.taps.size()); ++i) {
    const std::int64_t size = x->shape()[first + i];
    const std::int64_t taps = shape.taps[as_index(i)];
    const std::int64_t from = include_pad ? -shape.low[as_index(i)] : 0;
    const std::int64_t to = include_pad ? size + shape.high[as_index(i)] : size;
    const std::int64_t last = (shape.out[as_index(i)] - 1) * shape.stride[as_index(i)] - shape.low[as_index(i)];
    if (-shape.low[as_index(i)] >= from && last + taps <= to) {
      all *= static_cast<double>(taps);
      continue;
    }
    const NodePtr n =
        numbers_along(first + i, result->shape().rank(), shape.out[as_index(i)], wide->dtype(), x->device());
    const NodePtr start =
        n * static_cast<double>(shape.stride[as_index(i)]) - static_cast<double>(shape.low[as_index(i)]);
    const NodePtr count = op(Op::kMinimum, start + static_cast<double>(taps), number(static_cast<double>(to))) -
                          op(Op::kMaximum, start, number(static_cast<double>(from)));
    counts = counts == nullptr ? count : counts * count;
  }
  result = counts == nullptr ? result / all : result / (counts * all);
  return cast(result, t);
}

namespace {

/// The last axis in `out` windows from floor(o * size / out) to ceil((o + 1) * size / out): `reduce` of those elements,
/// with `fill` for the others.
template <class F>
NodePtr adaptive_last(const NodePtr& x, std::int64_t out, const Scalar& fill, F reduce_last) {
  const std::int64_t size = x->shape().back();
  Shape cut = x->shape();
  cut[cut.rank() - 1] = out;
  if (size % out == 0) {
    cut.push_back(size / out);
    return reduce_last(reshape(x, cut), nullptr, size / out);
  }
  // Bounds of windows are products of the two sizes.
  const DType t = Wide{size} * out + size + out <= INT32_MAX ? DType::kI32 : DType::kI64;
  const auto whole = [t](std::int64_t v) { return scalar({v}, t); };
  const NodePtr o = reshape(arange(0, static_cast<double>(out), 1, t, x->device()), {out, 1});
  const NodePtr l = arange(0, static_cast<double>(size), 1, t, x->device());
  const NodePtr start = op(Op::kFloorDivide, o * whole(size), whole(out));
  const NodePtr end = op(Op::kFloorDivide, o * whole(size) + whole(size + out - 1), whole(out));
  const NodePtr inside = op(Op::kLogicalAnd, op(Op::kGreaterEqual, l, start), op(Op::kLess, l, end));
  const NodePtr kept = elementwise(Op::kWhere, {inside, expand_dims(x, -2), scalar(fill, x->dtype())});
  return reduce_last(kept, reshape(end - start, {out}), 0);
}

template <class F>
NodePtr adaptive(const NodePtr& x, const Sizes& out, const Scalar& fill, F reduce_last) {
  NodePtr y = x;
  const int rank = x->shape().rank();
  for (int i = static_cast<int>(out.size()) - 1; i >= 0; --i) {
    const int axis = rank - static_cast<int>(out.size()) + i;
    if (y->shape()[axis] == out[as_index(i)]) continue;
    y = swap_axes(adaptive_last(swap_axes(y, axis, -1), out[as_index(i)], fill, reduce_last), axis, -1);
  }
  return y;
}

}  // namespace

NodePtr adaptive_avg_pool(const NodePtr& x, const Sizes& out) {
  const NodePtr wide = cast(x, wide_float(x->dtype()));
  const NodePtr y = adaptive(wide, out, {0.0}, [](const NodePtr& windows, const NodePtr& counts, std::int64_t count) {
    const NodePtr total = sum(windows, std::vector<int>{-1}, false);
    return counts == nullptr ? total / static_cast<double>(count) : total / cast(counts, total->dtype());
  });
  return cast(y, f32_dtype(x->dtype()));
}

NodePtr adaptive_max_pool(const NodePtr& x, const Sizes& out) {
  return adaptive(x, out, lowest(x->dtype()), [](const NodePtr& windows, const NodePtr&, std::int64_t) {
    const NodePtr largest = reduce(Op::kMax, "adaptive_max_pool", windows, std::vector<int>{-1}, false);
    // The first of equal elements gets the gradient, as in max_pool; the last axis is reduced first, so that it is the
    // first of all.
    return with_gradient("adaptive_max_pool", {windows}, largest, [](const Gradient::Call& call) {
      const NodePtr of = stop_gradient(call.inputs[0]);
      const int rank = of->shape().rank();
      const NodePtr tap = numbers_along(rank - 1, rank, of->shape().back(), DType::kI32, of->device());
      const NodePtr chosen = op(Op::kEqual, arg_extreme(Op::kArgMax, of, -1, true), tap);
      return std::vector{elementwise(Op::kWhere, {chosen, expand_dims(call.gradients[0], -1), number(0)})};
    });
  });
}

}  // namespace tessera::ops
