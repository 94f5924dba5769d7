// How long a device's evaluations took to plan, pass by pass, while somebody watches.
#pragma once

#include "base/pass_timer.h"

namespace tessera::runtime {

class Device;

void watch_planning(const Device& device, bool on);
/// What was measured since the last call.
PassTimes take_planning(const Device& device);

/// Measures the passes of one evaluation. Cheap where nobody watches.
class PlanningMeasurement {
 public:
  explicit PlanningMeasurement(const Device& device);
  ~PlanningMeasurement();
  PlanningMeasurement(const PlanningMeasurement&) = delete;
  PlanningMeasurement& operator=(const PlanningMeasurement&) = delete;

 private:
  const Device* device_;  // null: nobody watches
  PassTimes times_;
  MeasurePasses measure_;
};

}  // namespace tessera::runtime
