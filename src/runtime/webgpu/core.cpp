// The shared part of a device: how it is lost, and how callbacks travel from the API to their owners.
#include "runtime/webgpu/core.h"

#include <algorithm>
#include <chrono>

#include "base/fail.h"
#include "base/log.h"
#include "runtime/webgpu/adapter.h"

namespace tessera::runtime::webgpu {

namespace {

using std::chrono::microseconds;

// How long the poller sleeps between two looks: short while something is fresh, longer the longer it takes.
constexpr microseconds kFirstSleep{20};
constexpr microseconds kLastSleep{1000};
constexpr int kFreshLooks = 16;

// The callbacks that this thread is running, innermost last.
thread_local std::vector<std::pair<const Core*, std::uint64_t>> running;

}  // namespace

bool Core::request(WGPUAdapter adapter, const WGPUDeviceDescriptor& wanted, std::string& why) {
  WGPUDeviceDescriptor descriptor = wanted;
  descriptor.label = view(name_);
  // Both callbacks come from inside API calls that hold the provider's locks: they only take notes.
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
      static_cast<Core*>(core)->keep_error(translate(type, text_of(message), "running earlier work"));
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
  api().wgpuAdapterRequestDevice(adapter, &descriptor, info);  // answers before it returns
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

void Core::mark_lost(std::string_view reason) {
  {
    const std::lock_guard lock(error_mutex_);
    if (lost()) return;
    lost_reason_ = reason.empty() ? "no reason given" : one_line(reason);
    lost_.store(true, std::memory_order_release);
  }
  forget_adapters();
  const std::exception_ptr failure = std::make_exception_ptr(lost_error());
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
  if (!error_) error_ = error;
}

std::exception_ptr Core::peek_error() const {
  const std::lock_guard lock(error_mutex_);
  return error_ ? std::make_exception_ptr(*error_) : nullptr;
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
  if (!poller_.joinable() && !stop_) start_poller();
  wake_poller_.notify_all();
  return number;
}

void Core::arrive(std::uint64_t number, std::exception_ptr failure) {
  const std::lock_guard lock(callback_mutex_);
  const auto it = callbacks_.find(number);
  // After a loss everything was answered already.
  if (it == callbacks_.end() || it->second.arrivals == 0) return;
  Callback& callback = it->second;
  if (failure != nullptr && callback.failure == nullptr) callback.failure = std::move(failure);
  if (--callback.arrivals > 0) return;
  --pending_;
  ready_.push_back(number);
  wake_poller_.notify_all();
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
    try {
      run(std::move(failure));
    } catch (const std::exception& e) {
      log_error("A callback of the device {} threw: {}", name_, e.what());
    }
    run = nullptr;  // what it owns may use the device: let go before it counts as returned, and outside of the lock
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

void Core::wait() {
  std::uint64_t oldest = 0;
  for (const auto& [core, number] : running) {
    if (core == this) oldest = number;
  }
  std::unique_lock lock(callback_mutex_);
  const std::uint64_t newest = last_number_;
  ++waiters_;
  for (;;) {
    lock.unlock();
    poll(true);
    run_ready();
    lock.lock();
    const auto first = callbacks_.upper_bound(oldest);
    if (first == callbacks_.end() || first->first > newest) break;
    // What is left runs on another thread; a younger one that is still pending is not waited for.
    const bool all_arrived = std::all_of(first, callbacks_.upper_bound(newest),
                                         [](const auto& entry) { return entry.second.arrivals == 0; });
    if (all_arrived && ready_.empty()) {
      // Meanwhile the poller polls: that callback may itself be waiting for a younger one.
      --waiters_;
      wake_poller_.notify_all();
      returned_.wait(lock);
      ++waiters_;
    }
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
    // Looks now and then instead of waiting inside the API, which would keep other threads from submitting.
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
