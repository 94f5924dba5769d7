// Calls of custom kernels: the nodes of their results, and the requirements on the device.
#include <algorithm>

#include "base/fail.h"
#include "graph/op.h"
#include "ops/build.h"

namespace tessera::ops {

namespace {

void check_count(std::string_view what, const TensorSpec& t) {
  const std::int64_t numel = t.shape.numel();
  if (numel <= 0xffffffffLL) return;
  throw Error(
      ErrorKind::kLimit,
      fmt::format("{}: a tensor of {} elements was given; kernels count at most {}.", what, numel, 0xffffffffLL),
      {.requested = static_cast<std::uint64_t>(numel), .available = 0xffffffffULL, .op = std::string(what)});
}

/// A node for each output of a call, which remembers them.
template <class Result, class CallOf>
std::vector<NodePtr> result_nodes(Op op, const std::shared_ptr<CallOf>& call, const std::vector<NodePtr>& inputs,
                                  const std::shared_ptr<runtime::Device>& device) {
  std::vector<NodePtr> nodes;
  for (std::size_t i = 0; i < call->outputs.size(); ++i) {
    const TensorSpec& t = call->outputs[i];
    nodes.push_back(
        std::make_shared<const Node>(op, t.dtype, t.shape, device, inputs, Result{call, static_cast<int>(i)}));
  }
  call->results.assign(nodes.begin(), nodes.end());
  return nodes;
}

}  // namespace

std::vector<NodePtr> call(std::string_view op, Attributes attributes, std::vector<NodePtr> inputs,
                          std::vector<TensorSpec> outputs, bool any_size) {
  const auto device = common_device(op, inputs);
  if (!any_size) {
    for (const NodePtr& in : inputs) check_count(op, {in->dtype(), in->shape()});
    for (const TensorSpec& t : outputs) check_count(op, t);
  }
  const auto shared = std::make_shared<Call>(Call{op, std::move(attributes), std::move(outputs), {}});
  return result_nodes<CallResult>(Op::kCall, shared, inputs, device);
}

std::vector<NodePtr> host_call(std::string_view name, std::shared_ptr<const HostStep> step, std::vector<NodePtr> inputs,
                               std::vector<TensorSpec> outputs, const std::shared_ptr<runtime::Device>& device) {
  const auto shared = std::make_shared<Call>(Call{name, {}, std::move(outputs), {}, std::move(step)});
  return result_nodes<CallResult>(Op::kCall, shared, inputs, device);
}

std::vector<NodePtr> custom(CustomCall call, std::vector<NodePtr> inputs) {
  const CustomKernel& k = *call.kernel;
  const auto device = common_device(k.name, inputs);
  call.inputs.clear();
  for (const NodePtr& in : inputs) call.inputs.push_back({in->dtype(), in->shape()});
  call.params.resize(static_cast<std::size_t>(k.param_words));
  if (k.sizes_at >= 0 || k.trusted) {  // they count in 32-bit words
    auto word = call.params.begin() + std::max(k.sizes_at, 0);
    for (const auto* tensors : {&call.inputs, &call.outputs}) {
      for (const TensorSpec& t : *tensors) {
        check_count(k.name, t);
        if (k.sizes_at >= 0) *word++ = static_cast<std::uint32_t>(t.shape.numel());
      }
    }
  }
  for (std::size_t i = 0; i < k.inputs.size(); ++i) {
    const KernelBinding& b = k.inputs[i];
    if (b.strided) put_strides(call.params, b, row_major_strides(call.inputs[i].shape, b));
  }
  const auto shared = std::make_shared<CustomCall>(std::move(call));
  return result_nodes<CustomResult>(Op::kCustom, shared, inputs, device);
}

namespace {

void at_most(const CustomKernel& k, std::string_view what, std::uint64_t given, std::uint64_t limit,
             const DeviceInfo& device) {
  if (given <= limit) return;
  throw Error(ErrorKind::kLimit,
              fmt::format("Kernel '{}' needs {} {}; {} has at most {}.", k.name, given, what, device.name, limit),
              {.requested = given, .available = limit, .op = k.name});
}

}  // namespace

void check_custom(const CustomCall& call, const DeviceInfo& device) {
  const CustomKernel& k = *call.kernel;
  if (device.type == DeviceType::kCpu) {
    if (k.host) return;
    throw Error(ErrorKind::kUnsupported,
                fmt::format("Kernel '{}' is WGSL, which the CPU backend does not run: give its definition a `cpu` "
                            "function, or move its inputs to a WebGPU device.",
                            k.name),
                {.op = k.name});
  }
  const DeviceLimits& limits = device.limits;
  const std::uint64_t invocations = std::uint64_t{k.workgroup[0]} * k.workgroup[1] * k.workgroup[2];
  at_most(k, "invocations in a workgroup", invocations, limits.max_workgroup_size, device);
  at_most(k, "bytes of workgroup memory", k.workgroup_bytes, limits.max_workgroup_memory, device);
  at_most(k, "storage buffers", bindings_of(k), limits.max_storage_buffers, device);
  for (const std::uint32_t groups : call.grid) {
    at_most(k, "workgroups along one dimension", groups, limits.max_workgroups, device);
  }
  for (const auto* tensors : {&call.bound_inputs(), &call.outputs}) {
    for (const TensorSpec& t : *tensors) {
      const std::uint64_t bytes = static_cast<std::uint64_t>(t.shape.numel()) * size_of(t.dtype);
      at_most(k, "bytes in one buffer", bytes, limits.max_storage_binding_size, device);
      if (t.dtype == DType::kF16 && !device.features.f16 && !k.trusted) {
        throw Error(ErrorKind::kUnsupported,
                    fmt::format("Kernel '{}' binds an f16 tensor as array<f16>, and {} has no f16 in shaders: cast it "
                                "to f32 first.",
                                k.name, device.name),
                    {.op = k.name});
      }
    }
  }
}

}  // namespace tessera::ops
