//! Making devices, losing them, waiting for them, and what adapters say of themselves.

use std::ptr::{null, null_mut};
use std::time::{Duration, Instant};

use super::support::*;
use crate::abi;
use crate::adapter::*;
use crate::buffer::*;
use crate::convert;
use crate::device::*;
use crate::encode::*;
use crate::instance::*;
use crate::log::*;
use crate::pipeline::*;
use crate::queue::*;

fn limits_of(adapter: crate::abi::Raw) -> abi::Limits {
    let mut limits: abi::Limits = unsafe { std::mem::zeroed() };
    assert_eq!(unsafe { wgpuAdapterGetLimits(adapter, &mut limits) }, abi::STATUS_SUCCESS);
    limits
}

#[test]
fn what_the_adapter_has_the_device_gets() {
    let instance = instance();
    let Some(adapter) = adapter(instance) else { return };
    unsafe {
        let mut features = abi::SupportedFeatures { count: 0, features: null() };
        wgpuAdapterGetFeatures(adapter, &mut features);
        let all = std::slice::from_raw_parts(features.features, features.count);
        assert!(all.contains(&1), "{all:x?}");
        // Everything at once, the experimental too where the adapter has it.
        let limits = limits_of(adapter);
        let notes = Box::default();
        let (status, device, why) = request(adapter, all, Some(&limits), notes_of(&notes));
        assert_eq!(status, abi::ASYNC_SUCCESS, "{why}");
        for feature in all {
            assert_eq!(wgpuDeviceHasFeature(device, *feature), 1, "{feature:#x}");
        }
        let mut got: abi::Limits = std::mem::zeroed();
        wgpuDeviceGetLimits(device, &mut got);
        assert_eq!(got.max_buffer_size, limits.max_buffer_size);
        assert_eq!(got.max_storage_buffers_per_shader_stage, limits.max_storage_buffers_per_shader_stage);
        let storage = limits.max_storage_buffers_per_shader_stage.min(limits.max_bindings_per_bind_group - 1);
        let mut kinds = vec![abi::BINDING_STORAGE; storage.min(64) as usize];
        kinds.push(abi::BINDING_UNIFORM);
        let layout = bind_layout(device, &kinds);
        let pipeline = abi::PipelineLayoutDescriptor {
            next: null(),
            label: abi::StringView::EMPTY,
            bind_group_layout_count: 1,
            bind_group_layouts: &layout,
            immediate_size: 0,
        };
        wgpuPipelineLayoutRelease(wgpuDeviceCreatePipelineLayout(device, &pipeline));
        assert_eq!(note_count(&notes), 0, "as many buffers as the limits say, and a uniform");
        wgpuBindGroupLayoutRelease(layout);
        wgpuDeviceRelease(device);

        let matrix = 0x3_003B;
        let mut configs = [abi::MatrixConfig { m: 0, n: 0, k: 0, input: 0, result: 0 }; 4];
        let count = tesseraAdapterGetMatrixConfigs(adapter, configs.as_mut_ptr(), configs.len());
        assert_eq!(count > 0, all.contains(&matrix));
        assert_eq!(count, tesseraAdapterGetMatrixConfigs(adapter, null_mut(), 0));
        for config in &configs[..count.min(4)] {
            assert!(config.m > 0 && config.n > 0 && config.k > 0 && (1..=4).contains(&config.input));
        }

        let mut info: abi::AdapterInfo = std::mem::zeroed();
        assert_eq!(wgpuAdapterGetInfo(adapter, &mut info), abi::STATUS_SUCCESS);
        let memory = tesseraAdapterGetMemorySize(adapter);
        if info.backend_type == convert::backend_number(wgpu::Backend::Vulkan) {
            assert!(memory >= 64 << 20, "{memory} bytes");
        }
        assert!(!info.device.bytes().is_empty());
        assert_ne!(info.backend_type, abi::BACKEND_UNDEFINED);
        wgpuAdapterInfoFreeMembers(info);
        wgpuSupportedFeaturesFreeMembers(features);
        wgpuAdapterRelease(adapter);
        wgpuInstanceRelease(instance);
    }
}

