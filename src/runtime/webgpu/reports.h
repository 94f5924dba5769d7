// A device's report of indices out of bounds: four words that kernels write and the host checks.
#pragma once

#include <mutex>

#include "runtime/webgpu/core.h"

namespace tessera::runtime::webgpu {

/// Created when a kernel first needs it. Safe from any thread.
class Reports {
 public:
  static constexpr std::size_t kBytes = 16;

  WGPUBindGroupLayout layout(Core& core);
  WGPUBindGroup group(Core& core);
  WGPUBuffer buffer(Core& core);

 private:
  void make(Core& core);

  std::once_flag once_;
  BufferHandle buffer_;
  BindGroupLayoutHandle layout_;
  BindGroupHandle group_;
};

}  // namespace tessera::runtime::webgpu
