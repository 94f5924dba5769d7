// Futures: completion, waiting and cancellation, and the asynchronous forms of the API.
#include "tessera/async.h"

#include <algorithm>
#include <atomic>

#include "api/storage_of.h"
#include "base/call_back.h"
#include "base/fail.h"
#include "graph/node.h"
#include "runtime/device.h"

namespace tessera {

namespace detail {

namespace {

using std::chrono::microseconds;
constexpr microseconds kFirstSleep{20};
constexpr microseconds kLastSleep{1000};

std::exception_ptr cancelled_error() {
  return std::make_exception_ptr(
      Error(ErrorKind::kCancelled, "The operation was cancelled before its result was there."));
}

}  // namespace

void fail_empty_async() { fail(ErrorKind::kValue, "An empty Async was used; it stands for no result."); }
void fail_taken_async() {
  fail(ErrorKind::kValue, "The result of an Async was asked for twice; get, then, future or co_await takes it once.");
}
void fail_cancelled() { std::rethrow_exception(cancelled_error()); }

AsyncState::~AsyncState() = default;

bool AsyncState::done() const {
  const std::lock_guard lock(mutex_);
  return done_;
}

bool AsyncState::cancelled() const {
  const std::lock_guard lock(mutex_);
  return cancelled_;
}

bool AsyncState::cancel() {
  const auto self = shared_from_this();
  std::unique_lock lock(mutex_);
  if (done_) return false;
  cancelled_ = true;
  error_ = cancelled_error();
  if (device_ != nullptr) device_->counters().count_error(error_);
  const auto inner = inner_.lock();
  complete(std::move(lock));
  if (inner != nullptr) inner->cancel();
  return true;
}

void AsyncState::cancel_on(const std::stop_token& stop) {
  if (!stop.stop_possible()) return;
  stop_.emplace(stop, [weak = weak_from_this()] {
    if (const auto state = weak.lock()) state->cancel();
  });
}

bool AsyncState::fail(std::exception_ptr error) {
  std::unique_lock lock(mutex_);
  if (done_) return false;
  error_ = std::move(error);
  complete(std::move(lock));
  return true;
}

void AsyncState::complete(std::unique_lock<std::mutex> lock) {
  done_ = true;
  const std::function<void()> run = std::exchange(continuation_, nullptr);
  finished_.notify_all();
  lock.unlock();
  if (run != nullptr) call_back(run);
}

void continue_now(const std::function<void()>& run) { call_back(run); }

bool AsyncState::on_done(std::function<void()> run) {
  const std::lock_guard lock(mutex_);
  if (done_) return false;
  continuation_ = std::move(run);
  return true;
}

bool AsyncState::await(const std::shared_ptr<AsyncState>& inner) {
  const std::lock_guard lock(mutex_);
  inner_ = inner;
  return !cancelled_;
}

void AsyncState::rethrow() const {
  if (error_ != nullptr) std::rethrow_exception(error_);
}

/// The device whose callbacks make progress: its own, or that of the awaited operation.
std::shared_ptr<runtime::Device> AsyncState::driven() const {
  if (device_ != nullptr) return device_;
  std::shared_ptr<AsyncState> inner;
  {
    const std::lock_guard lock(mutex_);
    inner = inner_.lock();
  }
  return inner != nullptr ? inner->driven() : nullptr;
}

void AsyncState::wait() {
  const auto start = std::chrono::steady_clock::now();
  while (!done()) {
    const auto device = driven();
    if (device != nullptr) device->poll();
    std::unique_lock lock(mutex_);
    const auto finished = [this] { return done_; };
    if (device != nullptr) {
      // Polls between short sleeps: a wait inside the device could not be canceled.
      const auto waited = std::chrono::duration_cast<microseconds>(std::chrono::steady_clock::now() - start);
      finished_.wait_for(lock, std::clamp(waited / 8, kFirstSleep, kLastSleep), finished);
    } else {
      finished_.wait(lock, finished);
    }
  }
}

void start(const std::shared_ptr<AsyncState>& state, const std::stop_token& stop, std::function<void()> work) {
  state->cancel_on(stop);
  if (state->done()) return;
  try {
    state->device()->when_room([state, work = std::move(work)](const std::exception_ptr& failure) {
      if (failure != nullptr) state->fail(failure);
      if (state->done()) return;
      try {
        work();
      } catch (...) {
        state->fail(std::current_exception());
      }
    });
  } catch (...) {
    state->fail(std::current_exception());
  }
}

void check_read(const Tensor& tensor, DType expected) {
  if (tensor.dtype() == expected) return;
  if (is_block(tensor.dtype())) {
    tessera::fail(
        ErrorKind::kDType,
        "read: elements of dtype {} were asked for, and the tensor has the block dtype {}; dequantize it first, "
        "by astype({}), or read its bytes by to_blocks(x).",
        name(expected), name(tensor.dtype()), name(expected));
  }
  tessera::fail(ErrorKind::kDType, "read: elements of type {} were asked for, and the tensor has type {}.",
                name(expected), name(tensor.dtype()));
}

}  // namespace detail

namespace {

/// The devices of the tensors, each once.
std::vector<std::shared_ptr<runtime::Device>> devices_of(std::span<const Tensor> tensors) {
  std::vector<std::shared_ptr<runtime::Device>> devices;
  for (const Tensor& t : tensors) {
    auto device = t.device().impl();
    if (std::ranges::find(devices, device) == devices.end()) devices.push_back(std::move(device));
  }
  return devices;
}

}  // namespace

namespace {

/// A handle on the reads that `read(tensors, completion)` starts when their device has room.
template <class T, class F>
Async<T> start_reading(std::span<const Tensor> tensors, const std::stop_token& stop, F read) {
  const auto devices = devices_of(tensors);
  if (devices.size() > 1) fail(ErrorKind::kDevice, "read_all: the tensors are on {} devices.", devices.size());
  auto state = std::make_shared<detail::AsyncValue<T>>(devices.empty() ? nullptr : devices[0]);
  const detail::Completion<T> completion(state);
  if (devices.empty()) {
    completion.finish({});
  } else {
    detail::start(state, stop, [all = std::vector(tensors.begin(), tensors.end()), completion, read = std::move(read)] {
      read(all, completion);
    });
  }
  return Async<T>(std::move(state));
}

}  // namespace

Async<std::vector<std::vector<std::byte>>> read_all(std::span<const Tensor> tensors, const std::stop_token& stop) {
  using Bytes = std::vector<std::vector<std::byte>>;
  return start_reading<Bytes>(tensors, stop, [](std::span<const Tensor> all, const auto& completion) {
    read_all(all, [completion](Bytes bytes, std::exception_ptr error) {
      completion.finish(std::move(bytes), std::move(error));
    });
  });
}

Async<> read_pieces(std::span<const Tensor> tensors,
                    std::function<void(std::size_t i, std::size_t at, const RawBytes& piece)> take) {
  return start_reading<void>(
      tensors, std::stop_token(), [take = std::move(take)](std::span<const Tensor> all, const auto& completion) {
        read_each(
            all,
            [&](std::size_t i, runtime::Read& read) {
              read.take = [take, i](std::size_t at, const RawBytes& piece) { take(i, at, piece); };
            },
            [completion](std::exception_ptr error) { completion.finish({}, std::move(error)); });
      });
}

Async<std::vector<std::vector<std::byte>>> read_all(std::span<const Tensor> tensors) {
  return read_all(tensors, std::stop_token());
}

Async<> eval_async(std::span<const Tensor> tensors, const std::stop_token& stop) {
  const auto devices = devices_of(tensors);
  auto state = std::make_shared<detail::AsyncValue<void>>(devices.empty() ? nullptr : devices[0]);
  const detail::Completion<void> completion(state);
  if (devices.empty()) {
    completion.finish({});
    return Async<>(std::move(state));
  }
  detail::start(state, stop, [all = std::vector(tensors.begin(), tensors.end()), devices, completion] {
    eval(all);
    const auto left = std::make_shared<std::atomic<std::size_t>>(devices.size());
    for (const auto& device : devices) {
      device->on_done([device, left, completion](const std::exception_ptr& error) {
        device->counters().count_error(error);
        if (--*left == 0 || error != nullptr) completion.finish({}, error);
      });
    }
  });
  return Async<>(std::move(state));
}

void poll(const Device& device) {
  if (device.impl() != nullptr) device.impl()->poll();
}

Async<Device> create_device(const DeviceConfig& config, const std::stop_token& stop) {
  auto state = std::make_shared<detail::AsyncValue<Device>>(nullptr);
  state->cancel_on(stop);
  const detail::Completion<Device> completion(state);
  if (!state->done()) {
    Device::create_async(config, [completion](Device device, std::exception_ptr error) {
      completion.finish(std::move(device), std::move(error));
    });
  }
  return Async<Device>(std::move(state));
}

Async<Device> create_device(const DeviceConfig& config) { return create_device(config, std::stop_token()); }

}  // namespace tessera
