// Indexing by positions: any bracket expression is one gather at computed positions, or one scatter to them.
#include "tessera/index.h"

#include <algorithm>

#include "api/arguments.h"
#include "api/catalog_rows.h"
#include "base/fail.h"
#include "base/sizes.h"
#include "ops/build.h"
#include "ops/index/index.h"
#include "ops/quant/quant.h"
#include "tessera/math.h"
#include "tessera/sort.h"

namespace tessera {

catalog::Rows catalog::index() {
  static constexpr std::array kRows{
      Row{"Movement", kAnyComplex, kGradient, kComposed, "roll, rot90, repeat, tile, meshgrid"},
      Row{"Indexing", kAnyComplex, kGradient, kPrimitive,
          "index, take, take_along_axis, gather, embedding, slice_update"},
      Row{"Indexing", kAnyComplex, kGradient, kComposed, "index_set, masked_fill"},
      Row{"Indexing", "integers", kNoGradient, kComposed, "one_hot"},
  };
  return kRows;
}

namespace {

using Shapes = std::vector<Shape>;

Tensor checked(const Tensor& index, std::int64_t size) { return Tensor(ops::checked_index(index.node(), size)); }

Tensor steps(std::int64_t count, std::int64_t start, std::int64_t step, const Device& device) {
  if (step == 0 || count < 2) return full({count}, Tensor(start), i32, device);  // step 0: no elements besides the axis
  return arange(static_cast<double>(start), static_cast<double>(start + count * step), static_cast<double>(step), i32,
                device);
}

/// The elements that a bracket selects, as positions for each axis of the result.
struct Selection {
  Shape shape;                // of the result
  std::vector<Tensor> terms;  // flat positions, to be added; each broadcasts to `shape`
  bool basic = true;          // numbers and ranges only
  bool distinct = true;       // no position occurs twice
  std::vector<Slice> ranges;  // basic: one for each axis of x
};

class Selector {
 public:
  /// `positions`: the terms are needed even for numbers and ranges only.
  Selector(const Tensor& x, const std::vector<At>& at, bool positions)
      : tensor_(x), at_(expand(x, at)), positions_(positions) {}

  Selection run() {
    find_arrays();
    positions_ = positions_ || !arrays_.empty();
    if (positions_) check_i32_count("index", tensor_.numel());
    Selection s;
    int axis = 0;
    bool placed = false;
    for (const At& entry : at_) {
      if (std::holds_alternative<NewAxis>(entry)) {
        push(s, 1, {});
        continue;
      }
      const std::int64_t size = tensor_.shape()[axis];
      if (const auto* range = std::get_if<Slice>(&entry)) {
        s.ranges.push_back(*range);
        slice_axis(s, *range, axis);
      } else if (const auto* number = std::get_if<std::int64_t>(&entry)) {
        const std::int64_t place = *number < 0 ? *number + size : *number;
        if (place < 0 || place >= size) {
          fail(ErrorKind::kValue, "Index {} was given for axis {} of size {}; from {} to {} is expected.", *number,
               axis, size, -size, size - 1);
        }
        s.ranges.push_back({place, place + 1, 1});
        constant_ += place * stride(axis);
      } else {
        if (!placed && together_) insert_arrays(s);
        placed = true;
        s.basic = false;
      }
      ++axis;
    }
    s.basic = s.basic && arrays_.empty();
    s.distinct = array_shape_.numel() <= 1;
    if (!arrays_.empty() && !together_) insert_arrays(s, 0);
    if (positions_) finish(s);
    return s;
  }

