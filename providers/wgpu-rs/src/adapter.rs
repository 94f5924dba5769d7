//! Adapters: what they are, what they can do, and the devices they give.

use std::ffi::c_void;
use std::sync::Arc;

use wgpu::Features;

use crate::abi::{self, Raw, StringView};
use crate::convert;
use crate::device::Device;
use crate::error::{call, Sink};
use crate::handle::{self, Kind};
use crate::instance::now;

pub struct Adapter {
    pub inner: wgpu::Adapter,
}

impl Kind for Adapter {
    const NAME: &'static str = "WGPUAdapter";
    const TAG: u64 = handle::tag(2);
    fn sink(&self) -> Option<&Sink> {
        None
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuAdapterRelease(adapter: Raw) {
    unsafe { handle::release::<Adapter>("wgpuAdapterRelease", adapter, |_| ()) }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuAdapterGetFeatures(adapter: Raw, features: *mut abi::SupportedFeatures) {
    let none = abi::SupportedFeatures { count: 0, features: std::ptr::null() };
    let found = unsafe {
        call("wgpuAdapterGetFeatures", adapter, none, |adapter: &Adapter| {
            let numbers = convert::numbers_of(adapter.inner.features(), adapter.inner.get_info().backend);
            let numbers = Box::leak(numbers.into_boxed_slice());
            Ok(abi::SupportedFeatures { count: numbers.len(), features: numbers.as_ptr() })
        })
    };
    if let Some(to) = unsafe { features.as_mut() } {
        *to = found;
    } else {
        unsafe { wgpuSupportedFeaturesFreeMembers(found) };
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuSupportedFeaturesFreeMembers(features: abi::SupportedFeatures) {
    if !features.features.is_null() {
        let numbers = std::ptr::slice_from_raw_parts_mut(features.features.cast_mut(), features.count);
        drop(unsafe { Box::from_raw(numbers) });
    }
}

fn lend(text: &str) -> StringView {
    let bytes: &'static mut [u8] = Box::leak(text.as_bytes().to_vec().into_boxed_slice());
    StringView { data: bytes.as_ptr().cast(), length: bytes.len() }
}

unsafe fn take_back(view: StringView) {
    if !view.data.is_null() {
        let bytes = std::ptr::slice_from_raw_parts_mut(view.data.cast_mut().cast::<u8>(), view.length);
        drop(unsafe { Box::from_raw(bytes) });
    }
}

/// As wgpu-native: the driver's name as the vendor, its version as the description.
#[no_mangle]
pub unsafe extern "C" fn wgpuAdapterGetInfo(adapter: Raw, info: *mut abi::AdapterInfo) -> u32 {
    unsafe {
        call("wgpuAdapterGetInfo", adapter, abi::STATUS_ERROR, |adapter: &Adapter| {
            let to = info.as_mut().ok_or("there is no place for the information")?;
            let found = adapter.inner.get_info();
            *to = abi::AdapterInfo {
                next: to.next,
                vendor: lend(&found.driver),
                architecture: StringView::EMPTY,
                device: lend(&found.name),
                description: lend(&found.driver_info),
                backend_type: convert::backend_number(found.backend),
                adapter_type: convert::adapter_type_number(found.device_type),
                vendor_id: found.vendor,
                device_id: found.device,
                subgroup_min_size: found.subgroup_min_size,
                subgroup_max_size: found.subgroup_max_size,
            };
            Ok(abi::STATUS_SUCCESS)
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuAdapterInfoFreeMembers(info: abi::AdapterInfo) {
    for view in [info.vendor, info.architecture, info.device, info.description] {
        unsafe { take_back(view) };
    }
}

#[no_mangle]
pub unsafe extern "C" fn wgpuAdapterGetLimits(adapter: Raw, limits: *mut abi::Limits) -> u32 {
    unsafe {
        call("wgpuAdapterGetLimits", adapter, abi::STATUS_ERROR, |adapter: &Adapter| {
            let to = limits.as_mut().ok_or("there is no place for the limits")?;
            convert::write_limits(&adapter.inner.limits(), to);
            Ok(abi::STATUS_SUCCESS)
        })
    }
}

/// Writes up to `capacity` configurations of cooperative matrices and returns how many there are.
#[no_mangle]
pub unsafe extern "C" fn tesseraAdapterGetMatrixConfigs(
    adapter: Raw,
    configs: *mut abi::MatrixConfig,
    capacity: usize,
) -> usize {
    unsafe {
        call("tesseraAdapterGetMatrixConfigs", adapter, 0, |adapter: &Adapter| {
            if !adapter.inner.features().contains(Features::EXPERIMENTAL_COOPERATIVE_MATRIX) {
                return Ok(0);
            }
            let found = adapter.inner.cooperative_matrix_properties();
            if !configs.is_null() {
                for (i, from) in found.iter().take(capacity).enumerate() {
                    configs.add(i).write(abi::MatrixConfig {
                        m: from.m_size,
                        n: from.n_size,
                        k: from.k_size,
                        input: convert::matrix_type(from.ab_type),
                        result: convert::matrix_type(from.cr_type),
                    });
                }
            }
            Ok(found.len())
        })
    }
}

/// Bytes of the largest heap that is local to the device; 0: not known. Some drivers list a window into that heap, for
/// the host, as another one, so heaps are not added up.
#[no_mangle]
pub unsafe extern "C" fn tesseraAdapterGetMemorySize(adapter: Raw) -> u64 {
    const DEVICE_LOCAL: u32 = 1; // VK_MEMORY_HEAP_DEVICE_LOCAL_BIT
    unsafe {
        call("tesseraAdapterGetMemorySize", adapter, 0, |adapter: &Adapter| {
            let Some(vulkan) = adapter.inner.as_hal::<wgpu::hal::api::Vulkan>() else { return Ok(0) };
            let instance = vulkan.shared_instance().raw_instance();
            let memory = instance.get_physical_device_memory_properties(vulkan.raw_physical_device());
            let heaps = memory.memory_heaps.iter().take(memory.memory_heap_count as usize);
            Ok(heaps.filter(|heap| heap.flags.as_raw() & DEVICE_LOCAL != 0).map(|heap| heap.size).max().unwrap_or(0))
        })
    }
}

unsafe fn make_device(adapter: &Adapter, descriptor: Option<&abi::DeviceDescriptor>) -> Result<Raw, String> {
    let mut features = Features::empty();
    let mut limits = wgpu::Limits::default();
    let mut label = None;
    if let Some(wanted) = descriptor {
        let numbers = match wanted.required_feature_count {
            0 => &[],
            count => unsafe { std::slice::from_raw_parts(wanted.required_features, count) },
        };
        for number in numbers {
            features |= convert::feature_of(*number).ok_or_else(|| format!("there is no feature {number:#x}"))?;
        }
        if let Some(wanted) = unsafe { wanted.required_limits.as_ref() } {
            limits = convert::read_limits(wanted, &adapter.inner.limits());
        }
        label = unsafe { wanted.label.label() };
    }
    if adapter.inner.get_info().backend == wgpu::Backend::Vulkan {
        features |= adapter.inner.features() & Features::PASSTHROUGH_SHADERS; // for spirv.rs
    }
    let experimental = if features.intersects(Features::all_experimental_mask()) {
        // Their soundness is the shaders' business: only generated ones use them.
        unsafe { wgpu::ExperimentalFeatures::enabled() }
    } else {
        wgpu::ExperimentalFeatures::disabled()
    };
    let wanted = wgpu::DeviceDescriptor {
        label,
        required_features: features,
        required_limits: limits,
        experimental_features: experimental,
        memory_hints: wgpu::MemoryHints::Performance,
        trace: wgpu::Trace::Off,
    };
    let (device, queue) = now(adapter.inner.request_device(&wanted))?.map_err(|error| error.to_string())?;
    let sink = match descriptor {
        Some(wanted) => Sink::new(&wanted.uncaptured_error, &wanted.device_lost),
        None => Sink::silent(),
    };
    let software = adapter.inner.get_info().device_type == wgpu::DeviceType::Cpu;
    Ok(Device::make(device, queue, software, Arc::new(sink)))
}

/// Answers before it returns.
#[no_mangle]
pub unsafe extern "C" fn wgpuAdapterRequestDevice(
    adapter: Raw,
    descriptor: *const abi::DeviceDescriptor,
    info: abi::RequestDeviceCallbackInfo,
) -> abi::Future {
    // What happens if a panic comes, or the handle is bad.
    let failed = Err("the adapter is no adapter, or wgpu failed".to_string());
    let answer = unsafe {
        call("wgpuAdapterRequestDevice", adapter, failed, |adapter: &Adapter| {
            Ok(make_device(adapter, descriptor.as_ref()))
        })
    };
    if let Some(callback) = info.callback {
        let (status, device, message) = match &answer {
            Ok(device) => (abi::ASYNC_SUCCESS, *device, ""),
            Err(why) => (abi::ASYNC_ERROR, std::ptr::null_mut::<c_void>(), why.as_str()),
        };
        unsafe { callback(status, device, StringView::of(message), info.userdata1, info.userdata2) };
    } else if let Ok(device) = answer {
        unsafe { crate::device::wgpuDeviceRelease(device) };
    }
    abi::Future { id: 0 }
}
