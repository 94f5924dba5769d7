//! Queues: writes, submissions, and word of when they are done.

use std::sync::Arc;

use crate::abi::{self, Raw};
use crate::buffer::Buffer;
use crate::device::Shared;
use crate::encode::CommandBuffer;
use crate::error::{call, Pending, Sink};
use crate::handle::{self, get, Kind};

pub struct Queue {
    pub shared: Arc<Shared>,
}

impl Kind for Queue {
    const NAME: &'static str = "WGPUQueue";
    const TAG: u64 = handle::tag(4);
    fn sink(&self) -> Option<&Sink> {
        Some(&self.shared.sink)
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuQueueRelease(queue: Raw) {
    unsafe { handle::release::<Queue>("wgpuQueueRelease", queue, |_| ()) }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuQueueWriteBuffer(
    queue: Raw,
    buffer: Raw,
    offset: u64,
    data: *const std::ffi::c_void,
    size: usize,
) {
    unsafe {
        call("wgpuQueueWriteBuffer", queue, (), |queue: &Queue| {
            let buffer = get::<Buffer>(buffer)?;
            if data.is_null() && size > 0 {
                return Err(format!("there is no data, and {size} bytes are to be written"));
            }
            if size > 0 {
                let data = std::slice::from_raw_parts(data.cast(), size);
                queue.shared.queue.write_buffer(&buffer.inner, offset, data);
            }
            Ok(())
        })
    }
}

/// A command buffer can be submitted once. When one of several is bad, none is submitted.
#[no_mangle]
pub unsafe extern "C" fn wgpuQueueSubmitForIndex(queue: Raw, count: usize, commands: *const Raw) -> u64 {
    unsafe {
        call("wgpuQueueSubmitForIndex", queue, 0, |queue: &Queue| {
            if commands.is_null() && count > 0 {
                return Err(format!("there is no list, and {count} command buffers are to be submitted"));
            }
            let handle = |i: usize| get::<CommandBuffer>(*commands.add(i));
            for i in 0..count {
                handle(i)?.check()?;
            }
            // A handle that stands there twice was taken by its first place.
            let all = (0..count).filter_map(|i| handle(i).ok().and_then(CommandBuffer::take));
            Ok(queue.shared.number(queue.shared.queue.submit(all)))
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuQueueOnSubmittedWorkDone(queue: Raw, info: abi::StatusCallbackInfo) -> abi::Future {
    unsafe {
        call("wgpuQueueOnSubmittedWorkDone", queue, (), |queue: &Queue| {
            let pending = Pending::new(&info, &queue.shared.sink);
            queue.shared.queue.on_submitted_work_done(move || pending.finish(abi::ASYNC_SUCCESS, ""));
            Ok(())
        });
    }
    abi::Future { id: 0 }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuQueueGetTimestampPeriod(queue: Raw) -> f32 {
    unsafe {
        call("wgpuQueueGetTimestampPeriod", queue, 1.0, |queue: &Queue| Ok(queue.shared.queue.get_timestamp_period()))
    }
}
