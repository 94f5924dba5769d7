// The slots of submissions in flight.
#include "runtime/webgpu/in_flight.h"

#include <algorithm>

namespace tessera::runtime::webgpu {

void InFlight::set_limit(std::uint32_t limit) {
  limit_ = limit;
  // Half of the bound: when it is reached, a callback for the older half is pending while the other half keeps running.
  step_ = limit == 0 ? kStep : std::clamp(limit / 2, 1U, kStep);
}

bool InFlight::try_enter() {
  if (limit_ == 0) {
    count_.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  std::int64_t now = count_.load(std::memory_order_relaxed);
  while (now < limit_) {
    if (count_.compare_exchange_weak(now, now + 1, std::memory_order_relaxed)) return true;
  }
  return false;
}

void InFlight::enter_anyway() { count_.fetch_add(1, std::memory_order_relaxed); }

bool InFlight::has_room() const { return limit_ == 0 || count_.load(std::memory_order_relaxed) < limit_; }

std::vector<std::uint64_t> InFlight::leave(std::uint32_t places) {
  count_.fetch_sub(places, std::memory_order_relaxed);
  std::vector<std::uint64_t> out;
  const std::lock_guard lock(mutex_);
  const std::int64_t room = limit_ == 0 ? INT64_MAX : limit_ - count_.load(std::memory_order_relaxed);
  while (!waiting_.empty() && static_cast<std::int64_t>(out.size()) < room) {
    out.push_back(waiting_.front());
    waiting_.pop_front();
  }
  left_.notify_all();
  return out;
}

void InFlight::wait_for_room(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(number);
}

void InFlight::sleep(std::chrono::microseconds most) {
  std::unique_lock lock(mutex_);
  left_.wait_for(lock, most, [this] { return has_room(); });
}

std::uint32_t InFlight::submitted() { return unmarked_.fetch_add(1) + 1 >= step_ ? take_unmarked() : 0; }

std::uint32_t InFlight::take_unmarked() { return unmarked_.exchange(0); }

std::uint64_t InFlight::count() const {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(count_.load(std::memory_order_relaxed), 0));
}

}  // namespace tessera::runtime::webgpu
