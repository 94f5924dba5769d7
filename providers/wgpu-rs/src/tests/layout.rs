//! Compares structs and numbers with the C headers: writes static_asserts and has a C compiler check them.

use std::fmt::Write;
use std::mem::{offset_of, size_of};
use std::process::Command;

use crate::abi::{self, *};
use crate::convert;

macro_rules! check {
    ($out:ident, $rust:ty, $c:literal, { $($field:ident => $name:literal),* $(,)? }) => {
        writeln!($out, "_Static_assert(sizeof({}) == {}, \"size of {}\");", $c, size_of::<$rust>(), $c).unwrap();
        check!($out, $rust, prefix $c, { $($field => $name),* });
    };
    // Only the beginning of the struct is known here.
    ($out:ident, $rust:ty, prefix $c:literal, { $($field:ident => $name:literal),* $(,)? }) => {
        $(writeln!(
            $out,
            "_Static_assert(offsetof({}, {}) == {}, \"{}.{}\");",
            $c, $name, offset_of!($rust, $field), $c, $name
        ).unwrap();)*
    };
}

fn structs(out: &mut String) {
    check!(out, StringView, "WGPUStringView", { data => "data", length => "length" });
    check!(out, Chained, "WGPUChainedStruct", { next => "next", stype => "sType" });
    check!(out, abi::Future, "WGPUFuture", { id => "id" });
    check!(out, InstanceDescriptor, "WGPUInstanceDescriptor", {
        next => "nextInChain", required_feature_count => "requiredFeatureCount",
        required_features => "requiredFeatures", required_limits => "requiredLimits",
    });
    check!(out, InstanceExtras, prefix "WGPUInstanceExtras", {
        chain => "chain", backends => "backends", flags => "flags",
    });
    check!(out, EnumerateAdapterOptions, "WGPUInstanceEnumerateAdapterOptions", {
        next => "nextInChain", backends => "backends",
    });
    check!(out, AdapterInfo, "WGPUAdapterInfo", {
        next => "nextInChain", vendor => "vendor", architecture => "architecture", device => "device",
        description => "description", backend_type => "backendType", adapter_type => "adapterType",
        vendor_id => "vendorID", device_id => "deviceID", subgroup_min_size => "subgroupMinSize",
        subgroup_max_size => "subgroupMaxSize",
    });
    check!(out, Limits, "WGPULimits", {
        next => "nextInChain",
        max_texture_dimension_1d => "maxTextureDimension1D",
        max_texture_dimension_2d => "maxTextureDimension2D",
        max_texture_dimension_3d => "maxTextureDimension3D",
        max_texture_array_layers => "maxTextureArrayLayers",
        max_bind_groups => "maxBindGroups",
        max_bind_groups_plus_vertex_buffers => "maxBindGroupsPlusVertexBuffers",
        max_bindings_per_bind_group => "maxBindingsPerBindGroup",
        max_dynamic_uniform_buffers_per_pipeline_layout => "maxDynamicUniformBuffersPerPipelineLayout",
        max_dynamic_storage_buffers_per_pipeline_layout => "maxDynamicStorageBuffersPerPipelineLayout",
        max_sampled_textures_per_shader_stage => "maxSampledTexturesPerShaderStage",
        max_samplers_per_shader_stage => "maxSamplersPerShaderStage",
        max_storage_buffers_per_shader_stage => "maxStorageBuffersPerShaderStage",
        max_storage_textures_per_shader_stage => "maxStorageTexturesPerShaderStage",
        max_uniform_buffers_per_shader_stage => "maxUniformBuffersPerShaderStage",
        max_uniform_buffer_binding_size => "maxUniformBufferBindingSize",
        max_storage_buffer_binding_size => "maxStorageBufferBindingSize",
        min_uniform_buffer_offset_alignment => "minUniformBufferOffsetAlignment",
        min_storage_buffer_offset_alignment => "minStorageBufferOffsetAlignment",
        max_vertex_buffers => "maxVertexBuffers",
        max_buffer_size => "maxBufferSize",
        max_vertex_attributes => "maxVertexAttributes",
        max_vertex_buffer_array_stride => "maxVertexBufferArrayStride",
        max_inter_stage_shader_variables => "maxInterStageShaderVariables",
        max_color_attachments => "maxColorAttachments",
        max_color_attachment_bytes_per_sample => "maxColorAttachmentBytesPerSample",
        max_compute_workgroup_storage_size => "maxComputeWorkgroupStorageSize",
        max_compute_invocations_per_workgroup => "maxComputeInvocationsPerWorkgroup",
        max_compute_workgroup_size_x => "maxComputeWorkgroupSizeX",
        max_compute_workgroup_size_y => "maxComputeWorkgroupSizeY",
        max_compute_workgroup_size_z => "maxComputeWorkgroupSizeZ",
        max_compute_workgroups_per_dimension => "maxComputeWorkgroupsPerDimension",
        max_immediate_size => "maxImmediateSize",
    });
    check!(out, SupportedFeatures, "WGPUSupportedFeatures", { count => "featureCount", features => "features" });
    check!(out, QueueDescriptor, "WGPUQueueDescriptor", { next => "nextInChain", label => "label" });
    check!(out, DeviceLostCallbackInfo, "WGPUDeviceLostCallbackInfo", {
        next => "nextInChain", mode => "mode", callback => "callback", userdata1 => "userdata1",
        userdata2 => "userdata2",
    });
    check!(out, UncapturedErrorCallbackInfo, "WGPUUncapturedErrorCallbackInfo", {
        next => "nextInChain", callback => "callback", userdata1 => "userdata1", userdata2 => "userdata2",
    });
    check!(out, RequestDeviceCallbackInfo, "WGPURequestDeviceCallbackInfo", {
        next => "nextInChain", mode => "mode", callback => "callback", userdata1 => "userdata1",
        userdata2 => "userdata2",
    });
    check!(out, StatusCallbackInfo, "WGPUBufferMapCallbackInfo", {
        next => "nextInChain", mode => "mode", callback => "callback", userdata1 => "userdata1",
        userdata2 => "userdata2",
    });
    check!(out, StatusCallbackInfo, "WGPUQueueWorkDoneCallbackInfo", {
        next => "nextInChain", mode => "mode", callback => "callback", userdata1 => "userdata1",
        userdata2 => "userdata2",
    });
    check!(out, DeviceDescriptor, "WGPUDeviceDescriptor", {
        next => "nextInChain", label => "label", required_feature_count => "requiredFeatureCount",
        required_features => "requiredFeatures", required_limits => "requiredLimits", default_queue => "defaultQueue",
        device_lost => "deviceLostCallbackInfo", uncaptured_error => "uncapturedErrorCallbackInfo",
    });
    check!(out, BufferDescriptor, "WGPUBufferDescriptor", {
        next => "nextInChain", label => "label", usage => "usage", size => "size",
        mapped_at_creation => "mappedAtCreation",
    });
    check!(out, BindGroupEntry, "WGPUBindGroupEntry", {
        next => "nextInChain", binding => "binding", buffer => "buffer", offset => "offset", size => "size",
        sampler => "sampler", texture_view => "textureView",
    });
    check!(out, BindGroupDescriptor, "WGPUBindGroupDescriptor", {
        next => "nextInChain", label => "label", layout => "layout", entry_count => "entryCount",
        entries => "entries",
    });
    check!(out, BufferBindingLayout, "WGPUBufferBindingLayout", {
        next => "nextInChain", kind => "type", has_dynamic_offset => "hasDynamicOffset",
        min_binding_size => "minBindingSize",
    });
    check!(out, SamplerBindingLayout, "WGPUSamplerBindingLayout", { next => "nextInChain", kind => "type" });
    check!(out, TextureBindingLayout, "WGPUTextureBindingLayout", {
        next => "nextInChain", sample_type => "sampleType", view_dimension => "viewDimension",
        multisampled => "multisampled",
    });
    check!(out, StorageTextureBindingLayout, "WGPUStorageTextureBindingLayout", {
        next => "nextInChain", access => "access", format => "format", view_dimension => "viewDimension",
    });
    check!(out, BindGroupLayoutEntry, "WGPUBindGroupLayoutEntry", {
        next => "nextInChain", binding => "binding", visibility => "visibility",
        binding_array_size => "bindingArraySize", buffer => "buffer", sampler => "sampler", texture => "texture",
        storage_texture => "storageTexture",
    });
    check!(out, BindGroupLayoutDescriptor, "WGPUBindGroupLayoutDescriptor", {
        next => "nextInChain", label => "label", entry_count => "entryCount", entries => "entries",
    });
    check!(out, PipelineLayoutDescriptor, "WGPUPipelineLayoutDescriptor", {
        next => "nextInChain", label => "label", bind_group_layout_count => "bindGroupLayoutCount",
        bind_group_layouts => "bindGroupLayouts", immediate_size => "immediateSize",
    });
    check!(out, ConstantEntry, "WGPUConstantEntry", { next => "nextInChain", key => "key", value => "value" });
    check!(out, ComputeState, "WGPUComputeState", {
        next => "nextInChain", module => "module", entry_point => "entryPoint", constant_count => "constantCount",
        constants => "constants",
    });
    check!(out, ComputePipelineDescriptor, "WGPUComputePipelineDescriptor", {
        next => "nextInChain", label => "label", layout => "layout", compute => "compute",
    });
    check!(out, ComputePipelineExtras, "TesseraComputePipelineExtras", {
        chain => "chain", keep_workgroup_memory => "keepWorkgroupMemory",
    });
    check!(out, ShaderSourceWgsl, "WGPUShaderSourceWGSL", { chain => "chain", code => "code" });
    check!(out, LabelDescriptor, "WGPUShaderModuleDescriptor", { next => "nextInChain", label => "label" });
    check!(out, LabelDescriptor, "WGPUCommandEncoderDescriptor", { next => "nextInChain", label => "label" });
    check!(out, LabelDescriptor, "WGPUCommandBufferDescriptor", { next => "nextInChain", label => "label" });
    check!(out, QuerySetDescriptor, "WGPUQuerySetDescriptor", {
        next => "nextInChain", label => "label", kind => "type", count => "count",
    });
    check!(out, PassTimestampWrites, "WGPUPassTimestampWrites", {
        next => "nextInChain", query_set => "querySet",
        beginning_of_pass_write_index => "beginningOfPassWriteIndex",
        end_of_pass_write_index => "endOfPassWriteIndex",
    });
    check!(out, ComputePassDescriptor, "WGPUComputePassDescriptor", {
        next => "nextInChain", label => "label", timestamp_writes => "timestampWrites",
    });
    check!(out, MatrixConfig, "TesseraMatrixConfig", {
        m => "m", n => "n", k => "k", input => "input", result => "result",
    });
}

