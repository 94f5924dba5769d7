//! Null handles, handles of another kind, and handles that were released or used up.

use std::ptr::{null, null_mut};

use super::support::*;
use crate::abi::{self, Raw, StringView};
use crate::adapter::*;
use crate::buffer::*;
use crate::cache::*;
use crate::device::*;
use crate::encode::*;
use crate::instance::*;
use crate::pipeline::*;
use crate::queue::*;

/// Every function with `raw` as its first handle: nothing may crash, and nothing may come out.
unsafe fn call_all(raw: Raw, gpu: &Gpu) {
    unsafe {
        assert_eq!(wgpuInstanceEnumerateAdapters(raw, null(), null_mut()), 0);
        let mut features = abi::SupportedFeatures { count: 7, features: null() };
        wgpuAdapterGetFeatures(raw, &mut features);
        assert_eq!(features.count, 0);
        assert_eq!(wgpuAdapterGetInfo(raw, null_mut()), abi::STATUS_ERROR);
        assert_eq!(wgpuAdapterGetLimits(raw, null_mut()), abi::STATUS_ERROR);
        assert_eq!(tesseraAdapterGetMatrixConfigs(raw, null_mut(), 0), 0);
        assert_eq!(tesseraAdapterGetMemorySize(raw), 0);
        assert_eq!(request(raw, &[], None, null_mut()).0, abi::ASYNC_ERROR);
        assert_eq!(wgpuDeviceGetLimits(raw, null_mut()), abi::STATUS_ERROR);
        assert!(wgpuDeviceGetQueue(raw).is_null());
        assert_eq!(wgpuDeviceHasFeature(raw, 11), 0);
        wgpuDeviceDestroy(raw);
        wgpuDevicePoll(raw, 1, null());
        assert!(wgpuDeviceCreateBindGroup(raw, null()).is_null());
        assert!(wgpuDeviceCreateBindGroupLayout(raw, null()).is_null());
        assert!(wgpuDeviceCreateBuffer(raw, null()).is_null());
        assert!(wgpuDeviceCreateCommandEncoder(raw, null()).is_null());
        assert!(wgpuDeviceCreateComputePipeline(raw, null()).is_null());
        assert!(wgpuDeviceCreatePipelineLayout(raw, null()).is_null());
        assert!(wgpuDeviceCreateQuerySet(raw, null()).is_null());
        assert!(wgpuDeviceCreateShaderModule(raw, null()).is_null());
        assert!(wgpuDeviceCreateShaderModuleTrusted(raw, null(), 0).is_null());
        assert!(wgpuBufferGetConstMappedRange(raw, 0, 4).is_null());
        wgpuBufferMapAsync(raw, 1, 0, 4, gpu.status_info());
        wgpuBufferUnmap(raw);
        assert!(wgpuCommandEncoderBeginComputePass(raw, null()).is_null());
        wgpuCommandEncoderClearBuffer(raw, null_mut(), 0, 4);
        wgpuCommandEncoderCopyBufferToBuffer(raw, null_mut(), 0, null_mut(), 0, 4);
        assert!(wgpuCommandEncoderFinish(raw, null()).is_null());
        wgpuCommandEncoderResolveQuerySet(raw, null_mut(), 0, 1, null_mut(), 0);
        wgpuComputePassEncoderDispatchWorkgroups(raw, 1, 1, 1);
        wgpuComputePassEncoderEnd(raw);
        wgpuComputePassEncoderSetBindGroup(raw, 0, null_mut(), 0, null());
        wgpuComputePassEncoderSetPipeline(raw, null_mut());
        wgpuQueueOnSubmittedWorkDone(raw, gpu.status_info());
        assert_eq!(wgpuQueueSubmitForIndex(raw, 0, null()), 0);
        wgpuQueueWriteBuffer(raw, null_mut(), 0, null(), 4);
        wgpuQueueGetTimestampPeriod(raw);
        assert_eq!(tesseraDeviceOpenPipelineCache(raw, StringView::EMPTY, None, null_mut()), abi::CacheStatus::Failed);
        assert_eq!(tesseraDeviceSavePipelineCache(raw, None, null_mut()), abi::CacheStatus::Failed);
    }
}

const RELEASES: [unsafe extern "C" fn(Raw); 14] = [
    wgpuInstanceRelease,
    wgpuAdapterRelease,
    wgpuDeviceRelease,
    wgpuQueueRelease,
    wgpuBufferRelease,
    wgpuShaderModuleRelease,
    wgpuBindGroupLayoutRelease,
    wgpuPipelineLayoutRelease,
    wgpuBindGroupRelease,
    wgpuComputePipelineRelease,
    wgpuQuerySetRelease,
    wgpuCommandEncoderRelease,
    wgpuComputePassEncoderRelease,
    wgpuCommandBufferRelease,
];

#[test]
fn null_is_refused_by_all() {
    let Some(gpu) = Gpu::new() else { return };
    unsafe { call_all(null_mut(), &gpu) };
    for release in RELEASES {
        unsafe { release(null_mut()) };
    }
    assert!(gpu.notes().statuses.is_empty());
    gpu.expect_no_error();
}

