// The report buffer and its bind group.
#include "runtime/webgpu/reports.h"

namespace tessera::runtime::webgpu {

void Reports::make(Core& core) {
  const Functions& api = core.api();
  WGPUBufferDescriptor buffer = WGPU_BUFFER_DESCRIPTOR_INIT;
  buffer.label = view("reports");
  buffer.size = kBytes;  // zero at first
  buffer.usage = WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst;
  buffer_ = BufferHandle(api, api.wgpuDeviceCreateBuffer(core.device(), &buffer));
  WGPUBindGroupLayoutEntry entry = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
  entry.visibility = WGPUShaderStage_Compute;
  entry.buffer.type = WGPUBufferBindingType_Storage;
  WGPUBindGroupLayoutDescriptor layout = WGPU_BIND_GROUP_LAYOUT_DESCRIPTOR_INIT;
  layout.label = view("reports");
  layout.entryCount = 1;
  layout.entries = &entry;
  layout_ = BindGroupLayoutHandle(api, api.wgpuDeviceCreateBindGroupLayout(core.device(), &layout));
  WGPUBindGroupEntry bound = WGPU_BIND_GROUP_ENTRY_INIT;
  bound.buffer = buffer_.get();
  bound.size = kBytes;
  WGPUBindGroupDescriptor group = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
  group.label = view("reports");
  group.layout = layout_.get();
  group.entryCount = 1;
  group.entries = &bound;
  group_ = BindGroupHandle(api, api.wgpuDeviceCreateBindGroup(core.device(), &group));
}

WGPUBindGroupLayout Reports::layout(Core& core) {
  std::call_once(once_, [&] { make(core); });
  return layout_.get();
}

WGPUBindGroup Reports::group(Core& core) {
  std::call_once(once_, [&] { make(core); });
  return group_.get();
}

WGPUBuffer Reports::buffer(Core& core) {
  std::call_once(once_, [&] { make(core); });
  return buffer_.get();
}

}  // namespace tessera::runtime::webgpu
