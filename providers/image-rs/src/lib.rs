//! PNG and JPEG files with a C ABI: `include/tessera_image.h` says what each function does.
#![warn(clippy::all, unsafe_op_in_unsafe_fn)]
// The C boundary: what a pointer must be is said by tessera_image.h for all functions alike.
#![allow(clippy::missing_safety_doc)]

pub mod abi;
mod jpeg;
mod png_files;
mod result;

#[cfg(test)]
mod tests;
