// Counters of all devices in one call, for monitoring.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tessera/export.h"
#include "tessera/profile.h"

namespace TESSERA_API tessera {

struct DeviceMetrics {
  std::uint64_t serial = 0;  // unique within the process
  DeviceInfo info;
  Statistics statistics;
};

/// A snapshot of the counters.
struct Metrics {
  std::vector<DeviceMetrics> devices;  // live devices, oldest first

  /// {"devices": [{"device": "cpu", "serial": 1, "name": .., "backend": .., "submissions": 3, .., "errors": {..}}]}
  [[nodiscard]] std::string json() const;
  /// The Prometheus text format: tessera_submissions_total{device="cpu",serial="1"} 3
  [[nodiscard]] std::string prometheus() const;
};

Metrics metrics();

}  // namespace tessera
