// Enumerates adapters and translates their enums.
#include "runtime/webgpu/provider/adapter.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>

#include <fmt/format.h>

namespace tessera::runtime::webgpu {

namespace {

enum class Use : std::uint8_t {
  kNone,
  kAlways,        // always requested
  kOwn,           // requested from our own provider
  kExperimental,  // likewise, and may be refused
};

struct FeatureName {
  int id;
  std::string_view name;
  Use use;
};

// wgpu-native lists cooperative matrices but refuses them: it has no switch for experimental features. f64 is left out
// because drivers answer its functions with garbage, mappable primary buffers because they are slow.
constexpr std::array kFeatures{
    FeatureName{WGPUFeatureName_CoreFeaturesAndLimits, "core-features-and-limits", Use::kNone},
    FeatureName{WGPUFeatureName_DepthClipControl, "depth-clip-control", Use::kNone},
    FeatureName{WGPUFeatureName_Depth32FloatStencil8, "depth32float-stencil8", Use::kNone},
    FeatureName{WGPUFeatureName_TextureCompressionBC, "texture-compression-bc", Use::kNone},
    FeatureName{WGPUFeatureName_TextureCompressionBCSliced3D, "texture-compression-bc-sliced-3d", Use::kNone},
    FeatureName{WGPUFeatureName_TextureCompressionETC2, "texture-compression-etc2", Use::kNone},
    FeatureName{WGPUFeatureName_TextureCompressionASTC, "texture-compression-astc", Use::kNone},
    FeatureName{WGPUFeatureName_TextureCompressionASTCSliced3D, "texture-compression-astc-sliced-3d", Use::kNone},
    FeatureName{WGPUFeatureName_TimestampQuery, "timestamp-query", Use::kAlways},
    FeatureName{WGPUFeatureName_IndirectFirstInstance, "indirect-first-instance", Use::kNone},
    FeatureName{WGPUFeatureName_ShaderF16, "shader-f16", Use::kAlways},
    FeatureName{WGPUFeatureName_RG11B10UfloatRenderable, "rg11b10ufloat-renderable", Use::kNone},
    FeatureName{WGPUFeatureName_BGRA8UnormStorage, "bgra8unorm-storage", Use::kNone},
    FeatureName{WGPUFeatureName_Float32Filterable, "float32-filterable", Use::kNone},
    FeatureName{WGPUFeatureName_Float32Blendable, "float32-blendable", Use::kNone},
    FeatureName{WGPUFeatureName_ClipDistances, "clip-distances", Use::kNone},
    FeatureName{WGPUFeatureName_DualSourceBlending, "dual-source-blending", Use::kNone},
    FeatureName{WGPUFeatureName_Subgroups, "subgroups", Use::kAlways},
    FeatureName{WGPUFeatureName_TextureFormatsTier1, "texture-formats-tier1", Use::kNone},
    FeatureName{WGPUFeatureName_TextureFormatsTier2, "texture-formats-tier2", Use::kNone},
    FeatureName{WGPUFeatureName_PrimitiveIndex, "primitive-index", Use::kNone},
    FeatureName{WGPUNativeFeature_Immediates, "immediates", Use::kNone},
    FeatureName{WGPUNativeFeature_MappablePrimaryBuffers, "mappable-primary-buffers", Use::kNone},
    FeatureName{WGPUNativeFeature_PipelineStatisticsQuery, "pipeline-statistics-query", Use::kNone},
    FeatureName{WGPUNativeFeature_ShaderF64, "shader-f64", Use::kNone},
    FeatureName{WGPUNativeFeature_ShaderI16, "shader-i16", Use::kNone},
    FeatureName{WGPUNativeFeature_Subgroup, "subgroup", Use::kAlways},
    FeatureName{WGPUNativeFeature_SubgroupBarrier, "subgroup-barrier", Use::kAlways},
    FeatureName{WGPUNativeFeature_TimestampQueryInsideEncoders, "timestamp-query-inside-encoders", Use::kAlways},
    FeatureName{WGPUNativeFeature_TimestampQueryInsidePasses, "timestamp-query-inside-passes", Use::kAlways},
    FeatureName{WGPUNativeFeature_ShaderInt64, "shader-i64", Use::kAlways},
    FeatureName{WGPUNativeFeature_ShaderFloat32Atomic, "shader-f32-atomic", Use::kNone},
    FeatureName{WGPUNativeFeature_PipelineCache, "pipeline-cache", Use::kOwn},
    FeatureName{WGPUNativeFeature_ShaderInt64AtomicMinMax, "shader-i64-atomic-min-max", Use::kNone},
    FeatureName{WGPUNativeFeature_ShaderInt64AtomicAllOps, "shader-i64-atomic-all-ops", Use::kNone},
    FeatureName{WGPUNativeFeature_CooperativeMatrix, "cooperative-matrix", Use::kExperimental},
};

struct Vendor {
  std::uint32_t id;
  std::string_view name;
  std::uint32_t subgroup_min, subgroup_max;  // if the provider does not report them; 0: unknown
};
constexpr std::array kVendors{
    Vendor{0x10de, "NVIDIA", 32, 32},      Vendor{0x1002, "AMD", 32, 64},     Vendor{0x8086, "Intel", 8, 32},
    Vendor{0x106b, "Apple", 32, 32},       Vendor{0x13b5, "ARM", 4, 16},      Vendor{0x5143, "Qualcomm", 64, 128},
    Vendor{0x1010, "Imagination", 32, 32}, Vendor{0x1414, "Microsoft", 0, 0}, Vendor{0x10005, "Mesa", 8, 8},
    Vendor{0x1ae0, "Google", 4, 4},        Vendor{0x1af4, "virtio", 0, 0},
};

std::string_view name_of(WGPUBackendType backend) {
  switch (backend) {
    case WGPUBackendType_Vulkan:
      return "Vulkan";
    case WGPUBackendType_Metal:
      return "Metal";
    case WGPUBackendType_D3D12:
      return "D3D12";
    case WGPUBackendType_D3D11:
      return "D3D11";
    case WGPUBackendType_OpenGL:
      return "OpenGL";
    case WGPUBackendType_OpenGLES:
      return "OpenGL ES";
    case WGPUBackendType_WebGPU:
      return "WebGPU";
    default:
      return "unknown";
  }
}

bool is_software(std::string_view name) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::ranges::any_of(std::array{"llvmpipe", "lavapipe", "swiftshader", "softpipe", "basic render"},
                             [&](std::string_view part) { return lower.find(part) != std::string::npos; });
}

DeviceType type_of(const WGPUAdapterInfo& info) {
  if (info.adapterType == WGPUAdapterType_CPU || is_software(text_of(info.device))) return DeviceType::kSoftware;
  return info.adapterType == WGPUAdapterType_DiscreteGPU ? DeviceType::kDiscreteGpu : DeviceType::kIntegratedGpu;
}

void describe_features(const Functions& api, Adapter& adapter) {
  WGPUSupportedFeatures supported = WGPU_SUPPORTED_FEATURES_INIT;
  api.wgpuAdapterGetFeatures(adapter.handle.get(), &supported);
  DeviceFeatures& features = adapter.info.features;
  bool vote_and_add = false;
  for (const WGPUFeatureName id : std::span(supported.features, supported.featureCount)) {
    const auto* known = std::ranges::find(kFeatures, static_cast<int>(id), &FeatureName::id);
    if (known == kFeatures.end()) continue;
    adapter.info.feature_names.emplace_back(known->name);
    const bool own = api.tesseraAdapterGetMatrixConfigs != nullptr;
    if (known->use == Use::kAlways || (own && known->use != Use::kNone)) adapter.useful.push_back(id);
    if (own && known->use == Use::kExperimental) adapter.experimental.push_back(id);
    const int number = static_cast<int>(id);
    vote_and_add |= number == WGPUNativeFeature_Subgroup || number == WGPUFeatureName_Subgroups;
    features.f16 |= number == WGPUFeatureName_ShaderF16;
    features.timestamps |= number == WGPUFeatureName_TimestampQuery;
    features.i64 |= number == WGPUNativeFeature_ShaderInt64;
  }
  features.subgroups = vote_and_add;
  features.trusted = api.wgpuDeviceCreateShaderModuleTrusted != nullptr;
  api.wgpuSupportedFeaturesFreeMembers(supported);
  std::ranges::sort(adapter.info.feature_names);
}

std::optional<DType> dtype_of(TesseraMatrixType type) {
  switch (type) {
    case TesseraMatrixType_F16:
      return DType::kF16;
    case TesseraMatrixType_F32:
      return DType::kF32;
    default:
      return std::nullopt;
  }
}

// The sizes that WGSL has types for: coop_mat8x8 and coop_mat16x16, of floats.
std::vector<MatrixConfig> matrices_of(const Functions& api, WGPUAdapter adapter) {
  if (api.tesseraAdapterGetMatrixConfigs == nullptr) return {};
  std::vector<TesseraMatrixConfig> all(api.tesseraAdapterGetMatrixConfigs(adapter, nullptr, 0));
  all.resize(std::min(all.size(), api.tesseraAdapterGetMatrixConfigs(adapter, all.data(), all.size())));
  std::vector<MatrixConfig> out;
  for (const TesseraMatrixConfig& config : all) {
    const auto input = dtype_of(config.input);
    const auto result = dtype_of(config.result);
    const bool square = config.m == config.n && config.n == config.k && (config.m == 8 || config.m == 16);
    if (square && input && result) out.push_back({config.m, config.n, config.k, *input, *result});
  }
  return out;
}

Adapter describe(const Functions& api, WGPUAdapter raw, std::size_t number) {
  Adapter adapter;
  adapter.handle = AdapterHandle(api, raw);
  WGPUAdapterInfo info = WGPU_ADAPTER_INFO_INIT;
  api.wgpuAdapterGetInfo(raw, &info);
  api.wgpuAdapterGetLimits(raw, &adapter.limits);
  adapter.limits.nextInChain = nullptr;
  const auto* vendor = std::ranges::find(kVendors, info.vendorID, &Vendor::id);
  const bool known = vendor != kVendors.end();
  DeviceInfo& out = adapter.info;
  out.id = fmt::format("webgpu:{}", number);
  out.name = text_of(info.device);
  out.vendor = known ? std::string(vendor->name) : fmt::format("{:#06x}", info.vendorID);
  // wgpu-native reports the driver's name as the vendor and its version as the description.
  out.driver = text_of(info.vendor);
  if (!text_of(info.description).empty()) out.driver += fmt::format(" ({})", text_of(info.description));
  out.backend = name_of(info.backendType);
  out.type = type_of(info);
  describe_features(api, adapter);
  out.matrices = matrices_of(api, raw);
  if (api.tesseraAdapterGetMemorySize != nullptr) out.memory_size = api.tesseraAdapterGetMemorySize(raw);
  DeviceLimits subgroup;
  if (out.features.subgroups) {
    subgroup.subgroup_min = info.subgroupMinSize != 0 ? info.subgroupMinSize : (known ? vendor->subgroup_min : 0);
    subgroup.subgroup_max = info.subgroupMaxSize != 0 ? info.subgroupMaxSize : (known ? vendor->subgroup_max : 0);
    out.features.subgroups = subgroup.subgroup_min != 0;
  }
  out.limits = limits_of(adapter.limits, subgroup);
  api.wgpuAdapterInfoFreeMembers(info);
  return adapter;
}

std::vector<Adapter> enumerate(const Functions& api, WGPUInstance instance, WGPUInstanceBackend backends) {
  WGPUInstanceEnumerateAdapterOptions options{};
  options.backends = backends;
  std::vector<WGPUAdapter> raw(api.wgpuInstanceEnumerateAdapters(instance, &options, nullptr));
  if (!raw.empty()) raw.resize(std::min(raw.size(), api.wgpuInstanceEnumerateAdapters(instance, &options, raw.data())));
  std::vector<Adapter> adapters;
  adapters.reserve(raw.size());
  for (WGPUAdapter adapter : raw) adapters.push_back(describe(api, adapter, adapters.size()));
  return adapters;
}

}  // namespace

