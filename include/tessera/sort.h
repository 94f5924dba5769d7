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
/// How many elements of `sorted` are below each value; with `right`, below or equal. i32. `sorted` has rank 1, or the
/// values' leading axes: then each row is searched for the values of its own.
Tensor searchsorted(const Tensor& sorted, const Tensor& values, bool right = false);

// ---- Scattering. Negative indices count from the end; one out of bounds is an Error at the next wait. ----
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

// ---- Shapes that depend on data: these compute and read a count at the call ----
/// The coordinates of elements that are not zero: i32, [count, rank].
Tensor nonzero(const Tensor& x);
/// The elements of x where the mask is true, in row-major order; the two broadcast.
Tensor masked_select(const Tensor& x, const Tensor& mask);
struct Unique {
  Tensor values;   // in order; NaN once, at the end
  Tensor inverse;  // which value each element of x is: i32, of x's shape
  Tensor counts;   // how often each value occurs: i32
};
Unique unique(const Tensor& x);
/// How often 0, 1, 2, .. occur: i32, of length max(x) + 1 or minlength. Error of kind value for negative numbers.
Tensor bincount(const Tensor& x, std::int64_t minlength = 0);

/// Counts of the elements in equal bins from low to high, which the last bin includes; others are not counted. i32.
Tensor histogram(const Tensor& x, std::int64_t bins, double low, double high);

namespace random {
/// 0 .. n - 1 in random order: i32.
Tensor permutation(std::int64_t n, const Device& device = {});
/// An index along the axis, drawn with the probabilities softmax(logits): i32.
Tensor categorical(const Tensor& logits, int axis = -1);
/// `count` indices for each row of probabilities (rank 1 or 2), which need not add up to 1: i32. Without replacement
/// all of a row differ, and what has no probability comes last.
Tensor multinomial(const Tensor& probabilities, std::int64_t count, bool replacement = false);
}  // namespace random

}  // namespace tessera
