//! Wrong sizes, wrong texts, and that the right ones compute.

use std::ptr::{null, null_mut};

use super::support::*;
use crate::abi;
use crate::buffer::*;
use crate::device::*;
use crate::encode::*;
use crate::pipeline::*;
use crate::queue::*;

const DOUBLE: &str = "@group(0) @binding(0) var<storage, read_write> data: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) { data[id.x] = 2u * data[id.x]; }";

#[test]
fn a_kernel_computes() {
    let Some(gpu) = Gpu::new() else { return };
    unsafe {
        let module = gpu.shader(DOUBLE);
        let layout = gpu.bind_layout(&[abi::BINDING_STORAGE]);
        let buffer = gpu.buffer(1024, STORAGE | COPY_SRC | COPY_DST);
        let numbers: Vec<u32> = (0..256).collect();
        wgpuQueueWriteBuffer(gpu.queue, buffer, 0, numbers.as_ptr().cast(), 1024);
        let group = gpu.bind(layout, buffer, 0, abi::WHOLE_SIZE);
        for keep in [false, true] {
            let pipeline = gpu.pipeline(module, layout, keep);
            gpu.dispatch(pipeline, group, 4);
            wgpuComputePipelineRelease(pipeline);
        }
        assert_eq!(gpu.read(buffer, 256), numbers.iter().map(|n| 4 * n).collect::<Vec<_>>());
        gpu.expect_no_error();
        wgpuBindGroupRelease(group);
        wgpuBufferRelease(buffer);
        wgpuBindGroupLayoutRelease(layout);
        wgpuShaderModuleRelease(module);
    }
}

#[test]
fn ranges_past_the_end_are_errors() {
    let Some(gpu) = Gpu::new() else { return };
    unsafe {
        let buffer = gpu.buffer(256, MAP_READ_USAGE | COPY_DST);
        for (offset, size) in [(0, 260), (256, 4), (512, 0), (usize::MAX - 3, 8), (8, usize::MAX - 4)] {
            gpu.map(buffer, offset, size);
            assert_eq!(gpu.status(), abi::ASYNC_ERROR);
            gpu.expect_error("the buffer has 256");
            assert!(wgpuBufferGetConstMappedRange(buffer, offset, size).is_null());
            gpu.expect_error("the buffer has 256");
        }
        assert!(wgpuBufferGetConstMappedRange(buffer, 0, 256).is_null());
        gpu.expect_error("map");
        let data = [0u8; 512];
        wgpuQueueWriteBuffer(gpu.queue, buffer, 0, data.as_ptr().cast(), 260);
        gpu.expect_error("");
        wgpuQueueWriteBuffer(gpu.queue, buffer, 2, data.as_ptr().cast(), 4);
        gpu.expect_error("");
        wgpuQueueWriteBuffer(gpu.queue, buffer, 0, data.as_ptr().cast(), 3);
        gpu.expect_error("");
        wgpuQueueWriteBuffer(gpu.queue, buffer, 0, null(), 4);
        gpu.expect_error("no data");
        wgpuQueueWriteBuffer(gpu.queue, buffer, 0, null(), 0);
        gpu.expect_no_error();
        // A good one still works, twice, and both ranges may be asked for more than once.
        for _ in 0..2 {
            gpu.map(buffer, 0, abi::WHOLE_MAP_SIZE);
            gpu.wait();
            assert_eq!(gpu.status(), abi::ASYNC_SUCCESS);
            assert!(!wgpuBufferGetConstMappedRange(buffer, 0, 256).is_null());
            assert!(!wgpuBufferGetConstMappedRange(buffer, 8, 8).is_null());
            wgpuBufferUnmap(buffer);
        }
        gpu.expect_no_error();
        wgpuBufferRelease(buffer);
    }
}

#[test]
fn a_mapping_that_is_pending_ends_with_its_buffer() {
    let Some(gpu) = Gpu::new() else { return };
    let buffer = gpu.buffer(256, MAP_READ_USAGE | COPY_DST);
    gpu.map(buffer, 0, 256);
    unsafe { wgpuBufferRelease(buffer) };
    gpu.wait();
    assert_eq!(gpu.notes().statuses.len(), 1);
}

#[test]
fn buffers_that_cannot_be_are_errors() {
    let Some(gpu) = Gpu::new() else { return };
    assert!(!gpu.buffer(1 << 60, STORAGE).is_null(), "a buffer that is in error");
    gpu.expect_error("wgpuDeviceCreateBuffer");
    gpu.buffer(256, MAP_READ_USAGE | STORAGE);
    gpu.expect_error("MAP");
    assert!(gpu.buffer(256, 1 << 20).is_null());
    gpu.expect_error("usage");
    assert!(unsafe { wgpuDeviceCreateBuffer(gpu.device, null()) }.is_null());
    gpu.expect_error("no descriptor");
}

