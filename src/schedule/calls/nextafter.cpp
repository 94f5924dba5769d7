// Lowering of nextafter: one kernel, an invocation per element.
#include "ops/elementwise/nextafter.h"

#include "base/ints.h"
#include "schedule/calls/calls.h"
#include "schedule/calls/kernels.h"

namespace tessera::schedule {

namespace {

std::vector<NodePtr> lower_nextafter(const CallToLower& x) {
  const TensorSpec& y = x.call.outputs[0];
  const auto kernel = engine_kernel("nextafter", [] {
    CustomKernel k;
    k.inputs = {"a", "b"};
    k.outputs = {"y"};
    k.workgroup = {256, 1, 1};
    k.params = u32_params({"n"});
    k.host = ops::nextafter_host;
    return k;
  });
  const std::int64_t n = y.shape.numel();
  return call_kernel(kernel, x.inputs, {y}, {word(n)}, static_cast<std::uint64_t>(ceil_div(n, kernel->workgroup[0])));
}

}  // namespace

extern const Lowering kLowerNextafter{"nextafter", lower_nextafter};

}  // namespace tessera::schedule
