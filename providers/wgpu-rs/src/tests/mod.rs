//! Tests of the exported functions, on whatever adapter there is: Mesa's lavapipe on a machine without a GPU.

mod cache;
mod devices;
mod handles;
mod layout;
mod sizes;
mod spirv;
mod support;
