// Transposes of views, pads, reductions, contractions and gathers.
#include "autograd/rules.h"

#include <algorithm>
#include <numeric>

#include "base/compute.h"
#include "graph/op.h"
#include "ops/build.h"
#include "ops/elementwise/elementwise.h"
#include "ops/index/index.h"
#include "ops/sort/sort.h"

namespace tessera::autograd {

namespace {

NodePtr op(Op which, const NodePtr& x, const NodePtr& y) { return ops::elementwise(which, {x, y}); }
NodePtr where(const NodePtr& c, const NodePtr& x, const NodePtr& y) { return ops::elementwise(Op::kWhere, {c, x, y}); }

NodePtr zeros(DType dtype, const Shape& shape, const std::shared_ptr<runtime::Device>& device) {
  return ops::full(shape, ops::scalar({std::int64_t{0}}, dtype), device);
}

std::int64_t numel_of(const std::vector<Dim>& dims) {
  return std::accumulate(dims.begin(), dims.end(), std::int64_t{1},
                         [](std::int64_t n, const Dim& d) { return n * d.size; });
}

/// The strides of a level without broadcast dims, outermost first and positive, and the gradient permuted to that
/// order.
struct Plain {
  NodePtr gradient;  // one axis for each dim
  std::vector<Dim> dims;
  std::int64_t offset = 0;
};

Plain plain(const NodePtr& gradient, const ViewLevel& level) {
  Plain p;
  p.offset = level.offset;
  Shape shape;
  std::vector<int> repeated;
  std::vector<int> flipped;
  std::vector<Dim> dims;
  for (const Dim& d : level.dims) {
    shape.push_back(d.size);
    const int axis = shape.rank() - 1;
    if (d.stride == 0) {
      repeated.push_back(axis);
      continue;
    }
    dims.push_back(d);
    if (d.stride < 0) {
      flipped.push_back(axis);
      p.offset += (d.size - 1) * d.stride;
      dims.back().stride = -d.stride;
    }
  }
  NodePtr g = ops::reshape(gradient, shape);
  if (!flipped.empty()) g = ops::flip(g, flipped);
  if (!repeated.empty()) g = ops::sum(g, repeated, false);
  std::vector<int> order(dims.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return dims[static_cast<std::size_t>(a)].stride > dims[static_cast<std::size_t>(b)].stride;
  });
  p.gradient = dims.empty() ? g : ops::permute(g, order);
  for (const int i : order) p.dims.push_back(dims[static_cast<std::size_t>(i)]);
  return p;
}

/// Scatters the gradient into zeros, for strides that divide each other and positions that do not overlap.
NodePtr placed(const Plain& p, std::int64_t total) {
  // Axis j of the target counts steps of stride j within one step of stride j - 1.
  const std::size_t n = p.dims.size();
  Shape from;
  std::vector<std::pair<std::int64_t, std::int64_t>> widths;
  std::int64_t rest = p.offset;
  std::int64_t span = total;
  for (std::size_t j = 0; j <= n; ++j) {
    const std::int64_t size = j < n ? p.dims[j].size : 1;
    const std::int64_t stride = j < n ? p.dims[j].stride : 1;
    if (span % stride != 0) return nullptr;
    const std::int64_t steps = span / stride;
    const std::int64_t low = rest / stride;
    rest %= stride;
    if (low + size > steps) return nullptr;
    from.push_back(size);
    widths.emplace_back(low, steps - low - size);
    span = stride;
  }
  return ops::pad(ops::reshape(p.gradient, from), widths, ops::number(0));
}

/// The same for strides that do not divide each other: axis by axis from the innermost, with a partial last step.
NodePtr placed_by_axis(const Plain& p, std::int64_t total) {
  const std::size_t n = p.dims.size();
  std::vector<std::int64_t> low(n);
  std::int64_t rest = p.offset;
  for (std::size_t j = 0; j < n; ++j) {
    low[j] = rest / p.dims[j].stride;
    rest %= p.dims[j].stride;
  }
  std::int64_t reach = rest + 1;  // the used length of one step
  for (std::size_t j = n; j-- > 0;) {
    reach += (low[j] + p.dims[j].size - 1) * p.dims[j].stride;
    if (reach > (j > 0 ? p.dims[j - 1].stride : total)) return nullptr;
  }
  Shape shape = p.gradient->shape();
  shape.push_back(1);
  NodePtr g = ops::reshape(p.gradient, shape);
  // Pads the last axis, which starts at `first` of its span, to its whole length.
  const auto stretch = [&](std::int64_t first, std::int64_t span) {
    const std::int64_t length = g->shape().back();
    std::vector<ops::Range> ranges;
    std::vector<std::pair<std::int64_t, std::int64_t>> widths(static_cast<std::size_t>(g->shape().rank()));
    for (const std::int64_t size : g->shape()) ranges.push_back({0, size, 1});
    ranges.back().stop = std::min(length, span - first);
    widths.back() = {first, std::max<std::int64_t>(0, span - first - length)};
    g = ops::pad(ops::slice(g, ranges), widths, ops::number(0));
  };
  stretch(rest, n > 0 ? p.dims[n - 1].stride : total);
  for (std::size_t j = n; j-- > 0;) {
    Shape merged;
    for (int i = 0; i + 2 < g->shape().rank(); ++i) merged.push_back(g->shape()[i]);
    merged.push_back(p.dims[j].size * p.dims[j].stride);
    g = ops::reshape(g, merged);
    stretch(low[j] * p.dims[j].stride, j > 0 ? p.dims[j - 1].stride : total);
  }
  return ops::reshape(g, Shape{total});
}

/// From the gradient of the elements that one level of a view selects to the gradient of its base, `total` elements in
/// a row.
NodePtr untangle(const NodePtr& gradient, const ViewLevel& level, std::int64_t total) {
  const Plain p = plain(gradient, level);
  if (NodePtr result = placed(p, total); result != nullptr) return ops::reshape(result, Shape{total});
  if (NodePtr result = placed_by_axis(p, total); result != nullptr) return result;
  // Overlapping positions, or steps that do not nest: a scatter by index.
  const NodePtr iota =
      std::make_shared<const Node>(Op::kIota, DType::kI32, Shape{total}, gradient->device(), Node::Inputs{});
  const NodePtr positions = std::make_shared<const Node>(Op::kView, DType::kI32, Shape{numel_of(level.dims)},
                                                         gradient->device(), Node::Inputs{iota}, View{{level}});
  return ops::scatter_add_flat(total, positions, ops::reshape(gradient, Shape{numel_of(level.dims)}));
}

NodePtr of_view(const Node& node, const NodePtr& base, const NodePtr& gradient) {
  if (node.numel() == 0 || base->numel() == 0) return zeros(base->dtype(), base->shape(), base->device());
  NodePtr g = gradient;
  const std::vector<ViewLevel>& levels = node.view().levels;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    g = untangle(g, levels[i], i + 1 < levels.size() ? numel_of(levels[i + 1].dims) : base->numel());
  }
  return ops::reshape(g, base->shape());
}