 private:
  /// One entry per axis of x, besides new axes: bool arrays become integer arrays, "..." whole ranges.
  static std::vector<At> expand(const Tensor& x, const std::vector<At>& at) {
    std::vector<At> out;
    int used = 0;
    int ellipses = 0;
    for (const At& entry : at) {
      if (const auto* t = std::get_if<Tensor>(&entry); t != nullptr && t->dtype() == boolean) {
        used += t->rank();
      } else if (std::holds_alternative<Ellipsis>(entry)) {
        ++ellipses;
      } else if (!std::holds_alternative<NewAxis>(entry)) {
        ++used;
      }
    }
    if (ellipses > 1) fail(ErrorKind::kValue, "index: {} ellipses were given; one at most is expected.", ellipses);
    if (used > x.rank()) {
      fail(ErrorKind::kShape, "index: {} indices were given for a tensor of rank {}.", used, x.rank());
    }
    const auto rest = [&] { out.insert(out.end(), static_cast<std::size_t>(x.rank() - used), At(Slice{})); };
    int axis = 0;
    for (const At& entry : at) {
      if (std::holds_alternative<Ellipsis>(entry)) {
        rest();
        axis += x.rank() - used;
      } else if (const auto* t = std::get_if<Tensor>(&entry); t != nullptr && t->dtype() == boolean) {
        for (int i = 0; i < t->rank(); ++i) {
          if (t->shape()[i] != x.shape()[axis + i]) {
            fail(ErrorKind::kShape, "index: a mask of shape {} was given; its axis {} should have size {}.", t->shape(),
                 i, x.shape()[axis + i]);
          }
        }
        const Tensor places = nonzero(*t);
        for (int i = 0; i < t->rank(); ++i) {
          out.emplace_back(reshape(slice(places, {Slice{}, Slice{i, i + 1}}), {places.shape()[0]}));
        }
        axis += t->rank();
      } else {
        out.push_back(entry);
        axis += std::holds_alternative<NewAxis>(entry) ? 0 : 1;
      }
    }
    if (ellipses == 0) rest();
    return out;
  }

  void find_arrays() {
    // If arrays and numbers are adjacent, their axes take the place of the first; else they go to the front.
    bool any = false;
    for (const At& entry : at_) any = any || std::holds_alternative<Tensor>(entry);
    int runs = 0;
    bool inside = false;
    int axis = 0;
    Shapes shapes;
    for (const At& entry : at_) {
      const bool array = std::holds_alternative<Tensor>(entry);
      const bool part = any && (array || std::holds_alternative<std::int64_t>(entry));
      if (part && !inside) ++runs;
      inside = part;
      if (array) {
        const auto& t = std::get<Tensor>(entry);
        arrays_.push_back(checked(t, tensor_.shape()[axis]) * static_cast<std::int32_t>(stride(axis)));
        shapes.push_back(t.shape());
      }
      if (!std::holds_alternative<NewAxis>(entry)) ++axis;
    }
    together_ = runs <= 1;
    if (!arrays_.empty()) array_shape_ = ops::broadcast_shapes("index", shapes);
  }

  [[nodiscard]] std::int64_t stride(int axis) const {
    std::int64_t n = 1;
    for (int i = axis + 1; i < tensor_.rank(); ++i) n *= tensor_.shape()[i];
    return n;
  }

  void slice_axis(Selection& s, const Slice& range, int axis) {
    const auto [first, stop, step] = plain_range("index", range, tensor_.shape()[axis], axis);
    const std::int64_t count = range_count(first, stop, step);
    const std::int64_t by = count > 1 ? step * stride(axis) : 0;
    push(s, count, positions_ ? steps(count, first * stride(axis), by, tensor_.device()) : Tensor());
  }

  /// Adds an axis to the result; its term varies along it alone.
  void push(Selection& s, std::int64_t size, const Tensor& term) {
    s.shape.push_back(size);
    axes_.push_back(term);
  }

  void insert_arrays(Selection& s, int where = -1) {
    const int at = where < 0 ? s.shape.rank() : where;
    array_axis_ = at;
    Shape shape;
    for (int i = 0; i < at; ++i) shape.push_back(s.shape[i]);
    for (const std::int64_t d : array_shape_) shape.push_back(d);
    for (int i = at; i < s.shape.rank(); ++i) shape.push_back(s.shape[i]);
    s.shape = shape;
    axes_.insert(axes_.begin() + at, static_cast<std::size_t>(array_shape_.rank()), Tensor());
  }

  void finish(Selection& s) {
    const int rank = s.shape.rank();
    for (int i = 0; i < rank; ++i) {
      if (!axes_[static_cast<std::size_t>(i)].defined()) continue;
      Shape shape;
      for (int j = 0; j < rank; ++j) shape.push_back(j == i ? s.shape[i] : 1);
      s.terms.push_back(reshape(axes_[static_cast<std::size_t>(i)], shape));
    }
    if (!arrays_.empty()) {
      Tensor total = arrays_[0];
      for (std::size_t k = 1; k < arrays_.size(); ++k) total = total + arrays_[k];
      Shape shape = array_shape_;
      for (int j = array_axis_ + array_shape_.rank(); j < rank; ++j) shape.push_back(1);
      s.terms.push_back(reshape(broadcast_to(total, array_shape_), shape));
    }
    if (constant_ != 0 || s.terms.empty()) s.terms.emplace_back(full({}, Tensor(constant_), i32, tensor_.device()));
  }

