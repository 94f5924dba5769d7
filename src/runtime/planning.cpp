// The watched devices and what was measured for each.
#include "runtime/planning.h"

#include "runtime/watched.h"

namespace tessera::runtime {

namespace {

Watched<PassTimes>& watched() { return Watched<PassTimes>::all(); }

}  // namespace

void watch_planning(const Device& device, bool on) { watched().watch(device, on); }

PassTimes take_planning(const Device& device) { return watched().take(device); }

PlanningMeasurement::PlanningMeasurement(const Device& device)
    : device_(watched().watches(device) ? &device : nullptr), measure_(device_ != nullptr ? &times_ : nullptr) {}

PlanningMeasurement::~PlanningMeasurement() {
  if (device_ != nullptr) watched().record(*device_, [&](PassTimes& times) { times.add(times_); });
}

}  // namespace tessera::runtime
