// Parts of matrices and small contractions, as compositions.
#include "ops/linalg/linalg.h"

#include <cmath>

#include "base/fail.h"
#include "base/sizes.h"
#include "graph/op.h"
#include "ops/gradient.h"

namespace tessera::ops {

namespace {

std::vector<Range> whole(const Shape& s) {
  std::vector<Range> ranges;
  for (const std::int64_t size : s) ranges.push_back({0, size, 1});
  return ranges;
}

}  // namespace

NodePtr triangle(const NodePtr& x, std::int64_t diagonal, bool lower) {
  const char* what = lower ? "tril" : "triu";
  check_matrices(what, x, false);
  const Shape& s = x->shape();
  const std::int64_t m = s[s.rank() - 2];
  const std::int64_t n = s.back();
  check_i32_count(what, m);
  check_i32_count(what, n);
  const NodePtr row = reshape(arange(0, static_cast<double>(m), 1, DType::kI32, x->device()), {m, 1});
  const NodePtr col = arange(0, static_cast<double>(n), 1, DType::kI32, x->device());
  const NodePtr above = col - row;
  const NodePtr edge = scalar({std::clamp(diagonal, -m, n)}, DType::kI32);
  const NodePtr kept = elementwise(lower ? Op::kLessEqual : Op::kGreaterEqual, {above, edge});
  return elementwise(Op::kWhere, {kept, x, cast(scalar({std::int64_t{0}}, DType::kI32), x->dtype())});
}

NodePtr diagonal(std::string_view what, const NodePtr& x, std::int64_t offset, int axis_a, int axis_b) {
  const int rank = x->shape().rank();
  if (rank < 2) fail(ErrorKind::kShape, "{}: at least two axes are expected; the shape is {}.", what, x->shape().str());
  const int a = normal_axis(what, axis_a, rank);
  const int b = normal_axis(what, axis_b, rank);
  if (a == b) fail(ErrorKind::kValue, "{}: both axes are axis {}.", what, a);
  std::vector<int> order;
  for (int i = 0; i < rank; ++i) {
    if (i != a && i != b) order.push_back(i);
  }
  order.push_back(a);
  order.push_back(b);
  const NodePtr y = permute(x, order);
  const Shape& s = y->shape();
  const std::int64_t rows = s[rank - 2];
  const std::int64_t cols = s[rank - 1];
  const std::int64_t at = std::clamp(offset, -rows, cols);  // further out it is empty as well
  const std::int64_t first_row = std::max<std::int64_t>(-at, 0);
  const std::int64_t first_col = std::max<std::int64_t>(at, 0);
  const std::int64_t k = std::max<std::int64_t>(0, std::min(rows - first_row, cols - first_col));
  std::vector<Range> ranges = whole(s);
  ranges[static_cast<std::size_t>(rank - 2)] = {std::min(first_row, rows), std::min(first_row, rows) + k, 1};
  ranges[static_cast<std::size_t>(rank - 1)] = {std::min(first_col, cols), std::min(first_col, cols) + k, 1};
  const NodePtr square = slice(y, ranges);
  // In a row of k * k elements, the diagonal has stride k + 1.
  Shape flat(std::span(s.begin(), static_cast<std::size_t>(rank - 2)));
  flat.push_back(k * k);
  std::vector<Range> steps = whole(flat);
  steps.back() = {0, k * k, k + 1};
  return slice(reshape(square, flat), steps);
}

NodePtr kron(const NodePtr& a, const NodePtr& b) {
  const int rank = std::max(a->shape().rank(), b->shape().rank());
  if (2 * rank > kMaxRank) {
    fail(ErrorKind::kShape, "kron: at most {} axes are supported; a is {}, b is {}.", kMaxRank / 2, a->shape().str(),
         b->shape().str());
  }
  Shape spread_a;
  Shape spread_b;
  Shape out;
  for (int i = 0; i < rank; ++i) {
    const auto size = [&](const NodePtr& x) {
      const int axis = i - (rank - x->shape().rank());
      return axis < 0 ? std::int64_t{1} : x->shape()[axis];
    };
    spread_a.push_back(size(a));
    spread_a.push_back(1);
    spread_b.push_back(1);
    spread_b.push_back(size(b));
    out.push_back(checked_size("kron", Wide{size(a)} * size(b)));
  }
  return reshape(reshape(a, spread_a) * reshape(b, spread_b), out);
}

NodePtr cross(const NodePtr& a, const NodePtr& b, int axis) {
  const std::vector<Shape> shapes{a->shape(), b->shape()};
  const Shape s = broadcast_shapes("cross", shapes);
  const int at = normal_axis("cross", axis, s.rank());
  if (s[at] != 3) {
    fail(ErrorKind::kShape, "cross: vectors of 3 are expected along axis {}; a is {}, b is {}.", at, a->shape().str(),
         b->shape().str());
  }
  const NodePtr x = broadcast_to(a, s);
  const NodePtr y = broadcast_to(b, s);
  const auto part = [&](const NodePtr& of, std::int64_t i) {
    std::vector<Range> ranges = whole(s);
    ranges[static_cast<std::size_t>(at)] = {i, i + 1, 1};
    return slice(of, ranges);
  };
  std::vector<NodePtr> parts;
  for (std::int64_t i = 0; i < 3; ++i) {
    const std::int64_t j = (i + 1) % 3;
    const std::int64_t k = (i + 2) % 3;
    parts.push_back(part(x, j) * part(y, k) - part(x, k) * part(y, j));
  }
  return concat(parts, at);
}

NodePtr vector_norm(const NodePtr& x, double p, Axes axes, bool keepdims) {
  if (std::isnan(p)) fail(ErrorKind::kValue, "vector_norm: p is not a number.");
  const NodePtr y = wide(x);
  const NodePtr size = elementwise(Op::kAbs, {y});
  NodePtr norm;
  if (std::isinf(p)) {
    norm = reduce(p > 0 ? Op::kMax : Op::kMin, "vector_norm", size, axes, keepdims);
  } else if (p == 0) {
    const NodePtr count = sum(cast(elementwise(Op::kNotEqual, {y, number(0)}), size->dtype()), axes, keepdims);
    norm = with_gradient("vector_norm", {y}, count, [](const Gradient::Call&) { return std::vector<NodePtr>(1); });
  } else if (p == 1) {
    norm = sum(size, axes, keepdims);
  } else if (p == 2) {
    const NodePtr root = is_complex(y->dtype()) ? size : y;
    norm = root_of_sum(sum(root * root, axes, keepdims), 0.5);
  } else {
    NodePtr terms = elementwise(Op::kPower, {size, number(p)});
    if (p < 1 && size->tracked()) {  // the slope at 0 is infinite: no gradient goes there
      const NodePtr zero = elementwise(Op::kEqual, {size, number(0)});
      const NodePtr other = elementwise(Op::kPower, {elementwise(Op::kWhere, {zero, number(1), size}), number(p)});
      terms = elementwise(Op::kWhere, {zero, stop_gradient(terms), other});
    }
    norm = root_of_sum(sum(terms, axes, keepdims), 1 / p);
  }
  return cast(norm, real_of(float_of(x)));
}

}  // namespace tessera::ops
