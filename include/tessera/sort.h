// Scans, sorting, searching and scattering along an axis. The same results in every run and on every device: equal
// elements keep their order, and updates are combined in theirs.
#pragma once

#include <cstdint>
#include <vector>

#include "tessera/export.h"
#include "tessera/ops.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

/// Elements, and where along the axis they are: i32.
struct Indexed {
  Tensor values;
  Tensor indices;
};

// ---- Scans. Small integers and bool become i32 or u32 in sums and products. ----
Tensor cumsum(const Tensor& x, int axis);
Tensor cumprod(const Tensor& x, int axis);
Tensor logcumsumexp(const Tensor& x, int axis);
/// The largest (smallest) so far; of equal ones the last. From the first NaN on all is NaN.
Indexed cummax(const Tensor& x, int axis);
Indexed cummin(const Tensor& x, int axis);

// ---- Sorting. NaN is above all numbers; -0 equals 0; the order is stable in either direction. ----
Tensor sort(const Tensor& x, int axis = -1, bool descending = false);
Indexed sort_with_indices(const Tensor& x, int axis = -1, bool descending = false);
/// Always stable; `stable` is there for those who say so.
Tensor argsort(const Tensor& x, int axis = -1, bool descending = false, bool stable = true);
/// The k largest (smallest), in order.
Indexed topk(const Tensor& x, std::int64_t k, int axis = -1, bool largest = true);
/// The middle element, or the mean of the two in the middle; NaN where there is one. Integers give f32.
Tensor median(const Tensor& x, int axis = -1, bool keepdims = false);
/// Between elements by a straight line, as NumPy's default. With several q they come first, along an axis of their own.
Tensor quantile(const Tensor& x, double q, int axis = -1, bool keepdims = false);
Tensor quantile(const Tensor& x, const std::vector<double>& q, int axis = -1, bool keepdims = false);
/// How many elements of `sorted` (rank 1) are below each value; with `right`, below or equal. i32.
Tensor searchsorted(const Tensor& sorted, const Tensor& values, bool right = false);

// ---- Scattering. Negative indices count from the end; those out of range write nothing. ----
enum class Scatter : std::uint8_t {
  kSet,  // the last update wins
  kAdd,
  kMul,
  kMax,
  kMin,
};
/// x with result[.., indices[.., i, ..], ..] combined with updates[.., i, ..] along the axis, as PyTorch's scatter,
/// scatter_add and scatter_reduce. Indices and updates have one shape, beside the axis not larger than x.
Tensor scatter(const Tensor& x, const Tensor& indices, const Tensor& updates, int axis, Scatter mode = Scatter::kSet);
Tensor scatter_add(const Tensor& x, const Tensor& indices, const Tensor& updates, int axis);
/// x with source[.., i, ..] added at index[i] of the axis.
Tensor index_add(const Tensor& x, int axis, const Tensor& index, const Tensor& source);

}  // namespace tessera
