//! The exported functions: pointers in, guarded results out.
use crate::result::{bytes, guard, quiet, release, CResult, Failure};
use crate::{jpeg, png_files};
use std::ffi::c_char;

#[no_mangle]
pub unsafe extern "C" fn tesseraImageRelease(result: *mut CResult) {
    quiet(|| unsafe { release(result) });
}

#[no_mangle]
pub extern "C" fn tesseraImageVersion() -> *const c_char {
    // The versions are those of Cargo.toml; a test compares them.
    concat!(env!("CARGO_PKG_VERSION"), " (png 0.18.1, zune-jpeg 0.5.15)\0").as_ptr().cast()
}

#[no_mangle]
pub unsafe extern "C" fn tesseraImageDecode(file: *const u8, size: usize, max_bytes: usize) -> *mut CResult {
    guard(|| {
        let file = unsafe { bytes(file, size) };
        if file.starts_with(&png_files::SIGNATURE) {
            png_files::decode(file, max_bytes)
        } else if file.starts_with(&jpeg::SIGNATURE) {
            jpeg::decode(file, max_bytes)
        } else {
            Err(Failure::parse("it begins neither as a PNG nor as a JPEG file"))
        }
    })
}

#[no_mangle]
pub unsafe extern "C" fn tesseraImageEncodePng(
    pixels: *const u8,
    size: usize,
    width: u32,
    height: u32,
    channels: u32,
) -> *mut CResult {
    guard(|| png_files::encode(unsafe { bytes(pixels, size) }, width, height, channels))
}
