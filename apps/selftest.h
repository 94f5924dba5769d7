// The short self-test of a device.
#pragma once

#include <string>

#include "tessera/device.h"

namespace tessera::app {

/// "discrete GPU", "software adapter", "CPU", ...
std::string type_text(DeviceType type);

/// Uploads, runs a fused kernel, reductions and a matmul, reads back, and compares with values computed on the host.
/// "pass" or "fail: why".
std::string selftest(const Device& device);

/// Makes the device of that id and tests it. Never throws.
std::string selftest(const DeviceInfo& device);

}  // namespace tessera::app
