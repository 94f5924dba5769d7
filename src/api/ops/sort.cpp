// The public scans, sorts and scatters: each calls the op of the same name on the tensors' nodes.
#include "tessera/sort.h"

#include <algorithm>
#include <array>

#include "api/arguments.h"
#include "api/catalog_rows.h"
#include "base/fail.h"
#include "base/sizes.h"
#include "ops/sort/sort.h"

namespace tessera {

catalog::Rows catalog::sort() {
  static constexpr std::array kRows{
      Row{"Random", "bool, integers", kNoGradient, kComposed,
          "random::categorical, random::multinomial, random::permutation"},
      Row{"Indexing", kAnyComplex, kGradient, kKernel, "index_add, scatter, scatter_add, masked_select"},
      Row{"Indexing", kAnyComplex, kNoGradient, kKernel, "nonzero, unique"},
      Row{"Indexing", kAny, kNoGradient, kKernel, "bincount, histogram, searchsorted"},
      Row{"Scans", kNumbersComplex, kGradient, kKernel, "cumsum, cumprod", kInF32},
      Row{"Scans", kNumbers, kGradient, kKernel, "cummax, cummin"},
      Row{"Scans", kNumbers, kGradient, kKernel, "logcumsumexp", kInF32},
      Row{"Sorting", kAny, kGradient, kKernel, "sort, sort_with_indices, topk"},
      Row{"Sorting", kAny, kNoGradient, kKernel, "argsort"},
      Row{"Sorting", kNumbers, kGradient, kComposed, "median, quantile"},
  };
  return kRows;
}

namespace {

Indexed indexed(const std::pair<NodePtr, NodePtr>& found) { return {Tensor(found.first), Tensor(found.second)}; }

}  // namespace

Tensor cumsum(const Tensor& x, int axis) { return Tensor(ops::cumsum(node_of(x), axis)); }
Tensor cumprod(const Tensor& x, int axis) { return Tensor(ops::cumprod(node_of(x), axis)); }
Tensor logcumsumexp(const Tensor& x, int axis) { return Tensor(ops::logcumsumexp(node_of(x), axis)); }
Indexed cummax(const Tensor& x, int axis) { return indexed(ops::cummax(node_of(x), axis)); }
Indexed cummin(const Tensor& x, int axis) { return indexed(ops::cummin(node_of(x), axis)); }

Tensor sort(const Tensor& x, int axis, bool descending) { return sort_with_indices(x, axis, descending).values; }
Indexed sort_with_indices(const Tensor& x, int axis, bool descending) {
  return indexed(ops::sort(node_of(x), axis, descending));
}
Tensor argsort(const Tensor& x, int axis, bool descending, bool /*stable*/) {
  return Tensor(ops::argsort(node_of(x), axis, descending));
}
Indexed topk(const Tensor& x, std::int64_t k, int axis, bool largest) {
  return indexed(ops::topk(node_of(x), k, axis, largest));
}
Tensor median(const Tensor& x, int axis, bool keepdims) { return Tensor(ops::median(node_of(x), axis, keepdims)); }
Tensor quantile(const Tensor& x, double q, int axis, bool keepdims) {
  return Tensor(ops::quantile(node_of(x), {&q, 1}, axis, keepdims, true));
}
Tensor quantile(const Tensor& x, const std::vector<double>& q, int axis, bool keepdims) {
  return Tensor(ops::quantile(node_of(x), q, axis, keepdims, false));
}
Tensor searchsorted(const Tensor& sorted, const Tensor& values, bool right) {
  return Tensor(ops::searchsorted(node_of(sorted), node_of(values), right));
}

Tensor scatter(const Tensor& x, const Tensor& indices, const Tensor& updates, int axis, Scatter mode) {
  return Tensor(
      ops::scatter(node_of(x), node_of(indices), node_of(updates), axis, static_cast<ops::ScatterMode>(mode)));
}
Tensor scatter_add(const Tensor& x, const Tensor& indices, const Tensor& updates, int axis) {
  return scatter(x, indices, updates, axis, Scatter::kAdd);
}
Tensor index_add(const Tensor& x, int axis, const Tensor& index, const Tensor& source) {
  return Tensor(ops::index_add(node_of(x), axis, node_of(index), node_of(source)));
}

// ---- Shapes that depend on data ----

namespace {

/// The last element of a running count.
std::int64_t total_of(const NodePtr& counts) {
  if (counts->numel() == 0) return 0;
  const std::array<ops::Range, 1> last{{{counts->numel() - 1, counts->numel(), 1}}};
  return Tensor(ops::slice(counts, last)).item<std::int64_t>();
}

/// Row-major positions of true elements.
NodePtr where_true(const NodePtr& mask) {
  const NodePtr counts = ops::running_count(ops::cast(mask, DType::kBool));
  eval(Tensor(counts));  // or it would be computed again for the selection
  return ops::picked(counts, total_of(counts));
}

}  // namespace

Tensor nonzero(const Tensor& x) { return Tensor(ops::coordinates(where_true(node_of(x)), x.shape())); }

Tensor masked_select(const Tensor& x, const Tensor& mask) {
  if (node_of(mask)->dtype() != DType::kBool) {
    fail(ErrorKind::kDType, "masked_select: the mask has type {}; bool is expected.", name(mask.dtype()));
  }
  const std::array<Shape, 2> shapes{node_of(x)->shape(), mask.shape()};
  const Shape shape = ops::broadcast_shapes("masked_select", shapes);
  const NodePtr at = where_true(ops::broadcast_to(node_of(mask), shape));
  return Tensor(ops::take_flat(ops::broadcast_to(node_of(x), shape), at));
}

Unique unique(const Tensor& x) {
  const ops::Distinct d = ops::distinct(node_of(x));
  eval(Tensor(d.counts), Tensor(d.sorted), Tensor(d.order));
  const NodePtr starts = ops::picked(d.counts, total_of(d.counts));
  return {Tensor(ops::take_flat(d.sorted, starts)), Tensor(ops::distinct_inverse(d, x.shape())),
          Tensor(ops::run_lengths(starts, x.numel()))};
}

Tensor bincount(const Tensor& x, std::int64_t minlength) {
  if (!is_integer(node_of(x)->dtype()))
    fail(ErrorKind::kDType, "bincount: type {} was given; integers are expected.", name(x.dtype()));
  if (minlength < 0) fail(ErrorKind::kValue, "bincount: minlength {} was given; it must not be negative.", minlength);
  std::int64_t bins = minlength;
  if (x.numel() > 0) {
    const Tensor ends = cast(stack({min(x), max(x)}), i64);
    const std::vector<std::int64_t> found = ends.to_vector<std::int64_t>();
    if (found[0] < 0) fail(ErrorKind::kValue, "bincount: {} is among the numbers; none may be negative.", found[0]);
    if (found[1] >= 0x7fffffffLL)
      fail(ErrorKind::kLimit, "bincount: {} is among the numbers; the most is {}.", found[1], 0x7ffffffe);
    bins = std::max(bins, found[1] + 1);
  }
  return Tensor(ops::bincount(x.node(), bins));
}

Tensor histogram(const Tensor& x, std::int64_t bins, double low, double high) {
  if (bins < 1 || !(low < high)) {
    fail(ErrorKind::kValue,
         "histogram: {} bins from {} to {} were given; one at least, and low below high, are expected.", bins, low,
         high);
  }
  check_i32_count("histogram", Wide{bins} + 1);
  const DType t = is_float(node_of(x)->dtype()) ? x.dtype() : f32;
  const Tensor flat = reshape(cast(x, t), {x.numel()});
  const Tensor edges = linspace(low, high, bins + 1, t, x.device());
  const Tensor bin = where(equal(flat, high), bins - 1, searchsorted(edges, flat, true) - 1);
  return Tensor(ops::bincount(cast(bin, i32).node(), bins));
}

namespace random {

namespace {

/// Gumbel noise: the maximum of log p + noise is drawn with probability p.
Tensor gumbel(const Shape& shape, const Device& device) {
  // Uniforms have 24 bits and never reach 1; 0 is replaced by half a step.
  return -log(-log(maximum(uniform(shape, 0.0, 1.0, f32, device), 0x1p-25)));
}

}  // namespace

Tensor permutation(std::int64_t n, const Device& device) {
  if (n < 0) fail(ErrorKind::kValue, "permutation: n = {} was given; it must not be negative.", n);
  return argsort(randint({n}, 0, 0xffffffffLL, u32, device), 0);
}

Tensor categorical(const Tensor& logits, int axis) {
  const Tensor x = cast(Tensor(node_of(logits)), f32);
  return argmax(x + gumbel(x.shape(), x.device()), axis);
}

Tensor multinomial(const Tensor& probabilities, std::int64_t count, bool replacement) {
  const Shape& shape = node_of(probabilities)->shape();
  if (shape.rank() < 1 || shape.rank() > 2)
    fail(ErrorKind::kShape, "multinomial: the probabilities are {}; rank 1 or 2 is expected.", shape.str());
  if (count < 0 || shape.back() == 0 || (!replacement && count > shape.back())) {
    fail(ErrorKind::kValue, "multinomial: {} of {} were asked for{}.", count, shape.back(),
         replacement ? "" : " without replacement");
  }
  const Tensor p = cast(probabilities, f32);
  if (!replacement) return topk(log(p) + gumbel(shape, p.device()), count).indices;
  // Sums are rounded: zero probabilities must stay zero, and the sums must not decrease.
  const Tensor sums = cummax(where(greater(p, 0.0), cumsum(p, -1), 0.0), -1).values;
  Shape draws = shape;
  draws[shape.rank() - 1] = count;
  const Slice last{shape.back() - 1, shape.back()};
  const Tensor total = slice(sums, shape.rank() == 1 ? std::vector{last} : std::vector{Slice{}, last});
  return minimum(searchsorted(sums, uniform(draws, 0.0, 1.0, f32, p.device()) * total, true),
                 static_cast<std::int64_t>(shape.back() - 1));
}

}  // namespace random

}  // namespace tessera
