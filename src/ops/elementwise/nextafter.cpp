// nextafter: a step of the bits, so it has a custom kernel.
#include <cmath>

#include "base/fail.h"
#include "base/ints.h"
#include "ops/index/index.h"
#include "ops/own_kernel.h"

namespace tessera::ops {

namespace {

constexpr std::uint32_t kLanes = 256;

template <class T>
void on_host(const CustomHostCall& call) {
  const auto a = host_input<T>(call, 0);
  const auto b = host_input<T>(call, 1);
  const auto y = host_output<T>(call, 0);
  host_for(static_cast<std::int64_t>(y.size()), 4, [&](std::size_t i) { y[i] = std::nextafter(a[i], b[i]); });
}

CustomKernel make_kernel(bool wide) {
  CustomKernel k;
  k.inputs = {"a", "b"};
  k.outputs = {"y"};
  k.workgroup = {kLanes, 1, 1};
  k.params.push_back({"n", DType::kU32});
  // As integers in the order of the numbers, whatever the device does with denormals.
  k.source = std::string(R"(fn place(x: f32) -> i32 {
  let bits = bitcast<u32>(x);
  let size = bitcast<i32>(bits & 0x7fffffffu);
  return select(size, -size, bits >= 0x80000000u);
}
)") + main_per_element("n") +
             R"(  let p = place(a[i]);
  let q = place(b[i]);
  let next = p + sign(q - p);
  var bits = select(bitcast<u32>(next), bitcast<u32>(-next) | 0x80000000u, next < 0);
  if (p == q) { bits = bitcast<u32>(b[i]); }
  if (is_nan_f32(a[i]) || is_nan_f32(b[i])) { bits = 0x7fc00000u; }
  y[i] = bitcast<f32>(bits);
}
)";
  k.host = wide ? on_host<double> : on_host<float>;
  return k;
}

}  // namespace

NodePtr nextafter(const NodePtr& a, const NodePtr& b) {
  const std::vector<Shape> shapes{a->shape(), b->shape()};
  const Shape shape = broadcast_shapes("nextafter", shapes);
  const auto strong = [](const NodePtr& x) { return x->op() != Op::kScalar || !x->scalar().weak; };
  const DType t = strong(a) && strong(b) ? promote(a->dtype(), b->dtype()) : (strong(a) ? a->dtype() : b->dtype());
  if (t != DType::kF32 && t != DType::kF64)
    fail(ErrorKind::kDType, "nextafter: operands of type {} were given; it takes f32 and f64.", name(t));
  const bool wide = t == DType::kF64;
  const auto kernel = own_kernel(wide ? "nextafter_f64" : "nextafter", [=] { return make_kernel(wide); });
  const std::int64_t n = shape.numel();
  NodePtr x = contiguous(broadcast_to(cast(a, t), shape));
  const NodePtr y = contiguous(broadcast_to(cast(b, t), shape));
  if (n == 0) return x;
  const NodePtr result = call_own(kernel, {x, y}, {{t, shape}}, {static_cast<std::uint32_t>(n)},
                                  static_cast<std::uint64_t>(ceil_div(n, kLanes)))[0];
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
