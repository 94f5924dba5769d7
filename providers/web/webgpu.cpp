// webgpu.h over navigator.gpu: the functions that the engine uses, with their structs taken apart for webgpu.js.
//
// Callbacks run inside wgpuDevicePoll, from events that JavaScript has collected; errors, where the program can
// suspend, also inside the call that made them.
#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <webgpu.h>
#include <wgpu.h>

#include "imports.h"

namespace {

template <class Handle>
WebObject id(Handle handle) {
  return static_cast<WebObject>(reinterpret_cast<std::uintptr_t>(handle));
}
template <class Handle>
Handle handle(WebObject id) {
  return reinterpret_cast<Handle>(static_cast<std::uintptr_t>(id));  // NOLINT(performance-no-int-to-ptr)
}

std::string text(WGPUStringView view) {
  if (view.data == nullptr) return {};
  return view.length == WGPU_STRLEN ? std::string(view.data) : std::string(view.data, view.length);
}

/// Text that JavaScript allocated.
class Text {
 public:
  explicit Text(char* data) : data_(data) {}
  ~Text() { std::free(data_); }  // NOLINT(cppcoreguidelines-no-malloc)
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;
  [[nodiscard]] WGPUStringView view() const { return {data_ == nullptr ? "" : data_, WGPU_STRLEN}; }

