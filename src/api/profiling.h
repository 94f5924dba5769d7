// Whether a profiler is active on a device: it owns the measured times.
#pragma once

#include "runtime/device.h"

namespace tessera {

bool is_profiled(const runtime::Device& device);

}  // namespace tessera