#[test]
fn handles_of_no_kind_are_refused_by_all() {
    let Some(gpu) = Gpu::new() else { return };
    let mut nothing = [0u64; 64];
    let raw: Raw = nothing.as_mut_ptr().cast();
    unsafe { call_all(raw, &gpu) };
    unsafe { call_all(raw.byte_add(3), &gpu) }; // and such as cannot even be looked at
    for release in RELEASES {
        unsafe { release(raw) };
    }
    gpu.expect_no_error();
}

#[test]
fn second_handles_of_another_kind_are_errors_of_the_device() {
    let Some(gpu) = Gpu::new() else { return };
    unsafe {
        let buffer = gpu.buffer(256, STORAGE | COPY_DST);
        let encoder = wgpuDeviceCreateCommandEncoder(gpu.device, null());
        for wrong in [null_mut(), gpu.queue, encoder] {
            wgpuCommandEncoderCopyBufferToBuffer(encoder, wrong, 0, buffer, 0, 4);
            gpu.expect_error("WGPUBuffer is needed");
            wgpuCommandEncoderClearBuffer(encoder, wrong, 0, 4);
            gpu.expect_error("WGPUBuffer is needed");
            wgpuCommandEncoderResolveQuerySet(encoder, wrong, 0, 1, buffer, 0);
            gpu.expect_error("WGPUQuerySet is needed");
            wgpuQueueWriteBuffer(gpu.queue, wrong, 0, [0u8; 4].as_ptr().cast(), 4);
            gpu.expect_error("WGPUBuffer is needed");
            assert_eq!(wgpuQueueSubmitForIndex(gpu.queue, 1, &wrong), 0);
            gpu.expect_error("WGPUCommandBuffer is needed");
            assert!(gpu.bind(wrong, buffer, 0, 4).is_null());
            gpu.expect_error("WGPUBindGroupLayout is needed");
        }
        let layout = gpu.bind_layout(&[abi::BINDING_STORAGE]);
        assert!(gpu.bind(layout, gpu.device, 0, 4).is_null());
        gpu.expect_error("binding 0: a WGPUBuffer is needed");
        assert!(gpu.pipeline(layout, layout, false).is_null());
        gpu.expect_error("WGPUShaderModule is needed");
        let pass = wgpuCommandEncoderBeginComputePass(encoder, null());
        wgpuComputePassEncoderSetPipeline(pass, layout);
        gpu.expect_error("WGPUComputePipeline is needed");
        wgpuComputePassEncoderSetBindGroup(pass, 0, layout, 0, null());
        gpu.expect_error("WGPUBindGroup is needed");
        wgpuComputePassEncoderSetBindGroup(pass, 0, null_mut(), 1, null());
        gpu.expect_error("no dynamic offsets");
        wgpuComputePassEncoderEnd(pass);
        wgpuComputePassEncoderRelease(pass);
        wgpuBindGroupLayoutRelease(layout);
        wgpuCommandEncoderRelease(encoder);
        wgpuBufferRelease(buffer);
    }
    gpu.expect_no_error();
}

#[test]
fn what_is_used_up_is_an_error() {
    let Some(gpu) = Gpu::new() else { return };
    unsafe {
        let encoder = wgpuDeviceCreateCommandEncoder(gpu.device, null());
        let pass = wgpuCommandEncoderBeginComputePass(encoder, null());
        wgpuComputePassEncoderEnd(pass);
        wgpuComputePassEncoderEnd(pass);
        gpu.expect_error("ended already");
        wgpuComputePassEncoderDispatchWorkgroups(pass, 1, 1, 1);
        gpu.expect_error("has ended");
        wgpuComputePassEncoderRelease(pass);
        let commands = wgpuCommandEncoderFinish(encoder, null());
        assert!(wgpuCommandEncoderFinish(encoder, null()).is_null());
        gpu.expect_error("finished already");
        assert!(wgpuCommandEncoderBeginComputePass(encoder, null()).is_null());
        gpu.expect_error("has finished");
        wgpuCommandEncoderRelease(encoder);
        assert!(wgpuQueueSubmitForIndex(gpu.queue, 1, &commands) > 0);
        assert_eq!(wgpuQueueSubmitForIndex(gpu.queue, 1, &commands), 0);
        gpu.expect_error("submitted already");
        wgpuCommandBufferRelease(commands);
    }
    gpu.expect_no_error();
}

#[test]
fn a_release_of_another_kind_releases_nothing() {
    let Some(gpu) = Gpu::new() else { return };
    let buffer = gpu.buffer(16, STORAGE);
    unsafe { wgpuQueueRelease(buffer) };
    let layout = gpu.bind_layout(&[abi::BINDING_STORAGE]);
    let group = gpu.bind(layout, buffer, 0, 16);
    assert!(!group.is_null());
    gpu.expect_no_error();
    unsafe {
        wgpuBindGroupRelease(group);
        wgpuBindGroupLayoutRelease(layout);
        wgpuBufferRelease(buffer);
    }
}
