//! A device with its errors and its loss written down, and short ways to the exported functions.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::abi::{self, Raw, StringView};
use crate::adapter::*;
use crate::buffer::*;
use crate::device::*;
use crate::encode::*;
use crate::instance::*;
use crate::pipeline::*;
use crate::queue::*;

#[derive(Default)]
pub struct Notes {
    pub errors: Vec<(u32, String)>,
    pub losses: Vec<(u32, String)>,
    pub statuses: Vec<(u32, String)>,
}

/// Everything that a test needs of one device; released in the right order.
pub struct Gpu {
    pub instance: Raw,
    pub adapter: Raw,
    pub device: Raw,
    pub queue: Raw,
    notes: Box<Mutex<Notes>>,
}

fn lock(notes: &Mutex<Notes>) -> MutexGuard<'_, Notes> {
    notes.lock().unwrap_or_else(PoisonError::into_inner)
}

unsafe fn text(view: StringView) -> String {
    String::from_utf8_lossy(unsafe { view.bytes() }).into_owned()
}

unsafe extern "C" fn on_error(_: *const Raw, kind: u32, message: StringView, notes: *mut c_void, _: *mut c_void) {
    let notes = unsafe { &*notes.cast::<Mutex<Notes>>() };
    lock(notes).errors.push((kind, unsafe { text(message) }));
}

unsafe extern "C" fn on_loss(_: *const Raw, reason: u32, message: StringView, notes: *mut c_void, _: *mut c_void) {
    let notes = unsafe { &*notes.cast::<Mutex<Notes>>() };
    lock(notes).losses.push((reason, unsafe { text(message) }));
}

unsafe extern "C" fn on_status(status: u32, message: StringView, notes: *mut c_void, _: *mut c_void) {
    let notes = unsafe { &*notes.cast::<Mutex<Notes>>() };
    lock(notes).statuses.push((status, unsafe { text(message) }));
}

type Answer = (u32, Raw, String);

unsafe extern "C" fn on_device(status: u32, device: Raw, message: StringView, answer: *mut c_void, _: *mut c_void) {
    unsafe { *answer.cast::<Option<Answer>>() = Some((status, device, text(message))) };
}

pub fn instance() -> Raw {
    let extras = abi::InstanceExtras {
        chain: abi::Chained { next: null(), stype: abi::STYPE_INSTANCE_EXTRAS },
        backends: 1 | 4 | 8,
        flags: 0,
    };
    let descriptor = abi::InstanceDescriptor {
        next: &extras.chain,
        required_feature_count: 0,
        required_features: null(),
        required_limits: null(),
    };
    unsafe { wgpuCreateInstance(&descriptor) }
}

/// The first adapter; tests are skipped where there is none.
pub fn adapter(instance: Raw) -> Option<Raw> {
    let count = unsafe { wgpuInstanceEnumerateAdapters(instance, null(), null_mut()) };
    let mut all = vec![null_mut(); count];
    unsafe { wgpuInstanceEnumerateAdapters(instance, null(), all.as_mut_ptr()) };
    for other in all.iter().skip(1) {
        unsafe { wgpuAdapterRelease(*other) };
    }
    all.first().copied()
}

pub fn request(adapter: Raw, features: &[u32], limits: Option<&abi::Limits>, notes: *mut c_void) -> (u32, Raw, String) {
    let descriptor = abi::DeviceDescriptor {
        next: null(),
        label: StringView::of("test"),
        required_feature_count: features.len(),
        required_features: features.as_ptr(),
        required_limits: limits.map_or(null(), |limits| limits as *const _),
        default_queue: abi::QueueDescriptor { next: null(), label: StringView::EMPTY },
        device_lost: abi::DeviceLostCallbackInfo {
            next: null(),
            mode: 3,
            callback: Some(on_loss),
            userdata1: notes,
            userdata2: null_mut(),
        },
        uncaptured_error: abi::UncapturedErrorCallbackInfo {
            next: null(),
            callback: Some(on_error),
            userdata1: notes,
            userdata2: null_mut(),
        },
    };
    let mut answer: Option<Answer> = None;
    let info = abi::RequestDeviceCallbackInfo {
        next: null(),
        mode: 3,
        callback: Some(on_device),
        userdata1: (&raw mut answer).cast(),
        userdata2: null_mut(),
    };
    unsafe { wgpuAdapterRequestDevice(adapter, &descriptor, info) };
    answer.expect("wgpuAdapterRequestDevice answers before it returns")
}

impl Gpu {
    pub fn new() -> Option<Self> {
        Self::with(&[])
    }

