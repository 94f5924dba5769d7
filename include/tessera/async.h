// Asynchronous results: one handle for callbacks, futures, co_await and blocking reads.
#pragma once

#include <chrono>
#include <condition_variable>
#include <coroutine>
#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>
#include <variant>

#include "tessera/export.h"
#include "tessera/raw_bytes.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

template <class T = void>
class Async;

namespace detail {

/// The state shared by a handle and the producer of its result. Thread-safe.
class AsyncState : public std::enable_shared_from_this<AsyncState> {
 public:
  /// `device` is polled by get(); null: the result arrives without polling.
  explicit AsyncState(std::shared_ptr<runtime::Device> device) : device_(std::move(device)) {}
  virtual ~AsyncState();
  AsyncState(const AsyncState&) = delete;
  AsyncState& operator=(const AsyncState&) = delete;

  [[nodiscard]] bool done() const;
  [[nodiscard]] bool cancelled() const;
  /// Completes with Error of kind cancelled, and cancels what a coroutine awaits; false if it was already complete.
  bool cancel();
  void cancel_on(const std::stop_token& stop);
  bool fail(std::exception_ptr error);
  /// Calls back on completion; returns false, without a call, if it is already complete.
  bool on_done(std::function<void()> run);
  void wait();
  /// The coroutine that owns this state awaits `inner`; false if the coroutine was cancelled.
  bool await(const std::shared_ptr<AsyncState>& inner);
  /// After done().
  void rethrow() const;
  [[nodiscard]] const std::shared_ptr<runtime::Device>& device() const { return device_; }

 protected:
  /// Marks it complete and runs the continuation.
  void complete(std::unique_lock<std::mutex> lock);
  mutable std::mutex mutex_;
  bool done_ = false;

 private:
  [[nodiscard]] std::shared_ptr<runtime::Device> driven() const;

  std::shared_ptr<runtime::Device> device_;
  std::condition_variable finished_;
  bool cancelled_ = false;
  std::exception_ptr error_;
  std::function<void()> continuation_;
  std::weak_ptr<AsyncState> inner_;
  std::optional<std::stop_callback<std::function<void()>>> stop_;
};

/// Runs a continuation whose result is available; exceptions are logged.
void continue_now(const std::function<void()>& run);
[[noreturn]] void fail_empty_async();
[[noreturn]] void fail_taken_async();
[[noreturn]] void fail_cancelled();

template <class T>
class AsyncValue final : public AsyncState {
 public:
  using Value = std::conditional_t<std::is_void_v<T>, std::monostate, T>;
  using AsyncState::AsyncState;
  bool finish(Value value) {
    std::unique_lock lock(mutex_);
    if (done_) return false;
    value_.emplace(std::move(value));
    complete(std::move(lock));
    return true;
  }
  /// After done(), once.
  T take() {
    rethrow();
    if constexpr (!std::is_void_v<T>) return std::move(*value_);
  }

 private:
  std::optional<Value> value_;
};

/// The producer's end of an Async: completes it once. If all copies are destroyed unused, it completes with an Error.
template <class T>
class Completion {
 public:
  using Value = typename AsyncValue<T>::Value;
  explicit Completion(std::shared_ptr<AsyncValue<T>> state) : guard_(std::make_shared<Guard>(std::move(state))) {}
  void finish(Value value, std::exception_ptr error = nullptr) const {
    if (error != nullptr) {
      guard_->state->fail(std::move(error));
    } else {
      guard_->state->finish(std::move(value));
    }
  }

 private:
  struct Guard {
    explicit Guard(std::shared_ptr<AsyncValue<T>> s) : state(std::move(s)) {}
    ~Guard() {
      if (!state->done()) {
        state->fail(std::make_exception_ptr(
            Error(ErrorKind::kDevice, "An asynchronous operation was given up before it had finished.")));
      }
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    std::shared_ptr<AsyncValue<T>> state;
  };
  std::shared_ptr<Guard> guard_;
};

/// Runs `work` as soon as the state's device has room, unless it is cancelled before; an exception becomes the result.
void start(const std::shared_ptr<AsyncState>& state, const std::stop_token& stop, std::function<void()> work);
void check_read(const Tensor& tensor, DType expected);

template <class T>
struct Awaiter {
  std::shared_ptr<AsyncValue<T>> state;
  std::shared_ptr<AsyncState> outer;  // of the awaiting coroutine, if it returns an Async