  const Tensor& tensor_;
  std::vector<At> at_;
  bool positions_;
  std::vector<Tensor> arrays_;  // checked, times their axis' stride
  Shape array_shape_;
  bool together_ = true;
  int array_axis_ = 0;
  std::vector<Tensor> axes_;
  std::int64_t constant_ = 0;
};

Tensor positions_of(const Selection& s) {
  Tensor total = s.terms[0];
  for (std::size_t k = 1; k < s.terms.size(); ++k) total = total + s.terms[k];
  return broadcast_to(total, s.shape);
}

Tensor flat(const Tensor& x) { return reshape(x, {x.numel()}); }

/// x with values at positions that differ; `add`: added to what is there.
Tensor put(const Tensor& x, const Tensor& values, const Tensor& positions, bool add) {
  const Tensor v = add ? cast(Tensor(ops::gather(x.node(), positions.node())) + values, x.dtype()) : values;
  return Tensor(ops::put(x.node(), v.node(), positions.node()));
}

Tensor store(const Tensor& x, const Selection& s, const Tensor& values, Scatter mode) {
  const Tensor v = broadcast_to(cast(values, x.dtype()), s.shape);
  if (s.shape.numel() == 0) return x;
  if (s.distinct) return put(x, v, positions_of(s), mode == Scatter::kAdd);
  const Tensor to = flat(positions_of(s));
  return reshape(scatter(flat(x), to, flat(v), 0, mode), x.shape());
}

}  // namespace

Tensor index(const Tensor& x, const std::vector<At>& at) {
  const Selection s = Selector(x, at, false).run();
  if (s.basic) return reshape(slice(x, s.ranges), s.shape);
  return Tensor(ops::gather(flat(x).node(), positions_of(s).node()));
}

Tensor index_set(const Tensor& x, const std::vector<At>& at, const Tensor& values) {
  const Selection s = Selector(x, at, false).run();
  if (!s.basic) return store(x, s, values, Scatter::kSet);
  const bool plain = std::all_of(s.ranges.begin(), s.ranges.end(), [](const Slice& r) { return r.step == 1; });
  if (!plain) return store(x, Selector(x, at, true).run(), values, Scatter::kSet);
  if (x.numel() <= 0x7fffffffLL) return store(x, Selector(x, at, true).run(), values, Scatter::kSet);
  // Positions of more elements do not fit i32: adjacent elements are replaced in one map.
  const Tensor part = slice(x, s.ranges);
  const Tensor v = reshape(broadcast_to(cast(values, x.dtype()), s.shape), part.shape());
  if (part.numel() == 0) return x;
  std::vector<std::int64_t> low;
  for (std::size_t i = 0; i < s.ranges.size(); ++i) {
    const std::int64_t size = x.shape()[static_cast<int>(i)];
    const std::int64_t start = s.ranges[i].start.value_or(0);
    low.push_back(std::clamp<std::int64_t>(start < 0 ? start + size : start, 0, size));
  }
  return Tensor(ops::replace(x.node(), v.node(), low));
}

Tensor index_add(const Tensor& x, const std::vector<At>& at, const Tensor& values) {
  const Selection s = Selector(x, at, false).run();
  if (s.basic && x.numel() <= 0x7fffffffLL) return store(x, Selector(x, at, true).run(), values, Scatter::kAdd);
  if (s.basic) return index_set(x, at, index(x, at) + values);
  return store(x, s, values, Scatter::kAdd);
}

namespace {

/// The axes that starts are given for, checked; and that the values fit. `rows`: each row of the values is a slice.
std::vector<int> update_axes(const Tensor& x, const Tensor& values, const Axes& axes, bool rows = false) {
  if (values.rank() != x.rank()) {
    fail(ErrorKind::kShape,
         "slice_update: values of shape {} were given for a tensor of shape {}; rank {} is expected.", values.shape(),
         x.shape(), x.rank());
  }
  for (int i = rows ? 1 : 0; i < x.rank(); ++i) {
    if (values.shape()[i] > x.shape()[i]) {
      fail(ErrorKind::kShape, "slice_update: values of shape {} were given; axis {} of the tensor {} has size {}.",
           values.shape(), i, x.shape(), x.shape()[i]);
    }
  }
  std::vector<int> result;
  for (const int axis : axes) {
    const int a = ops::normal_axis("slice_update", axis, x.rank());
    if (std::ranges::find(result, a) != result.end())
      fail(ErrorKind::kValue, "slice_update: axis {} was given twice.", a);
    result.push_back(a);
  }
  check_i32_count("slice_update", x.numel());
  return result;
}

bool is_signed_integer(DType t) { return t == i8 || t == i16 || t == i32 || t == i64; }

/// The ranges of the first elements along each axis, as many as `shape` has.
std::vector<Slice> leading_ranges(const Shape& shape) {
  std::vector<Slice> ranges;
  for (const std::int64_t size : shape) ranges.push_back({0, size, 1});
  return ranges;
}

/// The row-major positions of x[ranges].
Tensor positions_in(const Tensor& x, const std::vector<Slice>& ranges) {
  return slice(reshape(arange(0, static_cast<double>(x.numel()), 1, i32, x.device()), x.shape()), ranges);
}

}  // namespace

Tensor slice_update(const Tensor& x, const Tensor& values, const std::vector<std::int64_t>& starts, const Axes& axes) {
  const std::vector<int> at = update_axes(x, values, axes);
  if (starts.size() != at.size()) {
    fail(ErrorKind::kValue, "slice_update: {} starts were given for {} axes.", starts.size(), at.size());
  }
  std::vector<Slice> ranges = leading_ranges(values.shape());
  for (std::size_t k = 0; k < at.size(); ++k) {
    const std::int64_t size = x.shape()[at[k]];
    const std::int64_t last = size - values.shape()[at[k]];
    const std::int64_t start = starts[k] < 0 ? starts[k] + size : starts[k];
    if (start < 0 || start > last) {
      fail(ErrorKind::kValue,
           "slice_update: start {} was given for axis {} of size {}; with {} values along it, {} to {} is expected.",
           starts[k], at[k], size, values.shape()[at[k]], -size, last);
    }
    ranges[static_cast<std::size_t>(at[k])] = {start, start + values.shape()[at[k]], 1};
  }
  if (values.numel() == 0) return x;
  return put(x, cast(values, x.dtype()), positions_in(x, ranges), false);
}

Tensor slice_update(const Tensor& x, const Tensor& values, const Tensor& starts, const Axes& axes) {
  const bool rows = starts.rank() == 2;  // each row of the values has starts of its own
  const std::vector<int> at = update_axes(x, values, axes, rows);
  if (!is_integer(starts.dtype())) {
    fail(ErrorKind::kDType, "slice_update: starts of type {} were given; integers are expected.", name(starts.dtype()));
  }
  const auto count = static_cast<std::int64_t>(at.size());
  const bool anywhere = rows && std::ranges::find(at, 0) != at.end();  // starts along the first axis too
  if (rows && (x.rank() == 0 || (!anywhere && values.shape()[0] != x.shape()[0]))) {
    fail(ErrorKind::kShape,
         "slice_update: starts of shape {} were given for each row, with values of shape {}; rows of {} are expected.",
         starts.shape(), values.shape(), x.shape());
  }
  if (rows ? starts.shape() != Shape{values.shape()[0], count} : starts.numel() != count || starts.rank() > 1) {
    fail(ErrorKind::kShape, "slice_update: starts of shape {} were given; one for each of {} axes is expected.",
         starts.shape(), at.size());
  }
  if (values.numel() == 0) return x;
  Shape slices = values.shape();
  if (anywhere) slices[0] = 1;
  Tensor positions = positions_in(x, leading_ranges(slices));
  const Tensor each = rows ? starts : reshape(starts, {count});
  Shape column;  // of starts, along the first axis
  for (int i = 0; rows && i < x.rank(); ++i) column.push_back(i == 0 ? values.shape()[0] : 1);
  std::int64_t stride = 1;
  for (int i = x.rank() - 1; i >= 0; --i) {
    const auto k = std::ranges::find(at, i) - at.begin();
    if (k < static_cast<std::ptrdiff_t>(at.size())) {
      const std::int64_t size = x.shape()[i];
      const std::int64_t past = size - slices[i] + 1;  // starts
      Tensor start = reshape(rows ? slice(each, {Slice{}, Slice{k, k + 1}}) : slice(each, {Slice{k, k + 1}}), column);
      // Negative ones count from the end of x, which is not the end of the starts.
      if (past != size && is_signed_integer(start.dtype())) {
        if (start.dtype() != i64) start = cast(start, i32);
        start = where(logical_and(less(start, 0), greater_equal(start, -size)), start + size, start);
      }
      positions = positions + checked(start, past) * static_cast<std::int32_t>(stride);
    }
    stride *= x.shape()[i];
  }
  return put(x, cast(values, x.dtype()), positions, false);
}

Tensor take(const Tensor& x, const Tensor& indices, std::optional<int> axis) {
  if (!axis.has_value()) return take(flat(x), indices, 0);
  const int a = ops::normal_axis("take", *axis, x.rank());
  if (a == 0 && is_block(node_of(x)->dtype())) return Tensor(ops::take_blocks(x.node(), node_of(indices)));
  std::vector<At> at(static_cast<std::size_t>(a), At(Slice{}));
  at.emplace_back(indices);
  return index(x, at);
}

Tensor take_along_axis(const Tensor& x, const Tensor& indices, int axis) {
  const int a = ops::normal_axis("take_along_axis", axis, x.rank());
  if (indices.rank() != x.rank()) {
    fail(ErrorKind::kShape, "take_along_axis: indices of rank {} were given for a tensor of rank {}.", indices.rank(),
         x.rank());
  }
  Shape shape = indices.shape();
  for (int i = 0; i < x.rank(); ++i) {
    if (i == a) continue;
    if (shape[i] != x.shape()[i] && shape[i] != 1 && x.shape()[i] != 1) {
      fail(ErrorKind::kShape, "take_along_axis: axis {} of the indices {} should have size {}.", i, indices.shape(),
           x.shape()[i]);
    }
    if (shape[i] == 1) shape[i] = x.shape()[i];
  }
  Shape wide = x.shape();
  for (int i = 0; i < x.rank(); ++i) {
    if (i != a) wide[i] = shape[i];
  }
  return gather(broadcast_to(x, wide), a, broadcast_to(indices, shape));
}

Tensor gather(const Tensor& x, int axis, const Tensor& indices) {
  const int a = ops::normal_axis("gather", axis, x.rank());
  if (indices.rank() != x.rank()) {
    fail(ErrorKind::kShape, "gather: indices of rank {} were given for a tensor of rank {}.", indices.rank(), x.rank());
  }
  check_i32_count("gather", x.numel());
  std::int64_t stride = 1;
  Tensor total;
  for (int i = x.rank() - 1; i >= 0; --i) {
    const std::int64_t size = x.shape()[i];
    if (i == a) {
      const Tensor term = checked(indices, size) * static_cast<std::int32_t>(stride);
      total = total.defined() ? total + term : term;
    } else {
      if (indices.shape()[i] > size) {
        fail(ErrorKind::kShape, "gather: axis {} of the indices {} is longer than that of {}.", i, indices.shape(),
             x.shape());
      }
      Shape shape;
      for (int j = 0; j < x.rank(); ++j) shape.push_back(j == i ? indices.shape()[i] : 1);
      const Tensor term = reshape(steps(indices.shape()[i], 0, stride, x.device()), shape);
      total = total.defined() ? total + term : term;
    }
    stride *= size;
  }
  return Tensor(ops::gather(flat(x).node(), broadcast_to(total, indices.shape()).node()));
}

Tensor embedding(const Tensor& indices, const Tensor& weights) {
  if (weights.rank() != 2)
    fail(ErrorKind::kShape, "embedding: weights of shape {} were given; rank 2 is expected.", weights.shape());
  if (!is_block(weights.dtype())) return take(weights, indices, 0);
  // GPUs dequantize rows on load; the CPU would dequantize all of them.
  if (weights.device().info().type == DeviceType::kCpu && !ops::is_transposed(*weights.node()))
    return take(weights, indices, 0).astype(f32);
  return take(weights.astype(f32), indices, 0);
}

Tensor one_hot(const Tensor& indices, std::int64_t classes, DType dtype) {
  if (classes <= 0) fail(ErrorKind::kValue, "one_hot: {} classes were given; one at least is expected.", classes);
  check_i32_count("one_hot", classes);
  const Tensor at = expand_dims(checked(indices, classes), -1);
  return cast(equal(at, steps(classes, 0, 1, indices.device())), dtype);
}

Tensor masked_fill(const Tensor& x, const Tensor& mask, const Tensor& value) {
  if (mask.dtype() != boolean)
    fail(ErrorKind::kDType, "masked_fill: a mask of type {} was given; bool is expected.", name(mask.dtype()));
  return cast(where(mask, value, x), x.dtype());
}

Tensor roll(const Tensor& x, const std::vector<std::int64_t>& shifts, const Axes& axes) {
  if (axes.empty()) {
    if (shifts.size() != 1)
      fail(ErrorKind::kValue, "roll: {} shifts were given without axes; one is expected.", shifts.size());
    return reshape(roll(flat(x), shifts, {0}), x.shape());
  }
  if (shifts.size() != axes.size())
    fail(ErrorKind::kValue, "roll: {} shifts were given for {} axes.", shifts.size(), axes.size());
  Tensor y = x;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const int a = ops::normal_axis("roll", axes[k], x.rank());
    const std::int64_t size = x.shape()[a];
    if (size == 0) return x;
    const std::int64_t shift = ((shifts[k] % size) + size) % size;
    if (shift == 0) continue;
    std::vector<Slice> back(static_cast<std::size_t>(a) + 1);
    std::vector<Slice> front = back;
    back.back() = {size - shift, size, 1};
    front.back() = {0, size - shift, 1};
    y = concat({slice(y, back), slice(y, front)}, a);
  }
  return y;
}

