//! The structs and numbers of webgpu.h, wgpu.h and tessera_wgpu.h that cross the boundary, laid out as in C.

use std::ffi::{c_char, c_void};

/// Any WGPU… handle: a pointer to an `Object` of handle.rs.
pub type Raw = *mut c_void;
pub type Bool = u32;

pub const STRLEN: usize = usize::MAX;
pub const WHOLE_SIZE: u64 = u64::MAX;
pub const WHOLE_MAP_SIZE: usize = usize::MAX;
pub const LIMIT_U32_UNDEFINED: u32 = u32::MAX;
pub const LIMIT_U64_UNDEFINED: u64 = u64::MAX;
pub const QUERY_SET_INDEX_UNDEFINED: u32 = u32::MAX;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct StringView {
    pub data: *const c_char,
    pub length: usize,
}

impl StringView {
    pub const EMPTY: Self = Self { data: std::ptr::null(), length: 0 };

    pub fn of(text: &str) -> Self {
        Self { data: text.as_ptr().cast(), length: text.len() }
    }

    /// # Safety
    /// The view must be valid as webgpu.h demands.
    pub unsafe fn bytes<'a>(self) -> &'a [u8] {
        if self.data.is_null() {
            return &[];
        }
        unsafe {
            match self.length {
                STRLEN => std::ffi::CStr::from_ptr(self.data).to_bytes(),
                length => std::slice::from_raw_parts(self.data.cast(), length),
            }
        }
    }

    /// # Safety
    /// The view must be valid as webgpu.h demands.
    pub unsafe fn text<'a>(self) -> Result<&'a str, String> {
        std::str::from_utf8(unsafe { self.bytes() }).map_err(|e| format!("the text is no UTF-8: {e}"))
    }