/// Enumerators, and macros and constants that a C compiler can fold.
fn numbers(out: &mut String) {
    let mut same = |number: u64, name: &str| {
        writeln!(out, "_Static_assert({name} == {number}ull, \"{name}\");").unwrap();
    };
    for (number, name) in [
        (STYPE_SHADER_SOURCE_WGSL, "WGPUSType_ShaderSourceWGSL"),
        (STYPE_INSTANCE_EXTRAS, "WGPUSType_InstanceExtras"),
        (STYPE_COMPUTE_PIPELINE_EXTRAS, "TesseraSType_ComputePipelineExtras"),
        (STATUS_SUCCESS, "WGPUStatus_Success"),
        (STATUS_ERROR, "WGPUStatus_Error"),
        (ERROR_VALIDATION, "WGPUErrorType_Validation"),
        (ERROR_OUT_OF_MEMORY, "WGPUErrorType_OutOfMemory"),
        (ERROR_INTERNAL, "WGPUErrorType_Internal"),
        (LOST_UNKNOWN, "WGPUDeviceLostReason_Unknown"),
        (LOST_DESTROYED, "WGPUDeviceLostReason_Destroyed"),
        (ASYNC_SUCCESS, "WGPUMapAsyncStatus_Success"),
        (ASYNC_CANCELLED, "WGPUMapAsyncStatus_CallbackCancelled"),
        (ASYNC_ERROR, "WGPUMapAsyncStatus_Error"),
        (ASYNC_SUCCESS, "WGPUQueueWorkDoneStatus_Success"),
        (ASYNC_CANCELLED, "WGPUQueueWorkDoneStatus_CallbackCancelled"),
        (ASYNC_ERROR, "WGPUQueueWorkDoneStatus_Error"),
        (ASYNC_SUCCESS, "WGPURequestDeviceStatus_Success"),
        (ASYNC_ERROR, "WGPURequestDeviceStatus_Error"),
        (BACKEND_UNDEFINED, "WGPUBackendType_Undefined"),
        (BACKEND_NULL, "WGPUBackendType_Null"),
        (BACKEND_WEBGPU, "WGPUBackendType_WebGPU"),
        (BACKEND_D3D12, "WGPUBackendType_D3D12"),
        (BACKEND_METAL, "WGPUBackendType_Metal"),
        (BACKEND_VULKAN, "WGPUBackendType_Vulkan"),
        (BACKEND_OPENGLES, "WGPUBackendType_OpenGLES"),
        (ADAPTER_DISCRETE, "WGPUAdapterType_DiscreteGPU"),
        (ADAPTER_INTEGRATED, "WGPUAdapterType_IntegratedGPU"),
        (ADAPTER_CPU, "WGPUAdapterType_CPU"),
        (ADAPTER_UNKNOWN, "WGPUAdapterType_Unknown"),
        (BINDING_UNIFORM, "WGPUBufferBindingType_Uniform"),
        (BINDING_STORAGE, "WGPUBufferBindingType_Storage"),
        (BINDING_READ_ONLY_STORAGE, "WGPUBufferBindingType_ReadOnlyStorage"),
        (QUERY_TIMESTAMP, "WGPUQueryType_Timestamp"),
        (QUERY_SET_INDEX_UNDEFINED, "WGPU_QUERY_SET_INDEX_UNDEFINED"),
        (LIMIT_U32_UNDEFINED, "WGPU_LIMIT_U32_UNDEFINED"),
        (log::Level::Error as u32, "WGPULogLevel_Error"),
        (log::Level::Trace as u32, "WGPULogLevel_Trace"),
        (MATRIX_F32, "TesseraMatrixType_F32"),
        (MATRIX_F16, "TesseraMatrixType_F16"),
        (MATRIX_I32, "TesseraMatrixType_I32"),
        (MATRIX_U32, "TesseraMatrixType_U32"),
        (CacheStatus::None as u32, "TesseraCacheStatus_None"),
        (CacheStatus::Fresh as u32, "TesseraCacheStatus_Fresh"),
        (CacheStatus::Loaded as u32, "TesseraCacheStatus_Loaded"),
        (CacheStatus::SetAside as u32, "TesseraCacheStatus_SetAside"),
        (CacheStatus::Saved as u32, "TesseraCacheStatus_Saved"),
        (CacheStatus::Unchanged as u32, "TesseraCacheStatus_Unchanged"),
        (CacheStatus::Failed as u32, "TesseraCacheStatus_Failed"),
    ] {
        same(number.into(), name);
    }
    same(WHOLE_SIZE, "WGPU_WHOLE_SIZE");
    same(LIMIT_U64_UNDEFINED, "WGPU_LIMIT_U64_UNDEFINED");
    same(STRLEN as u64, "WGPU_STRLEN");
    same(WHOLE_MAP_SIZE as u64, "WGPU_WHOLE_MAP_SIZE");
    let features = [
        ("WGPUFeatureName_CoreFeaturesAndLimits", wgpu::Features::empty()),
        ("WGPUFeatureName_DepthClipControl", wgpu::Features::DEPTH_CLIP_CONTROL),
        ("WGPUFeatureName_Depth32FloatStencil8", wgpu::Features::DEPTH32FLOAT_STENCIL8),
        ("WGPUFeatureName_TextureCompressionBC", wgpu::Features::TEXTURE_COMPRESSION_BC),
        ("WGPUFeatureName_TextureCompressionBCSliced3D", wgpu::Features::TEXTURE_COMPRESSION_BC_SLICED_3D),
        ("WGPUFeatureName_TextureCompressionETC2", wgpu::Features::TEXTURE_COMPRESSION_ETC2),
        ("WGPUFeatureName_TextureCompressionASTC", wgpu::Features::TEXTURE_COMPRESSION_ASTC),
        ("WGPUFeatureName_TextureCompressionASTCSliced3D", wgpu::Features::TEXTURE_COMPRESSION_ASTC_SLICED_3D),
        ("WGPUFeatureName_TimestampQuery", wgpu::Features::TIMESTAMP_QUERY),
        ("WGPUFeatureName_IndirectFirstInstance", wgpu::Features::INDIRECT_FIRST_INSTANCE),
        ("WGPUFeatureName_ShaderF16", wgpu::Features::SHADER_F16),
        ("WGPUFeatureName_RG11B10UfloatRenderable", wgpu::Features::RG11B10UFLOAT_RENDERABLE),
        ("WGPUFeatureName_BGRA8UnormStorage", wgpu::Features::BGRA8UNORM_STORAGE),
        ("WGPUFeatureName_Float32Filterable", wgpu::Features::FLOAT32_FILTERABLE),
        ("WGPUFeatureName_Float32Blendable", wgpu::Features::FLOAT32_BLENDABLE),
        ("WGPUFeatureName_ClipDistances", wgpu::Features::CLIP_DISTANCES),
        ("WGPUFeatureName_DualSourceBlending", wgpu::Features::DUAL_SOURCE_BLENDING),
        ("WGPUFeatureName_PrimitiveIndex", wgpu::Features::PRIMITIVE_INDEX),
        ("WGPUNativeFeature_Immediates", wgpu::Features::IMMEDIATES),
        ("WGPUNativeFeature_MappablePrimaryBuffers", wgpu::Features::MAPPABLE_PRIMARY_BUFFERS),
        ("WGPUNativeFeature_PipelineStatisticsQuery", wgpu::Features::PIPELINE_STATISTICS_QUERY),
        ("WGPUNativeFeature_ShaderF64", wgpu::Features::SHADER_F64),
        ("WGPUNativeFeature_ShaderI16", wgpu::Features::SHADER_I16),
        ("WGPUNativeFeature_Subgroup", wgpu::Features::SUBGROUP),
        ("WGPUNativeFeature_SubgroupVertex", wgpu::Features::SUBGROUP_VERTEX),
        ("WGPUNativeFeature_SubgroupBarrier", wgpu::Features::SUBGROUP_BARRIER),
        ("WGPUNativeFeature_TimestampQueryInsideEncoders", wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS),
        ("WGPUNativeFeature_TimestampQueryInsidePasses", wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES),
        ("WGPUNativeFeature_ShaderInt64", wgpu::Features::SHADER_INT64),
        ("WGPUNativeFeature_ShaderFloat32Atomic", wgpu::Features::SHADER_FLOAT32_ATOMIC),
        ("WGPUNativeFeature_PipelineCache", wgpu::Features::PIPELINE_CACHE),
        ("WGPUNativeFeature_ShaderInt64AtomicMinMax", wgpu::Features::SHADER_INT64_ATOMIC_MIN_MAX),
        ("WGPUNativeFeature_ShaderInt64AtomicAllOps", wgpu::Features::SHADER_INT64_ATOMIC_ALL_OPS),
        ("WGPUNativeFeature_CooperativeMatrix", wgpu::Features::EXPERIMENTAL_COOPERATIVE_MATRIX),
    ];
    assert_eq!(features.len(), convert::FEATURES.len() + 1);
    for (name, feature) in features {
        let number = convert::FEATURES.iter().find(|(_, known)| *known == feature).map_or(1, |(number, _)| *number);
        same(number.into(), name);
    }
}

