// The list of devices, and the choice of one.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "runtime/device.h"

namespace tessera::runtime {

/// WebGPU's adapters ("webgpu:0", ..) and "cpu". Without WebGPU, only the CPU.
std::vector<DeviceInfo> list_devices(const DeviceConfig& config = {});

/// The device named in the config: "cpu", "webgpu", "webgpu:INDEX", "webgpu:PART-OF-NAME" in any case; without a name
/// TESSERA_DEVICE ("null" too, for measuring host overhead), else a real GPU by power preference, else the CPU.
/// Software adapters are used for "webgpu" only if there is nothing better, and never automatically. Errors: value (not
/// a name of a device), device (not found), limit (workgroup_size or max_buffer_size past the adapter's).
std::shared_ptr<Device> make_device(const DeviceConfig& config = {});

/// Adds the device to live_devices(). make_device() does it for its own.
void enlist(const std::shared_ptr<Device>& device);

/// The same on a separate thread. Called once, with a device or with the error.
using DeviceMade = std::function<void(std::shared_ptr<Device>, std::exception_ptr)>;
void make_device_async(const DeviceConfig& config, DeviceMade made);

/// The CPU device whose memory is the host side of storages, created on the first call.
const std::shared_ptr<Device>& host_device();

/// The device of tensors without an explicit one: the one that was set, else make_device() on the first call.
std::shared_ptr<Device> default_device();
/// Null: the next default_device() chooses again.
void set_default_device(std::shared_ptr<Device> device);

}  // namespace tessera::runtime