 private:
  char* data_;
};

WGPUStringView keep(char* data) { return {data, data == nullptr ? 0 : std::strlen(data)}; }

struct Feature {
  WGPUFeatureName id;
  const char* name;
};
constexpr std::array kFeatures{
    Feature{WGPUFeatureName_CoreFeaturesAndLimits, "core-features-and-limits"},
    Feature{WGPUFeatureName_TimestampQuery, "timestamp-query"},
    Feature{WGPUFeatureName_ShaderF16, "shader-f16"},
    Feature{WGPUFeatureName_Float32Filterable, "float32-filterable"},
    Feature{WGPUFeatureName_Subgroups, "subgroups"},
};
const char* name_of(WGPUFeatureName feature) {
  for (const Feature& f : kFeatures) {
    if (f.id == feature) return f.name;
  }
  return "";
}

struct Vendor {
  std::string_view name;
  std::uint32_t id;
};
// The browser names vendors; the engine knows their PCI numbers.
constexpr std::array kVendors{
    Vendor{"nvidia", 0x10de}, Vendor{"amd", 0x1002},      Vendor{"intel", 0x8086},     Vendor{"apple", 0x106b},
    Vendor{"arm", 0x13b5},    Vendor{"qualcomm", 0x5143}, Vendor{"img-tec", 0x1010},   Vendor{"imagination", 0x1010},
    Vendor{"mesa", 0x10005},  Vendor{"google", 0x1ae0},   Vendor{"microsoft", 0x1414},
};

/// Calls f(name, field) for each limit that the engine and a browser both know.
template <class Limits, class F>
void each_limit(Limits& limits, F f){
#define TESSERA_LIMIT(name) f(#name, limits.name);
    TESSERA_LIMIT(maxBindGroups) TESSERA_LIMIT(maxBindingsPerBindGroup)
        TESSERA_LIMIT(maxDynamicUniformBuffersPerPipelineLayout)
            TESSERA_LIMIT(maxDynamicStorageBuffersPerPipelineLayout) TESSERA_LIMIT(maxStorageBuffersPerShaderStage)
                TESSERA_LIMIT(maxUniformBuffersPerShaderStage) TESSERA_LIMIT(maxUniformBufferBindingSize)
                    TESSERA_LIMIT(maxStorageBufferBindingSize) TESSERA_LIMIT(minUniformBufferOffsetAlignment)
                        TESSERA_LIMIT(minStorageBufferOffsetAlignment) TESSERA_LIMIT(maxBufferSize)
                            TESSERA_LIMIT(maxComputeWorkgroupStorageSize)
                                TESSERA_LIMIT(maxComputeInvocationsPerWorkgroup) TESSERA_LIMIT(maxComputeWorkgroupSizeX)
                                    TESSERA_LIMIT(maxComputeWorkgroupSizeY) TESSERA_LIMIT(maxComputeWorkgroupSizeZ)
                                        TESSERA_LIMIT(maxComputeWorkgroupsPerDimension)
#undef TESSERA_LIMIT
}

WGPUStatus read_limits(WebObject of, WGPULimits* limits) {
  each_limit(*limits, [&](const char* name, auto& field) {
    const double value = tessera_web_limit(of, name);
    if (value >= 0) field = static_cast<std::remove_reference_t<decltype(field)>>(value);
  });
  return WGPUStatus_Success;
}

std::string json_of(const WGPULimits& limits) {
  std::string json;
  each_limit(limits, [&](const char* name, const auto& field) {
    if (field == static_cast<std::remove_cvref_t<decltype(field)>>(-1)) return;  // undefined
    json += json.empty() ? "{" : ",";
    json += '"' + std::string(name) + "\":" + std::to_string(field);
  });
  return json.empty() ? "{}" : json + "}";
}

struct DeviceState {
  WGPUDeviceLostCallbackInfo lost{};
  WGPUUncapturedErrorCallbackInfo error{};
};
std::map<WebObject, DeviceState>& devices() {
  static auto& map = *new std::map<WebObject, DeviceState>;
  return map;
}

enum Kind : std::uint32_t { kError = 1, kLost = 2, kMapped = 4, kDone = 8, kAll = 15 };

/// Runs the callbacks of the events of these kinds.
void deliver(WGPUDevice device, std::uint32_t kinds) {
  std::array<std::uint32_t, 6> event{};
  while (tessera_web_next_event(id(device), kinds, event.data()) != 0) {
    const auto pointer = [&](std::size_t i) {
      return reinterpret_cast<void*>(static_cast<std::uintptr_t>(event[i]));  // NOLINT(performance-no-int-to-ptr)
    };
    const Text message(static_cast<char*>(pointer(5)));
    const auto known = devices().find(id(device));
    if (known == devices().end()) return;
    const DeviceState state = known->second;
    switch (event[0]) {
      case kError:
        if (state.error.callback != nullptr) {
          state.error.callback(&device, static_cast<WGPUErrorType>(event[4]), message.view(), state.error.userdata1,
                               state.error.userdata2);
        }
        break;
      case kLost:
        if (state.lost.callback != nullptr) {
          state.lost.callback(&device, static_cast<WGPUDeviceLostReason>(event[4]), message.view(),
                              state.lost.userdata1, state.lost.userdata2);
        }
        break;
      case kMapped:
        reinterpret_cast<WGPUBufferMapCallback>(pointer(1))(static_cast<WGPUMapAsyncStatus>(event[4]), message.view(),
                                                            pointer(2), pointer(3));
        break;
      default:
        reinterpret_cast<WGPUQueueWorkDoneCallback>(pointer(1))(static_cast<WGPUQueueWorkDoneStatus>(event[4]),
                                                                message.view(), pointer(2), pointer(3));
    }
  }
}

/// Has the errors of the calls so far reported, where the program can wait for them.
void check(WGPUDevice device) {
  tessera_web_check(id(device));
  deliver(device, kError | kLost);
}

/// Memory that stands for mapped ranges, until the buffer is unmapped or goes.
std::multimap<WebObject, void*>& mapped() {
  static auto& map = *new std::multimap<WebObject, void*>;
  return map;
}
void drop_mapped(WGPUBuffer buffer) {
  const auto [first, last] = mapped().equal_range(id(buffer));
  for (auto it = first; it != last; ++it) std::free(it->second);  // NOLINT(cppcoreguidelines-no-malloc)
  mapped().erase(first, last);
}

/// The device that an object was made by, for what reports errors.
std::map<WebObject, WGPUDevice>& encoders() {
  static auto& map = *new std::map<WebObject, WGPUDevice>;
  return map;
}

}  // namespace

