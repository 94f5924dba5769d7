// The shared state of a device: device loss, and the path of callbacks from the API to their owners.
#include "runtime/webgpu/core.h"

#include <algorithm>
#include <chrono>

#include "base/call_back.h"
#include "base/fail.h"
#include "base/os/system.h"
#include "runtime/webgpu/provider/adapter.h"

namespace tessera::runtime::webgpu {

namespace {

using std::chrono::microseconds;

// The poller's sleep between two polls: short at first, then longer.
constexpr microseconds kFirstSleep{20};
constexpr microseconds kLastSleep{1000};
constexpr int kFreshLooks = 16;
constexpr microseconds kSpin{200};  // a wait polls without sleeping this long: most reads take less

// The callbacks that this thread is running, innermost last.
thread_local std::vector<std::pair<const Core*, std::uint64_t>> running;

}  // namespace

bool Core::request(WGPUAdapter adapter, const WGPUDeviceDescriptor& wanted, std::string& why) {
  WGPUDeviceDescriptor descriptor = wanted;
  descriptor.label = view(name_);
  // Both callbacks come from inside API calls that hold the provider's locks: they only record.
  descriptor.deviceLostCallbackInfo.mode = WGPUCallbackMode_AllowSpontaneous;
  descriptor.deviceLostCallbackInfo.callback = [](WGPUDevice const*, WGPUDeviceLostReason, WGPUStringView message,
                                                  void* core,
                                                  void*) { static_cast<Core*>(core)->mark_lost(text_of(message)); };
  descriptor.deviceLostCallbackInfo.userdata1 = this;
  descriptor.uncapturedErrorCallbackInfo.callback = [](WGPUDevice const*, WGPUErrorType type, WGPUStringView message,
                                                       void* core, void*) {
    if (ErrorCatch* innermost = ErrorCatch::innermost()) {
      innermost->keep(type, text_of(message));
    } else {
      static_cast<Core*>(core)->hear_late(translate(type, text_of(message), "running earlier work"));
    }
  };
  descriptor.uncapturedErrorCallbackInfo.userdata1 = this;
  struct Answer {
    WGPUDevice device = nullptr;
    std::string message;
  } answer;
  WGPURequestDeviceCallbackInfo info = WGPU_REQUEST_DEVICE_CALLBACK_INFO_INIT;
  info.mode = WGPUCallbackMode_AllowSpontaneous;
  info.callback = [](WGPURequestDeviceStatus status, WGPUDevice device, WGPUStringView message, void* out, void*) {
    auto* to = static_cast<Answer*>(out);
    if (status == WGPURequestDeviceStatus_Success) to->device = device;
    to->message = text_of(message);
  };
  info.userdata1 = &answer;
  api().wgpuAdapterRequestDevice(adapter, &descriptor, info);  // calls back before it returns
  if (answer.device == nullptr) {
    why = one_line(answer.message);
    return false;
  }
  device_ = DeviceHandle(api(), answer.device);
  queue_ = QueueHandle(api(), api().wgpuDeviceGetQueue(answer.device));
  return true;
}

std::shared_lock<std::shared_mutex> Core::alive() {
  std::shared_lock lock(life_);
  if (lost()) throw lost_error();
  return lock;
}

Error Core::lost_error() const {
  const std::lock_guard lock(error_mutex_);
  return {ErrorKind::kDeviceLost,
          fmt::format("The device {} was lost ({}); make a new one to go on.", name_, lost_reason_)};
}

void Core::hear_late(const Error& error) {
  if (provider_.traits().errors_inside_call) return keep_error(error);
  mark_lost(error.what(), std::make_exception_ptr(error));
}

void Core::mark_lost(std::string_view reason, std::exception_ptr told) {
  {
    const std::lock_guard lock(error_mutex_);
    if (lost()) return;
    lost_reason_ = reason.empty() ? "no reason given" : one_line(reason);
    lost_.store(true, std::memory_order_release);
  }
  forget_adapters();
  const std::exception_ptr failure = told != nullptr ? std::move(told) : std::make_exception_ptr(lost_error());
  const std::lock_guard lock(callback_mutex_);
  for (auto& [number, callback] : callbacks_) {
    if (callback.arrivals == 0) continue;
    callback.arrivals = 0;
    callback.failure = failure;
    ready_.push_back(number);
  }
  pending_ = 0;
  wake_poller_.notify_all();
  returned_.notify_all();
}

void Core::destroy() {
  {
    const std::unique_lock lock(life_);
    if (lost()) return;
    api().wgpuDevicePoll(device(), 1U, nullptr);
    mark_lost("it was destroyed");
    api().wgpuDeviceDestroy(device());
  }
  run_ready();
}

void Core::keep_error(const Error& error) {
  const std::lock_guard lock(error_mutex_);
  if (error_ && told_until_ == kNobody) return;
  error_ = error;
  told_until_ = kNobody;
}

std::exception_ptr Core::peek_error() {
  const auto own = std::ranges::find(running.rbegin(), running.rend(), this, [](const auto& r) { return r.first; });
  std::uint64_t newest = 0;
  {
    const std::lock_guard lock(callback_mutex_);
    newest = last_number_;
  }
  const std::lock_guard lock(error_mutex_);
  if (!error_) return nullptr;
  if (own != running.rend()) {
    if (own->second > told_until_) return nullptr;
    told_until_ = std::min(told_until_, newest);
  }
  return std::make_exception_ptr(*error_);
}

std::uint64_t Core::expect(int arrivals, Done run) {
  const std::lock_guard lock(callback_mutex_);
  const std::uint64_t number = ++last_number_;
  Callback& callback = callbacks_.emplace(number, Callback{arrivals, std::move(run), nullptr}).first->second;
  if (lost()) {  // nothing will arrive any more
    callback.arrivals = arrivals = 0;
    callback.failure = std::make_exception_ptr(lost_error());
  }
  if (arrivals > 0) {
    ++pending_;
  } else {
    ready_.push_back(number);
  }
  if (os::kHasThreads && !poller_.joinable() && !stop_) start_poller();
  if (arrivals == 0 || waiters_ == 0) wake_poller_.notify_all();
  return number;
}

void Core::arrive(std::uint64_t number, std::exception_ptr failure) {
  const std::lock_guard lock(callback_mutex_);
  const auto it = callbacks_.find(number);
  // After a device loss all callbacks have been called already.
  if (it == callbacks_.end() || it->second.arrivals == 0) return;
  Callback& callback = it->second;
  if (failure != nullptr && callback.failure == nullptr) callback.failure = std::move(failure);
  if (--callback.arrivals > 0) return;
  --pending_;
  ready_.push_back(number);
  wake_poller_.notify_all();
}

WGPUBufferMapCallbackInfo Core::arrive_when_mapped(std::uint64_t number) {
  WGPUBufferMapCallbackInfo info = WGPU_BUFFER_MAP_CALLBACK_INFO_INIT;
  info.mode = WGPUCallbackMode_AllowSpontaneous;
  info.callback = [](WGPUMapAsyncStatus status, WGPUStringView message, void* core, void* which) {
    std::exception_ptr failure;
    if (status != WGPUMapAsyncStatus_Success) {
      failure = std::make_exception_ptr(translate(WGPUErrorType_Validation, text_of(message), "reading back"));
    }
    static_cast<Core*>(core)->arrive(reinterpret_cast<std::uintptr_t>(which), failure);
  };
  info.userdata1 = this;
  info.userdata2 = as_userdata(number);
  return info;
}

void Core::run_ready() {
  std::unique_lock lock(callback_mutex_);
  while (!ready_.empty()) {
    const std::uint64_t number = ready_.front();
    ready_.pop_front();
    Callback& callback = callbacks_.find(number)->second;
    Done run = std::move(callback.run);
    std::exception_ptr failure = std::move(callback.failure);
    lock.unlock();
    running.emplace_back(this, number);
    call_back(run, std::move(failure));
    run = nullptr;  // its captures may use the device: destroyed before it counts as returned, and outside of the lock
    running.pop_back();
    lock.lock();
    callbacks_.erase(number);
    returned_.notify_all();
  }
}

void Core::poll(bool until_done) {
  const std::shared_lock lock(life_);
  if (!lost()) api().wgpuDevicePoll(device(), until_done ? 1U : 0U, nullptr);
}

void Core::look() {
  poll(false);
  run_ready();
}

std::uint64_t Core::expect_end(Done run) {
  const std::uint64_t number = expect(1, std::move(run));
  WGPUQueueWorkDoneCallbackInfo info = WGPU_QUEUE_WORK_DONE_CALLBACK_INFO_INIT;
  info.mode = WGPUCallbackMode_AllowSpontaneous;
  info.callback = [](WGPUQueueWorkDoneStatus status, WGPUStringView message, void* core, void* which) {
    std::exception_ptr failure;
    if (status != WGPUQueueWorkDoneStatus_Success) {
      failure = std::make_exception_ptr(
          Error(ErrorKind::kDevice, fmt::format("The queue did not finish: {}.", text_of(message))));
    }
    static_cast<Core*>(core)->arrive(reinterpret_cast<std::uintptr_t>(which), failure);
  };
  info.userdata1 = this;
  info.userdata2 = as_userdata(number);
  api().wgpuQueueOnSubmittedWorkDone(queue(), info);
  return number;
}

// Polls repeatedly instead of waiting inside the API, which would keep other threads from submitting.
void Core::wait() {
  if (!provider_.traits().can_wait) {
    fail(ErrorKind::kUnsupported,
         "A page's thread cannot wait for the device {}: read with a callback, or co_await an Async.", name_);
  }
  std::uint64_t oldest = 0;
  for (const auto& [core, number] : running) {
    if (core == this) oldest = number;
  }
  std::unique_lock lock(callback_mutex_);
  ++waiters_;
  std::uint64_t newest = last_number_;
  lock.unlock();
  {
    const std::shared_lock life(life_);
    if (!lost()) {
      if (const std::uint32_t places = in_flight_.take_unmarked(); places > 0) mark(places);
      newest = expect_end([](const std::exception_ptr&) {});
    }
  }
  const auto start = std::chrono::steady_clock::now();
  for (;;) {
    look();
    lock.lock();
    const auto first = callbacks_.upper_bound(oldest);
    if (first == callbacks_.end() || first->first > newest) break;
    // The rest runs on another thread; a younger one that is still pending is not waited for.
    const bool all_arrived = std::all_of(first, callbacks_.upper_bound(newest),
                                         [](const auto& entry) { return entry.second.arrivals == 0; });
    const auto waited = std::chrono::duration_cast<microseconds>(std::chrono::steady_clock::now() - start);
    if (all_arrived && ready_.empty()) {
      // The poller polls meanwhile: that callback may itself be waiting for a younger one.
      --waiters_;
      wake_poller_.notify_all();
      returned_.wait(lock);
      ++waiters_;
    } else if (waited > kSpin) {
      returned_.wait_for(lock, std::clamp(waited / 16, kFirstSleep, kLastSleep));
    }
    lock.unlock();
    std::this_thread::yield();
  }
  --waiters_;
  wake_poller_.notify_all();
  lock.unlock();
  if (lost()) throw lost_error();
  std::optional<Error> error;
  {
    const std::lock_guard error_lock(error_mutex_);
    error.swap(error_);
  }
  if (error) throw *std::move(error);
}

void Core::enter() {
  if (in_flight_.try_enter()) return;
  throttled_.fetch_add(1, std::memory_order_relaxed);
  if (!provider_.traits().can_wait) return in_flight_.enter_anyway();
  for (microseconds sleep = kFirstSleep;; sleep = std::min(sleep * 2, kLastSleep / 4)) {
    poll(false);
    if (lost()) throw lost_error();
    if (in_flight_.try_enter()) return;
    in_flight_.sleep(sleep);
  }
}

void Core::leave(std::uint32_t places) {
  for (const std::uint64_t number : in_flight_.leave(places)) arrive(number, nullptr);
}

void Core::mark(std::uint32_t places) {
  WGPUQueueWorkDoneCallbackInfo info = WGPU_QUEUE_WORK_DONE_CALLBACK_INFO_INIT;
  info.mode = WGPUCallbackMode_AllowSpontaneous;
  info.callback = [](WGPUQueueWorkDoneStatus, WGPUStringView, void* core, void* count) {
    static_cast<Core*>(core)->leave(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(count)));
  };
  info.userdata1 = this;
  info.userdata2 = as_userdata(places);
  api().wgpuQueueOnSubmittedWorkDone(queue(), info);
}

