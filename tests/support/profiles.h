// Devices that the golden tests plan for: a large GPU with tensor cores, an integrated GPU, and one in a browser.
#pragma once

#include <array>

#include "tessera/device_info.h"

namespace tessera::test {

struct Profile {
  const char* name;
  DeviceInfo info;
};

inline Profile h200_profile() {
  DeviceInfo info;
  info.type = DeviceType::kDiscreteGpu;
  info.limits = {.max_buffer_size = std::uint64_t{4} << 30U,
                 .max_storage_binding_size = std::uint64_t{2} << 30U,
                 .max_storage_buffers = 16,
                 .max_workgroup_size = 1024,
                 .max_workgroup_memory = 49152,
                 .max_workgroups = 65535,
                 .subgroup_min = 32,
                 .subgroup_max = 32};
  info.features = {.f16 = true, .subgroups = true, .i64 = true, .trusted = true};
  for (const DType result : {DType::kF16, DType::kF32}) {
    info.matrices.push_back({.m = 16, .n = 16, .k = 16, .input = DType::kF16, .result = result});
    info.matrices.push_back({.m = 16, .n = 8, .k = 16, .input = DType::kF16, .result = result});
    info.matrices.push_back({.m = 16, .n = 8, .k = 8, .input = DType::kF16, .result = result});
  }
  return {"h200", info};
}

inline Profile integrated_profile() {
  DeviceInfo info;
  info.type = DeviceType::kIntegratedGpu;
  info.limits = {.max_buffer_size = std::uint64_t{2} << 30U,
                 .max_storage_binding_size = std::uint64_t{1} << 30U,
                 .max_storage_buffers = 16,
                 .max_workgroup_size = 1024,
                 .max_workgroup_memory = 32768,
                 .max_workgroups = 65535,
                 .subgroup_min = 8,
                 .subgroup_max = 32};
  info.features = {.f16 = true, .subgroups = true, .trusted = true};
  return {"integrated", info};
}

inline Profile browser_profile() {
  DeviceInfo info;
  info.type = DeviceType::kIntegratedGpu;
  info.limits = {.max_buffer_size = std::uint64_t{1} << 30U,
                 .max_storage_binding_size = std::uint64_t{1} << 30U,
                 .max_storage_buffers = 10,
                 .max_workgroup_size = 256,
                 .max_workgroup_memory = 16384,
                 .max_workgroups = 65535,
                 .subgroup_min = 0,
                 .subgroup_max = 0};
  return {"browser", info};
}

inline std::array<Profile, 3> profiles() { return {h200_profile(), integrated_profile(), browser_profile()}; }

}  // namespace tessera::test
