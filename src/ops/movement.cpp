// Ops that move elements without computing: views, padding, joining and splitting.
#include <algorithm>
#include <numeric>

#include "base/fail.h"
#include "base/sizes.h"
#include "graph/op.h"
#include "ops/build.h"
#include "ops/quant/quant.h"

namespace tessera::ops {

namespace {

const NodePtr& base_of(const NodePtr& x, NodePtr& hold) {
  if (x->op() != Op::kView || x->storage() != nullptr) return x;
  const auto inputs = x->inputs();
  if (inputs == nullptr || inputs->empty()) return x;  // evaluated meanwhile
  hold = (*inputs)[0];
  return hold;
}

/// A view of x with dims made from split(x).
template <class F>
NodePtr view(const NodePtr& x, const Shape& shape, const F& change) {
  static const View kPlain;
  if (is_block(x->dtype())) refuse_blocks("view", x->dtype());
  static_cast<void>(checked_numel("view", shape, x->dtype()));  // windows may overlap: dims merge to as many elements
  NodePtr hold;
  NodePtr base = base_of(x, hold);
  const View& old = base == x ? kPlain : x->view();
  SplitView s = split_view(old, x->shape());
  std::int64_t offset = s.offset;
  std::vector<Dim> dims = change(std::move(s.dims), offset);
  View result = make_view(std::move(dims), offset, s.below, base->numel());
  if (result.levels.size() > View::kMaxLevels) {
    return view(contiguous(x), shape, change);
  }
  if (base->shape() == shape && result.identity()) return base;
  return std::make_shared<const Node>(Op::kView, x->dtype(), shape, x->device(), Node::Inputs{base}, std::move(result));
}

}  // namespace

NodePtr strided_view(const NodePtr& x, const Shape& shape,
                     const std::function<std::vector<Dim>(std::vector<Dim>, std::int64_t&)>& change) {
  return view(x, shape, change);
}

int normal_axis(std::string_view what, int axis, int rank) {
  const int result = axis < 0 ? axis + rank : axis;
  if (result < 0 || result >= rank) {
    fail(ErrorKind::kShape, "{}: axis {} is out of range for a tensor of rank {}.", what, axis, rank);
  }
  return result;
}

std::vector<int> normal_axes(std::string_view what, Axes axes, int rank) {
  std::vector<int> result;
  for (const int a : axes) result.push_back(normal_axis(what, a, rank));
  std::sort(result.begin(), result.end());
  if (const auto twice = std::adjacent_find(result.begin(), result.end()); twice != result.end()) {
    fail(ErrorKind::kValue, "{}: axis {} was given twice.", what, *twice);
  }
  if (axes.empty()) {
    for (int i = 0; i < rank; ++i) result.push_back(i);
  }
  return result;
}

NodePtr reshape(const NodePtr& x, const Shape& shape) {
  if (is_block(x->dtype())) check_reshape_of_blocks(*x, shape);
  Shape target = shape;
  int unknown = -1;
  Shape sizes = shape;  // the known sizes
  for (int i = 0; i < target.rank(); ++i) {
    if (target[i] == -1 && unknown < 0) {
      unknown = i;
      sizes[i] = 1;
    } else if (target[i] < 0) {
      fail(ErrorKind::kShape, "reshape: size {} at axis {} of {} is negative; one size may be -1.", target[i], i,
           shape.str());
    }
  }
  const std::int64_t known = checked_numel("reshape", sizes, x->dtype());
  if (unknown >= 0) {
    if (known == 0 || x->numel() % known != 0) {
      fail(ErrorKind::kShape, "reshape: {} elements of {} do not divide into {}.", x->numel(), x->shape().str(),
           shape.str());
    }
    target[unknown] = x->numel() / known;
  }
  if (unknown < 0 && known != x->numel()) {
    fail(ErrorKind::kShape, "reshape: {} has {} elements and {} has {}.", x->shape().str(), x->numel(), shape.str(),
         known);
  }
  if (target == x->shape()) return x;
  if (is_block(x->dtype())) return reshape_blocks(x, target);
  return view(x, target, [](std::vector<Dim> dims, std::int64_t&) { return dims; });
}

NodePtr permute(const NodePtr& x, Axes order) {
  const int rank = x->shape().rank();
  const std::vector<int> sorted = order.empty() && rank == 0 ? std::vector<int>{} : normal_axes("permute", order, rank);
  if (static_cast<int>(order.size()) != rank) {
    fail(ErrorKind::kShape, "permute: {} axes were given for a tensor of rank {}.", order.size(), rank);
  }
  Shape shape;
  std::vector<int> from;
  for (const int a : order) {
    from.push_back(normal_axis("permute", a, rank));
    shape.push_back(x->shape()[from.back()]);
  }
  if (is_block(x->dtype())) return permute_blocks(x, from);
  return view(x, shape, [&](std::vector<Dim> dims, std::int64_t&) {
    std::vector<Dim> result;
    result.reserve(from.size());
    for (const int a : from) result.push_back(dims[static_cast<std::size_t>(a)]);
    return result;
  });
}

NodePtr swap_axes(const NodePtr& x, int a, int b) {
  const int rank = x->shape().rank();
  std::vector<int> order(static_cast<std::size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[static_cast<std::size_t>(normal_axis("swapaxes", a, rank))],
            order[static_cast<std::size_t>(normal_axis("swapaxes", b, rank))]);
  return permute(x, order);
}

NodePtr broadcast_to(const NodePtr& x, const Shape& shape) {
  if (x->shape() == shape) return x;
  const int shift = shape.rank() - x->shape().rank();
  bool ok = shift >= 0;
  for (int i = 0; ok && i < x->shape().rank(); ++i) ok = x->shape()[i] == 1 || x->shape()[i] == shape[i + shift];
  if (!ok) fail(ErrorKind::kShape, "broadcast_to: {} does not broadcast to {}.", x->shape().str(), shape.str());
  static_cast<void>(checked_numel("broadcast_to", shape, x->dtype()));
  return view(x, shape, [&](std::vector<Dim> dims, std::int64_t&) {
    std::vector<Dim> result(static_cast<std::size_t>(shift));
    result.insert(result.end(), dims.begin(), dims.end());
    for (int i = 0; i < shape.rank(); ++i) {
      Dim& d = result[static_cast<std::size_t>(i)];
      if (d.size != shape[i]) d = {shape[i], 0};
    }
    return result;
  });
}

NodePtr slice(const NodePtr& x, std::span<const Range> ranges) {
  const int rank = x->shape().rank();
  if (static_cast<int>(ranges.size()) > rank) {
    fail(ErrorKind::kShape, "slice: {} ranges were given for a tensor of rank {}.", ranges.size(), rank);
  }
  Shape shape = x->shape();
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const Range& r = ranges[i];
    const auto axis = static_cast<int>(i);
    if (r.step == 0) fail(ErrorKind::kValue, "slice: the step of axis {} is 0.", axis);
    const std::int64_t size = x->shape()[axis];
    shape[axis] = range_count(r.start, r.stop, r.step);
    const Wide last = Wide{r.start} + (Wide{shape[axis]} - 1) * r.step;
    if (shape[axis] > 0 && (r.start < 0 || r.start >= size || last < 0 || last >= size)) {
      fail(ErrorKind::kValue, "slice: the range {}:{}:{} leaves axis {} of size {}.", r.start, r.stop, r.step, axis,
           size);
    }
  }
  if (is_block(x->dtype())) return slice_blocks(x, shape, ranges);
  return view(x, shape, [&](std::vector<Dim> dims, std::int64_t& offset) {
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const std::int64_t count = shape[static_cast<int>(i)];
      if (count > 0) offset += ranges[i].start * dims[i].stride;
      dims[i] = {count, count > 1 ? dims[i].stride * ranges[i].step : 0};  // one element needs no step
    }
    return dims;
  });
}

