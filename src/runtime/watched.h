// Devices that a profiler watches, each with what was recorded for it since it was last taken.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <utility>

namespace tessera::runtime {

class Device;

/// A registry of watched devices. Safe from any thread, and cheap while nothing is watched.
template <class Record>
class Watched {
 public:
  /// The registry for this kind of record; it is never destroyed.
  static Watched& all() {
    static auto& registry = *new Watched;
    return registry;
  }

  void watch(const Device& device, bool on) {
    const std::lock_guard lock(mutex_);
    Entry& entry = devices_[&device];
    entry.watchers += on ? 1 : -1;
    count_ += on ? 1 : -1;
    if (entry.watchers == 0) devices_.erase(&device);
  }

  [[nodiscard]] bool watches(const Device& device) {
    if (count_.load(std::memory_order_relaxed) == 0) return false;
    const std::lock_guard lock(mutex_);
    return devices_.contains(&device);
  }

  /// Calls `update(record)` if the device is watched.
  template <class F>
  void record(const Device& device, F update) {
    if (count_.load(std::memory_order_relaxed) == 0) return;
    const std::lock_guard lock(mutex_);
    if (const auto it = devices_.find(&device); it != devices_.end()) update(it->second.record);
  }

  /// The record since the last call.
  Record take(const Device& device) {
    const std::lock_guard lock(mutex_);
    const auto it = devices_.find(&device);
    return it == devices_.end() ? Record{} : std::exchange(it->second.record, {});
  }

 private:
  struct Entry {
    int watchers = 0;
    Record record{};
  };
  std::mutex mutex_;
  std::map<const Device*, Entry> devices_;
  std::atomic<int> count_ = 0;
};

}  // namespace tessera::runtime
