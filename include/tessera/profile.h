// What the engine counted and how long kernels took.
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "tessera/device.h"
#include "tessera/error.h"
#include "tessera/export.h"

namespace TESSERA_API tessera {

/// Counters of a device, since it was made.
struct Statistics {
  MemoryStats memory;
  std::uint64_t plans = 0, plan_hits = 0, plan_misses = 0;
  std::uint64_t pipelines = 0, pipeline_hits = 0, pipeline_misses = 0;
  double compile_ms = 0;
  std::uint64_t submissions = 0, dispatches = 0;
  double provider_ms = 0;       // host time inside the WebGPU library's calls that encode and submit kernels
  std::uint64_t in_flight = 0;  // submissions not known to have finished
  std::uint64_t throttled = 0;  // times that a submission waited for DeviceConfig::max_in_flight
  std::uint64_t bind_groups = 0, bind_group_hits = 0, bind_group_misses = 0, param_writes = 0;
  std::uint64_t waits = 0;
  std::uint64_t placed_on_host = 0, placed_on_device = 0;  // graphs that could have run on either side
  std::uint64_t uploads = 0, uploaded_bytes = 0, downloads = 0, downloaded_bytes = 0;
  /// Evaluations, reads and waits that failed or were cancelled, by ErrorKind.
  std::array<std::uint64_t, kErrorKinds> errors{};
  [[nodiscard]] std::uint64_t errors_of(ErrorKind kind) const { return errors[static_cast<std::size_t>(kind)]; }
};
Statistics statistics(const Device& device);

struct KernelRecord {
  std::string label;
  double start_us = 0;
  double duration_us = 0;  // NaN in a page whose device has no timestamps
  std::uint64_t bytes = 0;
  std::uint64_t flops = 0;
  std::string where;  // the id of the device that ran it: "webgpu:0", or "cpu" for a graph that was placed on the host
};

/// Where a graph was run that could have run on either side (see Placement).
struct PlacementRecord {
  std::string what;  // the op of its first result
  bool on_host = false;
  double host_us = 0;  // what the model predicted; 0 where DeviceConfig::placement_threshold decided
  double device_us = 0;
};

/// The fullest moment of all evaluations: what they allocated and had not given back.
struct PeakRecord {
  struct Holder {
    std::string what;  // "matmul f32[512, 512]"
    std::uint64_t bytes = 0;
  };
  std::uint64_t bytes = 0;
  std::string kernel;           // the label of the kernel that ran then
  std::vector<Holder> holders;  // values that lived then, the largest first
};

/// Measures kernels while it lives: by GPU timestamps, or by the wall clock where there are none.
class Profiler {
 public:
  explicit Profiler(Device device);
  ~Profiler();
  Profiler(const Profiler&) = delete;
  Profiler& operator=(const Profiler&) = delete;

  /// Waits for the device; everything measured so far. Does not wait in a page: on_measured() says when all is there.
  const std::vector<KernelRecord>& records();
  /// Calls back when everything submitted so far has finished and was measured, or with what went wrong. The device's
  /// callbacks run as those of reads do.
  void on_measured(std::function<void(std::exception_ptr)> done);
  /// The choices between host and device so far.
  const std::vector<PlacementRecord>& placements();
  /// The most memory that one evaluation held so far, and what held it; no bytes where nothing ran. Replays of compiled
  /// functions keep what they took when they were traced.
  const PeakRecord& peak();
  /// One line for each kernel label: calls, total and mean time, GB/s, GFLOP/s; then the choices of sides and the peak.
  std::string table();
  /// Writes a file that chrome://tracing and Perfetto open. Error of kind io where it can't be written.
  void write_trace(const std::string& path);

 private:
  Device device_;
  std::vector<KernelRecord> records_;
  std::vector<PlacementRecord> placements_;
  PeakRecord peak_;
};

}  // namespace tessera
