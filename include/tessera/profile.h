// Counters and kernel times.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/device.h"
#include "tessera/error.h"
#include "tessera/export.h"

namespace TESSERA_API tessera {

/// Counters of a device since its creation.
struct Statistics {
  MemoryStats memory;
  std::uint64_t plans = 0, plan_hits = 0, plan_misses = 0;
  std::uint64_t pipelines = 0, pipeline_hits = 0, pipeline_misses = 0;
  double compile_ms = 0;
  std::uint64_t submissions = 0, dispatches = 0;
  double provider_ms = 0;       // host time in the WebGPU library's calls that encode and submit kernels
  std::uint64_t in_flight = 0;  // submissions not known to have finished
  std::uint64_t throttled = 0;  // number of submissions that waited for DeviceConfig::max_in_flight
  std::uint64_t bind_groups = 0, bind_group_hits = 0, bind_group_misses = 0, param_writes = 0;
  std::uint64_t waits = 0;
  std::uint64_t placed_on_host = 0, placed_on_device = 0;  // graphs eligible for placement
  std::uint64_t uploads = 0, uploaded_bytes = 0, downloads = 0, downloaded_bytes = 0;
  /// Evaluations, reads and waits that failed or were cancelled, by ErrorKind.
  std::array<std::uint64_t, kErrorKinds> errors{};
  [[nodiscard]] std::uint64_t errors_of(ErrorKind kind) const { return errors[static_cast<std::size_t>(kind)]; }
};
Statistics statistics(const Device& device);

struct KernelRecord {
  std::string label;
  double start_us = 0;
  double duration_us = 0;     // NaN in a web page whose device has no timestamps
  std::uint64_t bytes = 0;    // read and written, by the sizes of the tensors
  std::uint64_t written = 0;  // of them
  std::uint64_t flops = 0;
  std::string where;  // the id of the device that ran it: "webgpu:0", or "cpu" for a graph placed on the host
};

/// What the host did meanwhile: see HostSpan.
struct SpanRecord {
  std::string track;                     // the row of the trace: "DataLoader 1, worker 0"
  std::string label;                     // "load batch 3"
  double start_us = 0, duration_us = 0;  // by the clock of KernelRecord
};

/// Where a graph eligible for placement ran (see Placement).
struct PlacementRecord {
  std::string what;  // the op of its first result
  bool on_host = false;
  double host_us = 0;  // predicted by the model; 0 if DeviceConfig::placement_threshold decided
  double device_us = 0;
};

/// Peak memory of one evaluation: what it had allocated and not yet freed.
struct PeakRecord {
  struct Holder {
    std::string what;  // "matmul f32[512, 512]"
    std::uint64_t bytes = 0;
  };
  std::uint64_t bytes = 0;
  std::string kernel;           // the label of the kernel that ran at the peak
  std::vector<Holder> holders;  // live values at the peak, largest first
};

/// Host time of planning, over all evaluations: from tensors to kernels that are ready to be submitted.
struct PlanningRecord {
  struct Pass {
    std::string name;  // "snapshot", "simplify", "fuse", ...
    double ms = 0;
  };
  std::uint64_t nodes = 0;   // of the graphs, before they were simplified
  std::vector<Pass> passes;  // in the order in which they first ran
};

/// Measures kernels during its lifetime: with GPU timestamps, or with the wall clock if there are none.
class Profiler {
 public:
  explicit Profiler(Device device);
  ~Profiler();
  Profiler(const Profiler&) = delete;
  Profiler& operator=(const Profiler&) = delete;

  /// Everything measured so far; waits for the device. In a web page it does not wait: on_measured() reports when all
  /// is available.
  const std::vector<KernelRecord>& records();
  /// Calls back when everything submitted so far has finished and was measured, or with an error. Callbacks run like
  /// those of reads.
  void on_measured(std::function<void(std::exception_ptr)> done);
  /// The spans so far that have ended.
  const std::vector<SpanRecord>& spans();
  /// The placement decisions so far.
  const std::vector<PlacementRecord>& placements();
  /// Peak memory of one evaluation so far, and the values that used it; 0 bytes if nothing ran. Replays of compiled
  /// functions report the memory allocated when they were traced.
  const PeakRecord& peak();
  /// The passes of planning so far: of evaluations and of traces of compiled functions. Replays plan nothing.
  const PlanningRecord& planning();
  /// One line per kernel label: calls, total and mean time, GB/s, GFLOP/s; then placement decisions and peak memory.
  std::string table();
  /// Writes a trace of kernels and spans for chrome://tracing and Perfetto. Error of kind io if it cannot be written.
  void write_trace(const std::string& path);

 private:
  Device device_;
  std::vector<KernelRecord> records_;
  std::vector<SpanRecord> spans_;
  std::vector<PlacementRecord> placements_;
  PeakRecord peak_;
  PlanningRecord planning_;
};

/// A span of host work in the traces of a device's profilers, from construction to destruction, on any thread: what
/// a DataLoader loads, or work of your own. Without a profiler it costs a load of an atomic number.
class HostSpan {
 public:
  /// The label is followed by the number, unless that is negative.
  HostSpan(const Device& device, std::string_view track, std::string_view label, std::int64_t number = -1);
  ~HostSpan();
  HostSpan(const HostSpan&) = delete;
  HostSpan& operator=(const HostSpan&) = delete;

 private:
  Device device_;  // empty: there is no profiler
  std::string track_, label_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace tessera