namespace {

std::mutex& list_mutex() {
  static auto& mutex = *new std::mutex;
  return mutex;
}

std::atomic<bool> stale = false;

// Never destroyed: adapters may be requested after the end of main.
std::map<const Provider*, Adapters>& lists() {
  static auto& map = *new std::map<const Provider*, Adapters>;
  return map;
}

}  // namespace

Adapters adapters_of(const Provider& provider) {
  const std::lock_guard lock(list_mutex());
  if (stale.exchange(false)) lists().clear();
  Adapters& known = lists()[&provider];
  if (known == nullptr) {
    const Functions& api = provider.api();
    std::vector<Adapter> found = enumerate(api, provider.instance(), WGPUInstanceBackend_Primary);
    if (found.empty()) {
      WGPUInstance opengl = provider.make_instance(WGPUInstanceBackend_GL);
      if (opengl != nullptr) {
        found = enumerate(api, opengl, WGPUInstanceBackend_GL);
        api.wgpuInstanceRelease(opengl);
      }
    }
    known = std::make_shared<const std::vector<Adapter>>(std::move(found));
  }
  return known;
}

// Only records it: called from inside the API.
void forget_adapters() { stale = true; }

DeviceLimits limits_of(const WGPULimits& limits, const DeviceLimits& adapter) {
  DeviceLimits out = adapter;  // subgroup sizes
  // Buffer sizes are multiples of 16 bytes; some drivers report a limit such as 2^31 - 1.
  out.max_buffer_size = limits.maxBufferSize & ~std::uint64_t{15};
  out.max_storage_binding_size = limits.maxStorageBufferBindingSize & ~std::uint64_t{15};
  out.max_storage_buffers = std::min(limits.maxStorageBuffersPerShaderStage, limits.maxBindingsPerBindGroup - 1);
  out.max_workgroup_size = std::min(limits.maxComputeInvocationsPerWorkgroup, limits.maxComputeWorkgroupSizeX);
  out.max_workgroup_memory = limits.maxComputeWorkgroupStorageSize;
  out.max_workgroups = limits.maxComputeWorkgroupsPerDimension;
  return out;
}

}  // namespace tessera::runtime::webgpu
