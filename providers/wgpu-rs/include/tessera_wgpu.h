// What tessera_wgpu has beside webgpu.h and wgpu.h. Both sides of the boundary follow this file.
#ifndef TESSERA_WGPU_H_
#define TESSERA_WGPU_H_

#include <webgpu.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What an element of a cooperative matrix is.
typedef enum TesseraMatrixType {
  TesseraMatrixType_F32 = 1,
  TesseraMatrixType_F16 = 2,
  TesseraMatrixType_I32 = 3,
  TesseraMatrixType_U32 = 4,
  TesseraMatrixType_Force32 = 0x7FFFFFFF
} TesseraMatrixType;

/// One form of result[m, n] += a[m, k] * b[k, n] that the adapter has.
typedef struct TesseraMatrixConfig {
  uint32_t m;
  uint32_t n;
  uint32_t k;
  TesseraMatrixType input;
  TesseraMatrixType result;
} TesseraMatrixConfig;

/// Beside the bits of WGPUShaderRuntimeChecks, for wgpuDeviceCreateShaderModuleTrusted: workgroup variables start as
/// zero. On Vulkan the module decides that, elsewhere the pipeline.
static const uint64_t TesseraShaderRuntimeChecks_ZeroFill = 0x100000000;

enum { TesseraSType_ComputePipelineExtras = 0x7E550001 };

/// Chained to WGPUComputePipelineDescriptor.
typedef struct TesseraComputePipelineExtras {
  WGPUChainedStruct chain;
  WGPUBool keepWorkgroupMemory;  // true: workgroup variables are not zeroed before the kernel starts
} TesseraComputePipelineExtras;

typedef enum TesseraCacheStatus {
  TesseraCacheStatus_None = 0,      // there is no cache: the device cannot have one, or it was not opened
  TesseraCacheStatus_Fresh = 1,     // opened: there was no file
  TesseraCacheStatus_Loaded = 2,    // opened with what the file held
  TesseraCacheStatus_SetAside = 3,  // opened empty: the file was damaged or another adapter's, and was renamed
  TesseraCacheStatus_Saved = 4,
  TesseraCacheStatus_Unchanged = 5,  // nothing to save
  TesseraCacheStatus_Failed = 6,     // the folder or the file cannot be written; everything goes on without
  TesseraCacheStatus_Force32 = 0x7FFFFFFF
} TesseraCacheStatus;

/// Gets one line about a file that was set aside or not written; called at most once, inside the call.
typedef void (*TesseraSay)(WGPUStringView line, void* userdata);

/// The version of the wgpu crate inside: major << 24 | minor << 16 | patch << 8. Only this library has it.
WGPU_EXPORT uint32_t tesseraWgpuVersion(void);
/// Writes up to `capacity` configurations and returns how many there are.
WGPU_EXPORT size_t tesseraAdapterGetMatrixConfigs(WGPUAdapter adapter, TesseraMatrixConfig* configs, size_t capacity);
/// Bytes of the largest heap that is local to the device, on Vulkan; 0: not known.
WGPU_EXPORT uint64_t tesseraAdapterGetMemorySize(WGPUAdapter adapter);
/// Opens the pipeline cache of the device's adapter and driver in `folder`, which is made when it is saved. The device
/// must have been asked for WGPUNativeFeature_PipelineCache. Pipelines made from now on are looked up in it.
WGPU_EXPORT TesseraCacheStatus tesseraDeviceOpenPipelineCache(WGPUDevice device, WGPUStringView folder, TesseraSay say,
                                                              void* userdata);
/// Writes the cache to its file, if it changed: to a temporary file that is then renamed.
WGPU_EXPORT TesseraCacheStatus tesseraDeviceSavePipelineCache(WGPUDevice device, TesseraSay say, void* userdata);

#ifdef __cplusplus
}
#endif

#endif
