//! Numbers of webgpu.h and wgpu.h as wgpu's types, and back.

use wgpu::Features;

use crate::abi;

/// Feature numbers that the header and wgpu share. Those that the header has no number for cannot be asked for.
pub const FEATURES: &[(u32, Features)] = &[
    (0x0002, Features::DEPTH_CLIP_CONTROL),
    (0x0003, Features::DEPTH32FLOAT_STENCIL8),
    (0x0004, Features::TEXTURE_COMPRESSION_BC),
    (0x0005, Features::TEXTURE_COMPRESSION_BC_SLICED_3D),
    (0x0006, Features::TEXTURE_COMPRESSION_ETC2),
    (0x0007, Features::TEXTURE_COMPRESSION_ASTC),
    (0x0008, Features::TEXTURE_COMPRESSION_ASTC_SLICED_3D),
    (0x0009, Features::TIMESTAMP_QUERY),
    (0x000A, Features::INDIRECT_FIRST_INSTANCE),
    (0x000B, Features::SHADER_F16),
    (0x000C, Features::RG11B10UFLOAT_RENDERABLE),
    (0x000D, Features::BGRA8UNORM_STORAGE),
    (0x000E, Features::FLOAT32_FILTERABLE),
    (0x000F, Features::FLOAT32_BLENDABLE),
    (0x0010, Features::CLIP_DISTANCES),
    (0x0011, Features::DUAL_SOURCE_BLENDING),
    (0x0015, Features::PRIMITIVE_INDEX),
    (0x3_0001, Features::IMMEDIATES),
    (0x3_000E, Features::MAPPABLE_PRIMARY_BUFFERS),
    (0x3_0008, Features::PIPELINE_STATISTICS_QUERY),
    (0x3_001D, Features::SHADER_F64),
    (0x3_001E, Features::SHADER_I16),
    (0x3_0021, Features::SUBGROUP),
    (0x3_0022, Features::SUBGROUP_VERTEX),
    (0x3_0023, Features::SUBGROUP_BARRIER),
    (0x3_0024, Features::TIMESTAMP_QUERY_INSIDE_ENCODERS),
    (0x3_0025, Features::TIMESTAMP_QUERY_INSIDE_PASSES),
    (0x3_0026, Features::SHADER_INT64),
    (0x3_0027, Features::SHADER_FLOAT32_ATOMIC),
    (0x3_002B, Features::PIPELINE_CACHE),
    (0x3_002C, Features::SHADER_INT64_ATOMIC_MIN_MAX),
    (0x3_002D, Features::SHADER_INT64_ATOMIC_ALL_OPS),
    (0x3_003B, Features::EXPERIMENTAL_COOPERATIVE_MATRIX),
];

/// WGPUFeatureName_CoreFeaturesAndLimits: everything that is not OpenGL has it.
pub const CORE_FEATURES: u32 = 1;

pub fn feature_of(number: u32) -> Option<Features> {
    if number == CORE_FEATURES {
        return Some(Features::empty());
    }
    FEATURES.iter().find(|(known, _)| *known == number).map(|(_, feature)| *feature)
}

pub fn numbers_of(features: Features, backend: wgpu::Backend) -> Vec<u32> {
    let core = (backend != wgpu::Backend::Gl).then_some(CORE_FEATURES);
    let known = FEATURES.iter().filter(|(_, feature)| features.contains(*feature)).map(|(number, _)| *number);
    core.into_iter().chain(known).collect()
}

