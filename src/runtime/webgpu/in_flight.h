// The number of submissions in flight, and its bound.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace tessera::runtime::webgpu {

/// A submission takes a slot and returns it when it has finished. Completion is learned in batches: only some
/// submissions request a callback of the queue, so that a submission costs one atomic operation. Safe from any thread.
class InFlight {
 public:
  /// 0: no bound.
  void set_limit(std::uint32_t limit);

  /// Takes a slot; false if none is free.
  bool try_enter();
  /// Takes a slot past the bound.
  void enter_anyway();
  [[nodiscard]] bool has_room() const;
  /// Returns slots; the result is the waiting callbacks that may run.
  [[nodiscard]] std::vector<std::uint64_t> leave(std::uint32_t places);
  /// A callback's number, to be returned by leave() when there is room.
  void wait_for_room(std::uint64_t number);
  /// Sleeps until slots were returned, or until the timeout.
  void sleep(std::chrono::microseconds most);

  /// After a submission: how many slots its completion frees if the queue's callback is requested now; 0: not yet.
  [[nodiscard]] std::uint32_t submitted();
  /// The slots of all submissions without a requested callback.
  [[nodiscard]] std::uint32_t take_unmarked();

  /// The most submissions in flight.
  [[nodiscard]] std::uint64_t count() const;

 private:
  std::int64_t limit_ = 0;
  std::uint32_t step_ = kStep;
  std::atomic<std::int64_t> count_ = 0;
  std::atomic<std::uint32_t> unmarked_ = 0;

  static constexpr std::uint32_t kStep = 128;
  std::mutex mutex_;
  std::condition_variable left_;
  std::deque<std::uint64_t> waiting_;
};

}  // namespace tessera::runtime::webgpu
