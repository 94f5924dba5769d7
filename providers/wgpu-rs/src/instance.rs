//! Instances, and the adapters that they see.

use std::panic::catch_unwind;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use crate::abi::{self, Raw};
use crate::adapter::Adapter;
use crate::convert;
use crate::error::{call, complain, panic_text, quiet_panics, Sink};
use crate::handle::{self, Kind};

pub struct Instance {
    inner: wgpu::Instance,
}

impl Kind for Instance {
    const NAME: &'static str = "WGPUInstance";
    const TAG: u64 = handle::tag(1);
    fn sink(&self) -> Option<&Sink> {
        None
    }
}

/// What a future gives at once: natively all of wgpu's do.
pub fn now<T>(future: impl std::future::Future<Output = T>) -> Result<T, String> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => Ok(value),
        Poll::Pending => Err("wgpu did not answer at once".into()),
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuCreateInstance(descriptor: *const abi::InstanceDescriptor) -> Raw {
    quiet_panics();
    crate::log::install();
    let made = catch_unwind(|| {
        let mut wanted = wgpu::InstanceDescriptor::new_without_display_handle();
        wanted.flags = wgpu::InstanceFlags::empty();
        let extras = unsafe { descriptor.as_ref() }.and_then(|descriptor| unsafe {
            abi::find_chained::<abi::InstanceExtras>(descriptor.next, abi::STYPE_INSTANCE_EXTRAS)
        });
        if let Some(extras) = extras {
            wanted.backends = convert::backends_of(extras.backends);
            wanted.flags = convert::instance_flags_of(extras.flags);
        }
        handle::make(Instance { inner: wgpu::Instance::new(wanted) })
    });
    made.unwrap_or_else(|panic| {
        complain(None, "wgpuCreateInstance", &panic_text(panic));
        std::ptr::null_mut()
    })
}

#[no_mangle]
pub unsafe extern "C" fn wgpuInstanceRelease(instance: Raw) {
    unsafe { handle::release::<Instance>("wgpuInstanceRelease", instance, |_| ()) }
}

/// Without `adapters` only counts them. Each that is written is the caller's to release.
#[no_mangle]
pub unsafe extern "C" fn wgpuInstanceEnumerateAdapters(
    instance: Raw,
    options: *const abi::EnumerateAdapterOptions,
    adapters: *mut Raw,
) -> usize {
    unsafe {
        call("wgpuInstanceEnumerateAdapters", instance, 0, |instance: &Instance| {
            let bits = options.as_ref().map_or(0, |options| options.backends);
            let found = now(instance.inner.enumerate_adapters(convert::backends_of(bits)))?;
            let count = found.len();
            if !adapters.is_null() {
                for (i, adapter) in found.into_iter().enumerate() {
                    adapters.add(i).write(handle::make(Adapter { inner: adapter }));
                }
            }
            Ok(count)
        })
    }
}
