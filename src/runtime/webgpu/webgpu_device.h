// WebGPU devices for the rest of the engine and the tests: no webgpu.h needed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "codegen/program.h"
#include "runtime/device.h"

namespace tessera::runtime {

using WebGpuProvider = ProviderInfo;

/// The counters of a WebGPU device, besides those of every device.
struct WebGpuStats : SubmitStats {
  std::uint64_t param_wraps = 0;  // times that the parameter ring wrapped
  std::uint64_t param_bytes = 0;  // size of the ring
};

class WebGpuDevice : public Device {
 public:
  using Device::Device;

  /// Compiles a program, like compile() for a kernel. Error of kind shader with line, column, label and the offending
  /// line of WGSL. `trusted` omits the run-time bounds checks if the device can, except in debug mode.
  virtual std::shared_ptr<const Executable> compile_program(const Program& program, bool trusted) = 0;
  /// Loses the device on purpose.
  virtual void destroy() = 0;
  [[nodiscard]] virtual WebGpuStats webgpu_stats() const = 0;
};

/// Never throws.
WebGpuProvider webgpu_provider(const DeviceConfig& config);
/// All adapters. Throws device where there is no provider.
std::vector<DeviceInfo> list_webgpu_devices(const DeviceConfig& config);
/// A device on the adapter of that index in list_webgpu_devices().
std::shared_ptr<WebGpuDevice> make_webgpu_device(const DeviceConfig& config, std::size_t index);

}  // namespace tessera::runtime
