// Public device handles over the runtime's devices.
#include "tessera/device.h"

#include "base/fail.h"
#include "runtime/memory/new_storage.h"
#include "runtime/registry.h"
#include "runtime/webgpu/webgpu_device.h"

namespace tessera {

namespace {
runtime::Device& check(const std::shared_ptr<runtime::Device>& impl) {
  if (impl == nullptr) fail(ErrorKind::kDevice, "An empty Device handle was used; make one with Device::create().");
  return *impl;
}
}  // namespace

Device Device::current() { return Device(runtime::default_device()); }
Device Device::create(const DeviceConfig& config) { return Device(runtime::make_device(config)); }
void Device::create_async(const DeviceConfig& config, std::function<void(Device, std::exception_ptr)> made) {
  runtime::make_device_async(
      config, [made = std::move(made)](std::shared_ptr<runtime::Device> device, std::exception_ptr error) {
        made(Device(std::move(device)), std::move(error));
      });
}
std::vector<DeviceInfo> Device::list(const DeviceConfig& config) { return runtime::list_devices(config); }
ProviderInfo Device::provider(const DeviceConfig& config) { return runtime::webgpu_provider(config); }

const DeviceInfo& Device::info() const { return check(impl_).info(); }
bool Device::is_available() const { return impl_ != nullptr && impl_->is_available(); }
void Device::restore() const { check(impl_).restore(); }
void Device::synchronize() const {
  try {
    check(impl_).wait();
  } catch (...) {
    if (impl_ != nullptr) impl_->counters().count_error(std::current_exception());
    throw;
  }
}
void Device::set_current() const {
  check(impl_);
  runtime::set_default_device(impl_);
}
MemoryStats Device::memory_stats() const { return check(impl_).pool().stats(); }
std::shared_ptr<Storage> Device::allocate(std::uint64_t bytes) const {
  check(impl_);
  return runtime::new_storage(impl_, static_cast<std::int64_t>(bytes), DType::kU8);
}
std::uint64_t Device::trim() const { return check(impl_).pool().trim(); }
void Device::on_memory_pressure(std::function<void(std::uint64_t)> callback) const {
  check(impl_).pool().on_memory_pressure(std::move(callback));
}

}  // namespace tessera