    pub fn with(features: &[u32]) -> Option<Self> {
        let instance = instance();
        let Some(adapter) = adapter(instance) else {
            unsafe { wgpuInstanceRelease(instance) };
            eprintln!("skipped: there is no adapter");
            return None;
        };
        let notes = Box::new(Mutex::new(Notes::default()));
        let (status, device, why) = request(adapter, features, None, notes_of(&notes));
        assert_eq!(status, abi::ASYNC_SUCCESS, "{why}");
        let queue = unsafe { wgpuDeviceGetQueue(device) };
        Some(Self { instance, adapter, device, queue, notes })
    }

    pub fn notes(&self) -> MutexGuard<'_, Notes> {
        lock(&self.notes)
    }

    /// The one error since the last look.
    pub fn error(&self) -> (u32, String) {
        let mut errors = std::mem::take(&mut self.notes().errors);
        assert_eq!(errors.len(), 1, "{errors:?}");
        errors.remove(0)
    }

    #[track_caller]
    pub fn expect_error(&self, part: &str) {
        let (kind, message) = self.error();
        assert_eq!(kind, abi::ERROR_VALIDATION, "{message}");
        assert!(message.contains(part), "'{part}' is not in: {message}");
    }

    #[track_caller]
    pub fn expect_no_error(&self) {
        assert_eq!(self.notes().errors, vec![]);
    }

    pub fn buffer(&self, size: u64, usage: u64) -> Raw {
        let descriptor =
            abi::BufferDescriptor { next: null(), label: StringView::EMPTY, usage, size, mapped_at_creation: 0 };
        unsafe { wgpuDeviceCreateBuffer(self.device, &descriptor) }
    }

    pub fn status_info(&self) -> abi::StatusCallbackInfo {
        abi::StatusCallbackInfo {
            next: null(),
            mode: 3,
            callback: Some(on_status),
            userdata1: notes_of(&self.notes),
            userdata2: null_mut(),
        }
    }

    pub fn map(&self, buffer: Raw, offset: usize, size: usize) {
        unsafe { wgpuBufferMapAsync(buffer, abi::MAP_READ, offset, size, self.status_info()) };
    }

    pub fn wait(&self) {
        unsafe { wgpuDevicePoll(self.device, 1, null()) };
    }

    /// The last word of a callback with a status.
    pub fn status(&self) -> u32 {
        self.notes().statuses.pop().expect("there was no callback").0
    }

    pub fn shader(&self, code: &str) -> Raw {
        self.shader_bytes(code.as_bytes())
    }

    pub fn shader_bytes(&self, code: &[u8]) -> Raw {
        with_shader(code, |descriptor| unsafe { wgpuDeviceCreateShaderModule(self.device, descriptor) })
    }

    pub fn trusted_shader(&self, code: &str, checks: u64) -> Raw {
        with_shader(code.as_bytes(), |descriptor| unsafe {
            wgpuDeviceCreateShaderModuleTrusted(self.device, descriptor, checks)
        })
    }

    pub fn bind_layout(&self, kinds: &[u32]) -> Raw {
        bind_layout(self.device, kinds)
    }

    pub fn pipeline(&self, module: Raw, bind_layout: Raw, keep_workgroup_memory: bool) -> Raw {
        let layout = abi::PipelineLayoutDescriptor {
            next: null(),
            label: StringView::EMPTY,
            bind_group_layout_count: 1,
            bind_group_layouts: &bind_layout,
            immediate_size: 0,
        };
        let layout = unsafe { wgpuDeviceCreatePipelineLayout(self.device, &layout) };
        let extras = abi::ComputePipelineExtras {
            chain: abi::Chained { next: null(), stype: abi::STYPE_COMPUTE_PIPELINE_EXTRAS },
            keep_workgroup_memory: keep_workgroup_memory.into(),
        };
        let descriptor = abi::ComputePipelineDescriptor {
            next: &extras.chain,
            label: StringView::of("pipeline"),
            layout,
            compute: abi::ComputeState {
                next: null(),
                module,
                entry_point: StringView::of("main"),
                constant_count: 0,
                constants: null(),
            },
        };
        let pipeline = unsafe { wgpuDeviceCreateComputePipeline(self.device, &descriptor) };
        unsafe { wgpuPipelineLayoutRelease(layout) };
        pipeline
    }

    pub fn bind(&self, layout: Raw, buffer: Raw, offset: u64, size: u64) -> Raw {
        let entry = abi::BindGroupEntry {
            next: null(),
            binding: 0,
            buffer,
            offset,
            size,
            sampler: null_mut(),
            texture_view: null_mut(),
        };
        let descriptor = abi::BindGroupDescriptor {
            next: null(),
            label: StringView::EMPTY,
            layout,
            entry_count: 1,
            entries: &entry,
        };
        unsafe { wgpuDeviceCreateBindGroup(self.device, &descriptor) }
    }

    /// Runs `pipeline` over one buffer.
    pub fn dispatch(&self, pipeline: Raw, group: Raw, groups: u32) {
        unsafe {
            let encoder = wgpuDeviceCreateCommandEncoder(self.device, null());
            let pass = wgpuCommandEncoderBeginComputePass(encoder, null());
            wgpuComputePassEncoderSetPipeline(pass, pipeline);
            wgpuComputePassEncoderSetBindGroup(pass, 0, group, 0, null());
            wgpuComputePassEncoderDispatchWorkgroups(pass, groups, 1, 1);
            wgpuComputePassEncoderEnd(pass);
            wgpuComputePassEncoderRelease(pass);
            self.submit(encoder);
        }
    }

    pub fn submit(&self, encoder: Raw) -> u64 {
        unsafe {
            let commands = wgpuCommandEncoderFinish(encoder, null());
            wgpuCommandEncoderRelease(encoder);
            let index = wgpuQueueSubmitForIndex(self.queue, 1, &commands);
            wgpuCommandBufferRelease(commands);
            index
        }
    }

    pub fn read(&self, buffer: Raw, words: usize) -> Vec<u32> {
        unsafe {
            let staging = self.buffer(words as u64 * 4, MAP_READ_USAGE | COPY_DST);
            let encoder = wgpuDeviceCreateCommandEncoder(self.device, null());
            wgpuCommandEncoderCopyBufferToBuffer(encoder, buffer, 0, staging, 0, words as u64 * 4);
            self.submit(encoder);
            self.map(staging, 0, words * 4);
            self.wait();
            assert_eq!(self.status(), abi::ASYNC_SUCCESS);
            let data = wgpuBufferGetConstMappedRange(staging, 0, words * 4).cast::<u32>();
            let out = std::slice::from_raw_parts(data, words).to_vec();
            wgpuBufferUnmap(staging);
            wgpuBufferRelease(staging);
            out
        }
    }
}

