// Scattering, and the gradients of its modes.
#include "ops/index/scatter.h"

#include <array>
#include <bit>

#include <fmt/format.h>

#include "base/fail.h"
#include "base/sizes.h"
#include "graph/op.h"
#include "ops/index/index.h"
#include "ops/rows.h"

namespace tessera::ops {

std::string_view name_of(ScatterMode m) {
  constexpr std::array<std::string_view, 5> kNames{"set", "add", "mul", "max", "min"};
  return kNames[static_cast<std::size_t>(m)];
}

Runs runs_of(std::int64_t rows, const NodePtr& index) {
  const std::int64_t n = index->numel();
  // Indices out of range go past the last row.
  const NodePtr limit = scalar({rows}, DType::kU32);
  const NodePtr keys = elementwise(Op::kMinimum, {cast(reshape(index, {n}), DType::kU32), limit});
  Runs r;
  r.order = sorted_order(keys, std::bit_width(static_cast<std::uint64_t>(rows)));
  r.keys = reshape(take_in_rows(reshape(keys, {1, n}), reshape(r.order, {1, n})), {n});
  const NodePtr targets = arange(0, static_cast<double>(rows + 1), 1, DType::kU32, index->device());
  r.starts = searchsorted(r.keys, targets, false);
  return r;
}

namespace {

/// Without gradient rules; a null base means zeros.
NodePtr scattered(const NodePtr& base, std::int64_t rows, std::int64_t cols, const NodePtr& index,
                  const NodePtr& updates, ScatterMode mode) {
  std::vector<NodePtr> inputs{index, updates};
  if (base != nullptr) inputs.push_back(base);
  return call("scatter", to_attributes(ScatterAttributes{mode}), std::move(inputs), {{updates->dtype(), {rows, cols}}},
              /*any_size=*/true)[0];
}

/// Rows of x [rows, cols] at index [n] (i32); zeros where it is out of range.
NodePtr take_rows(const NodePtr& x, const NodePtr& index) {
  const std::int64_t rows = x->shape()[0];
  const std::int64_t cols = x->shape()[1];
  const std::int64_t n = index->numel();
  if (n * cols == 0 || rows == 0) return full({n, cols}, cast(number(0), x->dtype()), x->device());
  const NodePtr row = reshape(index, {n, 1});
  const NodePtr inside = elementwise(Op::kLogicalAnd, {elementwise(Op::kGreaterEqual, {row, integer(0)}),
                                                       elementwise(Op::kLess, {row, integer(rows)})});
  const NodePtr numbers = arange(0, static_cast<double>(cols), 1, DType::kI32, index->device());
  const NodePtr at = elementwise(Op::kWhere, {inside, row, integer(0)}) * integer(cols) + numbers;
  const NodePtr y = elementwise(Op::kWhere, {inside, gather(reshape(x, {x->numel()}), at), number(0)});
  return with_gradient("take_rows", {x}, cast(y, x->dtype()), [index, rows, cols](const Gradient::Call& call) {
    return std::vector<NodePtr>{scatter_rows(nullptr, rows, cols, index, call.gradients[0], ScatterMode::kAdd)};
  });
}

void check_index(std::string_view what, const NodePtr& index) {
  if (!is_integer(index->dtype())) {
    fail(ErrorKind::kDType, "{}: the index has type {}; an integer is expected.", what, name(index->dtype()));
  }
}

/// Maximum and minimum: all elements that are equal to it share the gradient.
std::vector<NodePtr> extreme_gradients(const NodePtr& index, std::int64_t rows, std::int64_t cols,
                                       const Gradient::Call& call) {
  const NodePtr& g = call.gradients[0];
  const NodePtr result = stop_gradient(call.outputs[0]);
  const auto won = [&](const NodePtr& x, const NodePtr& y) {
    return cast(elementwise(Op::kEqual, {stop_gradient(x), y}), g->dtype());
  };
  const NodePtr updates = won(call.inputs[0], take_rows(result, index));
  const NodePtr base = won(call.inputs[1], result);
  const NodePtr share = g / scatter_rows(base, rows, cols, index, updates, ScatterMode::kAdd);
  return {updates * take_rows(share, index), base * share};
}

/// Product: the product of the others, where zeros are counted and not divided by.
std::vector<NodePtr> product_gradients(const NodePtr& index, std::int64_t rows, std::int64_t cols,
                                       const Gradient::Call& call) {
  const NodePtr& g = call.gradients[0];
  const NodePtr nothing = cast(number(0), g->dtype());
  const NodePtr one = cast(number(1), g->dtype());
  const auto is_zero = [&](const NodePtr& x) { return elementwise(Op::kEqual, {x, nothing}); };
  const auto without_zeros = [&](const NodePtr& x) { return elementwise(Op::kWhere, {is_zero(x), one, x}); };
  const auto count = [&](const NodePtr& x) { return cast(is_zero(stop_gradient(x)), DType::kI32); };
  const NodePtr& updates = call.inputs[0];
  const NodePtr& base = call.inputs[1];
  const NodePtr zeros = scatter_rows(count(base), rows, cols, index, count(updates), ScatterMode::kAdd);
  const NodePtr product =
      scatter_rows(without_zeros(base), rows, cols, index, without_zeros(updates), ScatterMode::kMul);
  const auto others = [&](const NodePtr& x, const NodePtr& n, const NodePtr& p) {
    const NodePtr alone = elementwise(Op::kEqual, {n, cast(is_zero(stop_gradient(x)), DType::kI32)});
    return elementwise(Op::kWhere, {alone, p / without_zeros(x), nothing});
  };
  return {take_rows(g, index) * others(updates, take_rows(zeros, index), take_rows(product, index)),
          g * others(base, zeros, product)};
}

/// Row-major positions in `shape` of the elements that `index` selects along the axis.
NodePtr positions_of(const Shape& shape, const NodePtr& index, int axis) {
  const NodePtr along = checked_index(index, shape[axis]);
  std::int64_t stride = 1;
  NodePtr position;
  for (int d = shape.rank() - 1; d >= 0; --d) {
    NodePtr coordinate = along;
    if (d != axis) {
      Shape one;
      for (int i = 0; i < shape.rank(); ++i) one.push_back(i == d ? index->shape()[d] : 1);
      coordinate = reshape(arange(0, static_cast<double>(index->shape()[d]), 1, DType::kI32, index->device()), one);
    }
    const NodePtr term = coordinate * integer(stride);
    position = position == nullptr ? term : position + term;
    stride *= shape[d];
  }
  return elementwise(Op::kWhere, {elementwise(Op::kLess, {along, integer(0)}), integer(-1), position});
}

}  // namespace

NodePtr scatter_rows(const NodePtr& base, std::int64_t rows, std::int64_t cols, const NodePtr& index,
                     const NodePtr& updates, ScatterMode mode) {
  const std::int64_t n = index->numel();
  if (index->dtype() != DType::kI32 || updates->numel() != Wide{n} * cols ||
      (base != nullptr && (base->numel() != Wide{rows} * cols || base->dtype() != updates->dtype()))) {
    fail(ErrorKind::kShape, "scatter_rows: index {} of type {}, updates {} and {} rows of {} do not fit.",
         index->shape().str(), name(index->dtype()), updates->shape().str(), rows, cols);
  }
  if (base == nullptr && mode != ScatterMode::kSet && mode != ScatterMode::kAdd) {
    fail(ErrorKind::kValue, "scatter_rows: mode {} was given without a base; it needs one.", name_of(mode));
  }
  if (is_complex(updates->dtype()) && (mode == ScatterMode::kMax || mode == ScatterMode::kMin)) {
    fail(ErrorKind::kDType, "scatter: mode {} was given for type {}; complex numbers have no order.", name_of(mode),
         name(updates->dtype()));
  }
  if (rows > 0x7ffffffeLL || n > 0x7fffffffLL) {
    fail(ErrorKind::kLimit, "scatter: {} targets and {} updates were given; the most are 2147483646.", rows, n);
  }
  const NodePtr flat = stop_gradient(reshape(index, {n}));  // or a gradient of the gradient would go through it
  const NodePtr given = reshape(updates, {n, cols});
  const NodePtr old = base != nullptr ? reshape(base, {rows, cols}) : nullptr;
  if (n * cols == 0 || rows == 0) {
    return old != nullptr ? old : full({rows, cols}, cast(number(0), updates->dtype()), updates->device());
  }
  const NodePtr y = scattered(old, rows, cols, flat, given, mode);
  std::vector<NodePtr> inputs{given};
  if (old != nullptr) inputs.push_back(old);
  Gradient::Function rule;
  if (mode == ScatterMode::kAdd) {
    rule = [flat](const Gradient::Call& call) {
      std::vector<NodePtr> g{take_rows(call.gradients[0], flat)};
      if (call.inputs.size() > 1) g.push_back(call.gradients[0]);
      return g;
    };
  } else if (mode == ScatterMode::kSet) {
    rule = [flat, rows, n](const Gradient::Call& call) {
      // The number of the update that was written last to each row, or -1.
      const NodePtr numbers = arange(0, static_cast<double>(n), 1, DType::kI32, flat->device());
      const NodePtr winner =
          scattered(broadcast_to(integer(-1), {rows, 1}), rows, 1, flat, reshape(numbers, {n, 1}), ScatterMode::kSet);
      const NodePtr& g = call.gradients[0];
      const NodePtr zero = cast(number(0), g->dtype());
      const NodePtr won = elementwise(Op::kEqual, {take_rows(winner, flat), reshape(numbers, {n, 1})});
      // If the index is out of range, both reads give 0 and nothing is added.
      std::vector<NodePtr> result{elementwise(Op::kWhere, {won, take_rows(g, flat), zero})};
      if (call.inputs.size() > 1) {
        result.push_back(elementwise(Op::kWhere, {elementwise(Op::kLess, {winner, integer(0)}), g, zero}));
      }
      return result;
    };
  } else if (mode == ScatterMode::kMul) {
    rule = [flat, rows, cols](const Gradient::Call& call) { return product_gradients(flat, rows, cols, call); };
  } else {
    rule = [flat, rows, cols](const Gradient::Call& call) { return extreme_gradients(flat, rows, cols, call); };
  }
  return with_gradient(fmt::format("scatter_{}", name_of(mode)), inputs, y, rule);
}

NodePtr scatter_add_flat(std::int64_t numel, const NodePtr& positions, const NodePtr& updates) {
  return reshape(scatter_rows(nullptr, numel, 1, positions, updates, ScatterMode::kAdd), {numel});
}

NodePtr scatter_add_along(const Shape& shape, const NodePtr& index, const NodePtr& updates, int axis) {
  return reshape(scatter_add_flat(shape.numel(), positions_of(shape, index, axis), updates), shape);
}

NodePtr scatter(const NodePtr& x, const NodePtr& index, const NodePtr& updates, int axis, ScatterMode mode) {
  check_index("scatter", index);
  const int rank = x->shape().rank();
  const int at = normal_axis("scatter", axis, rank);
  bool fits = index->shape().rank() == rank && updates->shape() == index->shape();
  for (int d = 0; fits && d < rank; ++d) fits = d == at || index->shape()[d] <= x->shape()[d];
  if (!fits) {
    fail(ErrorKind::kShape,
         "scatter: x is {}, index {} and updates {}; index and updates must have one shape, of x's rank and beside "
         "axis {} not larger than x.",
         x->shape().str(), index->shape().str(), updates->shape().str(), at);
  }
  return reshape(scatter_rows(x, x->numel(), 1, positions_of(x->shape(), index, at), cast(updates, x->dtype()), mode),
                 x->shape());
}

NodePtr index_add(const NodePtr& x, int axis, const NodePtr& index, const NodePtr& source) {
  check_index("index_add", index);
  const int at = normal_axis("index_add", axis, x->shape().rank());
  Shape expected = x->shape();
  if (index->shape().rank() == 1) expected[at] = index->numel();
  if (index->shape().rank() != 1 || source->shape() != expected) {
    fail(ErrorKind::kShape,
         "index_add: x is {}, index {} and source {}; an index of rank 1 and a source {} are expected.",
         x->shape().str(), index->shape().str(), source->shape().str(), expected.str());
  }
  std::vector<int> order{at};
  for (int d = 0; d < x->shape().rank(); ++d) {
    if (d != at) order.push_back(d);
  }
  const NodePtr base = permute(x, order);
  const std::int64_t rows = x->shape()[at];
  const std::int64_t cols = rows == 0 ? 0 : x->numel() / rows;
  const NodePtr y = scatter_rows(base, rows, cols, checked_index(index, rows), permute(cast(source, x->dtype()), order),
                                 ScatterMode::kAdd);
  std::vector<int> inverse(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) inverse[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  return permute(reshape(y, base->shape()), inverse);
}

NodePtr bincount(const NodePtr& x, std::int64_t bins) {
  check_index("bincount", x);
  if (bins < 0) fail(ErrorKind::kValue, "bincount: {} bins were given; the number must not be negative.", bins);
  check_i32_count("bincount", Wide{bins} + 1);
  if (x->numel() == 0 || bins == 0) return broadcast_to(integer(0), {bins});
  const Runs runs = runs_of(bins, cast(stop_gradient(x), DType::kI32));
  const std::array<Range, 1> front{{{0, bins, 1}}};
  const std::array<Range, 1> back{{{1, bins + 1, 1}}};
  return slice(runs.starts, back) - slice(runs.starts, front);
}

}  // namespace tessera::ops
