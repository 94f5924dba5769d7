// Plans a graph and prints its kernels.
#include "tessera/explain.h"

#include <array>

#include "base/fail.h"
#include "codegen/program.h"
#include "graph/op_name.h"
#include "runtime/dump.h"
#include "runtime/registry.h"
#include "runtime/tuning/tuning.h"
#include "schedule/lower/chunks.h"
#include "schedule/lower/fit.h"
#include "schedule/plan.h"

namespace tessera {

namespace {

const char* kind_name(Kernel::Kind kind) {
  constexpr std::array<const char*, 5> kNames{"map", "reduce", "matmul", "custom", "batch"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::vector<std::string> fused_ops(const Kernel& kernel) {
  std::vector<std::string> ops;
  if (kernel.kind == Kernel::Kind::kCustom) ops.push_back(kernel.custom->name);
  for (const Kernel& part : kernel.parts) {
    for (std::string& op : fused_ops(part)) ops.push_back(std::move(op));
  }
  for (const Operand* x : {&kernel.a, &kernel.b}) {
    if (!x->is_computed()) continue;
    for (std::string& op : fused_ops(*x->computed)) ops.push_back(std::move(op));
  }
  for (const Instr& x : kernel.instrs) {
    switch (x.kind) {
      case Instr::Kind::kOp:
      case Instr::Kind::kReduce:
        ops.emplace_back(op_name(x.op));
        break;
      case Instr::Kind::kPad:
        ops.emplace_back("pad");
        break;
      case Instr::Kind::kRandom:
        ops.emplace_back("random");
        break;
      case Instr::Kind::kContract:
        ops.emplace_back("matmul");
        break;
      default:
        break;
    }
  }
  return ops;
}

}  // namespace

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
  const schedule::DeviceModel model(target);
  const auto tuning = frozen ? nullptr : runtime::tuning_of(target);
  out.graph = to_text(graph);
  for (const Kernel& kernel : plan.kernels) {
    Binding binding = bind(kernel, graph);
    if (kernel.parts.empty() && !schedule::fits_whole(kernel, graph, device->info())) {
      const auto chunks = schedule::chunks_of(kernel, graph, device->info()).chunks;
      if (!chunks.empty()) binding = schedule::bind_chunk(kernel, binding, chunks[0]);
    }
    const Variant variant = tuning != nullptr ? tuning->variant_for(kernel, binding, target, model)
                                              : codegen::choose_variant(kernel, binding, target, model);
    Program program = codegen::generate(kernel, binding, variant, target);
    out.kernels.push_back(
        {kernel.label(), kind_name(kernel.kind), fused_ops(kernel), runtime::to_text(kernel), std::move(program.wgsl)});
  }
  return out;
}

}  // namespace tessera
