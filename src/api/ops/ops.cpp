// The public functions: each calls the op of the same name on the tensors' nodes.
#include "tessera/ops.h"

#include <cmath>

#include "api/arguments.h"
#include "api/catalog_rows.h"
#include "base/fail.h"
#include "base/sizes.h"
#include "graph/op.h"
#include "ops/gradient.h"
#include "runtime/eval/evaluate.h"
#include "runtime/registry.h"
#include "tessera/math.h"

namespace tessera {

catalog::Rows catalog::ops() {
  static constexpr std::array kRows{
      Row{"Creation", kAnyComplex, kNoGradient, kPrimitive, "empty, zeros, ones, full, linspace, eye"},
      Row{"Creation", kAny, kNoGradient, kPrimitive, "arange"},
      Row{"Elementwise", kAny, kGradient, kComposed, "clamp"},
      Row{"Movement", kAnyComplex, kGradient, kPrimitive,
          "reshape, permute, transpose, broadcast_to, expand_dims, squeeze, flip, contiguous, slice, pad, "
          "concat, stack, split"},
      Row{"Reductions", kNumbersComplex, kGradient, kPrimitive, "sum, prod", kInF32},
      Row{"Reductions", kNumbers, kGradient, kPrimitive, "max, min"},
      Row{"Reductions", "floats; integers become f32, complex", kGradient, kComposed, "mean", kInF32},
      Row{"Reductions", kFloats, kGradient, kComposed, "var, stddev, logsumexp", kInF32},
      Row{"Reductions", kNumbers, kNoGradient, kPrimitive, "argmax, argmin"},
      Row{"Reductions", kAnyComplex, kNoGradient, kPrimitive, "any, all"},
      Row{"Contractions", kNumbersComplex, kGradient, kPrimitive, "matmul", kLow},
  };
  return kRows;
}

namespace {

std::vector<NodePtr> nodes(const std::vector<Tensor>& tensors) {
  std::vector<NodePtr> result;
  result.reserve(tensors.size());
  for (const Tensor& t : tensors) result.push_back(node_of(t));
  return result;
}

std::vector<Tensor> tensors(const std::vector<NodePtr>& list) { return {list.begin(), list.end()}; }

std::shared_ptr<runtime::Device> device_of(const Device& device) {
  return device.impl() != nullptr ? device.impl() : runtime::default_device();
}

}  // namespace

#define TESSERA_PARAMETERS_1 const Tensor& a
#define TESSERA_PARAMETERS_2 const Tensor &a, const Tensor &b
#define TESSERA_PARAMETERS_3 const Tensor &a, const Tensor &b, const Tensor &c
#define TESSERA_NODES_1 node_of(a)
#define TESSERA_NODES_2 node_of(a), node_of(b)
#define TESSERA_NODES_3 node_of(a), node_of(b), node_of(c)
#define TESSERA_DEFINE(Name, name, arity) \
  Tensor name(TESSERA_PARAMETERS_##arity) { return Tensor(ops::elementwise(Op::k##Name, {TESSERA_NODES_##arity})); }
TESSERA_ELEMENTWISE_OPS(TESSERA_DEFINE)

Tensor cast(const Tensor& x, DType dtype) {
  const NodePtr& n = node_of(x);
  if (n->device() != nullptr) runtime::check_type("cast", dtype, n->device()->info());
  return Tensor(ops::cast(n, dtype));
}
Tensor clamp(const Tensor& x, const Tensor& low, const Tensor& high) {
  return Tensor(ops::clamp(node_of(x), low.node(), high.node()));
}

// ---- Creation ----

Tensor empty(const Shape& shape, DType dtype, const Device& device) { return zeros(shape, dtype, device); }
Tensor full(const Shape& shape, const Tensor& value, std::optional<DType> dtype, const Device& device) {
  const NodePtr v = dtype.has_value() ? ops::cast(node_of(value), *dtype) : node_of(value);
  const auto target = device_of(device);
  if (is_complex(v->dtype())) runtime::check_type("full", v->dtype(), target->info());
  return Tensor(ops::full(shape, v, target));
}
Tensor zeros(const Shape& shape, DType dtype, const Device& device) { return full(shape, 0, dtype, device); }
Tensor ones(const Shape& shape, DType dtype, const Device& device) { return full(shape, 1, dtype, device); }
Tensor arange(double start, double stop, double step, std::optional<DType> dtype, const Device& device) {
  if (!dtype.has_value()) {
    const bool whole = std::trunc(start) == start && std::trunc(stop) == stop && std::trunc(step) == step;
    const auto small = [](double v) { return v >= INT32_MIN && v <= INT32_MAX; };
    dtype = !whole ? f32 : (small(start) && small(stop) ? i32 : i64);
  }
  return Tensor(ops::arange(start, stop, step, *dtype, device_of(device)));
}
Tensor linspace(double start, double stop, std::int64_t count, DType dtype, const Device& device) {
  return Tensor(ops::linspace(start, stop, count, dtype, device_of(device)));
}
Tensor eye(std::int64_t rows, std::int64_t cols, int diagonal, DType dtype, const Device& device) {
  return Tensor(ops::eye(rows, cols < 0 ? rows : cols, diagonal, dtype, device_of(device)));
}

// ---- Movement ----

Tensor reshape(const Tensor& x, const Shape& shape) { return Tensor(ops::reshape(node_of(x), shape)); }
Tensor permute(const Tensor& x, const Axes& order) { return Tensor(ops::permute(node_of(x), order)); }
Tensor transpose(const Tensor& x, int a, int b) { return Tensor(ops::swap_axes(node_of(x), a, b)); }
Tensor broadcast_to(const Tensor& x, const Shape& shape) { return Tensor(ops::broadcast_to(node_of(x), shape)); }
Tensor expand_dims(const Tensor& x, int axis) { return Tensor(ops::expand_dims(node_of(x), axis)); }
Tensor squeeze(const Tensor& x, const Axes& axes) { return Tensor(ops::squeeze(node_of(x), axes)); }
Tensor flip(const Tensor& x, const Axes& axes) { return Tensor(ops::flip(node_of(x), axes)); }
Tensor contiguous(const Tensor& x) { return Tensor(ops::contiguous(node_of(x))); }

Tensor slice(const Tensor& x, const std::vector<Slice>& ranges) {
  std::vector<ops::Range> result;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const Slice& s = ranges[i];
    if (static_cast<int>(i) >= x.rank()) {
      fail(ErrorKind::kShape, "slice: {} ranges were given for a tensor of rank {}.", ranges.size(), x.rank());
    }
    result.push_back(plain_range("slice", s, x.shape()[static_cast<int>(i)], static_cast<int>(i)));
  }
  return Tensor(ops::slice(node_of(x), result));
}

Tensor pad(const Tensor& x, const std::vector<std::pair<std::int64_t, std::int64_t>>& widths, const Tensor& value) {
  return Tensor(ops::pad(node_of(x), widths, node_of(value)));
}
Tensor concat(const std::vector<Tensor>& parts, int axis) { return Tensor(ops::concat(nodes(parts), axis)); }
Tensor stack(const std::vector<Tensor>& parts, int axis) { return Tensor(ops::stack(nodes(parts), axis)); }
std::vector<Tensor> split(const Tensor& x, std::int64_t parts, int axis) {
  const std::int64_t size = x.size(axis);
  if (parts <= 0 || size % parts != 0) {
    fail(ErrorKind::kShape, "split: axis {} of {} has size {}, which {} parts do not divide.", axis, x.shape().str(),
         size, parts);
  }
  constexpr std::int64_t kMostParts = std::int64_t{1} << 20;
  if (parts > kMostParts) {
    fail(ErrorKind::kLimit, "split: {} parts were asked for; the most are {}.", parts, kMostParts);
  }
  return split(x, std::vector<std::int64_t>(static_cast<std::size_t>(parts), size / parts), axis);
}
std::vector<Tensor> split(const Tensor& x, const std::vector<std::int64_t>& sizes, int axis) {
  return tensors(ops::split(node_of(x), sizes, axis));
}

// ---- Reductions ----

Tensor sum(const Tensor& x, const Axes& axes, bool keepdims) { return Tensor(ops::sum(node_of(x), axes, keepdims)); }
Tensor prod(const Tensor& x, const Axes& axes, bool keepdims) {
  return Tensor(ops::reduce(Op::kProd, "prod", node_of(x), axes, keepdims));
}
Tensor mean(const Tensor& x, const Axes& axes, bool keepdims) { return Tensor(ops::mean(node_of(x), axes, keepdims)); }
Tensor max(const Tensor& x, const Axes& axes, bool keepdims) {
  return Tensor(ops::reduce(Op::kMax, "max", node_of(x), axes, keepdims));
}
Tensor min(const Tensor& x, const Axes& axes, bool keepdims) {
  return Tensor(ops::reduce(Op::kMin, "min", node_of(x), axes, keepdims));
}
Tensor var(const Tensor& x, const Axes& axes, bool keepdims, int correction) {
  return Tensor(ops::var(node_of(x), axes, keepdims, correction));
}
Tensor stddev(const Tensor& x, const Axes& axes, bool keepdims, int correction) {
  return Tensor(ops::stddev(node_of(x), axes, keepdims, correction));
}
Tensor any(const Tensor& x, const Axes& axes, bool keepdims) { return Tensor(ops::any(node_of(x), axes, keepdims)); }
Tensor all(const Tensor& x, const Axes& axes, bool keepdims) { return Tensor(ops::all(node_of(x), axes, keepdims)); }
Tensor argmax(const Tensor& x, std::optional<int> axis, bool keepdims) {
  return Tensor(ops::arg_extreme(Op::kArgMax, node_of(x), axis, keepdims));
}
Tensor argmin(const Tensor& x, std::optional<int> axis, bool keepdims) {
  return Tensor(ops::arg_extreme(Op::kArgMin, node_of(x), axis, keepdims));
}
Tensor logsumexp(const Tensor& x, const Axes& axes, bool keepdims) {
  return Tensor(ops::logsumexp(node_of(x), axes, keepdims));
}

// ---- Contractions ----

Tensor matmul(const Tensor& a, const Tensor& b) { return Tensor(ops::matmul(node_of(a), node_of(b))); }

}  // namespace tessera
