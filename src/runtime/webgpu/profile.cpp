// Timing: GPU timestamps around each kernel, or the host's clock without them. A timed submission waits, except in a
// page, where the times arrive later.
#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "base/fail.h"
#include "runtime/kernel_work.h"
#include "runtime/webgpu/device.h"

namespace tessera::runtime::webgpu {

namespace {

constexpr std::size_t kMostTimed = 1024;  // kernels of one query set, which holds at most 4096 timestamps

bool is_empty(const Dispatch& dispatch) {
  return dispatch.grid[0] == 0 || dispatch.grid[1] == 0 || dispatch.grid[2] == 0;
}

}  // namespace

double DeviceImpl::profile_clock_us() const {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - profile_start_).count();
}

void DeviceImpl::set_profiling(bool on) {
  const std::lock_guard lock(submit_mutex_);
  if (on && !profiling_) {
    profile_start_ = std::chrono::steady_clock::now();
    times_.clear();
  }
  profiling_ = on;
}

std::vector<KernelTime> DeviceImpl::times() {
  const std::lock_guard lock(submit_mutex_);
  return std::exchange(times_, {});
}

void DeviceImpl::submit_timed(const Submission& submission, std::uint32_t params_at) {
  if (!info().features.timestamps) {
    return can_wait() ? time_on_host(submission, params_at) : leave_untimed(submission, params_at);
  }
  const std::span<const Dispatch> all = submission.started();
  for (std::size_t i = 0; i < all.size(); i += kMostTimed) {
    time_on_device(all.subspan(i, std::min(kMostTimed, all.size() - i)), params_at);
  }
}

void DeviceImpl::time_on_host(const Submission& submission, std::uint32_t params_at) {
  core_->api().wgpuDevicePoll(core_->device(), 1U, nullptr);
  for (const Dispatch& dispatch : submission.started()) {
    if (is_empty(dispatch)) continue;
    KernelTime time = describe(dispatch);
    time.start_us = profile_clock_us();
    submit_one_by_one({&dispatch, 1}, params_at);
    time.duration_us = profile_clock_us() - time.start_us;
    times_.push_back(std::move(time));
  }
}

// Without timestamps there is no time per kernel.
void DeviceImpl::leave_untimed(const Submission& submission, std::uint32_t params_at) {
  submit_together(submission, ErrorCatch(), params_at);
  for (const Dispatch& dispatch : submission.started()) {
    if (is_empty(dispatch)) continue;
    KernelTime time = describe(dispatch);
    time.start_us = profile_clock_us();
    time.duration_us = std::numeric_limits<double>::quiet_NaN();
    times_.push_back(std::move(time));
  }
}

// Timed kernels in flight and the buffer of their timestamps, two each.
struct DeviceImpl::Timing {
  QuerySetHandle queries;
  BufferHandle resolved, readable;
  std::vector<KernelTime> measured;
  double submitted_us = 0;
  [[nodiscard]] std::size_t bytes() const { return 2 * measured.size() * sizeof(std::uint64_t); }
};

