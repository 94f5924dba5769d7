//! Tokenizers and chat templates with a C ABI: `include/tessera_text.h` says what each function does.
#![warn(clippy::all, unsafe_op_in_unsafe_fn)]
// The C boundary: what a pointer must be is said by tessera_text.h for all functions alike.
#![allow(clippy::missing_safety_doc)]

pub mod abi;
mod generation;
mod python;
mod result;
mod template;
mod tokenizer;

#[cfg(test)]
mod tests;
