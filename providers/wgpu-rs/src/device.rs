//! Devices: what they have, their end, and waiting for them.

use std::collections::VecDeque;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::abi::{self, Raw};
use crate::cache::PipelineCache;
use crate::convert;
use crate::error::{call, Sink};
use crate::handle::{self, Kind};
use crate::queue::Queue;

pub struct Device {
    pub inner: wgpu::Device,
    pub software: bool,
    pub shared: Arc<Shared>,
    pub cache: OnceLock<PipelineCache>,
}

/// What the handles of one device have in common.
pub struct Shared {
    pub queue: wgpu::Queue,
    pub sink: Arc<Sink>,
    submissions: Mutex<Submissions>,
}

/// wgpu's submission indices are opaque: the last ones by their numbers, oldest first.
#[derive(Default)]
struct Submissions {
    last: u64,
    known: VecDeque<wgpu::SubmissionIndex>,
}

const SUBMISSIONS_KNOWN: usize = 64;

impl Shared {
    pub fn number(&self, index: wgpu::SubmissionIndex) -> u64 {
        let mut all = self.submissions.lock().unwrap_or_else(PoisonError::into_inner);
        if all.known.len() == SUBMISSIONS_KNOWN {
            all.known.pop_front();
        }
        all.known.push_back(index);
        all.last += 1;
        all.last
    }

    /// One that is no longer known is followed by those that are: the first of them stands for it.
    fn submission(&self, number: u64) -> Result<Option<wgpu::SubmissionIndex>, String> {
        let all = self.submissions.lock().unwrap_or_else(PoisonError::into_inner);
        if number > all.last {
            return Err(format!("there was no submission {number}; the last one is {}", all.last));
        }
        let first = all.last + 1 - all.known.len() as u64;
        Ok(all.known.get(number.saturating_sub(first) as usize).cloned())
    }
}

impl Device {
    pub fn make(inner: wgpu::Device, queue: wgpu::Queue, software: bool, sink: Arc<Sink>) -> Raw {
        let errors = sink.clone();
        inner.on_uncaptured_error(Arc::new(move |error| errors.report_wgpu(error)));
        let loss = sink.clone();
        inner.set_device_lost_callback(move |reason, message| {
            let number = match reason {
                wgpu::DeviceLostReason::Destroyed => abi::LOST_DESTROYED,
                _ => abi::LOST_UNKNOWN,
            };
            loss.lose(number, &message);
        });
        let shared = Arc::new(Shared { queue, sink: sink.clone(), submissions: Mutex::default() });
        let raw = handle::make(Device { inner, software, shared, cache: OnceLock::new() });
        sink.set_device(raw);
        raw
    }

    /// Waits for everything, and tells of the loss: now, since the caller may never poll again.
    fn destroy(&self) {
        self.inner.destroy();
        for _ in 0..8 {
            if self.shared.sink.is_lost() {
                return;
            }
            // On a device that fails as well, wgpu panics here; it is lost either way.
            let _ = catch_unwind(AssertUnwindSafe(|| self.inner.poll(wgpu::PollType::wait_indefinitely())));
        }
        self.shared.sink.lose(abi::LOST_DESTROYED, "it was destroyed");
    }
}

impl Kind for Device {
    const NAME: &'static str = "WGPUDevice";
    const TAG: u64 = handle::tag(3);
    fn sink(&self) -> Option<&Sink> {
        Some(&self.shared.sink)
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuDeviceRelease(device: Raw) {
    unsafe { handle::release::<Device>("wgpuDeviceRelease", device, |device| device.shared.sink.close()) }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuDeviceDestroy(device: Raw) {
    unsafe {
        call("wgpuDeviceDestroy", device, (), |device: &Device| {
            device.destroy();
            Ok(())
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuDeviceGetLimits(device: Raw, limits: *mut abi::Limits) -> u32 {
    unsafe {
        call("wgpuDeviceGetLimits", device, abi::STATUS_ERROR, |device: &Device| {
            let to = limits.as_mut().ok_or("there is no place for the limits")?;
            convert::write_limits(&device.inner.limits(), to);
            Ok(abi::STATUS_SUCCESS)
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuDeviceHasFeature(device: Raw, feature: u32) -> abi::Bool {
    unsafe {
        call("wgpuDeviceHasFeature", device, 0, |device: &Device| {
            let backend = device.inner.adapter_info().backend;
            Ok(convert::numbers_of(device.inner.features(), backend).contains(&feature).into())
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuDeviceGetQueue(device: Raw) -> Raw {
    unsafe {
        call("wgpuDeviceGetQueue", device, std::ptr::null_mut(), |device: &Device| {
            Ok(handle::make(Queue { shared: device.shared.clone() }))
        })
    }
}

/// Waiting holds no lock that submitting needs, so other threads go on. Returns whether the queue is empty.
#[no_mangle]
pub unsafe extern "C" fn wgpuDevicePoll(device: Raw, wait: abi::Bool, submission: *const u64) -> abi::Bool {
    unsafe {
        call("wgpuDevicePoll", device, 1, |device: &Device| {
            let how = match (wait, submission.as_ref()) {
                (0, _) => wgpu::PollType::Poll,
                (_, None) => wgpu::PollType::wait_indefinitely(),
                (_, Some(number)) => {
                    wgpu::PollType::Wait { submission_index: device.shared.submission(*number)?, timeout: None }
                }
            };
            let status = device.inner.poll(how).map_err(|error| error.to_string())?;
            Ok(status.is_queue_empty().into())
        })
    }
}