/// Constants of the header that are variables in C: compared by a program.
fn flags() -> Vec<(u64, &'static str)> {
    let mut all = vec![
        (MAP_READ, "WGPUMapMode_Read"),
        (MAP_WRITE, "WGPUMapMode_Write"),
        (CHECK_BOUNDS, "WGPUShaderRuntimeChecks_BoundsChecks"),
        (CHECK_ZERO_FILL, "TesseraShaderRuntimeChecks_ZeroFill"),
        (CHECK_LOOPS, "WGPUShaderRuntimeChecks_ForceLoopBounding"),
    ];
    const NAMES: [&str; 10] = [
        "WGPUBufferUsage_MapRead",
        "WGPUBufferUsage_MapWrite",
        "WGPUBufferUsage_CopySrc",
        "WGPUBufferUsage_CopyDst",
        "WGPUBufferUsage_Index",
        "WGPUBufferUsage_Vertex",
        "WGPUBufferUsage_Uniform",
        "WGPUBufferUsage_Storage",
        "WGPUBufferUsage_Indirect",
        "WGPUBufferUsage_QueryResolve",
    ];
    for i in 0..NAMES.len() {
        assert_eq!(convert::buffer_usages_of(1 << i).unwrap().bits(), 1 << i);
    }
    all.extend(NAMES.iter().enumerate().map(|(i, name)| (1 << i, *name)));
    all.extend([
        (1, "WGPUShaderStage_Vertex"),
        (2, "WGPUShaderStage_Fragment"),
        (4, "WGPUShaderStage_Compute"),
        (1, "WGPUInstanceBackend_Vulkan"),
        (2, "WGPUInstanceBackend_GL"),
        (4, "WGPUInstanceBackend_Metal"),
        (8, "WGPUInstanceBackend_DX12"),
        (1 << 24, "WGPUInstanceFlag_Default"),
        (1 << 25, "WGPUInstanceFlag_Debugging"),
    ]);
    all
}