  bool await_ready() {
    if (outer != nullptr && !outer->await(state)) state->cancel();
    return state->done();
  }
  bool await_suspend(std::coroutine_handle<> waiting) {
    const auto own = state;  // the coroutine, and *this, may be destroyed before on_done returns
    return own->on_done([waiting] { waiting.resume(); });
  }
  T await_resume() {
    if (outer != nullptr && outer->cancelled()) fail_cancelled();
    return state->take();
  }
};

template <class T>
struct PromiseResult {
  std::optional<T> value;
  template <std::convertible_to<T> U>
  void return_value(U&& result) {
    value.emplace(std::forward<U>(result));
  }
};
template <>
struct PromiseResult<void> {
  std::optional<std::monostate> value;
  void return_void() { value.emplace(); }
};

}  // namespace detail

/// A handle to a pending result, and the return type of coroutines that await others. The operation has already
/// started; destroying the handle does not cancel it. The result is taken once, by one of get, then, future and
/// co_await; errors are thrown there.
///
/// Continuations (callbacks and coroutines) run on the thread that completes the work: a thread of the device, a thread
/// that waits for the device, a thread that calls cancel(), or immediately if the result is available. They may use
/// tensors and wait. Exceptions of any type that a callback throws are logged and not propagated; an exception of a
/// coroutine becomes its result.
template <class T>
class [[nodiscard]] Async {
 public:
  struct promise_type;  // NOLINT(readability-identifier-naming): required by the language

  Async() = default;  // none
  explicit Async(std::shared_ptr<detail::AsyncValue<T>> state) : state_(std::move(state)) {}
  Async(Async&& other) noexcept : state_(std::move(other.state_)), taken_(std::exchange(other.taken_, false)) {}
  Async& operator=(Async&& other) noexcept {
    state_ = std::move(other.state_);
    taken_ = std::exchange(other.taken_, false);
    return *this;
  }
  Async(const Async&) = delete;
  Async& operator=(const Async&) = delete;
  ~Async() = default;

  [[nodiscard]] bool valid() const { return state_ != nullptr; }
  /// Whether the result is available: get() does not wait.
  [[nodiscard]] bool ready() const { return check().done(); }
  /// Waits for the result and runs callbacks of the device meanwhile. Native only: a browser's main thread cannot wait.
  T get() {
    claim();
    state_->wait();
    return state_->take();
  }
  /// Calls f(Async<T>) with a ready handle: get() on it returns or throws immediately.
  template <class F>
  void then(F f) {
    claim();
    auto call = std::make_shared<F>(std::move(f));
    auto run = [state = state_, call] { (*call)(Async(state)); };
    if (!state_->on_done(run)) detail::continue_now(run);
  }
  [[nodiscard]] std::future<T> future() {
    auto promise = std::make_shared<std::promise<T>>();
    auto result = promise->get_future();
    then([promise](Async finished) {
      try {
        if constexpr (std::is_void_v<T>) {
          finished.get();
          promise->set_value();
        } else {
          promise->set_value(finished.get());
        }
      } catch (...) {
        promise->set_exception(std::current_exception());
      }
    });
    return result;
  }
  /// All waiters get an Error of kind cancelled immediately. Work that is not submitted yet does not run; submitted
  /// work finishes on the device, and its result is dropped. A coroutine gets the Error from its current or next
  /// co_await. Returns false if it was too late.
  bool cancel() { return check().cancel(); }
  /// Calls cancel() when a stop is requested.
  Async& cancel_on(const std::stop_token& stop) {
    check().cancel_on(stop);
    return *this;
  }

  detail::Awaiter<T> operator co_await() { return awaiter(nullptr); }

 private:
  template <class U>
  friend struct detail::PromiseResult;
  detail::AsyncState& check() const {
    if (state_ == nullptr) detail::fail_empty_async();
    return *state_;
  }
  void claim() {
    check();
    if (std::exchange(taken_, true)) detail::fail_taken_async();
  }
  detail::Awaiter<T> awaiter(std::shared_ptr<detail::AsyncState> outer) {
    claim();
    return {state_, std::move(outer)};
  }
  template <class U>
  friend class Async;

