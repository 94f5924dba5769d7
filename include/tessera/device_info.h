// Device properties, configuration and memory counters: plain structs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tessera/dtype.h"
#include "tessera/export.h"

namespace TESSERA_API tessera {

enum class DeviceType : std::uint8_t { kDiscreteGpu, kIntegratedGpu, kSoftware, kCpu, kNull };
enum class PowerPreference : std::uint8_t { kNone, kLowPower, kHighPerformance };

/// Limits for kernels.
struct DeviceLimits {
  std::uint64_t max_buffer_size = 0;           // bytes
  std::uint64_t max_storage_binding_size = 0;  // bytes
  std::uint32_t max_storage_buffers = 8;       // per kernel
  std::uint32_t max_workgroup_size = 256;      // invocations
  std::uint32_t max_workgroup_memory = 16384;  // bytes
  std::uint32_t max_workgroups = 65535;        // along one dimension
  std::uint32_t subgroup_min = 0;              // 0: no subgroups
  std::uint32_t subgroup_max = 0;
};

struct DeviceFeatures {
  bool f16 = false;         // f16 in shaders
  bool subgroups = false;   // subgroupAdd and similar
  bool timestamps = false;  // GPU timestamps
  bool i64 = false;         // native 64-bit integers in shaders
  bool f64 = false;         // f64 tensors
  bool complex = false;     // c64 and c128 tensors
  bool trusted = false;     // shader modules without run-time bounds checks
};

/// A cooperative matrix operation of a subgroup: result[m, n] += a[m, k] * b[k, n].
struct MatrixConfig {
  std::uint32_t m = 0;
  std::uint32_t n = 0;
  std::uint32_t k = 0;
  DType input = DType::kF16;   // of a and b
  DType result = DType::kF32;  // of the accumulator
};

struct DeviceInfo {
  std::string id;    // "webgpu:0", "cpu"
  std::string name;  // "NVIDIA H200", "llvmpipe (LLVM 15.0.6, 256 bits)"
  std::string vendor;
  std::string driver;
  std::string backend;  // "Vulkan", "Metal", "D3D12", "CPU"
  DeviceType type = DeviceType::kCpu;
  std::uint64_t memory_size = 0;  // bytes of device memory (CPU: of system memory); 0: unknown
  DeviceLimits limits;
  DeviceFeatures features;
  std::vector<MatrixConfig> matrices;      // of tensor cores; empty: none, or not supported by the provider
  bool reduced_precision = false;          // from the config
  bool half_sums = false;                  // from the config
  bool grouped_gemm = true;                // matmuls that share their left operand may be one kernel
  bool prologues = true;                   // matmul prologues: operands may be computed on load
  std::uint32_t workgroup_size = 0;        // from the config; 0: automatic
  std::vector<std::string> feature_names;  // all features that the adapter reports, for display
};

/// The WebGPU library, or why there is none.
struct ProviderInfo {
  std::string name;     // "wgpu-rs", "wgpu-native"; empty: none
  std::string version;  // "30.0.1.0"
  std::string path;
  std::string error;  // empty if there is one
};

/// Where small graphs run if their inputs are on the host and their results are read immediately.
enum class Placement : std::uint8_t {
  kAuto,    // kHybrid on a GPU that was selected automatically, kDevice on one that was named
  kDevice,  // always on the device
  kHybrid,  // on the CPU if a measured model predicts that this is faster than the round trip
};

/// Options for creating a device; every field has a default.
struct DeviceConfig {
  /// "cpu", "webgpu", "webgpu:1", "webgpu:llvmpipe"; "null" plans but runs nothing; empty: TESSERA_DEVICE, else
  /// automatic.
  std::string device = {};
  PowerPreference power = PowerPreference::kNone;
  std::string webgpu_library = {};  // path of the provider; empty: TESSERA_WEBGPU_LIBRARY, else the bundled one
  std::uint64_t memory_budget = 0;  // total bytes of all buffers; 0: no limit
  /// Bytes of unused buffers that the pool keeps for later allocations; past them it frees those that were unused the
  /// longest. 0: a quarter of the budget or, without one, of the device's memory; if neither is known, no limit.
  std::uint64_t max_idle_memory = 0;
  std::uint64_t max_buffer_size = 0;  // bytes; 0: the adapter's
  /// Bytes of a buffer that one kernel may bind: a multiple of 256, at least 1024; 0: the adapter's limit. Larger
  /// tensors are processed in several windows. The CPU has no such limit.
  std::uint64_t max_binding_size = 0;
  /// Invocations per workgroup of elementwise and row kernels: a power of two, at most the adapter's limit; 0:
  /// automatic. Matmuls, sorts and custom kernels have their own sizes; the CPU has no workgroups.
  std::uint32_t workgroup_size = 0;
  std::uint32_t max_in_flight = 256;  // unfinished submissions; eval waits for the oldest. 0: no limit
  bool debug = false;                 // labels, bounds checks, every kernel submitted and checked separately
  bool pipeline_cache = true;         // in memory, and on disk if the provider supports it: see TESSERA_CACHE
  Placement placement = Placement::kAuto;
  std::uint64_t placement_threshold = 0;  // largest tensor of a placed graph, in bytes; 0: as measured
  bool deterministic = false;             // bitwise reproducible runs: no placement, no tuning results
  /// f32 and bf16 matmuls may run on f16 tensor cores: operands are rounded to 11 bits and the range of f16.
  bool reduced_precision = false;
  /// f16 matmuls may accumulate in f16: faster on many GPUs, less precise with every step, and infinite beyond 65504.
  bool half_sums = false;
  bool keep_host_copies = false;  // uploaded data is also kept on the host and survives device loss
};

/// Counters of a device's memory pool.
struct MemoryStats {
  std::uint64_t allocated = 0;  // bytes in buffers, in use or kept for reuse
  std::uint64_t in_use = 0;     // bytes in buffers that are in use
  std::uint64_t peak = 0;       // the maximum of in_use
  std::uint64_t hits = 0;       // allocations served from the pool
  std::uint64_t misses = 0;     // allocations that made a new buffer
};

}  // namespace tessera
