//! Command encoders, compute passes, command buffers and query sets. As webgpu.h has it, an encoder and its pass belong
//! to one thread at a time; so they take no locks.

use std::cell::UnsafeCell;
use std::sync::Arc;

use crate::abi::{self, Raw};
use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::{call, Sink};
use crate::handle::{self, get, Kind};
use crate::pipeline::{kind, BindGroup, ComputePipeline};

/// Something that is used up: by ending, finishing or submitting it.
struct UsedUp<T>(UnsafeCell<Option<T>>);

impl<T> UsedUp<T> {
    fn new(value: T) -> Self {
        Self(UnsafeCell::new(Some(value)))
    }

    /// Safety: the caller's one thread, and no second borrow within it.
    #[allow(clippy::mut_from_ref)]
    #[inline]
    unsafe fn get(&self) -> Option<&mut T> {
        unsafe { (*self.0.get()).as_mut() }
    }

    unsafe fn take(&self) -> Option<T> {
        unsafe { (*self.0.get()).take() }
    }
}

pub struct CommandEncoder {
    inner: UsedUp<wgpu::CommandEncoder>,
    sink: Arc<Sink>,
}

pub struct ComputePass {
    inner: UsedUp<wgpu::ComputePass<'static>>,
    sink: Arc<Sink>,
}

pub struct CommandBuffer {
    inner: UsedUp<wgpu::CommandBuffer>,
}

kind!(QuerySet, wgpu::QuerySet, "WGPUQuerySet", 11);

impl Kind for CommandEncoder {
    const NAME: &'static str = "WGPUCommandEncoder";
    const TAG: u64 = handle::tag(12);
    fn sink(&self) -> Option<&Sink> {
        Some(&self.sink)
    }
}

impl Kind for ComputePass {
    const NAME: &'static str = "WGPUComputePassEncoder";
    const TAG: u64 = handle::tag(13);
    fn sink(&self) -> Option<&Sink> {
        Some(&self.sink)
    }
}

impl Kind for CommandBuffer {
    const NAME: &'static str = "WGPUCommandBuffer";
    const TAG: u64 = handle::tag(14);
    fn sink(&self) -> Option<&Sink> {
        None
    }
}

impl CommandBuffer {
    pub fn check(&self) -> Result<(), String> {
        match unsafe { self.inner.get() } {
            Some(_) => Ok(()),
            None => Err("a command buffer was submitted already".into()),
        }
    }

    pub fn take(&self) -> Option<wgpu::CommandBuffer> {
        unsafe { self.inner.take() }
    }
}

/// `call` with the encoder that has not finished.
unsafe fn encode<R>(
    function: &'static str,
    encoder: Raw,
    otherwise: R,
    body: impl FnOnce(&mut wgpu::CommandEncoder, &Arc<Sink>) -> Result<R, String>,
) -> R {
    unsafe {
        call(function, encoder, otherwise, |encoder: &CommandEncoder| {
            let inner = encoder.inner.get().ok_or("the command encoder has finished")?;
            body(inner, &encoder.sink)
        })
    }
}

