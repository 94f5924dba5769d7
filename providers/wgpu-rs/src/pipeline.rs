//! Shader modules, layouts, bind groups and compute pipelines.

use std::borrow::Cow;
use std::num::NonZero;

use crate::abi::{self, Raw};
use crate::buffer::Buffer;
use crate::convert;
use crate::device::Device;
use crate::error::{call, Sink};
use crate::handle::{self, get, Kind};
use crate::spirv;

macro_rules! kind {
    ($name:ident, $wgpu:ty, $text:literal, $number:literal) => {
        pub struct $name {
            pub inner: $wgpu,
        }
        impl Kind for $name {
            const NAME: &'static str = $text;
            const TAG: u64 = handle::tag($number);
            fn sink(&self) -> Option<&Sink> {
                None
            }
        }
    };
}
pub(crate) use kind;

kind!(ShaderModule, wgpu::ShaderModule, "WGPUShaderModule", 6);
kind!(BindGroupLayout, wgpu::BindGroupLayout, "WGPUBindGroupLayout", 7);
kind!(PipelineLayout, wgpu::PipelineLayout, "WGPUPipelineLayout", 8);
kind!(BindGroup, wgpu::BindGroup, "WGPUBindGroup", 9);
kind!(ComputePipeline, wgpu::ComputePipeline, "WGPUComputePipeline", 10);

/// A list as C passes it.
unsafe fn list<'a, T>(data: *const T, count: usize) -> Result<&'a [T], String> {
    match count {
        0 => Ok(&[]),
        _ if data.is_null() => Err(format!("a list of {count} is null")),
        _ => Ok(unsafe { std::slice::from_raw_parts(data, count) }),
    }
}

/// `checks` names those that stay on; a text that is not trusted has them all.
unsafe fn make_shader(
    device: &Device,
    descriptor: *const abi::LabelDescriptor,
    trusted: bool,
    checks: u64,
) -> Result<Raw, String> {
    let wanted = unsafe { descriptor.as_ref() }.ok_or("there is no descriptor")?;
    let source = unsafe { abi::find_chained::<abi::ShaderSourceWgsl>(wanted.next, abi::STYPE_SHADER_SOURCE_WGSL) };
    let code = unsafe { source.ok_or("there is no WGSL: other languages are not supported")?.code.text()? };
    let label = unsafe { wanted.label.label() };
    let features = device.inner.features();
    // Matrices need our own SPIR-V in any case; wgpu has then looked at a text that is not trusted. Others are faster by
    // it, but software drivers take forty times as long to compile them.
    let own = features.contains(wgpu::Features::PASSTHROUGH_SHADERS)
        && (code.contains("coop_mat") || (trusted && !device.software));
    let compiled = if own { spirv::compile(code, checks, features) } else { None };
    if let (Some(compiled), true) = (&compiled, trusted) {
        let inner = unsafe { device.inner.create_shader_module_passthrough(compiled.descriptor(label)) };
        return Ok(handle::make(ShaderModule { inner }));
    }
    let mut runtime_checks =
        if trusted { wgpu::ShaderRuntimeChecks::unchecked() } else { wgpu::ShaderRuntimeChecks::checked() };
    runtime_checks.bounds_checks = checks & abi::CHECK_BOUNDS != 0;
    runtime_checks.force_loop_bounding = checks & abi::CHECK_LOOPS != 0;
    let source = wgpu::ShaderSource::Wgsl(Cow::Borrowed(code));
    // Whoever switches checks off vouches for the shader.
    let looked_at = unsafe {
        device.inner.create_shader_module_trusted(wgpu::ShaderModuleDescriptor { label, source }, runtime_checks)
    };
    let inner = match compiled {
        Some(compiled) => unsafe { device.inner.create_shader_module_passthrough(compiled.descriptor(label)) },
        None => looked_at,
    };
    Ok(handle::make(ShaderModule { inner }))
}

#[no_mangle]
pub unsafe extern "C" fn wgpuDeviceCreateShaderModule(device: Raw, descriptor: *const abi::LabelDescriptor) -> Raw {
    unsafe {
        call("wgpuDeviceCreateShaderModule", device, std::ptr::null_mut(), |device: &Device| {
            make_shader(device, descriptor, false, abi::CHECK_BOUNDS | abi::CHECK_LOOPS | abi::CHECK_ZERO_FILL)
        })
    }
}