#[test]
fn bad_bindings_are_errors() {
    let Some(gpu) = Gpu::new() else { return };
    unsafe {
        let layout = gpu.bind_layout(&[abi::BINDING_STORAGE]);
        let buffer = gpu.buffer(256, STORAGE);
        assert!(gpu.bind(layout, buffer, 0, 0).is_null());
        gpu.expect_error("has no bytes");
        gpu.bind(layout, buffer, 0, 512);
        gpu.expect_error("wgpuDeviceCreateBindGroup");
        gpu.bind(layout, buffer, 3, 16);
        gpu.expect_error("align");
        assert!(gpu.bind_layout(&[0]).is_null());
        gpu.expect_error("only buffers are supported");
        wgpuBufferRelease(buffer);
        wgpuBindGroupLayoutRelease(layout);
    }
}

#[test]
fn a_grid_that_is_too_large_is_found_when_finishing() {
    let Some(gpu) = Gpu::new() else { return };
    unsafe {
        let module = gpu.shader(DOUBLE);
        let layout = gpu.bind_layout(&[abi::BINDING_STORAGE]);
        let buffer = gpu.buffer(256, STORAGE);
        let group = gpu.bind(layout, buffer, 0, 256);
        let pipeline = gpu.pipeline(module, layout, false);
        gpu.expect_no_error();
        let encoder = wgpuDeviceCreateCommandEncoder(gpu.device, null());
        let pass = wgpuCommandEncoderBeginComputePass(encoder, null());
        wgpuComputePassEncoderSetPipeline(pass, pipeline);
        wgpuComputePassEncoderSetBindGroup(pass, 0, group, 0, null());
        wgpuComputePassEncoderDispatchWorkgroups(pass, 1 << 20, 1, 1);
        wgpuComputePassEncoderEnd(pass);
        wgpuComputePassEncoderRelease(pass);
        let commands = wgpuCommandEncoderFinish(encoder, null());
        gpu.expect_error("wgpuCommandEncoderFinish");
        // Submitting it all the same is an error and no end of the process.
        wgpuQueueSubmitForIndex(gpu.queue, 1, &commands);
        gpu.expect_error("wgpuQueueSubmit");
        wgpuCommandBufferRelease(commands);
        wgpuCommandEncoderRelease(encoder);
    }
}

#[test]
fn shader_errors_point_into_the_text() {
    let Some(gpu) = Gpu::new() else { return };
    gpu.shader("@compute @workgroup_size(1)\nfn main() { let x = y; }");
    let (kind, message) = gpu.error();
    assert_eq!(kind, abi::ERROR_VALIDATION);
    assert!(message.contains("wgpuDeviceCreateShaderModule") && message.contains(":2:21"), "{message}");
    assert!(gpu.shader_bytes(b"fn \xff() {}").is_null());
    gpu.expect_error("UTF-8");
    unsafe {
        let none = abi::LabelDescriptor { next: null(), label: abi::StringView::EMPTY };
        assert!(wgpuDeviceCreateShaderModule(gpu.device, &none).is_null());
        gpu.expect_error("no WGSL");
        // A pipeline of a module in error is in error too.
        let layout = gpu.bind_layout(&[abi::BINDING_STORAGE]);
        let module = gpu.shader("@compute @workgroup_size(1) fn other() {}");
        gpu.expect_no_error();
        gpu.pipeline(module, layout, false);
        gpu.expect_error("wgpuDeviceCreateComputePipeline");
    }
}

#[test]
fn queries_are_timestamps_only() {
    let Some(gpu) = Gpu::new() else { return };
    let descriptor = abi::QuerySetDescriptor { next: null(), label: abi::StringView::EMPTY, kind: 1, count: 2 };
    assert!(unsafe { wgpuDeviceCreateQuerySet(gpu.device, &descriptor) }.is_null());
    gpu.expect_error("only timestamps");
}

#[test]
fn submissions_are_waited_for_by_number() {
    let Some(gpu) = Gpu::new() else { return };
    unsafe {
        let submit = || wgpuQueueSubmitForIndex(gpu.queue, 0, null());
        let first = submit();
        for i in 1..200 {
            assert_eq!(submit(), first + i);
        }
        for number in [first, first + 150, first + 199] {
            wgpuDevicePoll(gpu.device, 1, &number);
        }
        gpu.expect_no_error();
        wgpuDevicePoll(gpu.device, 1, &(first + 200));
        gpu.expect_error("no submission");
        wgpuQueueSubmitForIndex(gpu.queue, 2, null_mut());
        gpu.expect_error("no list");
    }
}