    /// For labels: what is no text is no label.
    ///
    /// # Safety
    /// The view must be valid as webgpu.h demands.
    pub unsafe fn label<'a>(self) -> Option<&'a str> {
        unsafe { self.text() }.ok().filter(|text| !text.is_empty())
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Chained {
    pub next: *const Chained,
    pub stype: u32,
}

/// The first struct of a chain with that type.
///
/// # Safety
/// The chain must be valid, and `T` the struct that `stype` stands for.
pub unsafe fn find_chained<'a, T>(mut at: *const Chained, stype: u32) -> Option<&'a T> {
    while let Some(chained) = unsafe { at.as_ref() } {
        if chained.stype == stype {
            return unsafe { at.cast::<T>().as_ref() };
        }
        at = chained.next;
    }
    None
}

pub const STYPE_SHADER_SOURCE_WGSL: u32 = 2;
pub const STYPE_INSTANCE_EXTRAS: u32 = 0x0003_0004;
pub const STYPE_COMPUTE_PIPELINE_EXTRAS: u32 = 0x7E55_0001;

#[repr(C)]
pub struct Future {
    pub id: u64,
}

pub const STATUS_SUCCESS: u32 = 1;
pub const STATUS_ERROR: u32 = 2;

pub const ERROR_VALIDATION: u32 = 2;
pub const ERROR_OUT_OF_MEMORY: u32 = 3;
pub const ERROR_INTERNAL: u32 = 4;

pub const LOST_UNKNOWN: u32 = 1;
pub const LOST_DESTROYED: u32 = 2;

// WGPUMapAsyncStatus, WGPUQueueWorkDoneStatus and WGPURequestDeviceStatus agree on these.
pub const ASYNC_SUCCESS: u32 = 1;
pub const ASYNC_CANCELLED: u32 = 2;
pub const ASYNC_ERROR: u32 = 3;

#[repr(C)]
pub struct InstanceDescriptor {
    pub next: *const Chained,
    pub required_feature_count: usize,
    pub required_features: *const u32,
    pub required_limits: *const c_void,
}

/// Only the beginning of WGPUInstanceExtras: the rest is for other systems.
#[repr(C)]
pub struct InstanceExtras {
    pub chain: Chained,
    pub backends: u64,
    pub flags: u64,
}

#[repr(C)]
pub struct EnumerateAdapterOptions {
    pub next: *const Chained,
    pub backends: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct AdapterInfo {
    pub next: *mut Chained,
    pub vendor: StringView,
    pub architecture: StringView,
    pub device: StringView,
    pub description: StringView,
    pub backend_type: u32,
    pub adapter_type: u32,
    pub vendor_id: u32,
    pub device_id: u32,
    pub subgroup_min_size: u32,
    pub subgroup_max_size: u32,
}

pub const BACKEND_UNDEFINED: u32 = 0;
pub const BACKEND_D3D12: u32 = 4;
pub const BACKEND_METAL: u32 = 5;
pub const BACKEND_VULKAN: u32 = 6;
pub const BACKEND_OPENGLES: u32 = 8;
pub const BACKEND_WEBGPU: u32 = 2;
pub const BACKEND_NULL: u32 = 1;

pub const ADAPTER_DISCRETE: u32 = 1;
pub const ADAPTER_INTEGRATED: u32 = 2;
pub const ADAPTER_CPU: u32 = 3;
pub const ADAPTER_UNKNOWN: u32 = 4;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Limits {
    pub next: *mut Chained,
    pub max_texture_dimension_1d: u32,
    pub max_texture_dimension_2d: u32,
    pub max_texture_dimension_3d: u32,
    pub max_texture_array_layers: u32,
    pub max_bind_groups: u32,
    pub max_bind_groups_plus_vertex_buffers: u32,
    pub max_bindings_per_bind_group: u32,
    pub max_dynamic_uniform_buffers_per_pipeline_layout: u32,
    pub max_dynamic_storage_buffers_per_pipeline_layout: u32,
    pub max_sampled_textures_per_shader_stage: u32,
    pub max_samplers_per_shader_stage: u32,
    pub max_storage_buffers_per_shader_stage: u32,
    pub max_storage_textures_per_shader_stage: u32,
    pub max_uniform_buffers_per_shader_stage: u32,
    pub max_uniform_buffer_binding_size: u64,
    pub max_storage_buffer_binding_size: u64,
    pub min_uniform_buffer_offset_alignment: u32,
    pub min_storage_buffer_offset_alignment: u32,
    pub max_vertex_buffers: u32,
    pub max_buffer_size: u64,
    pub max_vertex_attributes: u32,
    pub max_vertex_buffer_array_stride: u32,
    pub max_inter_stage_shader_variables: u32,
    pub max_color_attachments: u32,
    pub max_color_attachment_bytes_per_sample: u32,
    pub max_compute_workgroup_storage_size: u32,
    pub max_compute_invocations_per_workgroup: u32,
    pub max_compute_workgroup_size_x: u32,
    pub max_compute_workgroup_size_y: u32,
    pub max_compute_workgroup_size_z: u32,
    pub max_compute_workgroups_per_dimension: u32,
    pub max_immediate_size: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct SupportedFeatures {
    pub count: usize,
    pub features: *const u32,
}

#[repr(C)]
pub struct QueueDescriptor {
    pub next: *const Chained,
    pub label: StringView,
}

pub type DeviceLostCallback = unsafe extern "C" fn(*const Raw, u32, StringView, *mut c_void, *mut c_void);
pub type ErrorCallback = unsafe extern "C" fn(*const Raw, u32, StringView, *mut c_void, *mut c_void);
pub type RequestDeviceCallback = unsafe extern "C" fn(u32, Raw, StringView, *mut c_void, *mut c_void);
pub type StatusCallback = unsafe extern "C" fn(u32, StringView, *mut c_void, *mut c_void);
pub type LogCallback = unsafe extern "C" fn(u32, StringView, *mut c_void);
pub type Say = unsafe extern "C" fn(StringView, *mut c_void);

#[repr(C)]
pub struct DeviceLostCallbackInfo {
    pub next: *const Chained,
    pub mode: u32,
    pub callback: Option<DeviceLostCallback>,
    pub userdata1: *mut c_void,
    pub userdata2: *mut c_void,
}

#[repr(C)]
pub struct UncapturedErrorCallbackInfo {
    pub next: *const Chained,
    pub callback: Option<ErrorCallback>,
    pub userdata1: *mut c_void,
    pub userdata2: *mut c_void,
}

#[repr(C)]
pub struct RequestDeviceCallbackInfo {
    pub next: *const Chained,
    pub mode: u32,
    pub callback: Option<RequestDeviceCallback>,
    pub userdata1: *mut c_void,
    pub userdata2: *mut c_void,
}

/// WGPUBufferMapCallbackInfo and WGPUQueueWorkDoneCallbackInfo.
#[repr(C)]
pub struct StatusCallbackInfo {
    pub next: *const Chained,
    pub mode: u32,
    pub callback: Option<StatusCallback>,
    pub userdata1: *mut c_void,
    pub userdata2: *mut c_void,
}

#[repr(C)]
pub struct DeviceDescriptor {
    pub next: *const Chained,
    pub label: StringView,
    pub required_feature_count: usize,
    pub required_features: *const u32,
    pub required_limits: *const Limits,
    pub default_queue: QueueDescriptor,
    pub device_lost: DeviceLostCallbackInfo,
    pub uncaptured_error: UncapturedErrorCallbackInfo,
}

#[repr(C)]
pub struct BufferDescriptor {
    pub next: *const Chained,
    pub label: StringView,
    pub usage: u64,
    pub size: u64,
    pub mapped_at_creation: Bool,
}

pub const MAP_READ: u64 = 1;
pub const MAP_WRITE: u64 = 2;

#[repr(C)]
pub struct BindGroupEntry {
    pub next: *const Chained,
    pub binding: u32,
    pub buffer: Raw,
    pub offset: u64,
    pub size: u64,
    pub sampler: Raw,
    pub texture_view: Raw,
}

#[repr(C)]
pub struct BindGroupDescriptor {
    pub next: *const Chained,
    pub label: StringView,
    pub layout: Raw,
    pub entry_count: usize,
    pub entries: *const BindGroupEntry,
}

pub const BINDING_UNIFORM: u32 = 2;
pub const BINDING_STORAGE: u32 = 3;
pub const BINDING_READ_ONLY_STORAGE: u32 = 4;

#[repr(C)]
pub struct BufferBindingLayout {
    pub next: *const Chained,
    pub kind: u32,
    pub has_dynamic_offset: Bool,
    pub min_binding_size: u64,
}

#[repr(C)]
pub struct SamplerBindingLayout {
    pub next: *const Chained,
    pub kind: u32,
}

#[repr(C)]
pub struct TextureBindingLayout {
    pub next: *const Chained,
    pub sample_type: u32,
    pub view_dimension: u32,
    pub multisampled: Bool,
}

#[repr(C)]
pub struct StorageTextureBindingLayout {
    pub next: *const Chained,
    pub access: u32,
    pub format: u32,
    pub view_dimension: u32,
}

#[repr(C)]
pub struct BindGroupLayoutEntry {
    pub next: *const Chained,
    pub binding: u32,
    pub visibility: u64,
    pub binding_array_size: u32,
    pub buffer: BufferBindingLayout,
    pub sampler: SamplerBindingLayout,
    pub texture: TextureBindingLayout,
    pub storage_texture: StorageTextureBindingLayout,
}

#[repr(C)]
pub struct BindGroupLayoutDescriptor {
    pub next: *const Chained,
    pub label: StringView,
    pub entry_count: usize,
    pub entries: *const BindGroupLayoutEntry,
}

#[repr(C)]
pub struct PipelineLayoutDescriptor {
    pub next: *const Chained,
    pub label: StringView,
    pub bind_group_layout_count: usize,
    pub bind_group_layouts: *const Raw,
    pub immediate_size: u32,
}

#[repr(C)]
pub struct ConstantEntry {
    pub next: *const Chained,
    pub key: StringView,
    pub value: f64,
}

#[repr(C)]
pub struct ComputeState {
    pub next: *const Chained,
    pub module: Raw,
    pub entry_point: StringView,
    pub constant_count: usize,
    pub constants: *const ConstantEntry,
}

#[repr(C)]
pub struct ComputePipelineDescriptor {
    pub next: *const Chained,
    pub label: StringView,
    pub layout: Raw,
    pub compute: ComputeState,
}

#[repr(C)]
pub struct ComputePipelineExtras {
    pub chain: Chained,
    pub keep_workgroup_memory: Bool,
}

#[repr(C)]
pub struct ShaderSourceWgsl {
    pub chain: Chained,
    pub code: StringView,
}

/// WGPUShaderModuleDescriptor, WGPUCommandEncoderDescriptor and WGPUCommandBufferDescriptor.
#[repr(C)]
pub struct LabelDescriptor {
    pub next: *const Chained,
    pub label: StringView,
}

pub const CHECK_BOUNDS: u64 = 1;
pub const CHECK_LOOPS: u64 = 2;
pub const CHECK_ZERO_FILL: u64 = 1 << 32;

pub const QUERY_TIMESTAMP: u32 = 2;

#[repr(C)]
pub struct QuerySetDescriptor {
    pub next: *const Chained,
    pub label: StringView,
    pub kind: u32,
    pub count: u32,
}

#[repr(C)]
pub struct PassTimestampWrites {
    pub next: *const Chained,
    pub query_set: Raw,
    pub beginning_of_pass_write_index: u32,
    pub end_of_pass_write_index: u32,
}

#[repr(C)]
pub struct ComputePassDescriptor {
    pub next: *const Chained,
    pub label: StringView,
    pub timestamp_writes: *const PassTimestampWrites,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixConfig {
    pub m: u32,
    pub n: u32,
    pub k: u32,
    pub input: u32,
    pub result: u32,
}

pub const MATRIX_F32: u32 = 1;
pub const MATRIX_F16: u32 = 2;
pub const MATRIX_I32: u32 = 3;
pub const MATRIX_U32: u32 = 4;

#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheStatus {
    None = 0,
    Fresh = 1,
    Loaded = 2,
    SetAside = 3,
    Saved = 4,
    Unchanged = 5,
    Failed = 6,
}
