//! Errors: how they reach the device's callback inside the call that made them, and how panics become errors.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::Once;

use crate::abi::{self, Raw, StringView};
use crate::handle::{get, Kind};

/// Where the errors and the loss of one device go. Nothing is called back once the device was released.
pub struct Sink {
    device: AtomicPtr<c_void>,
    error: Option<abi::ErrorCallback>,
    error_data: [*mut c_void; 2],
    loss: Option<abi::DeviceLostCallback>,
    loss_data: [*mut c_void; 2],
    open: AtomicBool,
    lost: AtomicBool,
}

// The user's pointers are only handed back to the user, who chose callbacks that may come from any thread.
unsafe impl Send for Sink {}
unsafe impl Sync for Sink {}

impl Sink {
    pub fn new(errors: &abi::UncapturedErrorCallbackInfo, loss: &abi::DeviceLostCallbackInfo) -> Self {
        Self {
            device: AtomicPtr::new(std::ptr::null_mut()),
            error: errors.callback,
            error_data: [errors.userdata1, errors.userdata2],
            loss: loss.callback,
            loss_data: [loss.userdata1, loss.userdata2],
            open: AtomicBool::new(true),
            lost: AtomicBool::new(false),
        }
    }

    /// For a device without callbacks.
    pub fn silent() -> Self {
        let none = [std::ptr::null_mut(); 2];
        Self {
            device: AtomicPtr::new(std::ptr::null_mut()),
            error: None,
            error_data: none,
            loss: None,
            loss_data: none,
            open: AtomicBool::new(true),
            lost: AtomicBool::new(false),
        }
    }

    pub fn set_device(&self, device: Raw) {
        self.device.store(device, Ordering::Release);
    }

    pub fn close(&self) {
        self.open.store(false, Ordering::Release);
    }

    pub fn is_open(&self) -> bool {
        self.open.load(Ordering::Acquire)
    }

    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Acquire)
    }

    #[cold]
    pub fn report(&self, kind: u32, message: &str) {
        ::log::debug!("{message}");
        if let (Some(callback), true) = (self.error, self.is_open()) {
            let device: Raw = self.device.load(Ordering::Acquire);
            unsafe { callback(&device, kind, StringView::of(message), self.error_data[0], self.error_data[1]) };
        }
    }

    /// Tells of the loss, once.
    pub fn lose(&self, reason: u32, message: &str) {
        if self.lost.swap(true, Ordering::AcqRel) {
            return;
        }
        if let (Some(callback), true) = (self.loss, self.is_open()) {
            let device: Raw = self.device.load(Ordering::Acquire);
            unsafe { callback(&device, reason, StringView::of(message), self.loss_data[0], self.loss_data[1]) };
        }
    }

    pub fn report_wgpu(&self, error: wgpu::Error) {
        match error {
            wgpu::Error::OutOfMemory { .. } => self.report(abi::ERROR_OUT_OF_MEMORY, "Out of memory"),
            wgpu::Error::Validation { description, .. } => self.report(abi::ERROR_VALIDATION, &name_call(&description)),
            wgpu::Error::Internal { description, .. } => self.report(abi::ERROR_INTERNAL, &name_call(&description)),
        }
    }
}