/// Only the checks named in `checks` stay on.
#[no_mangle]
pub unsafe extern "C" fn wgpuDeviceCreateShaderModuleTrusted(
    device: Raw,
    descriptor: *const abi::LabelDescriptor,
    checks: u64,
) -> Raw {
    unsafe {
        call("wgpuDeviceCreateShaderModuleTrusted", device, std::ptr::null_mut(), |device: &Device| {
            make_shader(device, descriptor, true, checks)
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuShaderModuleRelease(module: Raw) {
    unsafe { handle::release::<ShaderModule>("wgpuShaderModuleRelease", module, |_| ()) }
}

fn layout_entry(from: &abi::BindGroupLayoutEntry) -> Result<wgpu::BindGroupLayoutEntry, String> {
    let kind = match from.buffer.kind {
        abi::BINDING_UNIFORM => wgpu::BufferBindingType::Uniform,
        abi::BINDING_STORAGE => wgpu::BufferBindingType::Storage { read_only: false },
        abi::BINDING_READ_ONLY_STORAGE => wgpu::BufferBindingType::Storage { read_only: true },
        other => {
            return Err(format!("binding {} has no buffer type ({other}): only buffers are supported", from.binding))
        }
    };
    Ok(wgpu::BindGroupLayoutEntry {
        binding: from.binding,
        visibility: convert::stages_of(from.visibility),
        ty: wgpu::BindingType::Buffer {
            ty: kind,
            has_dynamic_offset: from.buffer.has_dynamic_offset != 0,
            min_binding_size: NonZero::new(from.buffer.min_binding_size),
        },
        count: None,
    })
}

#[no_mangle]
pub unsafe extern "C" fn wgpuDeviceCreateBindGroupLayout(
    device: Raw,
    descriptor: *const abi::BindGroupLayoutDescriptor,
) -> Raw {
    unsafe {
        call("wgpuDeviceCreateBindGroupLayout", device, std::ptr::null_mut(), |device: &Device| {
            let wanted = descriptor.as_ref().ok_or("there is no descriptor")?;
            let entries = list(wanted.entries, wanted.entry_count)?.iter().map(layout_entry);
            let entries = entries.collect::<Result<Vec<_>, _>>()?;
            let inner = device.inner.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: wanted.label.label(),
                entries: &entries,
            });
            Ok(handle::make(BindGroupLayout { inner }))
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuBindGroupLayoutRelease(layout: Raw) {
    unsafe { handle::release::<BindGroupLayout>("wgpuBindGroupLayoutRelease", layout, |_| ()) }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuDeviceCreatePipelineLayout(
    device: Raw,
    descriptor: *const abi::PipelineLayoutDescriptor,
) -> Raw {
    unsafe {
        call("wgpuDeviceCreatePipelineLayout", device, std::ptr::null_mut(), |device: &Device| {
            let wanted = descriptor.as_ref().ok_or("there is no descriptor")?;
            let layouts = list(wanted.bind_group_layouts, wanted.bind_group_layout_count)?.iter();
            let layouts = layouts.map(|raw| match raw.is_null() {
                true => Ok(None),
                false => get::<BindGroupLayout>(*raw).map(|layout| Some(&layout.inner)),
            });
            let layouts = layouts.collect::<Result<Vec<_>, _>>()?;
            let inner = device.inner.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: wanted.label.label(),
                bind_group_layouts: &layouts,
                immediate_size: wanted.immediate_size,
            });
            Ok(handle::make(PipelineLayout { inner }))
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuPipelineLayoutRelease(layout: Raw) {
    unsafe { handle::release::<PipelineLayout>("wgpuPipelineLayoutRelease", layout, |_| ()) }
}

unsafe fn bind_entry(from: &abi::BindGroupEntry) -> Result<wgpu::BindGroupEntry<'_>, String> {
    let buffer = unsafe { get::<Buffer>(from.buffer) };
    let buffer = buffer.map_err(|why| format!("binding {}: {why}", from.binding))?;
    let size = match from.size {
        abi::WHOLE_SIZE => None,
        size => Some(NonZero::new(size).ok_or_else(|| format!("binding {} has no bytes", from.binding))?),
    };
    Ok(wgpu::BindGroupEntry {
        binding: from.binding,
        resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: &buffer.inner,
            offset: from.offset,
            size,
        }),
    })
}

#[no_mangle]
pub unsafe extern "C" fn wgpuDeviceCreateBindGroup(device: Raw, descriptor: *const abi::BindGroupDescriptor) -> Raw {
    unsafe {
        call("wgpuDeviceCreateBindGroup", device, std::ptr::null_mut(), |device: &Device| {
            let wanted = descriptor.as_ref().ok_or("there is no descriptor")?;
            let layout = get::<BindGroupLayout>(wanted.layout)?;
            let entries = list(wanted.entries, wanted.entry_count)?.iter().map(|entry| bind_entry(entry));
            let entries = entries.collect::<Result<Vec<_>, _>>()?;
            let inner = device.inner.create_bind_group(&wgpu::BindGroupDescriptor {
                label: wanted.label.label(),
                layout: &layout.inner,
                entries: &entries,
            });
            Ok(handle::make(BindGroup { inner }))
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuBindGroupRelease(group: Raw) {
    unsafe { handle::release::<BindGroup>("wgpuBindGroupRelease", group, |_| ()) }
}

/// Found in the pipeline cache, where one was opened; zeroes workgroup memory unless a chained struct says otherwise.
#[no_mangle]
pub unsafe extern "C" fn wgpuDeviceCreateComputePipeline(
    device: Raw,
    descriptor: *const abi::ComputePipelineDescriptor,
) -> Raw {
    unsafe {
        call("wgpuDeviceCreateComputePipeline", device, std::ptr::null_mut(), |device: &Device| {
            let wanted = descriptor.as_ref().ok_or("there is no descriptor")?;
            let extras =
                abi::find_chained::<abi::ComputePipelineExtras>(wanted.next, abi::STYPE_COMPUTE_PIPELINE_EXTRAS);
            let layout = match wanted.layout.is_null() {
                true => None,
                false => Some(&get::<PipelineLayout>(wanted.layout)?.inner),
            };
            let module = get::<ShaderModule>(wanted.compute.module)?;
            let constants = list(wanted.compute.constants, wanted.compute.constant_count)?.iter();
            let constants = constants.map(|constant| Ok((constant.key.text()?, constant.value)));
            let constants = constants.collect::<Result<Vec<_>, String>>()?;
            let entry_point = wanted.compute.entry_point.text()?;
            let cache = device.cache.get();
            let inner = device.inner.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: wanted.label.label(),
                layout,
                module: &module.inner,
                entry_point: (!entry_point.is_empty()).then_some(entry_point),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants: &constants,
                    zero_initialize_workgroup_memory: extras.is_none_or(|extras| extras.keep_workgroup_memory == 0),
                },
                cache: cache.map(|cache| &cache.inner),
            });
            Ok(handle::make(ComputePipeline { inner }))
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuComputePipelineRelease(pipeline: Raw) {
    unsafe { handle::release::<ComputePipeline>("wgpuComputePipelineRelease", pipeline, |_| ()) }
}
