// Scans, sorting, searching and scattering along an axis. Results are the same in every run and on every device: sorts
// are stable, and updates are combined in order.
#pragma once

#include <cstdint>
#include <vector>

#include "tessera/export.h"
#include "tessera/ops.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

/// Elements, and their indices along the axis: i32.
struct Indexed {
  Tensor values;
  Tensor indices;
};

// ---- Scans. Small integers and bool become i32 or u32 in cumsum and cumprod. ----
Tensor cumsum(const Tensor& x, int axis);
Tensor cumprod(const Tensor& x, int axis);
Tensor logcumsumexp(const Tensor& x, int axis);
/// The cumulative maximum (minimum); of equal elements the last index. From the first NaN on everything is NaN.
Indexed cummax(const Tensor& x, int axis);
Indexed cummin(const Tensor& x, int axis);

// ---- Sorting. NaN is larger than all numbers; -0 equals 0; the order is stable in either direction. ----
Tensor sort(const Tensor& x, int axis = -1, bool descending = false);
Indexed sort_with_indices(const Tensor& x, int axis = -1, bool descending = false);
/// Always stable; `stable` exists for compatibility.
Tensor argsort(const Tensor& x, int axis = -1, bool descending = false, bool stable = true);
/// The k largest (smallest) elements, in order.
Indexed topk(const Tensor& x, std::int64_t k, int axis = -1, bool largest = true);
/// The middle element, or the mean of the two middle elements; NaN if there is one. Integers give f32.
Tensor median(const Tensor& x, int axis = -1, bool keepdims = false);
/// Linear interpolation, as NumPy's default. With several q they are the first axis of the result.
Tensor quantile(const Tensor& x, double q, int axis = -1, bool keepdims = false);
Tensor quantile(const Tensor& x, const std::vector<double>& q, int axis = -1, bool keepdims = false);
/// The number of elements of `sorted` below each value; with `right`, below or equal. i32. `sorted` has rank 1, or the
/// values' leading axes: then each row is searched for its own values.
Tensor searchsorted(const Tensor& sorted, const Tensor& values, bool right = false);

// ---- Scattering. Negative indices count from the end; an index out of bounds is an Error at the next wait. ----
enum class Scatter : std::uint8_t {
  kSet,  // the last update wins
  kAdd,
  kMul,
  kMax,
  kMin,
};
/// x with result[.., indices[.., i, ..], ..] combined with updates[.., i, ..] along the axis, as PyTorch's scatter,
/// scatter_add and scatter_reduce. Indices and updates have the same shape, at most x's on the other axes.
Tensor scatter(const Tensor& x, const Tensor& indices, const Tensor& updates, int axis, Scatter mode = Scatter::kSet);
Tensor scatter_add(const Tensor& x, const Tensor& indices, const Tensor& updates, int axis);
/// x with source[.., i, ..] added at index[i] of the axis.
Tensor index_add(const Tensor& x, int axis, const Tensor& index, const Tensor& source);

// ---- Data-dependent shapes: these evaluate and read a count at the call ----
/// The coordinates of nonzero elements: i32, [count, rank].
Tensor nonzero(const Tensor& x);
/// The elements of x where the mask is true, in row-major order; the two broadcast.
Tensor masked_select(const Tensor& x, const Tensor& mask);
struct Unique {
  Tensor values;   // sorted; NaN once, at the end
  Tensor inverse;  // the index into values of each element of x: i32, of x's shape
  Tensor counts;   // the number of occurrences of each value: i32
};
Unique unique(const Tensor& x);
/// The number of occurrences of 0, 1, 2, ..: i32, of length max(x) + 1 or minlength. Error of kind value for negative
/// numbers.
Tensor bincount(const Tensor& x, std::int64_t minlength = 0);

/// Counts of the elements in equal bins from low to high (inclusive); elements outside are not counted. i32.
Tensor histogram(const Tensor& x, std::int64_t bins, double low, double high);

namespace random {
/// 0 .. n - 1 in random order: i32.
Tensor permutation(std::int64_t n, const Device& device = {});
/// An index along the axis, drawn with the probabilities softmax(logits): i32.
Tensor categorical(const Tensor& logits, int axis = -1);
/// `count` indices for each row of probabilities (rank 1 or 2), which need not sum to 1: i32. Without replacement the
/// indices of a row are distinct, and those with probability 0 come last.
Tensor multinomial(const Tensor& probabilities, std::int64_t count, bool replacement = false);
}  // namespace random

}  // namespace tessera

#include "tessera/members/sort.h"  // IWYU pragma: export
