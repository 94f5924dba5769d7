//! wgpu's log lines, handed to the callback that wgpu.h defines; and versions.

use std::ffi::c_void;
use std::sync::{Once, PoisonError, RwLock};

use log::{LevelFilter, Log, Metadata, Record};

use crate::abi::{LogCallback, StringView};

struct Logger(RwLock<Option<(LogCallback, usize)>>);

static LOGGER: Logger = Logger(RwLock::new(None));

impl Log for Logger {
    fn enabled(&self, _: &Metadata) -> bool {
        true
    }

    fn log(&self, record: &Record) {
        let target = *self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some((callback, userdata)) = target {
            let line = record.args().to_string();
            unsafe { callback(record.level() as u32, StringView::of(&line), userdata as *mut c_void) };
        }
    }

    fn flush(&self) {}
}

pub fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = log::set_logger(&LOGGER);
    });
}

#[no_mangle]
pub extern "C" fn wgpuSetLogCallback(callback: Option<LogCallback>, userdata: *mut c_void) {
    install();
    let target = callback.map(|callback| (callback, userdata as usize));
    *LOGGER.0.write().unwrap_or_else(PoisonError::into_inner) = target;
}

#[no_mangle]
pub extern "C" fn wgpuSetLogLevel(level: u32) {
    install();
    log::set_max_level(match level {
        0 => LevelFilter::Off,
        1 => LevelFilter::Error,
        2 => LevelFilter::Warn,
        3 => LevelFilter::Info,
        4 => LevelFilter::Debug,
        _ => LevelFilter::Trace,
    });
}

/// The version of the wgpu crate; a test compares it with Cargo.lock.
pub const WGPU_VERSION: [u32; 3] = [30, 0, 1];

#[no_mangle]
pub extern "C" fn tesseraWgpuVersion() -> u32 {
    WGPU_VERSION[0] << 24 | WGPU_VERSION[1] << 16 | WGPU_VERSION[2] << 8
}

#[no_mangle]
pub extern "C" fn wgpuGetVersion() -> u32 {
    tesseraWgpuVersion()
}
