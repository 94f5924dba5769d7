// Which devices there are, and how one is chosen.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "runtime/device.h"

namespace tessera::runtime {

/// WebGPU's adapters ("webgpu:0", ..) and "cpu". Where WebGPU is not served, only the CPU.
std::vector<DeviceInfo> list_devices(const DeviceConfig& config = {});

/// The device that the config names: "cpu", "webgpu", "webgpu:INDEX", "webgpu:PART-OF-NAME" in any case; without a name
/// what TESSERA_DEVICE says ("null" too, for measuring the host's part), else a real GPU by power preference, else the
/// CPU. Software adapters are taken for "webgpu" only when there is nothing better, and never automatically. Errors:
/// value (not a name of a device), device (not there), limit (workgroup_size or max_buffer_size past the adapter's).
std::shared_ptr<Device> make_device(const DeviceConfig& config = {});

/// From now on the device is one of live_devices(). make_device() sees to it for those that it makes.
void enlist(const std::shared_ptr<Device>& device);

/// The same on a thread of its own. Called once, with a device or with what went wrong.
using DeviceMade = std::function<void(std::shared_ptr<Device>, std::exception_ptr)>;
void make_device_async(const DeviceConfig& config, DeviceMade made);

/// The CPU device whose memory is the host's side of storages, made on the first call.
const std::shared_ptr<Device>& host_device();

/// The device of tensors that name none: the one set, else make_device() on the first call.
std::shared_ptr<Device> default_device();
/// Null: the next default_device() chooses anew.
void set_default_device(std::shared_ptr<Device> device);

}  // namespace tessera::runtime
