// What attention takes from the device that it runs on.
#pragma once

#include "ops/attention/attention.h"
#include "tessera/device_info.h"

namespace tessera {

/// Workgroup memory, tensor cores where a tile of the kernel fits the device, and whether keys may be split.
ops::AttentionSpec attention_on(const DeviceInfo& device);

}  // namespace tessera
