// What a device is and can do, how it is chosen, and what it counted: plain structs.
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

/// What kernels must keep to.
struct DeviceLimits {
  std::uint64_t max_buffer_size = 0;           // bytes
  std::uint64_t max_storage_binding_size = 0;  // bytes
  std::uint32_t max_storage_buffers = 8;       // in one kernel
  std::uint32_t max_workgroup_size = 256;      // invocations
  std::uint32_t max_workgroup_memory = 16384;  // bytes
  std::uint32_t max_workgroups = 65535;        // along one dimension
  std::uint32_t subgroup_min = 0;              // 0: no subgroups
  std::uint32_t subgroup_max = 0;
};

struct DeviceFeatures {
  bool f16 = false;         // f16 in shaders
  bool subgroups = false;   // subgroupAdd and its kin
  bool timestamps = false;  // GPU timestamps
  bool i64 = false;         // native 64-bit integers in shaders
  bool f64 = false;         // f64 tensors
  bool complex = false;     // c64 and c128 tensors
  bool trusted = false;     // shader modules without run-time bounds checks
};

/// One matmul of small matrices that a subgroup computes at once: result[m, n] += a[m, k] * b[k, n].
struct MatrixConfig {
  std::uint32_t m = 0;
  std::uint32_t n = 0;
  std::uint32_t k = 0;
  DType input = DType::kF16;   // of a and b
  DType result = DType::kF32;  // of what is added to
};

struct DeviceInfo {
  std::string id;    // "webgpu:0", "cpu"
  std::string name;  // "NVIDIA H200", "llvmpipe (LLVM 15.0.6, 256 bits)"
  std::string vendor;
  std::string driver;
  std::string backend;  // "Vulkan", "Metal", "D3D12", "CPU"
  DeviceType type = DeviceType::kCpu;
  std::uint64_t memory_size = 0;  // bytes of the device's own memory (the CPU: of the machine's); 0: not known
  DeviceLimits limits;
  DeviceFeatures features;
  std::vector<MatrixConfig> matrices;      // what tensor cores can do; empty: none, or the provider cannot use them
  bool reduced_precision = false;          // of the config
  bool half_sums = false;                  // of the config
  bool horizontal = true;                  // matmuls that share their left operand may become one kernel
  bool prologues = true;                   // matmuls may compute their operands where they load them
  std::uint32_t workgroup_size = 0;        // of the config; 0: the engine chooses
  std::vector<std::string> feature_names;  // all that the adapter lists, for people
};

/// The library that serves WebGPU, or why there is none.
struct ProviderInfo {
  std::string name;     // "wgpu-rs", "wgpu-native"; empty: none
  std::string version;  // "30.0.1.0"
  std::string path;
  std::string error;  // empty where there is one
};

/// Where small graphs run whose inputs are on the host and whose results are read back at once.
enum class Placement : std::uint8_t {
  kAuto,    // kHybrid on a GPU that was chosen automatically, kDevice on one that was named
  kDevice,  // on the device, always
  kHybrid,  // on the CPU where a measured model says that this beats the round trip
};

/// How to make a device; every field has a sensible default.
struct DeviceConfig {
  /// "cpu", "webgpu", "webgpu:1", "webgpu:llvmpipe"; "null" plans and runs nothing; empty: TESSERA_DEVICE, else
  /// automatic.
  std::string device = {};
  PowerPreference power = PowerPreference::kNone;
  std::string webgpu_library = {};    // path of the provider; empty: TESSERA_WEBGPU_LIBRARY, else the bundled one
  std::uint64_t memory_budget = 0;    // bytes in all buffers together; 0: no limit of ours
  std::uint64_t max_buffer_size = 0;  // bytes; 0: the adapter's
  /// Bytes of a buffer that one kernel binds at once: a multiple of 256, at least 1024; 0: the adapter's. Larger
  /// tensors are read and written through several windows. The CPU has no such limit.
  std::uint64_t max_binding_size = 0;
  /// Invocations in a workgroup of elementwise and row kernels: a power of two, at most the adapter's; 0: the engine
  /// chooses. Matmuls, sorts and kernels in WGSL have sizes of their own; the CPU has no workgroups.
  std::uint32_t workgroup_size = 0;
  std::uint32_t max_in_flight = 256;  // submissions that have not finished; eval waits for the oldest. 0: no bound
  bool debug = false;                 // labels, bounds checks on, every kernel submitted and checked on its own
  bool pipeline_cache = true;         // in memory, and on disk where the provider can: see TESSERA_CACHE
  Placement placement = Placement::kAuto;
  std::uint64_t placement_threshold = 0;  // bytes of a tensor up to which it may be placed; 0: as measured
  bool deterministic = false;             // the same bits in every run: no placement, no tuning by measurement
  /// f32 and bf16 matmuls may run on tensor cores that take f16: operands are rounded to its 11 bits and its range.
  bool reduced_precision = false;
  /// Matmuls of f16 may be summed in f16: faster on many GPUs, less precise with every step, and infinite beyond
  /// 65504.
  bool half_sums = false;
  bool keep_host_copies = false;  // data from the host stays there too and outlives a loss of the device
};

/// What a device's memory pool counted.
struct MemoryStats {
  std::uint64_t allocated = 0;  // bytes in buffers, in use or kept for reuse
  std::uint64_t in_use = 0;     // bytes in buffers that are in use
  std::uint64_t peak = 0;       // the most that in_use was
  std::uint64_t hits = 0;       // allocations served from the pool
  std::uint64_t misses = 0;     // allocations that made a new buffer
};

}  // namespace tessera
