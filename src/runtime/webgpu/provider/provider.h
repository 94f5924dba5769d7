// The library that implements webgpu.h: found and loaded at run time, with a table of its functions and one of its
// traits.
#pragma once

#include <cstdint>
#include <string>

#include <tessera_wgpu.h>
#include <webgpu.h>
#include <wgpu.h>

#include "tessera/device_info.h"

namespace tessera::runtime::webgpu {

// Functions that wgpu-native exports but aborts in (wgpuInstanceWaitAny, wgpuGetProcAddress, the SetLabel family,
// wgpuBufferGetMapState, wgpuDeviceGetLostFuture, wgpuShaderModuleGetCompilationInfo, the Async pipelines) are in
// neither list, so they cannot be called.
#define TESSERA_WEBGPU_REQUIRED(X)            \
  X(wgpuCreateInstance)                       \
  X(wgpuInstanceRelease)                      \
  X(wgpuInstanceEnumerateAdapters)            \
  X(wgpuAdapterGetFeatures)                   \
  X(wgpuAdapterGetInfo)                       \
  X(wgpuAdapterGetLimits)                     \
  X(wgpuAdapterInfoFreeMembers)               \
  X(wgpuAdapterRequestDevice)                 \
  X(wgpuAdapterRelease)                       \
  X(wgpuSupportedFeaturesFreeMembers)         \
  X(wgpuDeviceGetLimits)                      \
  X(wgpuDeviceGetQueue)                       \
  X(wgpuDeviceHasFeature)                     \
  X(wgpuDeviceDestroy)                        \
  X(wgpuDevicePoll)                           \
  X(wgpuDeviceRelease)                        \
  X(wgpuDeviceCreateBindGroup)                \
  X(wgpuDeviceCreateBindGroupLayout)          \
  X(wgpuDeviceCreateBuffer)                   \
  X(wgpuDeviceCreateCommandEncoder)           \
  X(wgpuDeviceCreateComputePipeline)          \
  X(wgpuDeviceCreatePipelineLayout)           \
  X(wgpuDeviceCreateQuerySet)                 \
  X(wgpuDeviceCreateShaderModule)             \
  X(wgpuBindGroupRelease)                     \
  X(wgpuBindGroupLayoutRelease)               \
  X(wgpuBufferGetConstMappedRange)            \
  X(wgpuBufferMapAsync)                       \
  X(wgpuBufferUnmap)                          \
  X(wgpuBufferRelease)                        \
  X(wgpuCommandBufferRelease)                 \
  X(wgpuCommandEncoderBeginComputePass)       \
  X(wgpuCommandEncoderClearBuffer)            \
  X(wgpuCommandEncoderCopyBufferToBuffer)     \
  X(wgpuCommandEncoderFinish)                 \
  X(wgpuCommandEncoderResolveQuerySet)        \
  X(wgpuCommandEncoderRelease)                \
  X(wgpuComputePassEncoderDispatchWorkgroups) \
  X(wgpuComputePassEncoderEnd)                \
  X(wgpuComputePassEncoderSetBindGroup)       \
  X(wgpuComputePassEncoderSetPipeline)        \
  X(wgpuComputePassEncoderRelease)            \
  X(wgpuComputePipelineRelease)               \
  X(wgpuPipelineLayoutRelease)                \
  X(wgpuQuerySetRelease)                      \
  X(wgpuQueueOnSubmittedWorkDone)             \
  X(wgpuQueueSubmitForIndex)                  \
  X(wgpuQueueWriteBuffer)                     \
  X(wgpuQueueRelease)                         \
  X(wgpuShaderModuleRelease)
#define TESSERA_WEBGPU_OPTIONAL(X)       \
  X(wgpuDeviceCreateShaderModuleTrusted) \
  X(wgpuGetVersion)                      \
  X(wgpuQueueGetTimestampPeriod)         \
  X(wgpuSetLogCallback)                  \
  X(wgpuSetLogLevel)
// Of our own provider.
#define TESSERA_WEBGPU_OWN(X)       \
  X(tesseraAdapterGetMatrixConfigs) \
  X(tesseraAdapterGetMemorySize)    \
  X(tesseraDeviceOpenPipelineCache) \
  X(tesseraDeviceSavePipelineCache)

/// The functions of webgpu.h and wgpu.h that the engine uses; only those of the first list are never null.
struct Functions {
#define TESSERA_WEBGPU_MEMBER(name) decltype(&::name) name = nullptr;  // NOLINT(bugprone-macro-parentheses)
  TESSERA_WEBGPU_REQUIRED(TESSERA_WEBGPU_MEMBER)
  TESSERA_WEBGPU_OPTIONAL(TESSERA_WEBGPU_MEMBER)
  TESSERA_WEBGPU_OWN(TESSERA_WEBGPU_MEMBER)
#undef TESSERA_WEBGPU_MEMBER
};

/// The differences between providers besides the functions that they have.
struct Traits {
  const char* name;
  const char* marker;   // an exported function that identifies it
  std::uint32_t major;  // the version whose ABI webgpu.h describes
  /// Errors reach the uncaptured-error callback inside the call that caused them, on its thread. (Its error scopes are
  /// one stack for all threads, so they cannot separate two threads' errors and are not used.) If they arrive later, it
  /// is unknown which commands failed: the device counts as lost.
  bool errors_inside_call;
  /// wgpuQueueSubmit and wgpuDevicePoll end the process on any error: a failed command buffer and a lost device must
  /// never be passed to them.
  bool submit_aborts;
  /// A wgpuDevicePoll that waits keeps other threads from submitting until it returns.
  bool wait_blocks_submit;
  /// A thread may wait for the device. In a page none may: callbacks run when the page's event loop calls poll(), and
  /// the in-flight bound only delays requests made by callbacks.
  bool can_wait;
  /// Buffers are outside of the program's memory, even while they are mapped: code that can reach them reads them
  /// directly.
  bool outside;
  /// It has the functions and structs of tessera_wgpu.h.
  bool own;
};

/// A loaded library and its instance. It is never unloaded.
class Provider {
 public:
  /// The provider that the config names. Throws device; both outcomes are remembered for each path.
  static const Provider& get(const DeviceConfig& config);

  [[nodiscard]] const Functions& api() const { return api_; }
  [[nodiscard]] const Traits& traits() const { return *traits_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string version() const;
  /// Instances: Vulkan, Metal and DX12; OpenGL, created on demand.
  [[nodiscard]] WGPUInstance instance() const { return instance_; }
  [[nodiscard]] WGPUInstance make_instance(WGPUInstanceBackend backends) const;

 private:
  explicit Provider(const std::string& path);

  std::string path_;
  Functions api_;
  const Traits* traits_ = nullptr;
  WGPUInstance instance_ = nullptr;
};

inline WGPUStringView view(std::string_view text) { return {text.data(), text.size()}; }
inline std::string_view text_of(WGPUStringView view) {
  if (view.data == nullptr) return {};
  return view.length == WGPU_STRLEN ? std::string_view(view.data) : std::string_view(view.data, view.length);
}

}  // namespace tessera::runtime::webgpu
