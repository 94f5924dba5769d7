// Custom kernels on buffers: checks the bindings, then submits.
#include "tessera/wgsl_dispatch.h"

#include <algorithm>

#include "api/buffer_state.h"
#include "api/wgsl/wgsl_state.h"
#include "base/fail.h"
#include "ops/build.h"
#include "runtime/registry.h"

namespace tessera {

struct CompiledWgsl::State {
  WgslKernel kernel;
  Kernel plan;  // the kernel in the form that devices compile
};

namespace {

constexpr std::uint64_t kAlign = 256;  // of a binding's offset, on every device

DType type_of(const WgslDefinition& d, const std::string& what, const std::optional<DType>& dtype) {
  if (!dtype.has_value())
    fail(ErrorKind::kValue, "CompiledWgsl: '{}' of kernel '{}' has no type; on buffers its definition must name one.",
         what, d.name);
  return *dtype;
}

/// The bindings and parameters of one dispatch, kept alive until it is submitted.
struct Prepared {
  std::vector<std::shared_ptr<Storage>> storages;
  std::vector<runtime::BufferRange> ranges;
  Binding binding;
};

void check_binding(const WgslDefinition& d, const Device& device, const WgslBinding& b, std::uint64_t bytes,
                   DType dtype) {
  const std::string& label = b.buffer.descriptor().label;
  if (b.buffer.device() != device) {
    fail(ErrorKind::kDevice, "{}: the buffer '{}' is on {}, and the kernel was compiled for {}.", d.name, label,
         b.buffer.device().info().id, device.info().id);
  }
  if (b.offset % kAlign != 0)
    fail(ErrorKind::kValue, "{}: the offset {} into the buffer '{}' is not a multiple of {}.", d.name, b.offset, label,
         kAlign);
  check_range(b.buffer, b.offset, bytes, d.name);
  const std::size_t unit = std::max<std::size_t>(size_of(dtype), 4);
  const bool to_end = b.offset + bytes == b.buffer.size();
  if (bytes == 0 || (bytes % unit != 0 && !to_end)) {
    fail(ErrorKind::kValue, "{}: {} bytes of the buffer '{}' were bound; a multiple of {} is expected.", d.name, bytes,
         label, unit);
  }
}

Prepared prepare(const WgslDispatch& x, const Device& device) {
  const CompiledWgsl::State& s = *x.kernel.state();
  const WgslDefinition& d = s.kernel.definition();
  const std::size_t inputs = d.inputs.size();
  if (x.kernel.device() != device)
    fail(ErrorKind::kDevice, "submit: kernel '{}' was compiled for {}, and the first one for {}.", d.name,
         x.kernel.device().info().id, device.info().id);
  if (x.bindings.size() != inputs + d.outputs.size()) {
    fail(ErrorKind::kValue, "{}: {} bindings were given; it has {} inputs and {} outputs.", d.name, x.bindings.size(),
         inputs, d.outputs.size());
  }
  Prepared p;
  CustomCall call;
  call.kernel = s.kernel.state()->kernel;
  call.grid = {x.grid.x, x.grid.y, x.grid.z};
  for (std::size_t i = 0; i < x.bindings.size(); ++i) {
    const WgslBinding& b = x.bindings[i];
    p.storages.push_back(storage_for(b.buffer, BufferUsage::kKernel, d.name));
    const DType dtype = i < inputs ? s.plan.inputs[i].dtype : s.plan.outputs[i - inputs].dtype;
    std::uint64_t bytes = b.bytes;
    if (bytes == ~std::uint64_t{0}) bytes = b.offset <= b.buffer.size() ? b.buffer.size() - b.offset : 0;
    check_binding(d, device, b, bytes, dtype);
    const auto count = static_cast<std::int64_t>(bytes / size_of(dtype));
    (i < inputs ? call.inputs : call.outputs).push_back({dtype, Shape{count}});
    p.ranges.push_back({static_cast<std::size_t>(b.offset), static_cast<std::size_t>((bytes + 3) / 4 * 4)});
    for (std::size_t j = 0; j < i; ++j) {
      if (p.storages[j] == p.storages[i] && i >= inputs) {
        fail(ErrorKind::kValue,
             "{}: the buffer '{}' is bound twice, and once to be written; WebGPU allows that for reading only.", d.name,
             b.buffer.descriptor().label);
      }
    }
  }
  if (d.raw_params != 0 && !x.params.empty())
    fail(ErrorKind::kValue, "{}: its params are {} raw bytes, and named ones were given.", d.name, d.raw_params);
  call.params = d.raw_params != 0 ? raw_param_words(d, x.raw_params) : param_words(*call.kernel, d.params, x.params);
  if (call.kernel->sizes_at >= 0) {
    auto word = call.params.begin() + call.kernel->sizes_at;
    for (const auto* tensors : {&call.inputs, &call.outputs}) {
      for (const TensorSpec& t : *tensors) *word++ = static_cast<std::uint32_t>(t.shape.numel());
    }
  }
  ops::check_custom(call, device.info());
  p.binding.params = call.params;
  p.binding.custom = std::make_shared<const CustomCall>(std::move(call));
  return p;
}

}  // namespace

CompiledWgsl::CompiledWgsl(Device device, const WgslKernel& kernel) : device_(std::move(device)) {
  if (device_.impl() == nullptr) device_ = Device(runtime::default_device());
  const WgslDefinition& d = kernel.definition();
  if (d.strided)
    fail(ErrorKind::kUnsupported, "{}: its inputs are strided, and buffers have no strides; call it on tensors.",
         d.name);
  auto state = std::make_shared<State>(State{kernel, {}});
  CustomCall call;
  call.kernel = kernel.state()->kernel;
  for (const WgslInput& x : d.inputs) call.inputs.push_back({type_of(d, x.name, x.dtype), Shape{1}});
  for (const WgslOutput& x : d.outputs) call.outputs.push_back({type_of(d, x.name, x.dtype), Shape{1}});
  ops::check_custom(call, device_.info());
  state->plan.kind = Kernel::Kind::kCustom;
  state->plan.custom = call.kernel;
  for (const TensorSpec& t : call.inputs) state->plan.inputs.push_back({-1, t.dtype});
  for (const TensorSpec& t : call.outputs) state->plan.outputs.push_back({-1, t.dtype});
  Binding binding;
  binding.custom = std::make_shared<const CustomCall>(std::move(call));
  static_cast<void>(device_.impl()->compile(state->plan, binding));
  state_ = std::move(state);
}

Work CompiledWgsl::dispatch(const std::vector<WgslBinding>& bindings, WgslSize grid, const WgslParams& params) const {
  const WgslDispatch one{*this, bindings, grid, params};
  return submit(std::span(&one, 1));
}

Work submit(std::span<const WgslDispatch> dispatches) {
  if (dispatches.empty()) fail(ErrorKind::kValue, "submit: no dispatches were given.");
  const Device device = dispatches[0].kernel.device();
  std::vector<Prepared> prepared;
  prepared.reserve(dispatches.size());
  for (const WgslDispatch& x : dispatches) prepared.push_back(prepare(x, device));
  runtime::Submission submission;
  for (std::size_t i = 0; i < dispatches.size(); ++i) {
    const CompiledWgsl::State& s = *dispatches[i].kernel.state();
    Prepared& p = prepared[i];
    runtime::Dispatch d;
    d.executable = device.impl()->compile(s.plan, p.binding);  // cached, unless the device was recreated
    for (const auto& storage : p.storages) d.buffers.push_back(&storage->buffer());
    d.ranges = p.ranges;
    d.first_param = submission.add_params(p.binding.params);
    d.param_count = static_cast<std::uint32_t>(p.binding.params.size());
    d.kernel = &s.plan;
    d.binding = &p.binding;
    std::copy(p.binding.custom->grid.begin(), p.binding.custom->grid.end(), d.grid);
    submission.dispatches.push_back(std::move(d));
  }
  device.impl()->submit(submission);
  for (std::size_t i = 0; i < prepared.size(); ++i) {
    const std::size_t inputs = dispatches[i].kernel.state()->plan.inputs.size();
    for (std::size_t k = inputs; k < prepared[i].storages.size(); ++k) prepared[i].storages[k]->written_on_device();
  }
  return Work(device);
}

}  // namespace tessera
