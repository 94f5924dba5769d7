// The state shared by a device, its buffers and its poller thread: the API's device and queue, reported errors, and
// pending callbacks.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

#include "codegen/program.h"
#include "runtime/device.h"
#include "runtime/webgpu/in_flight.h"
#include "runtime/webgpu/provider/handle.h"
#include "tessera/error.h"

namespace tessera::runtime::webgpu {

/// Catches the first error that the provider reports on this thread while it lives, instead of the device. Nests.
class ErrorCatch {
 public:
  ErrorCatch();
  ~ErrorCatch();
  ErrorCatch(const ErrorCatch&) = delete;
  ErrorCatch& operator=(const ErrorCatch&) = delete;
  [[nodiscard]] bool caught() const { return type_ != WGPUErrorType_NoError; }
  [[nodiscard]] WGPUErrorType type() const { return type_; }
  [[nodiscard]] const std::string& message() const { return message_; }
  /// The innermost on this thread, or null.
  static ErrorCatch* innermost();
  void keep(WGPUErrorType type, std::string_view message);

 private:
  ErrorCatch* outer_;
  WGPUErrorType type_ = WGPUErrorType_NoError;
  std::string message_;
};

/// The provider's message of several lines as one.
std::string one_line(std::string_view message);
/// An Error for the provider's report during `what`: out_of_memory, shader or device, by type and content.
Error translate(WGPUErrorType type, std::string_view message, std::string_view what);

/// An Error for a program that the provider rejected: kind shader with the position in the user's text, or limit if its
/// workgroup is too large.
Error shader_error(const Program& program, std::string_view message);

/// A callback's number as userdata of the API.
inline void* as_userdata(std::uint64_t number) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(number));  // NOLINT(performance-no-int-to-ptr)
}

class Core : public std::enable_shared_from_this<Core> {
 public:
  Core(const Provider& provider, std::string name) : provider_(provider), name_(std::move(name)) {}
  ~Core() = default;
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  [[nodiscard]] const Functions& api() const { return provider_.api(); }
  [[nodiscard]] const Provider& provider() const { return provider_; }
  [[nodiscard]] WGPUDevice device() const { return device_.get(); }
  [[nodiscard]] WGPUQueue queue() const { return queue_.get(); }
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Requests a device from the adapter; false and a reason if it is refused.
  bool request(WGPUAdapter adapter, const WGPUDeviceDescriptor& wanted, std::string& why);

  // Device loss. Every use of the API holds `alive()`, so that destroy() never runs concurrently.

  [[nodiscard]] bool lost() const { return lost_.load(std::memory_order_acquire); }
  /// Throws device_lost once the device is lost.
  [[nodiscard]] std::shared_lock<std::shared_mutex> alive();
  [[nodiscard]] Error lost_error() const;
  void destroy();

  // Errors outside of an ErrorCatch: the first one is kept for the next wait.

  void keep_error(const Error& error);
  /// The error kept. Once it is passed to a callback, callbacks registered by then get it too, and later ones do not.
  [[nodiscard]] std::exception_ptr peek_error();

  // Callbacks. Each is registered before the API call, arrives from inside some API call (a poll or a submit, on any
  // thread, with locks held), and is then run outside of all locks by the poller thread or by a wait.

  /// Registers a callback that is ready after `arrivals` calls of arrive(); returns its number.
  std::uint64_t expect(int arrivals, Done run);
  /// One arrival; a failure is passed to the callback.
  void arrive(std::uint64_t number, std::exception_ptr failure);
  /// For wgpuBufferMapAsync: arrives once the buffer is mapped or the mapping failed.
  WGPUBufferMapCallbackInfo arrive_when_mapped(std::uint64_t number);
  /// Registers a callback for when everything submitted so far has finished. The caller holds alive().
  std::uint64_t expect_end(Done run);
  /// Waits for the queue and for every callback registered so far to return (inside a callback: only for younger ones,
  /// so that waiting callbacks cannot deadlock); throws the first error kept.
  void wait();
  /// Runs the API's own callbacks; returns at once or when the queue is empty. The caller must not hold alive().
  void poll(bool until_done);
  /// Polls once, and runs ready callbacks.
  void look();
  // Slots of submissions in flight: taken before a submission, returned by the API's callback when it has finished.

  InFlight& in_flight() { return in_flight_; }
  /// Takes a slot; polls while none is free. Runs no callbacks, so it may be called from one. The caller must not hold
  /// alive().
  void enter();
  void leave(std::uint32_t places);
  /// Returns these slots when everything submitted so far has finished. The caller holds alive().
  void mark(std::uint32_t places);
  /// Calls back when there is a free slot: at once, or as a callback of the device.
  void when_room(Done go);
  [[nodiscard]] std::uint64_t throttled() const { return throttled_.load(std::memory_order_relaxed); }

  /// Finishes pending callbacks and ends the poller thread.
  void shut_down();

  // Buffers whose owners are gone, for the cache of bind groups to drop.

  void bury(std::uint64_t buffer_id);
  [[nodiscard]] std::vector<std::uint64_t> take_dead();

 private:
  struct Callback {
    int arrivals = 0;  // 0: ready or running
    Done run;
    std::exception_ptr failure;
  };
  /// An error outside of an ErrorCatch: kept, or a device loss if the provider reports errors late.
  void hear_late(const Error& error);
  /// Pending callbacks are called with `told`, else with the loss.
  void mark_lost(std::string_view reason, std::exception_ptr told = nullptr);
  void run_ready();
  void start_poller();
  void poll_loop();

  const Provider& provider_;
  std::string name_;
  InFlight in_flight_;  // declared before the device, whose destruction may still call back
  std::atomic<std::uint64_t> throttled_ = 0;
  DeviceHandle device_;
  QueueHandle queue_;

  mutable std::shared_mutex life_;
  std::atomic<bool> lost_ = false;

  mutable std::mutex error_mutex_;
  std::string lost_reason_;
  std::optional<Error> error_;
  static constexpr std::uint64_t kNobody = UINT64_MAX;
  std::uint64_t told_until_ = kNobody;  // the last callback that gets the error

  // Innermost lock: the API's callbacks take it.
  std::mutex callback_mutex_;
  std::condition_variable wake_poller_;
  std::condition_variable returned_;
  std::map<std::uint64_t, Callback> callbacks_;  // until they have returned
  std::deque<std::uint64_t> ready_;
  std::uint64_t last_number_ = 0;
  std::size_t pending_ = 0;  // not arrived
  int waiters_ = 0;          // threads in wait(): they poll, so the poller need not
  bool stop_ = false;
  std::thread poller_;

  std::mutex dead_mutex_;
  std::vector<std::uint64_t> dead_;
};

/// A slot from Core::enter(), returned unless a submission keeps it.
class InFlightSlot {
 public:
  explicit InFlightSlot(Core& core) : core_(&core) {}
  ~InFlightSlot() {
    if (core_ != nullptr) core_->leave(1);
  }
  InFlightSlot(const InFlightSlot&) = delete;
  InFlightSlot& operator=(const InFlightSlot&) = delete;
  void keep() { core_ = nullptr; }

 private:
  Core* core_;
};

}  // namespace tessera::runtime::webgpu
