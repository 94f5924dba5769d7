// A WebGPU device that can be recreated after a device loss: handles, tensors, plans and the pool stay; only the
// contents of the old device's memory are gone.
#pragma once

#include <atomic>
#include <mutex>
#include <shared_mutex>

#include "runtime/forwarding.h"
#include "runtime/webgpu/device.h"

namespace tessera::runtime::webgpu {

class RestoringDevice final : public Forwarding<WebGpuDevice> {
 public:
  explicit RestoringDevice(const std::shared_ptr<DeviceImpl>& inner);
  ~RestoringDevice() override;

  std::shared_ptr<const Executable> compile_program(const Program& program, bool trusted) override;
  void destroy() override;
  [[nodiscard]] WebGpuStats webgpu_stats() const override;
  void set_profiling(bool on) override;
  void restore() override;

 protected:
  [[nodiscard]] std::shared_ptr<WebGpuDevice> target() const override {
    const std::shared_lock lock(inner_mutex_);
    return inner_;
  }

 private:
  mutable std::shared_mutex inner_mutex_;
  std::shared_ptr<DeviceImpl> inner_;
  std::mutex restoring_;
  std::atomic<bool> profiling_ = false;
};

/// A device on the adapter of that index.
std::shared_ptr<DeviceImpl> make_impl(const DeviceConfig& config, std::size_t index);

}  // namespace tessera::runtime::webgpu
