// Placement: which of a device's small graphs run on the host. Those whose inputs are in host memory, whose results are
// read back at once, and for which the host is predicted to finish before the device's round trip.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "schedule/place.h"
#include "tessera/device_info.h"

namespace tessera::runtime {

class Device;

/// The speeds of both sides, measured on this machine.
struct PlacementSpeeds {
  schedule::Speeds host;
  schedule::Speeds device;
};

/// One decision, for the profiler.
struct PlacementDecision {
  std::string what;  // the op of the first result
  bool on_host = false;
  double host_us = 0;  // predicted; 0 if the threshold alone decides
  double device_us = 0;
};

/// Belongs to a device; safe from any thread. Speeds are measured on first use and cached in a file (see
/// placement_store.h), so this happens once per machine.
class Placer {
 public:
  explicit Placer(Device& device) : device_(device) {}

  /// Whether `graph`, about to be read, runs on the host.
  bool on_host(const Graph& graph);
  /// Reports the duration of the read after this thread's last decision, to correct the model. `since` is when the read
  /// began.
  void observe(std::chrono::steady_clock::time_point since);
  /// Tensors from the host of up to this many bytes stay there until the device needs them.
  std::uint64_t threshold();

  void set_recording(bool on);
  std::vector<PlacementDecision> take_decisions();
  [[nodiscard]] std::uint64_t on_host_count() const { return on_host_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t on_device_count() const { return on_device_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t kBuckets = 40;  // by the logarithm of bytes
  using Corrections = std::array<std::atomic<float>, kBuckets>;
  const PlacementSpeeds& speeds();

  Device& device_;
  std::once_flag measured_;
  PlacementSpeeds speeds_;
  std::uint64_t threshold_ = 0;
  // Measured over predicted time of reads, smoothed, minus 1: by size, for each side.
  Corrections host_error_{};
  Corrections device_error_{};
  std::atomic<std::uint64_t> on_host_ = 0;
  std::atomic<std::uint64_t> on_device_ = 0;
  std::atomic<bool> recording_ = false;
  std::mutex mutex_;
  std::vector<PlacementDecision> decisions_;
};

/// Runs maps and matmuls on both sides: some tens of milliseconds on a GPU.
PlacementSpeeds measure_speeds(Device& device);

/// The largest map, in bytes of its input, that is faster on the host; at least 64 KiB and at most 64 MiB.
std::uint64_t threshold_of(const PlacementSpeeds& speeds);

}  // namespace tessera::runtime