extern "C" {

WGPUInstance wgpuCreateInstance(const WGPUInstanceDescriptor* /*descriptor*/) { return handle<WGPUInstance>(-1); }
void wgpuInstanceRelease(WGPUInstance /*instance*/) {}

size_t wgpuInstanceEnumerateAdapters(WGPUInstance /*instance*/, const WGPUInstanceEnumerateAdapterOptions* options,
                                     WGPUAdapter* adapters) {
  if (options != nullptr && options->backends == WGPUInstanceBackend_GL) return 0;
  static std::int32_t found = 0;
  if (adapters == nullptr) {
    found = tessera_web_find_adapters();
  } else {
    for (std::int32_t i = 0; i < found; ++i) adapters[i] = handle<WGPUAdapter>(tessera_web_adapter(i));
  }
  return static_cast<std::size_t>(found);
}

void wgpuAdapterGetFeatures(WGPUAdapter adapter, WGPUSupportedFeatures* features) {
  auto* list = new WGPUFeatureName[kFeatures.size()];
  std::size_t count = 0;
  for (const Feature& f : kFeatures) {
    if (tessera_web_has_feature(id(adapter), f.name) != 0) list[count++] = f.id;
  }
  features->features = list;
  features->featureCount = count;
}
void wgpuSupportedFeaturesFreeMembers(WGPUSupportedFeatures features) { delete[] features.features; }

WGPUStatus wgpuAdapterGetInfo(WGPUAdapter adapter, WGPUAdapterInfo* info) {
  info->vendor = keep(tessera_web_info(id(adapter), "vendor"));
  info->architecture = keep(tessera_web_info(id(adapter), "architecture"));
  info->device = keep(tessera_web_info(id(adapter), "device"));
  info->description = keep(tessera_web_info(id(adapter), "description"));
  info->backendType = WGPUBackendType_WebGPU;
  info->adapterType =
      tessera_web_info_number(id(adapter), "isFallbackAdapter") != 0 ? WGPUAdapterType_CPU : WGPUAdapterType_Unknown;
  const std::string vendor = text(info->vendor);
  for (const Vendor& v : kVendors) {
    if (v.name == vendor) info->vendorID = v.id;
  }
  info->subgroupMinSize = static_cast<std::uint32_t>(tessera_web_info_number(id(adapter), "subgroupMinSize"));
  info->subgroupMaxSize = static_cast<std::uint32_t>(tessera_web_info_number(id(adapter), "subgroupMaxSize"));
  return WGPUStatus_Success;
}
void wgpuAdapterInfoFreeMembers(WGPUAdapterInfo info) {
  for (const WGPUStringView view : {info.vendor, info.architecture, info.device, info.description}) {
    std::free(const_cast<char*>(view.data));  // NOLINT(cppcoreguidelines-no-malloc)
  }
}
WGPUStatus wgpuAdapterGetLimits(WGPUAdapter adapter, WGPULimits* limits) { return read_limits(id(adapter), limits); }
void wgpuAdapterRelease(WGPUAdapter adapter) { tessera_web_release(id(adapter)); }

WGPUFuture wgpuAdapterRequestDevice(WGPUAdapter adapter, const WGPUDeviceDescriptor* descriptor,
                                    WGPURequestDeviceCallbackInfo callback) {
  std::string features;
  for (std::size_t i = 0; i < descriptor->requiredFeatureCount; ++i) {
    if (!features.empty()) features += ',';
    features += name_of(descriptor->requiredFeatures[i]);
  }
  const std::string limits = descriptor->requiredLimits == nullptr ? "{}" : json_of(*descriptor->requiredLimits);
  char* why = nullptr;
  const WebObject device =
      tessera_web_request_device(id(adapter), text(descriptor->label).c_str(), features.c_str(), limits.c_str(), &why);
  const Text reason(why);
  if (device != 0) devices()[device] = {descriptor->deviceLostCallbackInfo, descriptor->uncapturedErrorCallbackInfo};
  callback.callback(device != 0 ? WGPURequestDeviceStatus_Success : WGPURequestDeviceStatus_Error,
                    handle<WGPUDevice>(device), reason.view(), callback.userdata1, callback.userdata2);
  return {};
}

WGPUStatus wgpuDeviceGetLimits(WGPUDevice device, WGPULimits* limits) { return read_limits(id(device), limits); }
WGPUQueue wgpuDeviceGetQueue(WGPUDevice device) { return handle<WGPUQueue>(tessera_web_queue(id(device))); }
WGPUBool wgpuDeviceHasFeature(WGPUDevice device, WGPUFeatureName feature) {
  return tessera_web_has_feature(id(device), name_of(feature)) != 0 ? 1U : 0U;
}
void wgpuDeviceDestroy(WGPUDevice device) { tessera_web_destroy_device(id(device)); }
void wgpuDeviceRelease(WGPUDevice device) {
  devices().erase(id(device));
  tessera_web_release(id(device));
}
void wgpuQueueRelease(WGPUQueue queue) { tessera_web_release(id(queue)); }

WGPUBool wgpuDevicePoll(WGPUDevice device, WGPUBool wait, const WGPUSubmissionIndex* /*index*/) {
  tessera_web_wait(id(device), wait != 0 ? 1 : 0);
  deliver(device, kAll);
  return wait;
}

WGPUBuffer wgpuDeviceCreateBuffer(WGPUDevice device, const WGPUBufferDescriptor* descriptor) {
  const WebObject buffer =
      tessera_web_create_buffer(id(device), text(descriptor->label).c_str(), static_cast<double>(descriptor->size),
                                static_cast<std::uint32_t>(descriptor->usage));
  check(device);
  return handle<WGPUBuffer>(buffer);
}
WGPUFuture wgpuBufferMapAsync(WGPUBuffer buffer, WGPUMapMode /*mode*/, size_t offset, size_t size,
                              WGPUBufferMapCallbackInfo info) {
  tessera_web_map(id(buffer), static_cast<double>(offset), static_cast<double>(size),
                  reinterpret_cast<std::uintptr_t>(info.callback), reinterpret_cast<std::uintptr_t>(info.userdata1),
                  reinterpret_cast<std::uintptr_t>(info.userdata2));
  return {};
}
// The page's memory is not the module's: a range is a copy.
const void* wgpuBufferGetConstMappedRange(WGPUBuffer buffer, size_t offset, size_t size) {
  void* copy = std::malloc(size);  // NOLINT(cppcoreguidelines-no-malloc)
  if (copy == nullptr) return nullptr;
  tessera_web_copy_mapped(id(buffer), static_cast<double>(offset), static_cast<double>(size), copy);
  mapped().emplace(id(buffer), copy);
  return copy;
}
void wgpuBufferUnmap(WGPUBuffer buffer) {
  drop_mapped(buffer);
  tessera_web_unmap(id(buffer));
}
void wgpuBufferRelease(WGPUBuffer buffer) {
  drop_mapped(buffer);
  tessera_web_release(id(buffer));
}

WGPUShaderModule wgpuDeviceCreateShaderModule(WGPUDevice device, const WGPUShaderModuleDescriptor* descriptor) {
  const auto* source = reinterpret_cast<const WGPUShaderSourceWGSL*>(descriptor->nextInChain);
  const WebObject shader =
      tessera_web_create_shader(id(device), text(descriptor->label).c_str(), text(source->code).c_str());
  check(device);
  return handle<WGPUShaderModule>(shader);
}
void wgpuShaderModuleRelease(WGPUShaderModule shader) { tessera_web_release(id(shader)); }

WGPUComputePipeline wgpuDeviceCreateComputePipeline(WGPUDevice device,
                                                    const WGPUComputePipelineDescriptor* descriptor) {
  const WebObject pipeline =
      tessera_web_create_pipeline(id(device), text(descriptor->label).c_str(), id(descriptor->layout),
                                  id(descriptor->compute.module), text(descriptor->compute.entryPoint).c_str());
  check(device);
  return handle<WGPUComputePipeline>(pipeline);
}
void wgpuComputePipelineRelease(WGPUComputePipeline pipeline) { tessera_web_release(id(pipeline)); }

WGPUBindGroupLayout wgpuDeviceCreateBindGroupLayout(WGPUDevice device,
                                                    const WGPUBindGroupLayoutDescriptor* descriptor) {
  std::string kinds;
  for (std::size_t i = 0; i < descriptor->entryCount; ++i) {
    const WGPUBufferBindingLayout& buffer = descriptor->entries[i].buffer;
    const char uniform = buffer.hasDynamicOffset != 0 ? 'u' : 's';
    kinds += buffer.type == WGPUBufferBindingType_Storage           ? 'w'
             : buffer.type == WGPUBufferBindingType_ReadOnlyStorage ? 'r'
                                                                    : uniform;
  }
  return handle<WGPUBindGroupLayout>(
      tessera_web_create_group_layout(id(device), text(descriptor->label).c_str(), kinds.c_str()));
}
void wgpuBindGroupLayoutRelease(WGPUBindGroupLayout layout) { tessera_web_release(id(layout)); }

WGPUPipelineLayout wgpuDeviceCreatePipelineLayout(WGPUDevice device, const WGPUPipelineLayoutDescriptor* descriptor) {
  std::vector<WebObject> groups;
  for (std::size_t i = 0; i < descriptor->bindGroupLayoutCount; ++i) {
    groups.push_back(id(descriptor->bindGroupLayouts[i]));
  }
  return handle<WGPUPipelineLayout>(tessera_web_create_pipeline_layout(
      id(device), text(descriptor->label).c_str(), groups.data(), static_cast<std::int32_t>(groups.size())));
}
void wgpuPipelineLayoutRelease(WGPUPipelineLayout layout) { tessera_web_release(id(layout)); }

WGPUBindGroup wgpuDeviceCreateBindGroup(WGPUDevice device, const WGPUBindGroupDescriptor* descriptor) {
  std::vector<double> entries;
  for (std::size_t i = 0; i < descriptor->entryCount; ++i) {
    const WGPUBindGroupEntry& entry = descriptor->entries[i];
    entries.insert(entries.end(), {static_cast<double>(entry.binding), static_cast<double>(id(entry.buffer)),
                                   static_cast<double>(entry.offset), static_cast<double>(entry.size)});
  }
  return handle<WGPUBindGroup>(tessera_web_create_group(id(device), id(descriptor->layout), entries.data(),
                                                        static_cast<std::int32_t>(descriptor->entryCount)));
}
void wgpuBindGroupRelease(WGPUBindGroup group) { tessera_web_release(id(group)); }

WGPUQuerySet wgpuDeviceCreateQuerySet(WGPUDevice device, const WGPUQuerySetDescriptor* descriptor) {
  return handle<WGPUQuerySet>(tessera_web_create_timestamps(id(device), descriptor->count));
}
void wgpuQuerySetRelease(WGPUQuerySet queries) { tessera_web_release(id(queries)); }

WGPUCommandEncoder wgpuDeviceCreateCommandEncoder(WGPUDevice device,
                                                  const WGPUCommandEncoderDescriptor* /*descriptor*/) {
  const WebObject encoder = tessera_web_create_encoder(id(device));
  encoders()[encoder] = device;
  return handle<WGPUCommandEncoder>(encoder);
}
void wgpuCommandEncoderRelease(WGPUCommandEncoder encoder) {
  encoders().erase(id(encoder));
  tessera_web_release(id(encoder));
}
WGPUComputePassEncoder wgpuCommandEncoderBeginComputePass(WGPUCommandEncoder encoder,
                                                          const WGPUComputePassDescriptor* descriptor) {
  const WGPUPassTimestampWrites* writes = descriptor == nullptr ? nullptr : descriptor->timestampWrites;
  const std::string label = descriptor == nullptr ? std::string() : text(descriptor->label);
  return handle<WGPUComputePassEncoder>(tessera_web_begin_pass(
      id(encoder), label.c_str(), writes == nullptr ? 0 : id(writes->querySet),
      writes == nullptr ? 0 : writes->beginningOfPassWriteIndex, writes == nullptr ? 0 : writes->endOfPassWriteIndex));
}
void wgpuComputePassEncoderSetPipeline(WGPUComputePassEncoder pass, WGPUComputePipeline pipeline) {
  tessera_web_set_pipeline(id(pass), id(pipeline));
}
void wgpuComputePassEncoderSetBindGroup(WGPUComputePassEncoder pass, std::uint32_t index, WGPUBindGroup group,
                                        size_t offsets, const std::uint32_t* offset) {
  tessera_web_set_group(id(pass), index, id(group), offsets != 0 ? 1 : 0, offsets != 0 ? *offset : 0);
}
void wgpuComputePassEncoderDispatchWorkgroups(WGPUComputePassEncoder pass, std::uint32_t x, std::uint32_t y,
                                              std::uint32_t z) {
  tessera_web_dispatch(id(pass), x, y, z);
}
void wgpuComputePassEncoderEnd(WGPUComputePassEncoder pass) { tessera_web_end_pass(id(pass)); }
void wgpuComputePassEncoderRelease(WGPUComputePassEncoder pass) { tessera_web_release(id(pass)); }
void wgpuCommandEncoderClearBuffer(WGPUCommandEncoder encoder, WGPUBuffer buffer, std::uint64_t offset,
                                   std::uint64_t size) {
  tessera_web_clear(id(encoder), id(buffer), static_cast<double>(offset), static_cast<double>(size));
}
void wgpuCommandEncoderCopyBufferToBuffer(WGPUCommandEncoder encoder, WGPUBuffer from, std::uint64_t from_offset,
                                          WGPUBuffer to, std::uint64_t to_offset, std::uint64_t size) {
  tessera_web_copy(id(encoder), id(from), static_cast<double>(from_offset), id(to), static_cast<double>(to_offset),
                   static_cast<double>(size));
}
void wgpuCommandEncoderResolveQuerySet(WGPUCommandEncoder encoder, WGPUQuerySet queries, std::uint32_t first,
                                       std::uint32_t count, WGPUBuffer to, std::uint64_t offset) {
  tessera_web_resolve(id(encoder), id(queries), first, count, id(to), static_cast<double>(offset));
}
WGPUCommandBuffer wgpuCommandEncoderFinish(WGPUCommandEncoder encoder,
                                           const WGPUCommandBufferDescriptor* /*descriptor*/) {
  const WebObject commands = tessera_web_finish(id(encoder));
  check(encoders()[id(encoder)]);
  return handle<WGPUCommandBuffer>(commands);
}
void wgpuCommandBufferRelease(WGPUCommandBuffer commands) { tessera_web_release(id(commands)); }

WGPUSubmissionIndex wgpuQueueSubmitForIndex(WGPUQueue queue, size_t count, const WGPUCommandBuffer* commands) {
  for (std::size_t i = 0; i < count; ++i) tessera_web_submit(id(queue), id(commands[i]));
  return 0;  // wgpuDevicePoll waits for all
}
void wgpuQueueWriteBuffer(WGPUQueue /*queue*/, WGPUBuffer buffer, std::uint64_t offset, const void* data, size_t size) {
  tessera_web_write(id(buffer), static_cast<double>(offset), data, static_cast<double>(size));
}
WGPUFuture wgpuQueueOnSubmittedWorkDone(WGPUQueue queue, WGPUQueueWorkDoneCallbackInfo info) {
  tessera_web_on_done(id(queue), reinterpret_cast<std::uintptr_t>(info.callback),
                      reinterpret_cast<std::uintptr_t>(info.userdata1),
                      reinterpret_cast<std::uintptr_t>(info.userdata2));
  return {};
}
}
