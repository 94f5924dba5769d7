// Plans a graph and writes its kernels out.
#include "tessera/explain.h"

#include "base/fail.h"
#include "codegen/program.h"
#include "runtime/dump.h"
#include "runtime/registry.h"
#include "runtime/tuning.h"
#include "schedule/fit.h"
#include "schedule/plan.h"
#include "schedule/windows.h"

namespace tessera {

Explanation explain(std::span<const Tensor> tensors) {
  std::vector<NodePtr> roots;
  std::shared_ptr<runtime::Device> device;
  for (const Tensor& t : tensors) {
    if (!t.defined()) fail(ErrorKind::kValue, "explain: an empty Tensor was given.");
    if (t.node()->device() != nullptr) {
      if (device != nullptr && device != t.node()->device())
        fail(ErrorKind::kDevice, "explain: the tensors are on two devices.");
      device = t.node()->device();
    }
    if (!t.is_evaluated()) roots.push_back(t.node());
  }
  if (device == nullptr) device = runtime::default_device();
  Explanation out;
  if (roots.empty()) return out;
  const Graph graph = schedule::simplify_to_fit(snapshot(roots), device->info());
  const schedule::Plan plan = schedule::make_plan(graph, {}, device->info());
  DeviceInfo target = device->info();
  if (target.type == DeviceType::kCpu) {
    target.limits = DeviceLimits{};
    target.limits.max_buffer_size = std::uint64_t{256} << 20U;
    target.limits.max_storage_binding_size = std::uint64_t{128} << 20U;
    target.features = DeviceFeatures{};
  }
  const bool frozen = device->config().deterministic || target.type == DeviceType::kCpu;
  const auto tuning = frozen ? nullptr : runtime::tuning_of(target);
  out.graph = to_text(graph);
  for (const Kernel& kernel : plan.kernels) {
    Binding binding = bind(kernel, graph);
    if (kernel.parts.empty() && !schedule::fits_whole(kernel, graph, device->info())) {
      const auto pieces = schedule::cut(kernel, graph, device->info()).pieces;
      if (!pieces.empty()) binding = schedule::bind_piece(kernel, binding, pieces[0]);
    }
    const Variant variant = tuning != nullptr ? tuning->variant_for(kernel, binding, target)
                                              : codegen::choose_variant(kernel, binding, target);
    Program program = codegen::generate(kernel, binding, variant, target);
    out.kernels.push_back({kernel.label(), runtime::to_text(kernel), std::move(program.wgsl)});
  }
  return out;
}

}  // namespace tessera
