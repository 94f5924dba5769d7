// nextafter: a step of the bits, which only a kernel can take.
#include "ops/elementwise/nextafter.h"

#include <cmath>

#include "base/fail.h"
#include "graph/op.h"
#include "ops/host_call.h"
#include "ops/quant/quant.h"

namespace tessera::ops {

namespace {

template <class T>
void on_host(const CustomHostCall& call) {
  const auto a = host_input<T>(call, 0);
  const auto b = host_input<T>(call, 1);
  const auto y = host_output<T>(call, 0);
  host_for(static_cast<std::int64_t>(y.size()), 4, [&](std::size_t i) { y[i] = std::nextafter(a[i], b[i]); });
}

}  // namespace

void nextafter_host(const CustomHostCall& call) {
  call.input_tensors[0].dtype == DType::kF64 ? on_host<double>(call) : on_host<float>(call);
}

NodePtr nextafter(const NodePtr& a, const NodePtr& b) {
  const std::vector<Shape> shapes{a->shape(), b->shape()};
  const Shape shape = broadcast_shapes("nextafter", shapes);
  const auto strong = [](const NodePtr& x) { return x->op() != Op::kScalar || !x->scalar().weak; };
  const DType t = strong(a) && strong(b) ? promote(a->dtype(), b->dtype()) : (strong(a) ? a->dtype() : b->dtype());
  for (const NodePtr& x : {a, b}) {
    if (is_block(x->dtype())) refuse_blocks("nextafter", x->dtype());
  }
  if (t != DType::kF32 && t != DType::kF64)
    fail(ErrorKind::kDType, "nextafter: operands of type {} were given; it takes f32 and f64.", name(t));
  NodePtr x = broadcast_to(cast(a, t), shape);
  if (shape.numel() == 0) return x;
  const NodePtr result = call("nextafter", {}, {x, broadcast_to(cast(b, t), shape)}, {{t, shape}})[0];
  // The step is as good as constant.
  return with_gradient("nextafter", {a, b}, result, [](const Gradient::Call& call) -> std::vector<NodePtr> {
    NodePtr g = call.gradients[0];
    const Shape& to = call.inputs[0]->shape();
    std::vector<int> over;
    const int extra = g->shape().rank() - to.rank();
    for (int i = 0; i < g->shape().rank(); ++i) {
      if (i < extra || to[i - extra] != g->shape()[i]) over.push_back(i);
    }
    if (!over.empty()) g = reshape(sum(g, over, false), to);
    return {g, nullptr};
  });
}

}  // namespace tessera::ops