/// wgpu names the call that failed by its Rust name, "In Device::create_buffer"; says it in C.
fn name_call(description: &str) -> String {
    let mut out = String::with_capacity(description.len() + 16);
    let mut named = false;
    for line in description.lines() {
        let start = line.trim_start();
        match start.strip_prefix("In ") {
            Some(rest) if !named => {
                named = true;
                let end = rest.find(',').unwrap_or(rest.len());
                out.push_str(&line[..line.len() - start.len()]);
                out.push_str("In ");
                out.push_str(&c_name(&rest[..end]));
                out.push_str(&rest[end..]);
            }
            _ => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

fn c_name(rust: &str) -> String {
    if rust == "a CommandEncoder" {
        return "wgpuCommandEncoderFinish".into();
    }
    let Some((object, function)) = rust.split_once("::") else {
        return rust.into();
    };
    let mut out = format!("wgpu{}", object.replace("ComputePass", "ComputePassEncoder"));
    for word in function.split('_') {
        out.extend(word.chars().take(1).map(|c| c.to_ascii_uppercase()));
        out.extend(word.chars().skip(1));
    }
    out
}

thread_local! {
    static PANIC_PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps panics, which all become errors, from being printed as well. The hook is this library's own: it has its own
/// copy of the standard library.
pub fn quiet_panics() {
    static ONCE: Once = Once::new();
    if cfg!(test) {
        return; // the test harness prints them
    }
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|info| {
            let place = info.location().map(|at| format!("{}:{}", at.file(), at.line()));
            PANIC_PLACE.with(|last| *last.borrow_mut() = place);
        }));
    });
}

#[cold]
pub fn panic_text(panic: Box<dyn Any + Send>) -> String {
    let what = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    match PANIC_PLACE.with(|last| last.borrow_mut().take()) {
        Some(place) => format!("{what} (a panic at {place})"),
        None => format!("{what} (a panic)"),
    }
}

/// Says what is wrong to the device, or to the log where there is none.
#[cold]
pub fn complain(sink: Option<&Sink>, function: &'static str, why: &str) {
    let message = format!("Validation Error\n\nCaused by:\n  In {function}\n    {why}\n");
    match sink {
        Some(sink) => sink.report(abi::ERROR_VALIDATION, &message),
        None => ::log::error!("{function}: {why}"),
    }
}

#[cold]
fn complain_panic(sink: Option<&Sink>, function: &'static str, panic: Box<dyn Any + Send>) {
    let why = panic_text(panic);
    match sink {
        Some(sink) if sink.is_lost() => ::log::warn!("{function}: {why}"), // the loss was told
        Some(sink) => {
            sink.report(abi::ERROR_INTERNAL, &format!("Internal Error\n\nCaused by:\n  In {function}\n    {why}\n"))
        }
        None => ::log::error!("{function}: {why}"),
    }
}

/// The body of every function on a handle: checks the handle, catches panics, reports what failed. `otherwise` is the
/// answer then.
///
/// # Safety
/// As for `get`.
#[inline]
pub unsafe fn call<T: Kind, R>(
    function: &'static str,
    raw: Raw,
    otherwise: R,
    body: impl FnOnce(&T) -> Result<R, String>,
) -> R {
    let object = match unsafe { get::<T>(raw) } {
        Ok(object) => object,
        Err(why) => {
            complain(None, function, &why);
            return otherwise;
        }
    };
    match catch_unwind(AssertUnwindSafe(|| body(object))) {
        Ok(Ok(result)) => result,
        Ok(Err(why)) => {
            complain(object.sink(), function, &why);
            otherwise
        }
        Err(panic) => {
            complain_panic(object.sink(), function, panic);
            otherwise
        }
    }
}

/// A callback that is called exactly once: with an outcome, or as cancelled when it is dropped before there is one.
/// Never after the device was released.
pub struct Pending {
    callback: Option<abi::StatusCallback>,
    data: [*mut c_void; 2],
    sink: std::sync::Arc<Sink>,
}

unsafe impl Send for Pending {}

impl Pending {
    pub fn new(info: &abi::StatusCallbackInfo, sink: &std::sync::Arc<Sink>) -> Self {
        Self { callback: info.callback, data: [info.userdata1, info.userdata2], sink: sink.clone() }
    }

    pub fn finish(mut self, status: u32, message: &str) {
        self.tell(status, message);
    }

    fn tell(&mut self, status: u32, message: &str) {
        if let (Some(callback), true) = (self.callback.take(), self.sink.is_open()) {
            unsafe { callback(status, StringView::of(message), self.data[0], self.data[1]) };
        }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.tell(abi::ASYNC_CANCELLED, "the device is gone");
    }
}
