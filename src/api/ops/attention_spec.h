// The device properties that attention uses.
#pragma once

#include "ops/attention/attention.h"
#include "tessera/device_info.h"

namespace tessera {

/// Workgroup memory, tensor cores if a tile of the kernel fits the device, and whether to use split-KV.
ops::AttentionSpec attention_on(const DeviceInfo& device);

}  // namespace tessera