/// `call` with the pass that has not ended.
#[inline]
unsafe fn pass_call(
    function: &'static str,
    pass: Raw,
    body: impl FnOnce(&mut wgpu::ComputePass<'static>) -> Result<(), String>,
) {
    unsafe {
        call(function, pass, (), |pass: &ComputePass| match pass.inner.get() {
            Some(inner) => body(inner),
            None => Err("the compute pass has ended".into()),
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuDeviceCreateCommandEncoder(device: Raw, descriptor: *const abi::LabelDescriptor) -> Raw {
    unsafe {
        call("wgpuDeviceCreateCommandEncoder", device, std::ptr::null_mut(), |device: &Device| {
            let inner = device.inner.create_command_encoder(&wgpu::CommandEncoderDescriptor {
                label: descriptor.as_ref().and_then(|wanted| wanted.label.label()),
            });
            Ok(handle::make(CommandEncoder { inner: UsedUp::new(inner), sink: device.shared.sink.clone() }))
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuCommandEncoderRelease(encoder: Raw) {
    unsafe { handle::release::<CommandEncoder>("wgpuCommandEncoderRelease", encoder, |_| ()) }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuCommandEncoderBeginComputePass(
    encoder: Raw,
    descriptor: *const abi::ComputePassDescriptor,
) -> Raw {
    unsafe {
        encode("wgpuCommandEncoderBeginComputePass", encoder, std::ptr::null_mut(), |encoder, sink| {
            let wanted = descriptor.as_ref();
            let index = |i: u32| (i != abi::QUERY_SET_INDEX_UNDEFINED).then_some(i);
            let writes = match wanted.and_then(|wanted| wanted.timestamp_writes.as_ref()) {
                None => None,
                Some(writes) => Some(wgpu::ComputePassTimestampWrites {
                    query_set: &get::<QuerySet>(writes.query_set)?.inner,
                    beginning_of_pass_write_index: index(writes.beginning_of_pass_write_index),
                    end_of_pass_write_index: index(writes.end_of_pass_write_index),
                }),
            };
            let pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: wanted.and_then(|wanted| wanted.label.label()),
                timestamp_writes: writes,
            });
            Ok(handle::make(ComputePass { inner: UsedUp::new(pass.forget_lifetime()), sink: sink.clone() }))
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuCommandEncoderClearBuffer(encoder: Raw, buffer: Raw, offset: u64, size: u64) {
    unsafe {
        encode("wgpuCommandEncoderClearBuffer", encoder, (), |encoder, _| {
            let size = (size != abi::WHOLE_SIZE).then_some(size);
            encoder.clear_buffer(&get::<Buffer>(buffer)?.inner, offset, size);
            Ok(())
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuCommandEncoderCopyBufferToBuffer(
    encoder: Raw,
    source: Raw,
    source_offset: u64,
    destination: Raw,
    destination_offset: u64,
    size: u64,
) {
    unsafe {
        encode("wgpuCommandEncoderCopyBufferToBuffer", encoder, (), |encoder, _| {
            let source = &get::<Buffer>(source)?.inner;
            let destination = &get::<Buffer>(destination)?.inner;
            let size = (size != abi::WHOLE_SIZE).then_some(size);
            encoder.copy_buffer_to_buffer(source, source_offset, destination, destination_offset, size);
            Ok(())
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuCommandEncoderResolveQuerySet(
    encoder: Raw,
    queries: Raw,
    first: u32,
    count: u32,
    destination: Raw,
    offset: u64,
) {
    unsafe {
        encode("wgpuCommandEncoderResolveQuerySet", encoder, (), |encoder, _| {
            let end = first.checked_add(count).ok_or("there are not so many queries")?;
            let queries = &get::<QuerySet>(queries)?.inner;
            encoder.resolve_query_set(queries, first..end, &get::<Buffer>(destination)?.inner, offset);
            Ok(())
        })
    }
}

/// Null when it cannot even be tried; what wgpu refuses gives a command buffer that it refuses again.
#[no_mangle]
pub unsafe extern "C" fn wgpuCommandEncoderFinish(encoder: Raw, _descriptor: *const abi::LabelDescriptor) -> Raw {
    unsafe {
        call("wgpuCommandEncoderFinish", encoder, std::ptr::null_mut(), |encoder: &CommandEncoder| {
            let inner = encoder.inner.take().ok_or("the command encoder has finished already")?;
            Ok(handle::make(CommandBuffer { inner: UsedUp::new(inner.finish()) }))
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuCommandBufferRelease(commands: Raw) {
    unsafe { handle::release::<CommandBuffer>("wgpuCommandBufferRelease", commands, |_| ()) }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuComputePassEncoderSetPipeline(pass: Raw, pipeline: Raw) {
    unsafe {
        pass_call("wgpuComputePassEncoderSetPipeline", pass, |pass| {
            pass.set_pipeline(&get::<ComputePipeline>(pipeline)?.inner);
            Ok(())
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuComputePassEncoderSetBindGroup(
    pass: Raw,
    index: u32,
    group: Raw,
    offset_count: usize,
    offsets: *const u32,
) {
    unsafe {
        pass_call("wgpuComputePassEncoderSetBindGroup", pass, |pass| {
            let offsets = match offset_count {
                0 => &[],
                _ if offsets.is_null() => return Err("there are no dynamic offsets".into()),
                count => std::slice::from_raw_parts(offsets, count),
            };
            let group = match group.is_null() {
                true => None,
                false => Some(&get::<BindGroup>(group)?.inner),
            };
            pass.set_bind_group(index, group, offsets);
            Ok(())
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuComputePassEncoderDispatchWorkgroups(pass: Raw, x: u32, y: u32, z: u32) {
    unsafe {
        pass_call("wgpuComputePassEncoderDispatchWorkgroups", pass, |pass| {
            pass.dispatch_workgroups(x, y, z);
            Ok(())
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuComputePassEncoderEnd(pass: Raw) {
    unsafe {
        call("wgpuComputePassEncoderEnd", pass, (), |pass: &ComputePass| {
            let inner = pass.inner.take().ok_or("the compute pass has ended already")?;
            drop(inner);
            Ok(())
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuComputePassEncoderRelease(pass: Raw) {
    unsafe { handle::release::<ComputePass>("wgpuComputePassEncoderRelease", pass, |_| ()) }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuDeviceCreateQuerySet(device: Raw, descriptor: *const abi::QuerySetDescriptor) -> Raw {
    unsafe {
        call("wgpuDeviceCreateQuerySet", device, std::ptr::null_mut(), |device: &Device| {
            let wanted = descriptor.as_ref().ok_or("there is no descriptor")?;
            if wanted.kind != abi::QUERY_TIMESTAMP {
                return Err(format!("queries of type {} are not supported: only timestamps", wanted.kind));
            }
            let inner = device.inner.create_query_set(&wgpu::QuerySetDescriptor {
                label: wanted.label.label(),
                ty: wgpu::QueryType::Timestamp,
                count: wanted.count,
            });
            Ok(handle::make(QuerySet { inner }))
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuQuerySetRelease(queries: Raw) {
    unsafe { handle::release::<QuerySet>("wgpuQuerySetRelease", queries, |_| ()) }
}
