// Sorting along an axis, and searching in sorted rows.
#include "ops/sort/sort.h"

#include <algorithm>
#include <cmath>

#include "base/fail.h"
#include "base/sizes.h"
#include "graph/op.h"
#include "ops/index/index.h"
#include "ops/rows.h"
#include "ops/sort/sort_calls.h"

namespace tessera::ops {

namespace {

/// The first `keep` of each sorted row of x [rows, cols], and their columns.
std::vector<NodePtr> sorted_rows(const NodePtr& x, SortAttributes a) {
  const Shape kept{x->shape()[0], a.keep};
  return call("sort", to_attributes(a), {x}, {{x->dtype(), kept}, {DType::kI32, kept}});
}

}  // namespace

NodePtr take_in_rows(const NodePtr& x, const NodePtr& at) {
  if (at->numel() == 0) return full(at->shape(), cast(number(0), x->dtype()), x->device());
  const std::int64_t rows = x->shape()[0];
  const NodePtr numbers = reshape(arange(0, static_cast<double>(rows), 1, DType::kI32, at->device()), {rows, 1});
  return gather(reshape(x, {x->numel()}), numbers * integer(x->shape()[1]) + at);
}

NodePtr put_in_rows(const NodePtr& x, const NodePtr& at) {
  if (at->numel() == 0) return x;
  const DType wide = wide_type(x->dtype());
  const NodePtr y = call("put_in_rows", {}, {cast(x, wide), at}, {{wide, at->shape()}})[0];
  return with_gradient("put_in_rows", {x}, cast(y, x->dtype()), [at](const Gradient::Call& call) {
    return std::vector<NodePtr>{take_in_rows(call.gradients[0], at)};
  });
}

std::pair<NodePtr, NodePtr> sort(const NodePtr& x, int axis, bool descending) {
  if (is_complex(x->dtype()))
    fail(ErrorKind::kDType, "sort: a tensor of type {} was given; complex numbers have no order.", name(x->dtype()));
  const RowsOf r = rows_of("sort", x, axis);
  if (x->numel() == 0) return {x, cast(x, DType::kI32)};
  check_i32_count("sort", r.cols);
  const auto found = sorted_rows(r.rows, {.descending = descending, .keep = r.cols});
  const NodePtr at = stop_gradient(found[1]);
  return {with_gradient("sort", {x}, r.back(found[0]),
                        [at, axis](const Gradient::Call& call) {
                          const RowsOf g = rows_of("sort", call.gradients[0], axis);
                          return std::vector<NodePtr>{g.back(put_in_rows(g.rows, at))};
                        }),
          r.back(at)};
}

NodePtr argsort(const NodePtr& x, int axis, bool descending) { return sort(stop_gradient(x), axis, descending).second; }

std::pair<NodePtr, NodePtr> topk(const NodePtr& x, std::int64_t k, int axis, bool largest) {
  const int at = normal_axis("topk", axis, x->shape().rank());
  if (k < 0 || k > x->shape()[at]) {
    fail(ErrorKind::kValue, "topk: k = {} was given; axis {} of {} has {} elements.", k, at, x->shape().str(),
         x->shape()[at]);
  }
  if (x->tracked() || is_complex(x->dtype()) || x->numel() == 0 || k == 0) {
    const auto [values, index] = sort(x, at, largest);  // its gradient rule needs all indices
    std::vector<Range> ranges;
    for (const std::int64_t size : x->shape()) ranges.push_back({0, size, 1});
    ranges[static_cast<std::size_t>(at)].stop = k;
    return {slice(values, ranges), slice(index, ranges)};
  }
  const RowsOf r = rows_of("topk", x, at);
  check_i32_count("topk", r.cols);
  const auto found = sorted_rows(r.rows, {.descending = largest, .keep = k});
  return {r.back(found[0]), r.back(found[1])};
}

NodePtr sorted_order(const NodePtr& keys, int bits) {
  const std::int64_t n = keys->numel();
  if (n == 0) return cast(keys, DType::kI32);
  return reshape(sorted_rows(reshape(keys, {1, n}), {.bits = bits, .keep = n})[1], {n});
}

NodePtr median(const NodePtr& x, int axis, bool keepdims) {
  constexpr std::array kHalf{0.5};
  return quantile(x, kHalf, axis, keepdims, true);
}

NodePtr quantile(const NodePtr& x, std::span<const double> q, int axis, bool keepdims, bool single) {
  const int at = normal_axis("quantile", axis, x->shape().rank());
  const std::int64_t n = x->shape()[at];
  if (n == 0) fail(ErrorKind::kValue, "quantile: axis {} of {} holds no elements.", at, x->shape().str());
  for (const double v : q) {
    if (!(v >= 0 && v <= 1)) fail(ErrorKind::kValue, "quantile: q = {} was given; it must lie in [0, 1].", v);
  }
  const NodePtr f = is_float(x->dtype()) ? x : cast(x, DType::kF32);
  const NodePtr sorted = sort(f, at, false).first;
  const auto element = [&](std::int64_t i) {
    std::vector<Range> ranges;
    for (const std::int64_t size : x->shape()) ranges.push_back({0, size, 1});
    ranges[static_cast<std::size_t>(at)] = {i, i + 1, 1};
    const NodePtr one = slice(sorted, ranges);
    const std::array<int, 1> axes{at};
    return keepdims ? one : squeeze(one, axes);
  };
  const NodePtr top = element(n - 1);  // NaN where the row has one
  std::vector<NodePtr> results;
  for (const double v : q) {
    const double place = v * static_cast<double>(n - 1);
    const auto low = std::min<std::int64_t>(static_cast<std::int64_t>(std::floor(place)), n - 1);
    const double part = place - static_cast<double>(low);
    NodePtr result = element(low);
    if (part > 0) {
      const NodePtr high = element(low + 1);
      const NodePtr step = high - result;
      // From the nearer end, as in NumPy; a weighted mean if the step overflows or is between infinities.
      const NodePtr near = part < 0.5 ? result + step * part : high - step * (1 - part);
      const NodePtr mean = result * (1 - part) + high * part;
      result = elementwise(Op::kWhere, {elementwise(Op::kIsFinite, {step}), near, mean});
    }
    results.push_back(elementwise(Op::kWhere, {elementwise(Op::kIsNan, {top}), top, result}));
  }
  if (single) return results[0];
  if (results.empty()) fail(ErrorKind::kValue, "quantile: no q was given; one at least is expected.");
  return stack(results, 0);
}

NodePtr searchsorted(const NodePtr& sorted, const NodePtr& values, bool right) {
  const Shape& rows = sorted->shape();
  const Shape& shape = values->shape();
  const bool fits = rows.rank() == 1 || (rows.rank() == shape.rank() && rows.rank() > 0 &&
                                         std::equal(rows.begin(), rows.end() - 1, shape.begin()));
  if (!fits) {
    fail(ErrorKind::kShape,
         "searchsorted: the sorted tensor is {} and the values are {}; rank 1 or the same leading axes are expected.",
         rows.str(), shape.str());
  }
  const DType t = wide_type(promote(sorted->dtype(), values->dtype()));
  if (is_complex(t))
    fail(ErrorKind::kDType, "searchsorted: type {} was given; complex numbers have no order.", name(t));
  if (values->numel() == 0) return cast(values, DType::kI32);
  check_i32_count("searchsorted", rows.back());
  return call("searchsorted", to_attributes(SearchAttributes{right}),
              {cast(stop_gradient(sorted), t), cast(stop_gradient(values), t)}, {{DType::kI32, shape}})[0];
}

}  // namespace tessera::ops
