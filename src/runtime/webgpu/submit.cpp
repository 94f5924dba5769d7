// Submission: encodes kernels into one pass with their bind groups and parameters, and attributes errors to kernels.
#include <array>

#include "base/fail.h"
#include "runtime/webgpu/device.h"

namespace tessera::runtime::webgpu {

namespace {

bool is_empty(const Dispatch& dispatch) {
  return dispatch.grid[0] == 0 || dispatch.grid[1] == 0 || dispatch.grid[2] == 0;
}

const WebGpuExecutable& own(const Dispatch& dispatch) {
  return static_cast<const WebGpuExecutable&>(*dispatch.executable);
}

// Adds the time of its scope to the provider's share of a submission.
class ProviderTime {
 public:
  using Clock = std::chrono::steady_clock;
  explicit ProviderTime(Clock::duration& sum) : sum_(sum) {}
  ~ProviderTime() { sum_ += Clock::now() - start_; }
  ProviderTime(const ProviderTime&) = delete;
  ProviderTime& operator=(const ProviderTime&) = delete;

 private:
  Clock::duration& sum_;
  Clock::time_point start_ = Clock::now();
};

Error kernel_error(const ErrorCatch& errors, const Dispatch& dispatch) {
  const std::string& label = dispatch.executable->label();
  const Error error = translate(errors.type(), errors.message(), fmt::format("running the kernel '{}'", label));
  return {error.kind(), error.what(), {.op = label}};
}

}  // namespace

CommandEncoderHandle DeviceImpl::make_encoder() {
  const ProviderTime time(provider_time_);
  return {core_->api(), core_->api().wgpuDeviceCreateCommandEncoder(core_->device(), nullptr)};
}

WGPUBindGroup DeviceImpl::bind_group_of(const Dispatch& dispatch) {
  const WebGpuExecutable& executable = own(dispatch);
  bound_.clear();
  ranges_.clear();
  bool parts = false;
  for (const int which : executable.program.buffer_of) {
    const auto i = static_cast<std::size_t>(which);
    Buffer& buffer = *dispatch.buffers[i];
    bound_.push_back(static_cast<const WebGpuBuffer*>(&buffer.whole()));
    BufferRange range;  // whole
    if (!dispatch.ranges.empty()) range = dispatch.ranges[i];
    if (&buffer.whole() != &buffer) {
      range = {range.offset + buffer.offset(), range.bytes != 0 ? range.bytes : buffer.bytes()};
    }
    parts = parts || range.bytes != 0;
    ranges_.push_back(range);
  }
  if (!parts) ranges_.clear();
  return bind_groups_.get(*executable.pipeline->layout, bound_, ranges_, ring_.buffer(), executable.uniform_bytes,
                          info().limits.max_storage_binding_size);
}

void DeviceImpl::encode(WGPUComputePassEncoder pass, const Dispatch& dispatch, WGPUBindGroup group,
                        std::uint32_t params_at) {
  const Functions& api = core_->api();
  const WebGpuExecutable& executable = own(dispatch);
  if (current_ != executable.pipeline->handle.get()) {
    current_ = executable.pipeline->handle.get();
    api.wgpuComputePassEncoderSetPipeline(pass, current_);
  }
  const std::uint32_t offset = params_at + dispatch.first_param * static_cast<std::uint32_t>(sizeof(std::uint32_t));
  api.wgpuComputePassEncoderSetBindGroup(pass, 0, group, executable.pipeline->layout->uniform ? 1 : 0, &offset);
  if (executable.pipeline->layout->reports) {
    api.wgpuComputePassEncoderSetBindGroup(pass, 1, reports_.group(*core_), 0, nullptr);
    reports_pending_ = true;
  }
  api.wgpuComputePassEncoderDispatchWorkgroups(pass, dispatch.grid[0], dispatch.grid[1], dispatch.grid[2]);
  ++dispatches_;
}

// In blocks: first our own lookups, then the provider's calls, so that one clock separates them. A block is far smaller
// than the cache of bind groups, which evicts only old entries.
void DeviceImpl::encode_all(WGPUComputePassEncoder pass, std::span<const Dispatch> dispatches,
                            std::uint32_t params_at) {
  constexpr std::size_t kBlock = 64;
  std::array<WGPUBindGroup, kBlock> groups;
  for (std::size_t begin = 0; begin < dispatches.size(); begin += kBlock) {
    const auto block = dispatches.subspan(begin, std::min(kBlock, dispatches.size() - begin));
    for (std::size_t i = 0; i < block.size(); ++i) groups[i] = is_empty(block[i]) ? nullptr : bind_group_of(block[i]);
    const ProviderTime time(provider_time_);
    for (std::size_t i = 0; i < block.size(); ++i) {
      if (!is_empty(block[i])) encode(pass, block[i], groups[i], params_at);
    }
  }
}

void DeviceImpl::finish_and_submit(CommandEncoderHandle encoder, const ErrorCatch& errors, std::string_view what) {
  const Functions& api = core_->api();
  const ProviderTime time(provider_time_);
  const CommandBufferHandle commands(api, api.wgpuCommandEncoderFinish(encoder.get(), nullptr));
  // A command buffer that failed must not be submitted: wgpu-native would end the process.
  if (core_->lost()) throw core_->lost_error();
  if (errors.caught()) throw translate(errors.type(), errors.message(), what);
  WGPUCommandBuffer raw = commands.get();
  uploaded_ = 0;
  ++submissions_;
  api.wgpuQueueSubmitForIndex(core_->queue(), 1, &raw);
}

// After a submission with its own slot: returns the slots of finished ones, from time to time or at once.
void DeviceImpl::count_submission(bool mark) {
  std::uint32_t places = core_->in_flight().submitted();
  if (mark && places == 0) places = core_->in_flight().take_unmarked();
  if (places > 0) core_->mark(places);
}

void DeviceImpl::submit(const Submission& submission) {
  core_->enter();
  InFlightSlot place(*core_);
  const auto alive = core_->alive();
  const std::lock_guard lock(submit_mutex_);
  bind_groups_.purge();

  const Dispatch* first = nullptr;
  std::size_t param_bytes = 0;
  for (const Dispatch& dispatch : submission.started()) {
    if (is_empty(dispatch)) continue;
    if (own(dispatch).core != core_) throw own(dispatch).core->lost_error();
    if (first == nullptr) first = &dispatch;
    param_bytes =
        std::max<std::size_t>(param_bytes, dispatch.first_param * sizeof(std::uint32_t) + own(dispatch).uniform_bytes);
  }
  if (first == nullptr) return;
  const ErrorCatch errors;
  if (ring_.will_grow(param_bytes)) bind_groups_.clear();
  const auto hint = reinterpret_cast<std::uintptr_t>(first->executable.get()) ^ submission.params.size();
  const std::uint32_t params_at = ring_.place(submission.params, param_bytes, hint);

  try {
    if (profiling_) {
      submit_timed(submission, params_at);
    } else if (config().debug) {
      submit_one_by_one(submission.started(), params_at);
    } else {
      submit_together(submission, errors, params_at);
    }
    place.keep();
    count_submission(false);
  } catch (const Error& e) {
    if (e.kind() == ErrorKind::kDeviceLost) throw;
    if (e.fields().op.empty()) find_fault(submission, params_at);
    bind_groups_.clear();  // one of them may have caused it
    throw;
  }
}

void DeviceImpl::submit_together(const Submission& submission, const ErrorCatch& errors, std::uint32_t params_at) {
  CommandEncoderHandle encoder = make_encoder();
  {
    const ComputePassHandle pass(core_->api(), core_->api().wgpuCommandEncoderBeginComputePass(encoder.get(), nullptr));
    current_ = nullptr;
    encode_all(pass.get(), submission.started(), params_at);
    const ProviderTime time(provider_time_);
    core_->api().wgpuComputePassEncoderEnd(pass.get());
  }
  finish_and_submit(std::move(encoder), errors, "submitting kernels");
}

CommandEncoderHandle DeviceImpl::encode_alone(const Dispatch& dispatch, std::uint32_t params_at) {
  const Functions& api = core_->api();
  CommandEncoderHandle encoder = make_encoder();
  WGPUComputePassDescriptor descriptor = WGPU_COMPUTE_PASS_DESCRIPTOR_INIT;
  descriptor.label = view(dispatch.executable->label());
  const ComputePassHandle pass(api, api.wgpuCommandEncoderBeginComputePass(encoder.get(), &descriptor));
  current_ = nullptr;
  encode(pass.get(), dispatch, bind_group_of(dispatch), params_at);
  api.wgpuComputePassEncoderEnd(pass.get());
  return encoder;
}

// Throws for the failing kernel, if there is one: each is encoded separately, and none is submitted.
void DeviceImpl::find_fault(const Submission& submission, std::uint32_t params_at) {
  const Functions& api = core_->api();
  for (const Dispatch& dispatch : submission.started()) {
    if (is_empty(dispatch)) continue;
    const ErrorCatch errors;
    const CommandEncoderHandle encoder = encode_alone(dispatch, params_at);
    const CommandBufferHandle commands(api, api.wgpuCommandEncoderFinish(encoder.get(), nullptr));
    if (errors.caught()) {
      bind_groups_.clear();
      throw kernel_error(errors, dispatch);
    }
  }
}

void DeviceImpl::submit_one_by_one(std::span<const Dispatch> dispatches, std::uint32_t params_at) {
  const Functions& api = core_->api();
  for (const Dispatch& dispatch : dispatches) {
    if (is_empty(dispatch)) continue;
    const ErrorCatch errors;
    try {
      finish_and_submit(encode_alone(dispatch, params_at), errors, "submitting a kernel");
    } catch (const Error& e) {
      if (!errors.caught()) throw;
      throw kernel_error(errors, dispatch);
    }
    api.wgpuDevicePoll(core_->device(), 1U, nullptr);
    if (core_->lost()) throw core_->lost_error();
    if (errors.caught()) throw kernel_error(errors, dispatch);
  }
}

}  // namespace tessera::runtime::webgpu
