// Indexing: NumPy's brackets as functions, take, roll and repeat.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "tessera/export.h"
#include "tessera/ops.h"

namespace TESSERA_API tessera {

struct Ellipsis {};
struct NewAxis {};
/// One index: a number, a slice, an ellipsis, a new axis, or an array of integers or bool.
using At = std::variant<std::int64_t, Slice, Ellipsis, NewAxis, Tensor>;

/// x[at] with NumPy's rules. Negative integers in arrays count from the end; an index out of bounds is an Error of kind
/// value, at the next wait. An array of bool selects the positions where it is true; it is read at the call.
Tensor index(const Tensor& x, const std::vector<At>& at);
/// x with x[at] = values; `values` broadcasts. For duplicate indices the last value wins. x itself does not change: see
/// slice_update for when it is copied.
Tensor index_set(const Tensor& x, const std::vector<At>& at, const Tensor& values);
/// x with x[at] += values; duplicate indices accumulate.
Tensor index_add(const Tensor& x, const std::vector<At>& at, const Tensor& values);
/// x with `values`, which has x's rank, in place of the slice that begins at `starts` along `axes` and at 0 along the
/// others. Negative starts count from the end. Only the values are written if nothing else holds x: a donated argument
/// of a compiled function, or a tensor that is not used again. Otherwise x is copied first (a kernel `copy` in the
/// profile). The slice must lie inside x.
Tensor slice_update(const Tensor& x, const Tensor& values, const std::vector<std::int64_t>& starts, const Axes& axes);
inline Tensor slice_update(const Tensor& x, const Tensor& values, std::initializer_list<std::int64_t> starts,
                           const Axes& axes) {
  return slice_update(x, values, std::vector<std::int64_t>(starts), axes);
}
/// The same with starts on the device, integers of shape [axes]: a position that changes is no new trace or plan. With
/// starts of shape [n, axes], for x and values of n rows, each row has its own. If the axes include 0, x may have any
/// number of rows, and row i of the values is a slice of its own, [1, ..]; the slices must not overlap. A slice that is
/// not inside x is an Error of kind value, at the next wait.
Tensor slice_update(const Tensor& x, const Tensor& values, const Tensor& starts, const Axes& axes);

/// The elements of an axis at `indices`, which may have any shape; without an axis, of the flattened tensor.
Tensor take(const Tensor& x, const Tensor& indices, std::optional<int> axis = {});
/// For each position of `indices`, the element at that index along the axis; the other axes broadcast. PyTorch's
/// gather.
Tensor take_along_axis(const Tensor& x, const Tensor& indices, int axis = -1);
Tensor gather(const Tensor& x, int axis, const Tensor& indices);
/// Rows of `weights` [count, size]: take(weights, indices, 0).
Tensor embedding(const Tensor& indices, const Tensor& weights);
/// 1 at each index along a new last axis, 0 elsewhere.
Tensor one_hot(const Tensor& indices, std::int64_t classes, DType dtype = f32);
Tensor masked_fill(const Tensor& x, const Tensor& mask, const Tensor& value);

Tensor roll(const Tensor& x, const std::vector<std::int64_t>& shifts, const Axes& axes = {});  // no axes: flattened
Tensor rot90(const Tensor& x, int times = 1, int first = 0, int second = 1);
Tensor repeat(const Tensor& x, std::int64_t times, std::optional<int> axis = {});         // repeats each element
Tensor tile(const Tensor& x, const std::vector<std::int64_t>& times);                     // repeats the whole tensor
std::vector<Tensor> meshgrid(const std::vector<Tensor>& axes, bool matrix_order = true);  // "ij", or else "xy"

inline Tensor Tensor::operator[](const At& at) const { return tessera::index(*this, {at}); }
inline Tensor Tensor::operator[](std::initializer_list<At> at) const { return tessera::index(*this, at); }
template <std::integral I>
Tensor Tensor::operator[](I i) const {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();  // larger unsigned numbers are out of bounds too
  return (*this)[At(std::cmp_greater(i, kMost) ? kMost : static_cast<std::int64_t>(i))];
}

}  // namespace tessera

#include "tessera/members/index.h"  // IWYU pragma: export