  std::shared_ptr<detail::AsyncValue<T>> state_;
  bool taken_ = false;
};

template <class T>
struct Async<T>::promise_type : detail::PromiseResult<T> {
  // The frame is destroyed before the result is published, so that nothing of a coroutine outlives its result.
  struct Final {
    bool await_ready() noexcept { return false; }
    void await_suspend(std::coroutine_handle<promise_type> self) noexcept {
      auto told = std::move(self.promise().state);
      auto result = std::move(self.promise().value);
      auto failure = std::move(self.promise().error);
      self.destroy();
      if (failure != nullptr) {
        told->fail(std::move(failure));
      } else {
        told->finish(std::move(*result));
      }
    }
    void await_resume() noexcept {}
  };

  std::shared_ptr<detail::AsyncValue<T>> state = std::make_shared<detail::AsyncValue<T>>(nullptr);
  std::exception_ptr error;

  Async get_return_object() { return Async(state); }
  std::suspend_never initial_suspend() noexcept { return {}; }
  Final final_suspend() noexcept { return {}; }
  void unhandled_exception() { error = std::current_exception(); }
  template <class U>
  detail::Awaiter<U> await_transform(Async<U>&& awaited) {
    return awaited.awaiter(state);
  }
  template <class U>
  detail::Awaiter<U> await_transform(Async<U>& awaited) {
    return awaited.awaiter(state);
  }
  template <class A>
  A&& await_transform(A&& awaited) {
    return std::forward<A>(awaited);
  }
};

/// The elements in row-major order, evaluated first if needed. Error of kind dtype, at the call, if V is not the
/// tensor's dtype.
template <class V>
Async<std::vector<V>> read(const Tensor& tensor, const std::stop_token& stop) {
  detail::check_read(tensor, dtype_of<V>);
  auto state = std::make_shared<detail::AsyncValue<std::vector<V>>>(tensor.device().impl());
  const detail::Completion<std::vector<V>> completion(state);
  detail::start(state, stop, [tensor, completion] {
    tensor.read<V>([completion](std::vector<V> values, std::exception_ptr error) {
      completion.finish(std::move(values), std::move(error));
    });
  });
  return Async<std::vector<V>>(std::move(state));
}
template <class V>
Async<std::vector<V>> read(const Tensor& tensor) {
  return read<V>(tensor, std::stop_token());
}

/// The bytes of each tensor, in order, with one wait for all. All tensors must be on one device.
Async<std::vector<std::vector<std::byte>>> read_all(std::span<const Tensor> tensors, const std::stop_token& stop);
Async<std::vector<std::vector<std::byte>>> read_all(std::span<const Tensor> tensors);
/// The same without an intermediate copy: take(i, at, piece) is called with consecutive pieces of tensor i and their
/// byte offset `at`. A piece is valid during the call only. An exception of `take` becomes the result's error.
Async<> read_pieces(std::span<const Tensor> tensors,
                    std::function<void(std::size_t i, std::size_t at, const RawBytes& piece)> take);

/// to_blocks(q) without waiting: the bytes of a tensor of a block dtype, as a file has them.
Async<std::vector<std::byte>> read_blocks(const Tensor& q);

/// Evaluates all of them in one submission per device; ready when the devices have finished. Device errors are reported
/// here.
Async<> eval_async(std::span<const Tensor> tensors, const std::stop_token& stop);
template <class... Ts>
  requires(std::same_as<Ts, Tensor> && ...)
Async<> eval_async(const Tensor& first, const Ts&... rest) {
  const std::vector<Tensor> tensors{first, rest...};
  return eval_async(tensors, std::stop_token());
}

/// Runs the ready callbacks of the device on this thread; never waits and never throws. For programs with their own
/// event loop; in a web page, which has no other threads, callbacks run only here.
void poll(const Device& device);

/// Calls Device::create on another thread.
Async<Device> create_device(const DeviceConfig& config, const std::stop_token& stop);
Async<Device> create_device(const DeviceConfig& config = {});

}  // namespace tessera
