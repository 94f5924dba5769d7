// A device that runs nothing: it generates programs for arbitrary limits and keeps them, for tests without a GPU.
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
  /// Kernels submitted so far; one whose grid has a 0 does not count.
  [[nodiscard]] virtual std::uint64_t dispatch_count() const = 0;
  [[nodiscard]] virtual std::uint64_t submission_count() const = 0;
};

/// Buffers have host memory and downloads give what was uploaded; kernels leave them as they are. An empty id becomes
/// "null". Kernels are planned and written as for a device of the type.
std::shared_ptr<NullDevice> make_null_device(const DeviceInfo& info, const DeviceConfig& config = {},
                                             DeviceType type = DeviceType::kNull);

}  // namespace tessera::runtime