/// The axes of a reduction's input that make up the columns, for a given number of rows.
std::vector<int> reduced_axes(const Shape& input, std::int64_t rows) {
  std::int64_t count = 1;
  int first = 0;
  for (; first < input.rank() && count < rows; ++first) count *= input[first];
  std::vector<int> axes(static_cast<std::size_t>(input.rank() - first));
  std::iota(axes.begin(), axes.end(), first);
  return axes;
}

/// Row values broadcast to the shape of a reduction's input.
NodePtr spread(const NodePtr& rows, const Shape& input) {
  Shape shape = input;
  for (const int axis : reduced_axes(input, rows->numel())) shape[axis] = 1;
  return ops::broadcast_to(ops::reshape(rows, shape), input);
}

/// The parts of the gradient of prod: the factors with 1 instead of 0, their product, and the number of zeros.
struct Factors {
  explicit Factors(const NodePtr& x, const std::vector<int>& over)
      : axes(over),
        zero(op(Op::kEqual, x, ops::number(0))),
        safe(where(zero, ops::number(1), ops::cast(x, wide_float(x->dtype())))),
        product(ops::reduce(Op::kProd, "prod", safe, axes, true)),
        zeros(ops::sum(ops::cast(zero, DType::kI32), axes, true)) {}

  [[nodiscard]] NodePtr has(int count) const {
    return op(Op::kEqual, zeros, ops::scalar({std::int64_t{count}}, DType::kI32));
  }
  /// The product of the others: by division, except at zeros.
  [[nodiscard]] NodePtr others() const {
    const NodePtr only = op(Op::kLogicalAnd, has(1), zero);
    return where(has(0), product / safe, where(only, product, ops::number(0)));
  }

  std::vector<int> axes;
  NodePtr zero, safe, product, zeros;
};

NodePtr of_product(const NodePtr& x, const NodePtr& gradient) {
  const std::vector<int> axes = reduced_axes(x->shape(), gradient->numel());
  if (axes.empty()) return ops::reshape(gradient, x->shape());
  const NodePtr result = ops::cast(spread(gradient, x->shape()) * Factors(x, axes).others(), x->dtype());
  // The second derivative is the product without two factors; the formula above does not give it if one is 0.
  return ops::with_gradient("the gradient of prod", {x, gradient}, result, [axes](const Gradient::Call& call) {
    const NodePtr& u = call.gradients[0];
    const Factors f(call.inputs[0], axes);
    const NodePtr none = ops::number(0);
    const NodePtr ratio = u / f.safe;
    const NodePtr ratios = ops::sum(where(f.zero, none, ratio), axes, true);
    const NodePtr at_zeros = ops::sum(where(f.zero, u, none), axes, true);
    const NodePtr one = where(f.zero, ratios, at_zeros / f.safe);
    const NodePtr two = where(f.zero, at_zeros - u, none);
    const NodePtr without =
        where(f.has(0), (ratios - ratio) / f.safe, where(f.has(1), one, where(f.has(2), two, none)));
    const NodePtr of_gradient = ops::reshape(ops::sum(u * f.others(), axes, true), call.inputs[1]->shape());
    return std::vector<NodePtr>{spread(call.inputs[1], call.inputs[0]->shape()) * f.product * without, of_gradient};
  });
}