/// Calls `each!` with every limit that both sides have.
macro_rules! for_each_limit {
    ($each:ident) => {
        $each!(max_texture_dimension_1d, abi::LIMIT_U32_UNDEFINED);
        $each!(max_texture_dimension_2d, abi::LIMIT_U32_UNDEFINED);
        $each!(max_texture_dimension_3d, abi::LIMIT_U32_UNDEFINED);
        $each!(max_texture_array_layers, abi::LIMIT_U32_UNDEFINED);
        $each!(max_bind_groups, abi::LIMIT_U32_UNDEFINED);
        $each!(max_bind_groups_plus_vertex_buffers, abi::LIMIT_U32_UNDEFINED);
        $each!(max_bindings_per_bind_group, abi::LIMIT_U32_UNDEFINED);
        $each!(max_dynamic_uniform_buffers_per_pipeline_layout, abi::LIMIT_U32_UNDEFINED);
        $each!(max_dynamic_storage_buffers_per_pipeline_layout, abi::LIMIT_U32_UNDEFINED);
        $each!(max_sampled_textures_per_shader_stage, abi::LIMIT_U32_UNDEFINED);
        $each!(max_samplers_per_shader_stage, abi::LIMIT_U32_UNDEFINED);
        $each!(max_storage_buffers_per_shader_stage, abi::LIMIT_U32_UNDEFINED);
        $each!(max_storage_textures_per_shader_stage, abi::LIMIT_U32_UNDEFINED);
        $each!(max_uniform_buffers_per_shader_stage, abi::LIMIT_U32_UNDEFINED);
        $each!(max_uniform_buffer_binding_size, abi::LIMIT_U64_UNDEFINED);
        $each!(max_storage_buffer_binding_size, abi::LIMIT_U64_UNDEFINED);
        $each!(min_uniform_buffer_offset_alignment, abi::LIMIT_U32_UNDEFINED);
        $each!(min_storage_buffer_offset_alignment, abi::LIMIT_U32_UNDEFINED);
        $each!(max_vertex_buffers, abi::LIMIT_U32_UNDEFINED);
        $each!(max_buffer_size, abi::LIMIT_U64_UNDEFINED);
        $each!(max_vertex_attributes, abi::LIMIT_U32_UNDEFINED);
        $each!(max_vertex_buffer_array_stride, abi::LIMIT_U32_UNDEFINED);
        $each!(max_inter_stage_shader_variables, abi::LIMIT_U32_UNDEFINED);
        $each!(max_color_attachments, abi::LIMIT_U32_UNDEFINED);
        $each!(max_color_attachment_bytes_per_sample, abi::LIMIT_U32_UNDEFINED);
        $each!(max_compute_workgroup_storage_size, abi::LIMIT_U32_UNDEFINED);
        $each!(max_compute_invocations_per_workgroup, abi::LIMIT_U32_UNDEFINED);
        $each!(max_compute_workgroup_size_x, abi::LIMIT_U32_UNDEFINED);
        $each!(max_compute_workgroup_size_y, abi::LIMIT_U32_UNDEFINED);
        $each!(max_compute_workgroup_size_z, abi::LIMIT_U32_UNDEFINED);
        $each!(max_compute_workgroups_per_dimension, abi::LIMIT_U32_UNDEFINED);
        $each!(max_immediate_size, abi::LIMIT_U32_UNDEFINED);
    };
}

/// Fills in everything but the chain.
pub fn write_limits(from: &wgpu::Limits, to: &mut abi::Limits) {
    macro_rules! each {
        ($name:ident, $undefined:expr) => {
            to.$name = from.$name;
        };
    }
    for_each_limit!(each);
    // wgpu also limits all buffers of a stage together, which the header cannot say: room is left for two uniforms.
    let together = from.max_buffers_and_acceleration_structures_per_shader_stage.saturating_sub(2);
    to.max_storage_buffers_per_shader_stage = to.max_storage_buffers_per_shader_stage.min(together);
}

/// The standard's limits, changed where `from` says something; those that the header has no name for are not what
/// should fail, so they are the adapter's.
pub fn read_limits(from: &abi::Limits, adapter: &wgpu::Limits) -> wgpu::Limits {
    let mut to = wgpu::Limits {
        max_buffers_and_acceleration_structures_per_shader_stage: adapter
            .max_buffers_and_acceleration_structures_per_shader_stage,
        ..wgpu::Limits::default()
    };
    macro_rules! each {
        ($name:ident, $undefined:expr) => {
            if from.$name != $undefined {
                to.$name = from.$name;
            }
        };
    }
    for_each_limit!(each);
    to
}