void Core::when_room(Done go) {
  if (lost()) throw lost_error();
  if (in_flight_.has_room()) return go(nullptr);
  // A callback that returns without submitting makes room for the next.
  const std::uint64_t number = expect(1, [this, go = std::move(go)](std::exception_ptr failure) {
    go(std::move(failure));
    leave(0);
  });
  in_flight_.wait_for_room(number);
  leave(0);  // there may be a free slot by now
}

void Core::start_poller() {
  poller_ = std::thread([self = shared_from_this()] { self->poll_loop(); });
}

void Core::poll_loop() {
  std::unique_lock lock(callback_mutex_);
  std::uint64_t seen = 0;
  int looks = 0;
  microseconds sleep = kFirstSleep;
  for (;;) {
    wake_poller_.wait(lock, [&] { return stop_ || !ready_.empty() || (pending_ > 0 && waiters_ == 0); });
    if (!ready_.empty()) {
      lock.unlock();
      run_ready();
      lock.lock();
      looks = 0;
      continue;
    }
    if (stop_) return;
    if (seen != last_number_) {
      seen = last_number_;
      looks = 0;
    }
    // Polls periodically instead of waiting inside the API, which would keep other threads from submitting.
    sleep = looks++ < kFreshLooks ? kFirstSleep : std::min(sleep * 2, kLastSleep);
    wake_poller_.wait_for(lock, sleep, [&] { return stop_ || !ready_.empty() || waiters_ > 0; });
    if (stop_ || !ready_.empty() || waiters_ > 0) continue;
    lock.unlock();
    poll(false);
    lock.lock();
  }
}

void Core::shut_down() {
  poll(true);
  run_ready();
  {
    const std::lock_guard lock(callback_mutex_);
    stop_ = true;
    wake_poller_.notify_all();
  }
  if (!poller_.joinable()) return;
  // The last owner of the device may have been a callback on the poller thread itself.
  if (poller_.get_id() == std::this_thread::get_id()) {
    poller_.detach();
  } else {
    poller_.join();
  }
}

void Core::bury(std::uint64_t buffer_id) {
  const std::lock_guard lock(dead_mutex_);
  dead_.push_back(buffer_id);
}

std::vector<std::uint64_t> Core::take_dead() {
  const std::lock_guard lock(dead_mutex_);
  return std::exchange(dead_, {});
}

}  // namespace tessera::runtime::webgpu