/// Elements that tie for the extreme share the gradient.
NodePtr of_extreme(const NodePtr& node, const NodePtr& x, const NodePtr& gradient) {
  const NodePtr best = op(Op::kEqual, ops::stop_gradient(x), ops::stop_gradient(spread(node, x->shape())));
  const std::vector<int> axes = reduced_axes(x->shape(), node->numel());
  NodePtr share = spread(gradient, x->shape());
  if (axes.empty()) return share;
  // f32 next to f16, whose largest value is 65504.
  const NodePtr ties = ops::cast(ops::sum(ops::cast(best, DType::kI32), axes, true), wide_float(x->dtype()));
  return ops::cast(where(best, share / ties, ops::number(0)), x->dtype());
}

NodePtr of_reduction(const NodePtr& node, const NodePtr& x, const NodePtr& gradient) {
  if (x->numel() == 0) return zeros(x->dtype(), x->shape(), x->device());  // its shape does not tell what was reduced
  if (node->op() == Op::kSum) return spread(gradient, x->shape());
  return node->op() == Op::kProd ? of_product(x, gradient) : of_extreme(node, x, gradient);
}

/// Whether an operand of a matmul is contiguous along its second-last axis: a transposed matrix.
bool is_transposed(const Node& operand) {
  if (operand.op() != Op::kView || operand.view().levels.size() != 1) return false;
  return operand.view().layout().levels()[0].transposed();
}

/// The gradient of an operand that is transposed is computed in the order of what lies under it, so that the view's
/// gradient is no copy.
NodePtr operand_gradient(const Node& operand, const NodePtr& a, const NodePtr& b) {
  if (!is_transposed(operand)) return ops::matmul(a, b);
  return ops::swap_axes(ops::matmul(ops::swap_axes(b, -2, -1), ops::swap_axes(a, -2, -1)), -2, -1);
}

std::vector<NodePtr> of_matmul(const Node::Inputs& in, const NodePtr& g) {
  return {in[0]->tracked() ? operand_gradient(*in[0], g, ops::swap_axes(in[1], -2, -1)) : nullptr,
          in[1]->tracked() ? operand_gradient(*in[1], ops::swap_axes(in[0], -2, -1), g) : nullptr};
}

std::vector<NodePtr> of_pad(const Node& node, const Node::Inputs& in, const NodePtr& g) {
  std::vector<ops::Range> inside;
  const std::vector<std::int64_t>& low = node.pad_low().low;
  for (int i = 0; i < node.shape().rank(); ++i) {
    const std::int64_t first = low[static_cast<std::size_t>(i)];
    inside.push_back({first, first + in[0]->shape()[i], 1});
  }
  NodePtr outside;
  if (in[1]->tracked()) {
    outside =
        std::make_shared<const Node>(Op::kPad, g->dtype(), g->shape(), g->device(),
                                     Node::Inputs{zeros(g->dtype(), in[0]->shape(), g->device()), g}, node.attrs());
  }
  return {ops::slice(g, inside), outside};
}

}  // namespace

Passed pass(const NodePtr& node, const Node::Inputs& in, const NodePtr& g) {
  switch (node->op()) {
    case Op::kView:
      return {{of_view(*node, in[0], g)}};
    case Op::kCopy:
    case Op::kMark: {
      std::vector<NodePtr> gradients(in.size());
      gradients[0] = g;
      return {gradients};
    }
    case Op::kPad:
      return {of_pad(*node, in, g)};
    case Op::kPack: {
      std::vector<NodePtr> gradients;
      std::int64_t first = 0;
      for (const NodePtr& piece : in) {
        const ops::Range range{first, first + piece->numel(), 1};
        gradients.push_back(ops::reshape(ops::slice(g, std::span(&range, 1)), piece->shape()));
        first += piece->numel();
      }
      return {std::move(gradients)};
    }
    case Op::kSum:
    case Op::kProd:
    case Op::kMax:
    case Op::kMin:
      return {{of_reduction(node, in[0], g)}};
    case Op::kMatmul:
      return {of_matmul(in, g)};
    case Op::kGather:
      return {{ops::reshape(ops::scatter_add_flat(in[0]->numel(), in[1], g), in[0]->shape()), nullptr}};
    case Op::kPut: {
      NodePtr kept;
      if (in[0]->tracked()) {
        kept = ops::put(g, zeros(g->dtype(), in[1]->shape(), g->device()), in[2]);
      }
      return {{kept, ops::reshape(ops::gather(g, in[2]), in[1]->shape()), nullptr}};
    }
    default:
      break;
  }
  if (!is_elementwise(node->op())) return {{}, false};
  const ElementwiseOp& row = elementwise(node->op());
  if (row.vjp == nullptr) return {{}, false};
  return {row.vjp({in, node, g})};
}

}  // namespace tessera::autograd
