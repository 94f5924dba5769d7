// Resizing: axis by axis, as a matmul with a matrix of weights computed from the indices.
#include <algorithm>
#include <array>
#include <numeric>

#include "base/fail.h"
#include "base/ints.h"
#include "base/sizes.h"
#include "graph/op.h"
#include "ops/autocast.h"
#include "ops/conv/conv.h"

namespace tessera::ops {

namespace {

NodePtr op(Op which, const NodePtr& a, const NodePtr& b) { return elementwise(which, {a, b}); }

/// The most views that are concatenated; more are selected by comparing indices.
constexpr std::int64_t kMostViews = 8;

NodePtr every(const NodePtr& x, int axis, std::int64_t start, std::int64_t step, std::int64_t count) {
  std::vector<Range> ranges;
  for (const std::int64_t d : x->shape()) ranges.push_back({0, d, 1});
  ranges[as_index(axis)] = {start, start + (count - 1) * step + 1, step};
  return slice(x, ranges);
}

/// Element floor(o * size / out) for each o, or floor(o * scale) where a scale is given.
NodePtr nearest_along(const NodePtr& x, int axis, std::int64_t out, double scale) {
  const std::int64_t size = x->shape()[axis];
  const std::int64_t common = std::gcd(size, out);
  const std::int64_t up = out / common;
  const std::int64_t down = size / common;
  if (scale == 0 && up <= kMostViews) {
    // Blocks of `down` elements become blocks of `up`; each element of a block is a strided view.
    std::vector<NodePtr> views;
    for (std::int64_t i = 0; i < up; ++i) views.push_back(every(x, axis, i * down / up, down, common));
    Shape joined = x->shape();
    joined[axis] = out;
    if (down == 1) {  // one view, repeated
      Shape spread = views[0]->shape();
      const NodePtr one = expand_dims(views[0], axis + 1);
      Shape repeated;
      for (int i = 0; i <= spread.rank(); ++i) repeated.push_back(i == axis + 1 ? up : one->shape()[i]);
      return reshape(broadcast_to(one, repeated), joined);
    }
    return up == 1 ? views[0] : reshape(stack(views, axis + 1), joined);
  }
  // Indices are products of the two sizes.
  const DType index = Wide{size} * out <= INT32_MAX ? DType::kI32 : DType::kI64;
  const NodePtr o = reshape(arange(0, static_cast<double>(out), 1, index, x->device()), {out, 1});
  const NodePtr l = arange(0, static_cast<double>(size), 1, index, x->device());
  NodePtr source;
  if (scale == 0) {
    source = op(Op::kFloorDivide, o * scalar({size}, index), scalar({out}, index));
  } else {
    source = cast(elementwise(Op::kFloor, {cast(o, DType::kF32) * scale}), index);
    source = op(Op::kMinimum, source, scalar({size - 1}, index));
  }
  // A sum with one term that is not zero is that term.
  const NodePtr last = swap_axes(x, axis, -1);
  const NodePtr picked = elementwise(
      Op::kWhere, {op(Op::kEqual, l, source), expand_dims(last, -2), scalar({std::int64_t{0}}, x->dtype())});
  return swap_axes(cast(sum(picked, std::vector<int>{-1}, false), x->dtype()), axis, -1);
}

/// [out, size]: the weight of each element in each result.
NodePtr weights(std::int64_t size, std::int64_t out, double scale, Interpolation mode, bool align_corners, DType t,
                const std::shared_ptr<runtime::Device>& device) {
  const NodePtr o = reshape(arange(0, static_cast<double>(out), 1, t, device), {out, 1});
  const NodePtr l = arange(0, static_cast<double>(size), 1, t, device);
  const double ratio = scale != 0 ? scale : static_cast<double>(size) / static_cast<double>(out);
  const double corner = out > 1 ? static_cast<double>(size - 1) / static_cast<double>(out - 1) : 0;
  const NodePtr at = align_corners ? o * corner : (o + 0.5) * ratio - 0.5;
  const NodePtr end = number(static_cast<double>(size - 1));
  if (mode == Interpolation::kLinear) {
    const NodePtr near = clamp(at, number(0), end);
    return op(Op::kMaximum, ops::number(1) - elementwise(Op::kAbs, {l - near}), number(0));
  }
  // Four neighbors with the weights of a cubic kernel; those past the ends are clamped to the last element.
  constexpr double kA = -0.75;
  const NodePtr base = elementwise(Op::kFloor, {at});
  const NodePtr t0 = at - base;
  const auto near = [&](const NodePtr& d) { return ((d * (kA + 2) - (kA + 3)) * d) * d + 1.0; };
  const auto far = [&](const NodePtr& d) { return ((d * kA - 5 * kA) * d + 8 * kA) * d - 4 * kA; };
  const std::array<NodePtr, 4> factors{far(t0 + 1.0), near(t0), near(number(1) - t0), far(number(2) - t0)};
  NodePtr total;
  for (int k = 0; k < 4; ++k) {
    const NodePtr place = clamp(base + static_cast<double>(k - 1), number(0), end);
    const NodePtr term = elementwise(Op::kWhere, {op(Op::kEqual, l, place), factors[as_index(k)], scalar({0.0}, t)});
    total = total == nullptr ? term : total + term;
  }
  return total;
}

}  // namespace

NodePtr interpolate(const NodePtr& x, const Sizes& out, const std::vector<double>& scales, Interpolation mode,
                    bool align_corners) {
  const int rank = x->shape().rank();
  const int first = rank - static_cast<int>(out.size());
  NodePtr y = x;
  if (mode == Interpolation::kNearest) {
    for (int i = first; i < rank; ++i) {
      if (x->shape()[i] != out[as_index(i - first)] || scales[as_index(i - first)] != 0)
        y = nearest_along(y, i, out[as_index(i - first)], scales[as_index(i - first)]);
    }
    return y;
  }
  const AutocastScope as_given(std::nullopt);
  const DType t = x->dtype() == DType::kF64 ? DType::kF64 : DType::kF32;
  y = cast(y, t);
  for (int i = first; i < rank; ++i) {
    const std::int64_t size = x->shape()[i];
    const std::int64_t to = out[as_index(i - first)];
    if (size == to && scales[as_index(i - first)] == 0) continue;
    // There are few weights, and computing them costs more than reading.
    const NodePtr w = weights(size, to, scales[as_index(i - first)], mode, align_corners, t, x->device());
    y = i == rank - 1 ? matmul(y, swap_axes(w, 0, 1)) : swap_axes(matmul(w, swap_axes(y, i, -2)), i, -2);
  }
  return cast(y, x->dtype());
}

namespace {

/// The sizes in front of the last three axes.
Shape leading(const NodePtr& x) {
  Shape shape;
  for (int i = 0; i < x->shape().rank() - 3; ++i) shape.push_back(x->shape()[i]);
  return shape;
}

void check_factor(std::string_view what, const NodePtr& x, std::int64_t factor) {
  if (x->shape().rank() < 3) {
    fail(ErrorKind::kShape, "{}: the input has shape {}; at least 3 axes are expected.", what, x->shape().str());
  }
  if (factor < 1) fail(ErrorKind::kValue, "{}: the factor is {}; at least 1 is expected.", what, factor);
}

}  // namespace

NodePtr pixel_shuffle(const NodePtr& x, std::int64_t factor) {
  check_factor("pixel_shuffle", x, factor);
  const int r = x->shape().rank() - 3;
  const std::int64_t c = x->shape()[r];
  if (c % (Wide{factor} * factor) != 0) {
    fail(ErrorKind::kShape, "pixel_shuffle: {} channels do not divide by the factor {} squared.", c, factor);
  }
  const auto channels = static_cast<std::int64_t>(c / (Wide{factor} * factor));
  const std::int64_t height = checked_size("pixel_shuffle", Wide{x->shape()[r + 1]} * factor);
  const std::int64_t width = checked_size("pixel_shuffle", Wide{x->shape()[r + 2]} * factor);
  Shape cut = leading(x);
  Shape joined = cut;
  for (const std::int64_t d : {channels, factor, factor, x->shape()[r + 1], x->shape()[r + 2]}) cut.push_back(d);
  for (const std::int64_t d : {channels, height, width}) joined.push_back(d);
  std::vector<int> order(as_index(r));
  std::iota(order.begin(), order.end(), 0);
  for (const int i : {r, r + 3, r + 1, r + 4, r + 2}) order.push_back(i);
  return reshape(permute(reshape(x, cut), order), joined);
}

NodePtr pixel_unshuffle(const NodePtr& x, std::int64_t factor) {
  check_factor("pixel_unshuffle", x, factor);
  const int r = x->shape().rank() - 3;
  const std::int64_t h = x->shape()[r + 1];
  const std::int64_t w = x->shape()[r + 2];
  if (h % factor != 0 || w % factor != 0) {
    fail(ErrorKind::kShape, "pixel_unshuffle: an image of {} x {} does not divide by the factor {}.", h, w, factor);
  }
  Shape cut = leading(x);
  Shape joined = cut;
  for (const std::int64_t d : {x->shape()[r], h / factor, factor, w / factor, factor}) cut.push_back(d);
  const std::int64_t row = checked_size("pixel_unshuffle", Wide{x->shape()[r]} * factor);
  for (const std::int64_t d : {checked_size("pixel_unshuffle", Wide{row} * factor), h / factor, w / factor})
    joined.push_back(d);
  std::vector<int> order(as_index(r));
  std::iota(order.begin(), order.end(), 0);
  for (const int i : {r, r + 2, r + 4, r + 1, r + 3}) order.push_back(i);
  return reshape(permute(reshape(x, cut), order), joined);
}

}  // namespace tessera::ops
