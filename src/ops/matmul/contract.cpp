// Matmuls with NumPy's rules for vectors and batches.
#include "base/fail.h"
#include "graph/op.h"
#include "ops/autocast.h"
#include "ops/build.h"
#include "ops/quant/quant.h"

namespace tessera::ops {

namespace {

/// An operand in another dtype. What a view shows is cast in its own order: a transposed weight is not copied, its
/// gradient is computed in the order of the weight, and parts of one weight (q, k and v) share a cast.
NodePtr operand_as(const NodePtr& x, DType dtype) {
  constexpr std::int64_t kMostUnused = 4;  // a view of fewer elements is cast by itself
  const bool view = x->op() == Op::kView && x->storage() == nullptr && x->dtype() != dtype;
  const auto inputs = view ? x->inputs() : nullptr;
  const bool evaluated = inputs == nullptr || inputs->empty();  // meanwhile
  if (evaluated || x->numel() < (*inputs)[0]->numel() / kMostUnused) return cast(x, dtype);
  const NodePtr base = cast((*inputs)[0], dtype);
  return std::make_shared<const Node>(Op::kView, dtype, x->shape(), x->device(), Node::Inputs{base}, x->attrs());
}

}  // namespace

NodePtr matmul(const NodePtr& a, const NodePtr& b) {
  if (a->shape().rank() == 0 || b->shape().rank() == 0) {
    fail(ErrorKind::kShape, "matmul: operands need at least one axis (a is {}, b is {}).", a->shape().str(),
         b->shape().str());
  }
  if (is_block(a->dtype()) || is_block(b->dtype())) return matmul_blocks(a, b);
  const DType dtype = low_dtype({a->dtype(), b->dtype()});
  const bool vector_a = a->shape().rank() == 1;
  const bool vector_b = b->shape().rank() == 1;
  NodePtr x = operand_as(vector_a ? expand_dims(a, 0) : a, dtype);
  NodePtr y = operand_as(vector_b ? expand_dims(b, 1) : b, dtype);
  const Shape sx = x->shape();
  const Shape sy = y->shape();
  const std::int64_t k = sx.back();
  if (k != sy[sy.rank() - 2]) {
    fail(ErrorKind::kShape, "matmul: inner dimensions {} and {} differ (a is {}, b is {}).", k, sy[sy.rank() - 2],
         a->shape().str(), b->shape().str());
  }
  const std::vector<Shape> batches{Shape(std::span(sx.begin(), static_cast<std::size_t>(sx.rank() - 2))),
                                   Shape(std::span(sy.begin(), static_cast<std::size_t>(sy.rank() - 2)))};
  Shape out = broadcast_shapes("matmul", batches);
  Shape full_x = out;
  Shape full_y = out;
  full_x.push_back(sx[sx.rank() - 2]);
  full_x.push_back(k);
  full_y.push_back(k);
  full_y.push_back(sy.back());
  out.push_back(sx[sx.rank() - 2]);
  out.push_back(sy.back());
  // One matrix for the whole batch: the rows of all matrices become those of one, and so does its gradient.
  if (out.rank() > 2 && sy.rank() == 2 && sx.rank() > 2) {
    std::int64_t rows = 1;
    for (int i = 0; i < out.rank() - 1; ++i) rows *= out[i];
    const NodePtr flat = matmul(reshape(x, Shape{rows, k}), y);
    const NodePtr c = reshape(flat, out);
    return vector_b ? squeeze(c, std::vector<int>{-1}) : c;
  }
  x = broadcast_to(x, full_x);
  y = broadcast_to(y, full_y);
  auto device = common_device("matmul", std::vector<NodePtr>{x, y});
  NodePtr c = std::make_shared<const Node>(Op::kMatmul, dtype, out, std::move(device), Node::Inputs{x, y});
  if (vector_a) c = squeeze(c, std::vector<int>{-2});
  if (vector_b) c = squeeze(c, std::vector<int>{-1});
  return c;
}

}  // namespace tessera::ops
