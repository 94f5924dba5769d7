// Scans, sorting, searching and scattering as functions on nodes, by custom kernels that are deterministic on every
// device.
#pragma once

#include <utility>

#include "ops/build.h"

namespace tessera::ops {

// ---- Scans (scan.cpp) ----
struct ScanOptions {
  bool exclusive = false;  // without the element itself: the first result is the identity
  bool reverse = false;    // from the end to the front
};
/// Small integers and bool become i32 or u32, as in sums.
NodePtr cumsum(const NodePtr& x, int axis, ScanOptions options = {});
NodePtr cumprod(const NodePtr& x, int axis, ScanOptions options = {});
NodePtr logcumsumexp(const NodePtr& x, int axis, ScanOptions options = {});
/// Values and indices (i32): the last of equal values; the first NaN stays a NaN, with the index of the last NaN so
/// far.
std::pair<NodePtr, NodePtr> cummax(const NodePtr& x, int axis);
std::pair<NodePtr, NodePtr> cummin(const NodePtr& x, int axis);

// ---- Sorting (sort.cpp): NaN is above all numbers, the order is stable ----
/// Values and indices along the axis (i32).
std::pair<NodePtr, NodePtr> sort(const NodePtr& x, int axis, bool descending);
NodePtr argsort(const NodePtr& x, int axis, bool descending);
std::pair<NodePtr, NodePtr> topk(const NodePtr& x, std::int64_t k, int axis, bool largest);
/// The order that sorts `keys` (u32, rank 1) by their lowest `bits` bits; i32.
NodePtr sorted_order(const NodePtr& keys, int bits);
/// Elements of the rows of x [rows, cols] at `at` (i32, [rows, k]), which must be in range.
NodePtr take_in_rows(const NodePtr& x, const NodePtr& at);
/// The inverse: where `at` (i32, [rows, cols]) holds a permutation in each row, result[r, at[r, c]] = x[r, c].
NodePtr put_in_rows(const NodePtr& x, const NodePtr& at);
NodePtr median(const NodePtr& x, int axis, bool keepdims);
/// One result for each q, stacked in front; without that axis if `single`.
NodePtr quantile(const NodePtr& x, std::span<const double> q, int axis, bool keepdims, bool single);
/// How many elements of `sorted` are below each value, or not above it with `right`; i32. `sorted` has rank 1, or the
/// leading axes of the values, row by row.
NodePtr searchsorted(const NodePtr& sorted, const NodePtr& values, bool right);

// ---- Scattering (scatter.cpp): in the order of the updates; indices out of range write nothing ----
enum class ScatterMode : std::uint8_t { kSet, kAdd, kMul, kMax, kMin };
/// Rows of `base` [rows, cols], each combined with the rows of `updates` [n, cols] whose `index` (i32, [n]) selects it.
/// A null base means zeros, for kSet and kAdd only.
NodePtr scatter_rows(const NodePtr& base, std::int64_t rows, std::int64_t cols, const NodePtr& index,
                     const NodePtr& updates, ScatterMode mode);
/// The transpose of kGather: zeros [numel], to which each update is added at its position (i32, the same shape).
NodePtr scatter_add_flat(std::int64_t numel, const NodePtr& positions, const NodePtr& updates);
/// Zeros of that shape, with updates added along the axis at `index` (i32, of the updates' shape).
NodePtr scatter_add_along(const Shape& shape, const NodePtr& index, const NodePtr& updates, int axis);
/// PyTorch's scatter family: result[.., index[.., i, ..], ..] = combine(x, updates[.., i, ..]) along the axis.
NodePtr scatter(const NodePtr& x, const NodePtr& index, const NodePtr& updates, int axis, ScatterMode mode);
NodePtr index_add(const NodePtr& x, int axis, const NodePtr& index, const NodePtr& source);
/// Counts of 0, 1, .. bins - 1 among the elements of x; others are not counted. i32.
NodePtr bincount(const NodePtr& x, std::int64_t bins);

// ---- Selecting (select.cpp): shapes that depend on data; callers read a count in between ----
/// How many elements of the mask, in row-major order, are true up to each; i32, rank 1.
NodePtr running_count(const NodePtr& mask);
/// The positions of the `count` true elements, given their running count; i32.
NodePtr picked(const NodePtr& counts, std::int64_t count);
/// Row-major positions as coordinates of `shape`: [n, rank].
NodePtr coordinates(const NodePtr& positions, const Shape& shape);
/// Elements of x at row-major positions, which must be in range.
NodePtr take_flat(const NodePtr& x, const NodePtr& positions);
/// x sorted, its order, and how many distinct elements there are up to each.
struct Distinct {
  NodePtr sorted, order, counts;
};
Distinct distinct(const NodePtr& x);
/// For each element of x, the index of its distinct value.
NodePtr distinct_inverse(const Distinct& d, const Shape& shape);
/// The lengths of the runs that start at `starts` among n elements.
NodePtr run_lengths(const NodePtr& starts, std::int64_t n);

}  // namespace tessera::ops