Tensor rot90(const Tensor& x, int times, int first, int second) {
  const int a = ops::normal_axis("rot90", first, x.rank());
  const int b = ops::normal_axis("rot90", second, x.rank());
  if (a == b) fail(ErrorKind::kValue, "rot90: axis {} was given twice.", a);
  switch (((times % 4) + 4) % 4) {
    case 1:
      return transpose(flip(x, {b}), a, b);
    case 2:
      return flip(x, {a, b});
    case 3:
      return flip(transpose(x, a, b), {b});
    default:
      return x;
  }
}

Tensor repeat(const Tensor& x, std::int64_t times, std::optional<int> axis) {
  if (times < 0) fail(ErrorKind::kValue, "repeat: {} times was given; it must not be negative.", times);
  if (!axis.has_value()) return repeat(flat(x), times, 0);
  const int a = ops::normal_axis("repeat", *axis, x.rank());
  Shape wide;
  Shape result = x.shape();
  for (int i = 0; i < x.rank(); ++i) {
    wide.push_back(x.shape()[i]);
    if (i == a) wide.push_back(times);
  }
  result[a] = checked_size("repeat", Wide{result[a]} * times);
  return reshape(broadcast_to(expand_dims(x, a + 1), wide), result);
}

Tensor tile(const Tensor& x, const std::vector<std::int64_t>& times) {
  const int rank = std::max(x.rank(), static_cast<int>(times.size()));
  Shape from;
  Shape wide;
  Shape result;
  for (int i = 0; i < rank; ++i) {
    const int xi = i - (rank - x.rank());
    const int ti = i - (rank - static_cast<int>(times.size()));
    const std::int64_t size = xi >= 0 ? x.shape()[xi] : 1;
    const std::int64_t count = ti >= 0 ? times[static_cast<std::size_t>(ti)] : 1;
    if (count < 0) fail(ErrorKind::kValue, "tile: {} times was given for axis {}; it must not be negative.", count, i);
    from.push_back(1);
    from.push_back(size);
    wide.push_back(count);
    wide.push_back(size);
    result.push_back(checked_size("tile", Wide{size} * count));
  }
  if (2 * rank > kMaxRank) {
    fail(ErrorKind::kShape, "tile: a result of rank {} was asked for; {} at most is expected.", rank, kMaxRank / 2);
  }
  return reshape(broadcast_to(reshape(x, from), wide), result);
}

std::vector<Tensor> meshgrid(const std::vector<Tensor>& axes, bool matrix_order) {
  const auto n = static_cast<int>(axes.size());
  Shape shape;
  for (const Tensor& t : axes) {
    if (t.rank() != 1)
      fail(ErrorKind::kShape, "meshgrid: a tensor of shape {} was given; rank 1 is expected.", t.shape());
    shape.push_back(t.shape()[0]);
  }
  std::vector<Tensor> result;
  for (int i = 0; i < n; ++i) {
    Shape one;
    for (int j = 0; j < n; ++j) one.push_back(i == j ? shape[j] : 1);
    const Tensor full = broadcast_to(reshape(axes[static_cast<std::size_t>(i)], one), shape);
    result.push_back(matrix_order || n < 2 ? full : transpose(full, 0, 1));
  }
  return result;
}

}  // namespace tessera
