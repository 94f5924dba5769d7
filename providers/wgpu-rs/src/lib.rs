//! The part of webgpu.h and wgpu.h that Tessera uses, over the wgpu crate, with what wgpu-native lacks.
#![allow(non_snake_case)]
#![warn(clippy::all, unsafe_op_in_unsafe_fn)]
// The C boundary: what a pointer must be is said by webgpu.h for all functions alike.
#![allow(clippy::missing_safety_doc)]

pub mod abi;
pub mod adapter;
pub mod buffer;
pub mod cache;
mod convert;
pub mod device;
pub mod encode;
mod error;
mod handle;
pub mod instance;
pub mod log;
pub mod pipeline;
pub mod queue;
mod spirv;

#[cfg(test)]
mod tests;
