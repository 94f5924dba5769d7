// Devices as values: list, create, select, synchronize, query counters.
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

/// A compute device. Cheap to copy; the device is destroyed with its last handle and tensor.
class Device {
 public:
  /// The default device: selected at the first call (see DeviceConfig::device).
  static Device current();
  /// Creates a device. Throws Error of kind device, value or limit, with the given and the possible values.
  static Device create(const DeviceConfig& config = {});
  /// The same on another thread; `made` is called once with a device or an error. Exceptions of `made` are logged.
  static void create_async(const DeviceConfig& config, std::function<void(Device, std::exception_ptr)> made);
  /// All available devices.
  static std::vector<DeviceInfo> list(const DeviceConfig& config = {});
  /// The WebGPU library in use, or why there is none. Never throws.
  static ProviderInfo provider(const DeviceConfig& config = {});

  Device() = default;  // none
  explicit Device(std::shared_ptr<runtime::Device> impl) : impl_(std::move(impl)) {}

  [[nodiscard]] const DeviceInfo& info() const;
  [[nodiscard]] const std::string& name() const { return info().name; }
  /// False after device loss.
  [[nodiscard]] bool is_available() const;
  /// Recreates a lost device in place; does nothing if it is not lost. Tensors created on the host stay valid if the
  /// host has a copy (DeviceConfig::keep_host_copies); other values are gone, and using one throws device_lost. Error
  /// of kind device if no adapter of that name is left.
  void restore() const;
  /// Waits until everything submitted has finished; throws errors that occurred since the last wait.
  void synchronize() const;
  /// Makes this the default device.
  void set_current() const;

  [[nodiscard]] MemoryStats memory_stats() const;
  /// Device memory with undefined content; it returns to the pool when the last handle is destroyed.
  [[nodiscard]] std::shared_ptr<Storage> allocate(std::uint64_t bytes) const;
  /// Frees pooled memory that is not in use; returns the number of bytes freed.
  std::uint64_t trim() const;
  /// Called with the number of bytes needed when the memory budget is reached, before the retry, on the thread that
  /// allocates. It may use tensors; its own allocations do not call it again. Its exceptions propagate from the
  /// allocation.
  void on_memory_pressure(std::function<void(std::uint64_t)> callback) const;

  [[nodiscard]] const std::shared_ptr<runtime::Device>& impl() const { return impl_; }
  friend bool operator==(const Device& a, const Device& b) { return a.impl_ == b.impl_; }

 private:
  std::shared_ptr<runtime::Device> impl_;
};

}  // namespace tessera
