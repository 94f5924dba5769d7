// A device that runs nothing: it generates programs for arbitrary limits and records them, for tests without a GPU.
#pragma once

#include <memory>
#include <vector>

#include "codegen/program.h"
#include "runtime/device.h"

namespace tessera::runtime {

class NullDevice : public Device {
 public:
  using Device::Device;
  /// Every program generated so far, in order, each once.
  [[nodiscard]] virtual std::vector<Program> programs() const = 0;
  /// Kernels submitted so far; empty grids do not count.
  [[nodiscard]] virtual std::uint64_t dispatch_count() const = 0;
  [[nodiscard]] virtual std::uint64_t submission_count() const = 0;
};

/// Buffers have host memory, and downloads return what was uploaded; kernels do not change them. An empty id becomes
/// "null". Kernels are planned and generated as for a device of the type.
std::shared_ptr<NullDevice> make_null_device(const DeviceInfo& info, const DeviceConfig& config = {},
                                             DeviceType type = DeviceType::kNull);

}  // namespace tessera::runtime
