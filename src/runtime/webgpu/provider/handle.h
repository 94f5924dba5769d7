// Owners of the API's reference-counted objects.
#pragma once

#include <utility>

#include "runtime/webgpu/provider/provider.h"

namespace tessera::runtime::webgpu {

/// Owns one reference and releases it in its destructor.
template <class T, auto Release>
class Handle {
 public:
  Handle() = default;
  Handle(const Functions& api, T raw) : api_(&api), raw_(raw) {}
  Handle(Handle&& other) noexcept : api_(other.api_), raw_(std::exchange(other.raw_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(api_, other.api_);
    std::swap(raw_, other.raw_);
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (raw_ != nullptr) (api_->*Release)(raw_);
  }
  [[nodiscard]] T get() const { return raw_; }
  [[nodiscard]] explicit operator bool() const { return raw_ != nullptr; }

 private:
  const Functions* api_ = nullptr;
  T raw_ = nullptr;
};

using AdapterHandle = Handle<WGPUAdapter, &Functions::wgpuAdapterRelease>;
using DeviceHandle = Handle<WGPUDevice, &Functions::wgpuDeviceRelease>;
using QueueHandle = Handle<WGPUQueue, &Functions::wgpuQueueRelease>;
using BufferHandle = Handle<WGPUBuffer, &Functions::wgpuBufferRelease>;
using BindGroupHandle = Handle<WGPUBindGroup, &Functions::wgpuBindGroupRelease>;
using BindGroupLayoutHandle = Handle<WGPUBindGroupLayout, &Functions::wgpuBindGroupLayoutRelease>;
using PipelineLayoutHandle = Handle<WGPUPipelineLayout, &Functions::wgpuPipelineLayoutRelease>;
using ComputePipelineHandle = Handle<WGPUComputePipeline, &Functions::wgpuComputePipelineRelease>;
using ShaderModuleHandle = Handle<WGPUShaderModule, &Functions::wgpuShaderModuleRelease>;
using QuerySetHandle = Handle<WGPUQuerySet, &Functions::wgpuQuerySetRelease>;
using CommandEncoderHandle = Handle<WGPUCommandEncoder, &Functions::wgpuCommandEncoderRelease>;
using CommandBufferHandle = Handle<WGPUCommandBuffer, &Functions::wgpuCommandBufferRelease>;
using ComputePassHandle = Handle<WGPUComputePassEncoder, &Functions::wgpuComputePassEncoderRelease>;

}  // namespace tessera::runtime::webgpu
