// How many submissions have not finished, and the bound on them.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace tessera::runtime::webgpu {

/// A submission takes a place before it is made and has it back when it finished. That is learnt in batches: now and
/// then the queue is asked to call back, so that a submission costs one atomic operation. Safe from any thread.
class InFlight {
 public:
  /// 0: no bound.
  void set_limit(std::uint32_t limit);

  /// Takes a place; false when none is free.
  bool try_enter();
  /// Takes a place past the bound.
  void enter_anyway();
  [[nodiscard]] bool has_room() const;
  /// Places given back; returns the waiting callbacks that may go on.
  [[nodiscard]] std::vector<std::uint64_t> leave(std::uint32_t places);
  /// A callback's number to be returned by leave() when there is room.
  void wait_for_room(std::uint64_t number);
  /// Sleeps until places were given back, at most so long.
  void sleep(std::chrono::microseconds most);

  /// After a submission: how many places its end will free when the queue is asked to call back now; 0: not yet.
  [[nodiscard]] std::uint32_t submitted();
  /// The places of all submissions that no call back was asked for.
  [[nodiscard]] std::uint32_t take_unmarked();

  /// At most this many have not finished.
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