void DeviceImpl::time_on_device(std::span<const Dispatch> dispatches, std::uint32_t params_at) {
  const Functions& api = core_->api();
  const ErrorCatch errors;
  const auto timing = std::make_shared<Timing>();
  WGPUQuerySetDescriptor descriptor = WGPU_QUERY_SET_DESCRIPTOR_INIT;
  descriptor.type = WGPUQueryType_Timestamp;
  descriptor.count = static_cast<std::uint32_t>(2 * dispatches.size());
  timing->queries = QuerySetHandle(api, api.wgpuDeviceCreateQuerySet(core_->device(), &descriptor));
  const auto make = [&](WGPUBufferUsage usage) {
    WGPUBufferDescriptor buffer = WGPU_BUFFER_DESCRIPTOR_INIT;
    buffer.usage = usage;
    buffer.size = descriptor.count * sizeof(std::uint64_t);
    return BufferHandle(api, api.wgpuDeviceCreateBuffer(core_->device(), &buffer));
  };
  timing->resolved = make(WGPUBufferUsage_QueryResolve | WGPUBufferUsage_CopySrc);
  timing->readable = make(WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);

  CommandEncoderHandle encoder = make_encoder();
  for (const Dispatch& dispatch : dispatches) {
    if (is_empty(dispatch)) continue;
    WGPUPassTimestampWrites writes = WGPU_PASS_TIMESTAMP_WRITES_INIT;
    writes.querySet = timing->queries.get();
    writes.beginningOfPassWriteIndex = static_cast<std::uint32_t>(2 * timing->measured.size());
    writes.endOfPassWriteIndex = writes.beginningOfPassWriteIndex + 1;
    WGPUComputePassDescriptor pass_descriptor = WGPU_COMPUTE_PASS_DESCRIPTOR_INIT;
    pass_descriptor.label = view(dispatch.executable->label());
    pass_descriptor.timestampWrites = &writes;
    const ComputePassHandle pass(api, api.wgpuCommandEncoderBeginComputePass(encoder.get(), &pass_descriptor));
    current_ = nullptr;
    encode(pass.get(), dispatch, bind_group_of(dispatch), params_at);
    api.wgpuComputePassEncoderEnd(pass.get());
    timing->measured.push_back(describe(dispatch));
  }
  if (timing->measured.empty()) return;
  const auto used = static_cast<std::uint32_t>(2 * timing->measured.size());
  api.wgpuCommandEncoderResolveQuerySet(encoder.get(), timing->queries.get(), 0, used, timing->resolved.get(), 0);
  api.wgpuCommandEncoderCopyBufferToBuffer(encoder.get(), timing->resolved.get(), 0, timing->readable.get(), 0,
                                           timing->bytes());
  timing->submitted_us = profile_clock_us();
  finish_and_submit(std::move(encoder), errors, fmt::format("timing {} kernels", timing->measured.size()));
  if (!can_wait()) return expect_ticks(timing);
  wait_for_ticks(*timing, errors);
  take_ticks(*timing);
}

void DeviceImpl::wait_for_ticks(const Timing& timing, const ErrorCatch& errors) {
  const Functions& api = core_->api();
  // The poller thread may get the mapping callback, a little after this thread's poll returns.
  using Status = std::atomic<WGPUMapAsyncStatus>;
  const auto status = std::make_shared<Status>();
  WGPUBufferMapCallbackInfo info = WGPU_BUFFER_MAP_CALLBACK_INFO_INIT;
  info.mode = WGPUCallbackMode_AllowSpontaneous;
  info.callback = [](WGPUMapAsyncStatus result, WGPUStringView, void* out, void*) {
    const std::unique_ptr<std::shared_ptr<Status>> to(static_cast<std::shared_ptr<Status>*>(out));
    (*to)->store(result);
  };
  info.userdata1 = new std::shared_ptr<Status>(status);
  api.wgpuBufferMapAsync(timing.readable.get(), WGPUMapMode_Read, 0, timing.bytes(), info);
  while (status->load() == WGPUMapAsyncStatus{}) {
    if (core_->lost()) throw core_->lost_error();
    api.wgpuDevicePoll(core_->device(), 1U, nullptr);
    std::this_thread::yield();
  }
  if (status->load() != WGPUMapAsyncStatus_Success) {
    throw translate(errors.type(), errors.message(), "reading timestamps");
  }
}

// Runs as a callback of the device. A failed mapping means a lost device, which is reported elsewhere.
void DeviceImpl::expect_ticks(const std::shared_ptr<Timing>& timing) {
  const std::uint64_t number = core_->expect(1, [this, timing](const std::exception_ptr& failure) {
    if (failure != nullptr || core_->lost()) return;
    const std::lock_guard lock(submit_mutex_);
    take_ticks(*timing);
  });
  core_->api().wgpuBufferMapAsync(timing->readable.get(), WGPUMapMode_Read, 0, timing->bytes(),
                                  core_->arrive_when_mapped(number));
}

void DeviceImpl::take_ticks(Timing& timing) {
  const Functions& api = core_->api();
  std::vector<std::uint64_t> ticks(2 * timing.measured.size());
  std::memcpy(ticks.data(), api.wgpuBufferGetConstMappedRange(timing.readable.get(), 0, timing.bytes()),
              timing.bytes());
  api.wgpuBufferUnmap(timing.readable.get());
  // The device has another clock: its first kernel starts when the submission did.
  for (std::size_t i = 0; i < timing.measured.size(); ++i) {
    const auto us = [&](std::uint64_t from, std::uint64_t to) {
      return to > from ? static_cast<double>(to - from) * tick_ns_ * 1e-3 : 0.0;
    };
    timing.measured[i].start_us = timing.submitted_us + us(ticks[0], ticks[2 * i]);
    timing.measured[i].duration_us = us(ticks[2 * i], ticks[2 * i + 1]);
    times_.push_back(std::move(timing.measured[i]));
  }
}

}  // namespace tessera::runtime::webgpu
