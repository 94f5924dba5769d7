//! Buffers, and reading them on the host.

use std::ffi::c_void;
use std::sync::{Arc, Mutex, PoisonError};

use crate::abi::{self, Raw};
use crate::convert;
use crate::device::Device;
use crate::error::{call, Pending, Sink};
use crate::handle::{self, Kind};

pub struct Buffer {
    pub inner: wgpu::Buffer,
    sink: Arc<Sink>,
    /// Ranges that were handed out; they end with the mapping.
    views: Mutex<Vec<wgpu::BufferView>>,
}

impl Kind for Buffer {
    const NAME: &'static str = "WGPUBuffer";
    const TAG: u64 = handle::tag(5);
    fn sink(&self) -> Option<&Sink> {
        Some(&self.sink)
    }
}

impl Buffer {
    fn drop_views(&self) {
        self.views.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The slice, if it lies inside; wgpu would panic.
    fn slice(&self, offset: usize, size: usize) -> Result<wgpu::BufferSlice<'_>, String> {
        let whole = self.inner.size();
        let offset = offset as u64;
        let end = match size {
            abi::WHOLE_MAP_SIZE => Some(whole),
            size => offset.checked_add(size as u64),
        };
        match end {
            Some(end) if offset <= end && end <= whole => Ok(self.inner.slice(offset..end)),
            _ => Err(format!("{size} bytes from {offset} were asked for; the buffer has {whole}")),
        }
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuDeviceCreateBuffer(device: Raw, descriptor: *const abi::BufferDescriptor) -> Raw {
    unsafe {
        call("wgpuDeviceCreateBuffer", device, std::ptr::null_mut(), |device: &Device| {
            let wanted = descriptor.as_ref().ok_or("there is no descriptor")?;
            let inner = device.inner.create_buffer(&wgpu::BufferDescriptor {
                label: wanted.label.label(),
                size: wanted.size,
                usage: convert::buffer_usages_of(wanted.usage)?,
                mapped_at_creation: wanted.mapped_at_creation != 0,
            });
            Ok(handle::make(Buffer { inner, sink: device.shared.sink.clone(), views: Mutex::default() }))
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuBufferRelease(buffer: Raw) {
    unsafe { handle::release::<Buffer>("wgpuBufferRelease", buffer, Buffer::drop_views) }
}

/// Calls back in every case, unless the handle is bad.
#[no_mangle]
pub unsafe extern "C" fn wgpuBufferMapAsync(
    buffer: Raw,
    mode: u64,
    offset: usize,
    size: usize,
    info: abi::StatusCallbackInfo,
) -> abi::Future {
    unsafe {
        call("wgpuBufferMapAsync", buffer, (), |buffer: &Buffer| {
            let pending = Pending::new(&info, &buffer.sink);
            let mode = match mode {
                abi::MAP_READ => Ok(wgpu::MapMode::Read),
                abi::MAP_WRITE => Ok(wgpu::MapMode::Write),
                other => Err(format!("there is no map mode {other:#x}")),
            };
            match (mode, buffer.slice(offset, size)) {
                (Ok(mode), Ok(slice)) => slice.map_async(mode, move |outcome| match outcome {
                    Ok(()) => pending.finish(abi::ASYNC_SUCCESS, ""),
                    Err(error) => pending.finish(abi::ASYNC_ERROR, &error.to_string()),
                }),
                (Err(why), _) | (_, Err(why)) => {
                    pending.finish(abi::ASYNC_ERROR, &why);
                    return Err(why);
                }
            }
            Ok(())
        });
    }
    abi::Future { id: 0 }
}

/// Null, and an error, for a range that is not mapped. The pointer is good until the buffer is unmapped.
#[no_mangle]
pub unsafe extern "C" fn wgpuBufferGetConstMappedRange(buffer: Raw, offset: usize, size: usize) -> *const c_void {
    unsafe {
        call("wgpuBufferGetConstMappedRange", buffer, std::ptr::null(), |buffer: &Buffer| {
            let view = buffer.slice(offset, size)?.get_mapped_range().map_err(|error| error.to_string())?;
            let data = view.as_ptr().cast();
            buffer.views.lock().unwrap_or_else(PoisonError::into_inner).push(view);
            Ok(data)
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuBufferUnmap(buffer: Raw) {
    unsafe {
        call("wgpuBufferUnmap", buffer, (), |buffer: &Buffer| {
            buffer.drop_views();
            buffer.inner.unmap();
            Ok(())
        })
    }
}
