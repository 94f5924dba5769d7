// The adapters of a provider, as DeviceInfo.
#pragma once

#include <memory>
#include <vector>

#include "runtime/webgpu/provider/handle.h"
#include "tessera/device_info.h"

namespace tessera::runtime::webgpu {

struct Adapter {
  DeviceInfo info;  // of a device with all features and limits of the adapter
  AdapterHandle handle;
  WGPULimits limits = WGPU_LIMITS_INIT;
  std::vector<WGPUFeatureName> useful;        // features that the engine uses
  std::vector<WGPUFeatureName> experimental;  // of them, the experimental ones: a second request omits them
};

using Adapters = std::shared_ptr<const std::vector<Adapter>>;

/// All adapters, numbered "webgpu:0".. in the provider's order; listed once and cached. OpenGL adapters are listed only
/// if no other backend has any, so no adapter appears twice.
Adapters adapters_of(const Provider& provider);
/// Invalidates the cached list: after a device loss its adapter may be gone.
void forget_adapters();

/// Translates a device's limits.
DeviceLimits limits_of(const WGPULimits& limits, const DeviceLimits& adapter);

}  // namespace tessera::runtime::webgpu
