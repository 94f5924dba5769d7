//! The pipeline cache through the exported functions: fresh, again, damaged, foreign, and where nothing can be written.

use std::ffi::c_void;
use std::path::Path;
use std::ptr::null_mut;

use super::support::*;
use crate::abi::{self, CacheStatus, StringView};
use crate::cache::*;
use crate::pipeline::*;

const PIPELINE_CACHE: u32 = 0x3_002B;

unsafe extern "C" fn note(line: StringView, lines: *mut c_void) {
    let lines = unsafe { &mut *lines.cast::<Vec<String>>() };
    lines.push(String::from_utf8_lossy(unsafe { line.bytes() }).into_owned());
}

fn open(gpu: &Gpu, folder: &Path) -> (CacheStatus, Vec<String>) {
    let mut lines: Vec<String> = Vec::new();
    let folder = StringView::of(folder.to_str().unwrap());
    let status = unsafe { tesseraDeviceOpenPipelineCache(gpu.device, folder, Some(note), (&raw mut lines).cast()) };
    (status, lines)
}

fn save(gpu: &Gpu) -> (CacheStatus, Vec<String>) {
    let mut lines: Vec<String> = Vec::new();
    let status = unsafe { tesseraDeviceSavePipelineCache(gpu.device, Some(note), (&raw mut lines).cast()) };
    (status, lines)
}

fn compile(gpu: &Gpu) {
    unsafe {
        let module = gpu.shader("@compute @workgroup_size(1) fn main() {}");
        let layout = gpu.bind_layout(&[]);
        wgpuComputePipelineRelease(gpu.pipeline(module, layout, false));
        wgpuBindGroupLayoutRelease(layout);
        wgpuShaderModuleRelease(module);
    }
    gpu.expect_no_error();
}

/// A device with a cache in the folder, which compiles, saves and goes.
fn one_run(folder: &Path) -> Option<(CacheStatus, Vec<String>, CacheStatus)> {
    let gpu = Gpu::with(&[PIPELINE_CACHE])?;
    let (opened, lines) = open(&gpu, folder);
    compile(&gpu);
    Some((opened, lines, save(&gpu).0))
}

#[test]
fn a_second_device_finds_what_the_first_saved() {
    let folder = Folder::new("again");
    let inside = folder.0.join("made/when/needed");
    let Some(first) = one_run(&inside) else { return };
    assert_eq!(first, (CacheStatus::Fresh, vec![], CacheStatus::Saved));
    let (opened, lines, saved) = one_run(&inside).unwrap();
    assert_eq!((opened, lines), (CacheStatus::Loaded, vec![]));
    assert!(matches!(saved, CacheStatus::Unchanged | CacheStatus::Saved));
    assert_eq!(std::fs::read_dir(&inside).unwrap().count(), 1);
}

#[test]
fn damaged_and_foreign_files_are_set_aside_with_one_line() {
    let folder = Folder::new("damaged");
    if one_run(&folder.0).is_none() {
        return;
    }
    let name = folder.files().remove(0);
    let path = folder.0.join(&name);
    let good = std::fs::read(&path).unwrap();
    let mut changed = good.clone();
    *changed.last_mut().unwrap() ^= 1;
    let foreign = b"{ \"something\": \"else\" }".to_vec();
    for bad in [&good[..good.len() / 2], &changed, &foreign, &[]] {
        std::fs::write(&path, bad).unwrap();
        let (opened, lines, saved) = one_run(&folder.0).unwrap();
        assert_eq!((opened, saved), (CacheStatus::SetAside, CacheStatus::Saved));
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].contains(&name) && !lines[0].contains('\n'), "{lines:?}");
        assert_eq!(folder.files(), [name.clone(), format!("{name}.bad")]);
        assert_eq!(std::fs::read(folder.0.join(format!("{name}.bad"))).unwrap(), bad);
        assert_eq!(one_run(&folder.0).unwrap().0, CacheStatus::Loaded);
    }
}

#[test]
fn where_nothing_can_be_written_it_is_said_and_all_goes_on() {
    let folder = Folder::new("unwritable");
    let file = folder.0.join("a-file");
    std::fs::write(&file, "in the way").unwrap();
    let Some(gpu) = Gpu::with(&[PIPELINE_CACHE]) else { return };
    let (opened, lines) = open(&gpu, &file.join("folder"));
    assert!(matches!(opened, CacheStatus::Fresh | CacheStatus::Failed), "{opened:?} {lines:?}");
    compile(&gpu);
    let (saved, lines) = save(&gpu);
    assert_eq!(saved, CacheStatus::Failed);
    assert_eq!(lines.len(), 1, "{lines:?}");
    gpu.expect_no_error();
}

#[test]
fn it_must_be_asked_for_and_is_opened_once() {
    let folder = Folder::new("asked");
    let Some(plain) = Gpu::new() else { return };
    assert_eq!(open(&plain, &folder.0).0, CacheStatus::None);
    assert_eq!(save(&plain).0, CacheStatus::None);
    let gpu = Gpu::with(&[PIPELINE_CACHE]).unwrap();
    assert_eq!(save(&gpu).0, CacheStatus::None);
    assert_eq!(open(&gpu, &folder.0).0, CacheStatus::Fresh);
    assert_eq!(open(&gpu, &folder.0).0, CacheStatus::Failed);
    gpu.expect_error("already");
    let bad = StringView { data: b"\xff\xfe".as_ptr().cast(), length: 2 };
    let other = Gpu::with(&[PIPELINE_CACHE]).unwrap();
    assert_eq!(
        unsafe { tesseraDeviceOpenPipelineCache(other.device, bad, None, null_mut()) },
        abi::CacheStatus::Failed
    );
    other.expect_error("UTF-8");
}

#[test]
fn many_may_save_at_once() {
    let folder = Folder::new("many");
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let folder = folder.clone();
            std::thread::spawn(move || one_run(&folder.0))
        })
        .collect();
    if threads.into_iter().filter_map(|thread| thread.join().unwrap()).count() == 0 {
        return;
    }
    assert_eq!(folder.files().len(), 1);
    assert_eq!(one_run(&folder.0).unwrap().0, CacheStatus::Loaded);
}
