// Devices as values: list them, choose one, wait for it, ask what it counted.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tessera/device_info.h"
#include "tessera/export.h"

namespace TESSERA_API tessera {

class Storage;
namespace runtime {
class Device;
}

/// A device that tensors live on. Cheap to copy; the device goes with its last handle and tensor.
class Device {
 public:
  /// The device of tensors that name none: chosen on the first call (see DeviceConfig::device).
  static Device current();
  /// A new device. Throws Error of kind device, value or limit, with the given and the possible values.
  static Device create(const DeviceConfig& config = {});
  /// The same on another thread; called once, with a device or with what went wrong. What `made` throws is logged.
  static void create_async(const DeviceConfig& config, std::function<void(Device, std::exception_ptr)> made);
  /// All devices that could be made here.
  static std::vector<DeviceInfo> list(const DeviceConfig& config = {});
  /// The WebGPU library in use, or why there is none. Never throws.
  static ProviderInfo provider(const DeviceConfig& config = {});

  Device() = default;  // none
  explicit Device(std::shared_ptr<runtime::Device> impl) : impl_(std::move(impl)) {}

  [[nodiscard]] const DeviceInfo& info() const;
  [[nodiscard]] const std::string& name() const { return info().name; }
  /// False once the device was lost.
  [[nodiscard]] bool is_available() const;
  /// Makes a lost device anew, in place; nothing where it is not lost. Tensors from the host go on where the host has a
  /// copy (DeviceConfig::keep_host_copies); the values of others are gone, and using one throws device_lost. Error of
  /// kind device where no adapter of that name is left.
  void restore() const;
  /// Waits until everything submitted has finished; throws what went wrong since the last wait.
  void synchronize() const;
  /// Makes this the device of tensors that name none.
  void set_current() const;

  [[nodiscard]] MemoryStats memory_stats() const;
  /// Memory of the device with undefined content; the pool has it back when the last handle goes.
  [[nodiscard]] std::shared_ptr<Storage> allocate(std::uint64_t bytes) const;
  /// Frees memory that is kept for reuse; returns the bytes freed.
  std::uint64_t trim() const;
  /// Called with the bytes needed when the memory budget is reached, before the second try, by the thread that needs
  /// them. It may use tensors; what it needs itself does not call it again. What it throws, the allocation throws.
  void on_memory_pressure(std::function<void(std::uint64_t)> callback) const;

  [[nodiscard]] const std::shared_ptr<runtime::Device>& impl() const { return impl_; }
  friend bool operator==(const Device& a, const Device& b) { return a.impl_ == b.impl_; }

 private:
  std::shared_ptr<runtime::Device> impl_;
};

}  // namespace tessera
