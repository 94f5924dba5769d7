// The watched devices and what was measured for each.
#include "runtime/planning.h"

#include <atomic>
#include <map>
#include <mutex>
#include <utility>

namespace tessera::runtime {

namespace {

struct Watched {
  struct Entry {
    int watchers = 0;
    PassTimes times;
  };
  std::mutex mutex;
  std::map<const Device*, Entry> devices;
  std::atomic<int> count = 0;
};
Watched& watched() {
  static auto& all = *new Watched;
  return all;
}

const Device* if_watched(const Device& device) {
  Watched& all = watched();
  if (all.count.load(std::memory_order_relaxed) == 0) return nullptr;
  const std::lock_guard lock(all.mutex);
  return all.devices.contains(&device) ? &device : nullptr;
}

}  // namespace

void watch_planning(const Device& device, bool on) {
  Watched& all = watched();
  const std::lock_guard lock(all.mutex);
  Watched::Entry& entry = all.devices[&device];
  entry.watchers += on ? 1 : -1;
  all.count += on ? 1 : -1;
  if (entry.watchers == 0) all.devices.erase(&device);
}

PassTimes take_planning(const Device& device) {
  Watched& all = watched();
  const std::lock_guard lock(all.mutex);
  const auto it = all.devices.find(&device);
  return it == all.devices.end() ? PassTimes{} : std::exchange(it->second.times, {});
}

PlanningMeasurement::PlanningMeasurement(const Device& device)
    : device_(if_watched(device)), measure_(device_ != nullptr ? &times_ : nullptr) {}

PlanningMeasurement::~PlanningMeasurement() {
  if (device_ == nullptr) return;
  Watched& all = watched();
  const std::lock_guard lock(all.mutex);
  if (const auto it = all.devices.find(device_); it != all.devices.end()) it->second.times.add(times_);
}

}  // namespace tessera::runtime