NodePtr flip(const NodePtr& x, Axes axes) {
  std::vector<Range> ranges;
  for (const std::int64_t d : x->shape()) ranges.push_back({0, d, 1});
  for (const int a : normal_axes("flip", axes, x->shape().rank())) {
    Range& r = ranges[static_cast<std::size_t>(a)];
    r = {r.stop - 1, -1, -1};
  }
  return slice(x, ranges);
}

NodePtr expand_dims(const NodePtr& x, int axis) {
  const int at = normal_axis("expand_dims", axis, x->shape().rank() + 1);
  Shape shape;
  for (int i = 0; i <= x->shape().rank(); ++i) {
    if (i == at) shape.push_back(1);
    if (i < x->shape().rank()) shape.push_back(x->shape()[i]);
  }
  return reshape(x, shape);
}

NodePtr squeeze(const NodePtr& x, Axes axes) {
  const std::vector<int> given = normal_axes("squeeze", axes, x->shape().rank());
  Shape shape;
  for (int i = 0; i < x->shape().rank(); ++i) {
    const bool named = std::find(given.begin(), given.end(), i) != given.end();
    if (named && x->shape()[i] == 1) continue;
    if (named && !axes.empty()) {
      fail(ErrorKind::kShape, "squeeze: axis {} of {} has size {}, not 1.", i, x->shape().str(), x->shape()[i]);
    }
    shape.push_back(x->shape()[i]);
  }
  return reshape(x, shape);
}

NodePtr contiguous(const NodePtr& x) {
  if (x->op() != Op::kView || x->storage() != nullptr) return x;
  return std::make_shared<const Node>(Op::kCopy, x->dtype(), x->shape(), x->device(), Node::Inputs{x});
}

