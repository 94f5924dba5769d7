// The adapters of a provider, described.
#pragma once

#include <memory>
#include <vector>

#include "runtime/webgpu/provider/handle.h"
#include "tessera/device_info.h"

namespace tessera::runtime::webgpu {

struct Adapter {
  DeviceInfo info;  // what a device with all that the adapter has would be
  AdapterHandle handle;
  WGPULimits limits = WGPU_LIMITS_INIT;
  std::vector<WGPUFeatureName> useful;        // features that the engine has a use for
  std::vector<WGPUFeatureName> experimental;  // of them, those without which the device is asked for a second time
};

using Adapters = std::shared_ptr<const std::vector<Adapter>>;

/// All adapters, numbered "webgpu:0".. in the provider's order; listed once and remembered. OpenGL's are listed only
/// where no other backend has any, so no adapter appears twice.
Adapters adapters_of(const Provider& provider);
/// Makes the next call list anew: after a device was lost its adapter may be gone.
void forget_adapters();

/// Translates what a device got.
DeviceLimits limits_of(const WGPULimits& limits, const DeviceLimits& adapter);

}  // namespace tessera::runtime::webgpu