#[test]
fn what_the_adapter_has_not_is_refused() {
    let instance = instance();
    let Some(adapter) = adapter(instance) else { return };
    let (status, device, why) = request(adapter, &[0x7777_7777], None, null_mut());
    assert_eq!((status, device.is_null()), (abi::ASYNC_ERROR, true));
    assert!(why.contains("0x77777777"), "{why}");
    let mut limits = limits_of(adapter);
    limits.max_compute_workgroup_storage_size = 1 << 30;
    let (status, device, why) = request(adapter, &[], Some(&limits), null_mut());
    assert_eq!((status, device.is_null()), (abi::ASYNC_ERROR, true));
    assert!(why.contains("max_compute_workgroup_storage_size"), "{why}");
    unsafe {
        wgpuAdapterRelease(adapter);
        wgpuInstanceRelease(instance);
    }
}

#[test]
fn the_version_is_the_one_of_cargo_lock() {
    let lock = include_str!("../../../Cargo.lock");
    let version = lock.split("name = \"wgpu\"\nversion = \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    assert_eq!(WGPU_VERSION.map(|part| part.to_string()).join("."), version);
    assert_eq!(tesseraWgpuVersion() >> 24, WGPU_VERSION[0]);
    assert_eq!(wgpuGetVersion(), tesseraWgpuVersion());
}

#[test]
fn a_destroyed_device_is_lost_once_and_can_be_used_without_harm() {
    let Some(gpu) = Gpu::new() else { return };
    unsafe {
        let module = gpu.shader("@compute @workgroup_size(1) fn main() {}");
        let layout = gpu.bind_layout(&[]);
        let pipeline = gpu.pipeline(module, layout, false);
        let buffer = gpu.buffer(256, MAP_READ_USAGE | COPY_DST);
        let begun = wgpuDeviceCreateCommandEncoder(gpu.device, null());
        let pass = wgpuCommandEncoderBeginComputePass(begun, null());
        gpu.expect_no_error();
        wgpuQueueSubmitForIndex(gpu.queue, 0, null());
        wgpuQueueOnSubmittedWorkDone(gpu.queue, gpu.status_info());

        wgpuDeviceDestroy(gpu.device);
        assert_eq!(gpu.notes().losses.len(), 1);
        assert_eq!(gpu.notes().losses[0].0, abi::LOST_DESTROYED);
        assert_eq!(gpu.status(), abi::ASYNC_SUCCESS, "what was submitted has finished");
        wgpuDeviceDestroy(gpu.device);

        // Whatever comes of these, the process goes on.
        let other = gpu.buffer(256, STORAGE);
        wgpuBufferRelease(other);
        gpu.map(buffer, 0, 256);
        assert!(wgpuBufferGetConstMappedRange(buffer, 0, 256).is_null());
        wgpuBufferUnmap(buffer);
        wgpuQueueWriteBuffer(gpu.queue, buffer, 0, [0u8; 4].as_ptr().cast(), 4);
        wgpuComputePassEncoderSetPipeline(pass, pipeline);
        wgpuComputePassEncoderDispatchWorkgroups(pass, 1, 1, 1);
        wgpuComputePassEncoderEnd(pass);
        wgpuComputePassEncoderRelease(pass);
        gpu.submit(begun);
        gpu.shader("fn f() {}");
        let encoder = wgpuDeviceCreateCommandEncoder(gpu.device, null());
        gpu.submit(encoder);
        wgpuQueueOnSubmittedWorkDone(gpu.queue, gpu.status_info());
        gpu.wait();
        wgpuDevicePoll(gpu.device, 0, null());
        assert_eq!(gpu.notes().losses.len(), 1);
        wgpuComputePipelineRelease(pipeline);
        wgpuBindGroupLayoutRelease(layout);
        wgpuShaderModuleRelease(module);
        wgpuBufferRelease(buffer);
    }
}

#[test]
fn nothing_is_called_back_after_the_release() {
    let Some(gpu) = Gpu::new() else { return };
    let buffer = gpu.buffer(256, MAP_READ_USAGE | COPY_DST);
    let device = gpu.device;
    unsafe {
        gpu.map(buffer, 0, 256);
        wgpuQueueOnSubmittedWorkDone(gpu.queue, gpu.status_info());
        wgpuDeviceRelease(device);
        wgpuQueueWriteBuffer(gpu.queue, buffer, 1, [0u8; 4].as_ptr().cast(), 4); // an error
        wgpuBufferRelease(buffer);
    }
    assert!(gpu.notes().errors.is_empty() && gpu.notes().losses.is_empty() && gpu.notes().statuses.is_empty());
    let mut gpu = gpu;
    gpu.device = null_mut();
}

#[test]
fn the_queue_tells_when_it_is_done() {
    let Some(gpu) = Gpu::new() else { return };
    unsafe {
        wgpuQueueSubmitForIndex(gpu.queue, 0, null());
        wgpuQueueOnSubmittedWorkDone(gpu.queue, gpu.status_info());
        gpu.wait();
        assert_eq!(gpu.status(), abi::ASYNC_SUCCESS);
        assert!(wgpuQueueGetTimestampPeriod(gpu.queue) > 0.0);
    }
}

/// What the engine is told of this provider: a poll that waits keeps nobody from submitting. (A driver may: lavapipe's
/// own submissions wait for each other, with and without a poll.)
#[test]
fn a_poll_that_waits_lets_others_submit() {
    let Some(gpu) = Gpu::new() else { return };
    const SLOW: &str = "@group(0) @binding(0) var<storage, read_write> data: array<u32>;
        @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
          var x = data[id.x];
          for (var i = 0u; i < 3000000u; i++) { x = x * 1664525u + 1013904223u; }
          data[id.x] = x;
        }";
    unsafe {
        let module = gpu.shader(SLOW);
        let layout = gpu.bind_layout(&[abi::BINDING_STORAGE]);
        let buffer = gpu.buffer(65536, STORAGE | COPY_SRC);
        let group = gpu.bind(layout, buffer, 0, 65536);
        let pipeline = gpu.pipeline(module, layout, false);
        // How long a second submission takes while the first one runs, and how long that one runs.
        let second = |wait: bool| {
            let start = Instant::now();
            gpu.dispatch(pipeline, group, 8);
            let device = gpu.device as usize;
            let waiter = wait.then(|| std::thread::spawn(move || wgpuDevicePoll(device as abi::Raw, 1, null())));
            std::thread::sleep(Duration::from_millis(5));
            let begin = Instant::now();
            wgpuQueueSubmitForIndex(gpu.queue, 0, null());
            let took = begin.elapsed();
            waiter.into_iter().for_each(|waiter| drop(waiter.join()));
            gpu.wait();
            (took, start.elapsed())
        };
        let (alone, whole) = second(false);
        if 4 * alone > whole {
            eprintln!("skipped: this driver's submissions wait for each other by themselves");
        } else {
            // A busy machine may not run this thread for a while; a submission that waits does so every time.
            let tries: Vec<_> = (0..5).map(|_| second(true)).collect();
            let free = tries.iter().any(|(beside, whole)| 2 * *beside < *whole);
            assert!(free, "beside a wait, and of how long: {tries:?}; {alone:?} without one");
        }
        gpu.expect_no_error();
        wgpuComputePipelineRelease(pipeline);
        wgpuBindGroupRelease(group);
        wgpuBufferRelease(buffer);
        wgpuBindGroupLayoutRelease(layout);
        wgpuShaderModuleRelease(module);
    }
}

