// Whether somebody is measuring a device: its times are then theirs.
#pragma once

#include "runtime/device.h"

namespace tessera {

bool is_profiled(const runtime::Device& device);

}  // namespace tessera