fn with_shader(code: &[u8], make: impl FnOnce(&abi::LabelDescriptor) -> Raw) -> Raw {
    let source = abi::ShaderSourceWgsl {
        chain: abi::Chained { next: null(), stype: abi::STYPE_SHADER_SOURCE_WGSL },
        code: StringView { data: code.as_ptr().cast(), length: code.len() },
    };
    make(&abi::LabelDescriptor { next: &source.chain, label: StringView::of("shader") })
}

pub fn notes_of(notes: &Mutex<Notes>) -> *mut c_void {
    (notes as *const Mutex<Notes>).cast_mut().cast()
}

pub fn note_count(notes: &Mutex<Notes>) -> usize {
    lock(notes).errors.len()
}

pub fn bind_layout(device: Raw, kinds: &[u32]) -> Raw {
    let entries: Vec<_> = kinds.iter().enumerate().map(|(i, kind)| layout_entry(i as u32, *kind)).collect();
    let descriptor = abi::BindGroupLayoutDescriptor {
        next: null(),
        label: StringView::EMPTY,
        entry_count: entries.len(),
        entries: entries.as_ptr(),
    };
    unsafe { wgpuDeviceCreateBindGroupLayout(device, &descriptor) }
}

pub const MAP_READ_USAGE: u64 = 1;
pub const COPY_SRC: u64 = 4;
pub const COPY_DST: u64 = 8;
pub const STORAGE: u64 = 0x80;

fn layout_entry(binding: u32, kind: u32) -> abi::BindGroupLayoutEntry {
    abi::BindGroupLayoutEntry {
        next: null(),
        binding,
        visibility: 4,
        binding_array_size: 0,
        buffer: abi::BufferBindingLayout { next: null(), kind, has_dynamic_offset: 0, min_binding_size: 0 },
        sampler: abi::SamplerBindingLayout { next: null(), kind: 0 },
        texture: abi::TextureBindingLayout { next: null(), sample_type: 0, view_dimension: 0, multisampled: 0 },
        storage_texture: abi::StorageTextureBindingLayout { next: null(), access: 0, format: 0, view_dimension: 0 },
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        unsafe {
            wgpuQueueRelease(self.queue);
            wgpuDeviceRelease(self.device);
            wgpuAdapterRelease(self.adapter);
            wgpuInstanceRelease(self.instance);
        }
    }
}

/// A folder that goes with the test.
pub struct Folder(pub std::path::PathBuf);

impl Folder {
    pub fn new(name: &str) -> Arc<Self> {
        let path = std::env::temp_dir().join(format!("tessera-wgpu-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Arc::new(Self(path))
    }

    pub fn files(&self) -> Vec<String> {
        let all = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> = all.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