pub fn backend_number(backend: wgpu::Backend) -> u32 {
    match backend {
        wgpu::Backend::Noop => abi::BACKEND_NULL,
        wgpu::Backend::Vulkan => abi::BACKEND_VULKAN,
        wgpu::Backend::Metal => abi::BACKEND_METAL,
        wgpu::Backend::Dx12 => abi::BACKEND_D3D12,
        wgpu::Backend::Gl => abi::BACKEND_OPENGLES,
        wgpu::Backend::BrowserWebGpu => abi::BACKEND_WEBGPU,
    }
}

pub fn adapter_type_number(kind: wgpu::DeviceType) -> u32 {
    match kind {
        wgpu::DeviceType::DiscreteGpu => abi::ADAPTER_DISCRETE,
        wgpu::DeviceType::IntegratedGpu => abi::ADAPTER_INTEGRATED,
        wgpu::DeviceType::Cpu => abi::ADAPTER_CPU,
        wgpu::DeviceType::VirtualGpu | wgpu::DeviceType::Other => abi::ADAPTER_UNKNOWN,
    }
}

/// WGPUInstanceBackend; 0 is all of them.
pub fn backends_of(bits: u64) -> wgpu::Backends {
    const KNOWN: [(u64, wgpu::Backends); 4] = [
        (1 << 0, wgpu::Backends::VULKAN),
        (1 << 1, wgpu::Backends::GL),
        (1 << 2, wgpu::Backends::METAL),
        (1 << 3, wgpu::Backends::DX12),
    ];
    if bits == 0 {
        return wgpu::Backends::all();
    }
    KNOWN.iter().filter(|(bit, _)| bits & bit != 0).map(|(_, backend)| *backend).collect()
}

/// WGPUInstanceFlag: the single bits are the same, and Default stands for wgpu's own choice.
pub fn instance_flags_of(bits: u64) -> wgpu::InstanceFlags {
    const DEFAULT: u64 = 1 << 24;
    const DEBUGGING: u64 = 1 << 25;
    let mut flags = wgpu::InstanceFlags::from_bits_truncate((bits & 0x7f) as u32);
    if bits & DEFAULT != 0 {
        flags |= wgpu::InstanceFlags::from_build_config();
    }
    if bits & DEBUGGING != 0 {
        flags |= wgpu::InstanceFlags::debugging();
    }
    flags
}

pub fn buffer_usages_of(bits: u64) -> Result<wgpu::BufferUsages, String> {
    const KNOWN: [wgpu::BufferUsages; 10] = [
        wgpu::BufferUsages::MAP_READ,
        wgpu::BufferUsages::MAP_WRITE,
        wgpu::BufferUsages::COPY_SRC,
        wgpu::BufferUsages::COPY_DST,
        wgpu::BufferUsages::INDEX,
        wgpu::BufferUsages::VERTEX,
        wgpu::BufferUsages::UNIFORM,
        wgpu::BufferUsages::STORAGE,
        wgpu::BufferUsages::INDIRECT,
        wgpu::BufferUsages::QUERY_RESOLVE,
    ];
    if bits >> KNOWN.len() != 0 {
        return Err(format!("the buffer usage {bits:#x} has bits that are not known"));
    }
    Ok(KNOWN.iter().enumerate().filter(|(i, _)| bits >> i & 1 != 0).map(|(_, usage)| *usage).collect())
}

pub fn stages_of(bits: u64) -> wgpu::ShaderStages {
    wgpu::ShaderStages::from_bits_truncate((bits & 7) as u32)
}

pub fn matrix_type(scalar: wgpu::wgt::CooperativeScalarType) -> u32 {
    use wgpu::wgt::CooperativeScalarType::{F16, F32, I32, U32};
    match scalar {
        F32 => abi::MATRIX_F32,
        F16 => abi::MATRIX_F16,
        I32 => abi::MATRIX_I32,
        U32 => abi::MATRIX_U32,
    }
}