#[test]
fn threads_have_their_errors_to_themselves() {
    thread_local! { static MINE: std::cell::Cell<u32> = const { std::cell::Cell::new(0) }; }
    unsafe extern "C" fn count(
        _: *const abi::Raw,
        _: u32,
        _: abi::StringView,
        _: *mut std::ffi::c_void,
        _: *mut std::ffi::c_void,
    ) {
        MINE.set(MINE.get() + 1);
    }
    let instance = instance();
    let Some(adapter) = adapter(instance) else { return };
    let mut descriptor: abi::DeviceDescriptor = unsafe { std::mem::zeroed() };
    descriptor.uncaptured_error.callback = Some(count);
    let mut device: abi::Raw = null_mut();
    unsafe extern "C" fn keep(
        _: u32,
        device: abi::Raw,
        _: abi::StringView,
        to: *mut std::ffi::c_void,
        _: *mut std::ffi::c_void,
    ) {
        unsafe { *to.cast::<abi::Raw>() = device };
    }
    let info = abi::RequestDeviceCallbackInfo {
        next: null(),
        mode: 3,
        callback: Some(keep),
        userdata1: (&raw mut device).cast(),
        userdata2: null_mut(),
    };
    unsafe { wgpuAdapterRequestDevice(adapter, &descriptor, info) };
    let address = device as usize;
    let threads: Vec<_> = (1..4u32)
        .map(|n| {
            std::thread::spawn(move || {
                for i in 0..100 * n {
                    assert!(unsafe { wgpuDeviceCreateBuffer(address as abi::Raw, null()) }.is_null());
                    assert_eq!(MINE.get(), i + 1, "inside the call, on its thread");
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    unsafe {
        wgpuDeviceRelease(device);
        wgpuAdapterRelease(adapter);
        wgpuInstanceRelease(instance);
    }
}

#[test]
fn panics_become_errors() {
    let Some(gpu) = Gpu::new() else { return };
    let answer = unsafe {
        crate::error::call("test", gpu.device, 7, |_: &Device| -> Result<i32, String> { panic!("on purpose") })
    };
    assert_eq!(answer, 7);
    let (kind, message) = gpu.error();
    assert_eq!(kind, abi::ERROR_INTERNAL);
    assert!(message.contains("on purpose"), "{message}");
}

/// Where the adapter has it: eight rows of eight halves, multiplied by one subgroup.
#[test]
fn cooperative_matrices_multiply() {
    const MATRIX: u32 = 0x3_003B;
    const CODE: &str = "enable f16;
        enable wgpu_cooperative_matrix;
        @group(0) @binding(0) var<storage, read_write> result: array<f32, 64>;
        var<workgroup> left: array<f16, 64>;
        var<workgroup> right: array<f16, 64>;
        @compute @workgroup_size(32) fn main(@builtin(local_invocation_index) local: u32) {
          for (var i = local; i < 64u; i += 32u) {
            left[i] = f16(i / 8u + 1u);
            right[i] = f16(i % 8u);
          }
          workgroupBarrier();
          let a = coopLoadT<coop_mat8x8<f16, A>>(&left[0], 8u);
          let b = coopLoadT<coop_mat8x8<f16, B>>(&right[0], 8u);
          var c = coop_mat8x8<f32, C>();
          c = coopMultiplyAdd(a, b, c);
          coopStoreT(c, &result[0], 8u);
        }";
    let instance = instance();
    let Some(adapter) = adapter(instance) else { return };
    let mut configs = [abi::MatrixConfig { m: 0, n: 0, k: 0, input: 0, result: 0 }; 64];
    let count = unsafe { tesseraAdapterGetMatrixConfigs(adapter, configs.as_mut_ptr(), configs.len()) };
    let wanted = abi::MatrixConfig { m: 8, n: 8, k: 8, input: abi::MATRIX_F16, result: abi::MATRIX_F32 };
    unsafe {
        wgpuAdapterRelease(adapter);
        wgpuInstanceRelease(instance);
    }
    if !configs[..count.min(64)].contains(&wanted) {
        eprintln!("skipped: the adapter has no {wanted:?}");
        return;
    }
    let gpu = Gpu::with(&[MATRIX, 0xB, 0x3_0021]).unwrap();
    unsafe {
        let module = gpu.shader(CODE);
        let layout = gpu.bind_layout(&[abi::BINDING_STORAGE]);
        let buffer = gpu.buffer(256, STORAGE | COPY_SRC);
        let group = gpu.bind(layout, buffer, 0, 256);
        let pipeline = gpu.pipeline(module, layout, true);
        gpu.expect_no_error();
        gpu.dispatch(pipeline, group, 1);
        let result: Vec<f32> = gpu.read(buffer, 64).into_iter().map(f32::from_bits).collect();
        let expected: Vec<f32> = (0..64).map(|i| (8 * (i / 8 + 1) * (i % 8)) as f32).collect();
        assert_eq!(result, expected);
        wgpuComputePipelineRelease(pipeline);
        wgpuBindGroupRelease(group);
        wgpuBufferRelease(buffer);
        wgpuBindGroupLayoutRelease(layout);
        wgpuShaderModuleRelease(module);
    }
    gpu.expect_no_error();
}
