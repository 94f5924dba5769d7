// The CPU as a device: host memory, and kernels run block-wise over the thread pool.
#pragma once

#include <memory>

#include "runtime/device.h"

namespace tessera::runtime {

std::shared_ptr<Device> make_cpu_device(const DeviceConfig& config);
/// The DeviceInfo of make_cpu_device's device.
DeviceInfo cpu_device_info();

}  // namespace tessera::runtime