/// TESSERA_WEBGPU_HEADERS names the folder of webgpu.h and wgpu.h; the build sets it.
#[test]
fn structs_and_numbers_are_those_of_the_headers() {
    let Ok(headers) = std::env::var("TESSERA_WEBGPU_HEADERS") else {
        eprintln!("skipped: TESSERA_WEBGPU_HEADERS is not set");
        return;
    };
    let mut code = String::from(
        "#include <stddef.h>\n#include <stdint.h>\n#include <webgpu.h>\n#include <wgpu.h>\n#include <tessera_wgpu.h>\n",
    );
    structs(&mut code);
    numbers(&mut code);
    code += "int main(void) {\n";
    for (i, (number, name)) in flags().iter().enumerate() {
        writeln!(code, "  if ({name} != {number}ull) return {};", i + 1).unwrap();
    }
    code += "  return 0;\n}\n";
    let folder = super::support::Folder::new("layout");
    let (source, program) = (folder.0.join("layout.c"), folder.0.join("layout"));
    std::fs::write(&source, &code).unwrap();
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/include");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let made = Command::new(compiler)
        .args(["-std=c11", "-I", &headers, "-I", own, "-o"])
        .args([&program, &source])
        .output()
        .expect("a C compiler");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let ran = Command::new(&program).status().unwrap();
    assert!(ran.success(), "{:?}", ran.code().map(|code| flags()[code as usize - 1]));
}