namespace {

/// x at `low`.. inside a tensor of `shape`, `outside` elsewhere.
NodePtr place(const NodePtr& x, const Shape& shape, std::vector<std::int64_t> low, const NodePtr& outside) {
  NodePtr fill = broadcast_to(outside, shape);
  if (x->numel() == 0) return fill;
  auto device = common_device("pad", std::vector<NodePtr>{x, fill});
  return std::make_shared<const Node>(Op::kPad, x->dtype(), shape, std::move(device), Node::Inputs{x, fill},
                                      PadLow{std::move(low)});
}

}  // namespace

NodePtr pad(const NodePtr& x, std::span<const std::pair<std::int64_t, std::int64_t>> widths, const NodePtr& value) {
  if (static_cast<int>(widths.size()) != x->shape().rank()) {
    fail(ErrorKind::kShape, "pad: {} pairs of widths were given for a tensor of rank {}.", widths.size(),
         x->shape().rank());
  }
  Shape shape = x->shape();
  std::vector<std::int64_t> low;
  bool none = true;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const auto [before, after] = widths[i];
    if (before < 0 || after < 0)
      fail(ErrorKind::kValue, "pad: widths {} and {} of axis {} must not be negative.", before, after, i);
    low.push_back(before);
    std::int64_t& size = shape[static_cast<int>(i)];
    size = checked_size("pad", Wide{size} + before + after);
    none = none && before == 0 && after == 0;
  }
  static_cast<void>(checked_numel("pad", shape, x->dtype()));
  return none ? x : place(x, shape, std::move(low), cast(value, x->dtype()));
}

NodePtr concat(std::span<const NodePtr> parts, int axis) {
  if (parts.empty()) fail(ErrorKind::kValue, "concat: no tensors were given; it takes at least one.");
  const int rank = parts[0]->shape().rank();
  const int at = normal_axis("concat", axis, rank);
  Shape shape = parts[0]->shape();
  DType dtype = parts[0]->dtype();
  shape[at] = 0;
  for (const NodePtr& p : parts) {
    if (is_block(p->dtype())) refuse_blocks("concat", p->dtype());
    dtype = promote(dtype, p->dtype());
    bool ok = p->shape().rank() == rank;
    for (int i = 0; ok && i < rank; ++i) ok = i == at || p->shape()[i] == shape[i];
    if (!ok) {
      fail(ErrorKind::kShape, "concat: shapes {} and {} differ beside axis {}.", parts[0]->shape().str(),
           p->shape().str(), at);
    }
    shape[at] = checked_size("concat", Wide{shape[at]} + p->shape()[at]);
  }
  static_cast<void>(checked_numel("concat", shape, dtype));
  if (parts.size() == 1) return parts[0];
  static_cast<void>(common_device("concat", parts));
  NodePtr result = scalar({std::int64_t{0}}, dtype);
  std::int64_t end = shape[at];
  for (std::size_t i = parts.size(); i-- > 0;) {
    end -= parts[i]->shape()[at];
    std::vector<std::int64_t> low(static_cast<std::size_t>(rank), 0);
    low[static_cast<std::size_t>(at)] = end;
    result = place(cast(parts[i], dtype), shape, std::move(low), result);
  }
  return broadcast_to(result, shape);
}

NodePtr stack(std::span<const NodePtr> parts, int axis) {
  if (parts.empty()) fail(ErrorKind::kValue, "stack: no tensors were given; it takes at least one.");
  std::vector<NodePtr> expanded;
  for (const NodePtr& p : parts) {
    if (!(p->shape() == parts[0]->shape())) {
      fail(ErrorKind::kShape, "stack: shapes {} and {} differ.", parts[0]->shape().str(), p->shape().str());
    }
    expanded.push_back(expand_dims(p, axis));
  }
  return concat(expanded, axis);
}

std::vector<NodePtr> split(const NodePtr& x, std::span<const std::int64_t> sizes, int axis) {
  const int at = normal_axis("split", axis, x->shape().rank());
  std::int64_t total = 0;
  for (const std::int64_t s : sizes) {
    if (s < 0) fail(ErrorKind::kValue, "split: size {} is negative.", s);
    total = checked_size("split", Wide{total} + s);
  }
  if (total != x->shape()[at]) {
    fail(ErrorKind::kShape, "split: the sizes add up to {}, and axis {} of {} has size {}.", total, at,
         x->shape().str(), x->shape()[at]);
  }
  std::vector<NodePtr> result;
  std::int64_t start = 0;
  for (const std::int64_t s : sizes) {
    std::vector<Range> ranges;
    for (const std::int64_t d : x->shape()) ranges.push_back({0, d, 1});
    ranges[static_cast<std::size_t>(at)] = {start, start + s, 1};
    result.push_back(slice(x, ranges));
    start += s;
  }
  return result;
}

}  // namespace tessera::ops
