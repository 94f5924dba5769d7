// Every counter of every device in one call, for people and for monitoring.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tessera/export.h"
#include "tessera/profile.h"

namespace TESSERA_API tessera {

struct DeviceMetrics {
  std::uint64_t serial = 0;  // no two devices of a process share one
  DeviceInfo info;
  Statistics statistics;
};

/// What was counted until one moment.
struct Metrics {
  std::vector<DeviceMetrics> devices;  // that are alive, the oldest first

  /// {"devices": [{"device": "cpu", "serial": 1, "name": .., "backend": .., "submissions": 3, .., "errors": {..}}]}
  [[nodiscard]] std::string json() const;
  /// The text format that Prometheus reads: tessera_submissions_total{device="cpu",serial="1"} 3
  [[nodiscard]] std::string prometheus() const;
};

Metrics metrics();

}  // namespace tessera
