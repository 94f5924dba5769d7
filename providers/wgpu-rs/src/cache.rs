//! The pipeline cache on disk: one file for each adapter and driver, checked when read, replaced as a whole.

use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::{BuildHasher, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;

use crate::abi::{self, CacheStatus, Raw, StringView};
use crate::device::Device;
use crate::error::call;

pub struct PipelineCache {
    pub inner: wgpu::PipelineCache,
    path: PathBuf,
    key: String,
    /// Checksum of what the file holds; one save at a time.
    saved: Mutex<u64>,
}

const MAGIC: &[u8; 8] = b"TSRPIPE1";

/// FNV-1a over words of eight bytes: damage is to be seen, not malice.
fn checksum(data: &[u8]) -> u64 {
    let step = |sum: u64, word: u64| (sum ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(29);
    let mut words = data.chunks_exact(8);
    let sum = words
        .by_ref()
        .fold(0xcbf2_9ce4_8422_2325, |sum, word| step(sum, u64::from_le_bytes(word.try_into().unwrap_or_default())));
    words.remainder().iter().fold(step(sum, data.len() as u64), |sum, byte| step(sum, u64::from(*byte)))
}

/// What the cache's content depends on.
fn key_of(info: &wgpu::AdapterInfo) -> String {
    format!(
        "{:?}|{:04x}:{:04x}|{}|{}|{}|wgpu {}",
        info.backend,
        info.vendor,
        info.device,
        info.name,
        info.driver,
        info.driver_info,
        crate::log::WGPU_VERSION.map(|part| part.to_string()).join(".")
    )
}

fn file_name(info: &wgpu::AdapterInfo) -> String {
    let name: String = info.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(48).collect();
    format!("pipelines-{name}-{:016x}.bin", checksum(key_of(info).as_bytes()))
}

/// The file: magic, length of the key, key, length of the data, checksum of the data, data.
fn pack(key: &str, data: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(MAGIC.len() + 24 + key.len() + data.len());
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&(key.len() as u64).to_le_bytes());
    out.extend_from_slice(key.as_bytes());
    out.extend_from_slice(&(data.len() as u64).to_le_bytes());
    out.extend_from_slice(&checksum(data).to_le_bytes());
    out.extend_from_slice(data);
    out
}

fn unpack<'a>(file: &'a [u8], key: &str) -> Result<&'a [u8], &'static str> {
    fn number(rest: &mut &[u8]) -> Result<u64, &'static str> {
        let (word, after) = rest.split_first_chunk::<8>().ok_or("is cut off")?;
        *rest = after;
        Ok(u64::from_le_bytes(*word))
    }
    let mut rest = file.strip_prefix(MAGIC).ok_or("is no pipeline cache of this version")?;
    let key_bytes = number(&mut rest)?;
    if key_bytes > rest.len() as u64 {
        return Err("is cut off");
    }
    let (found, mut rest) = rest.split_at(key_bytes as usize);
    if found != key.as_bytes() {
        return Err("belongs to another adapter or driver");
    }
    let bytes = number(&mut rest)?;
    let sum = number(&mut rest)?;
    if bytes != rest.len() as u64 {
        return Err("is cut off");
    }
    if checksum(rest) != sum {
        return Err("is damaged");
    }
    Ok(rest)
}

/// Files that other programs may write at the same time are replaced, never changed.
fn write_whole(path: &Path, content: &[u8]) -> std::io::Result<()> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    // Processes of other machines or containers may have the same number.
    let random = RandomState::new().build_hasher().finish();
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let unique = format!(".{}.{}.{random:x}.tmp", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(unique);
    let written = fs::File::create_new(&temporary).and_then(|mut file| {
        file.write_all(content)?;
        file.sync_data()
    });
    let done = written.and_then(|()| fs::rename(&temporary, path));
    if done.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    done
}

/// What the file holds for this key: nothing where there is none; a file that is not good is renamed, and said.
fn load(path: &Path, key: &str, say: &mut dyn FnMut(&str)) -> (Vec<u8>, CacheStatus) {
    let file = match fs::read(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return (Vec::new(), CacheStatus::Fresh),
        Err(error) => {
            say(&format!("The pipeline cache {} cannot be read: {error}.", path.display()));
            return (Vec::new(), CacheStatus::Failed);
        }
    };
    match unpack(&file, key) {
        Ok(data) => (data.to_vec(), CacheStatus::Loaded),
        Err(why) => {
            let aside = set_aside(path);
            say(&format!("The pipeline cache {} {why}; {aside}.", path.display()));
            (Vec::new(), CacheStatus::SetAside)
        }
    }
}

fn set_aside(path: &Path) -> String {
    let mut to = path.as_os_str().to_owned();
    to.push(".bad");
    match fs::rename(path, &to) {
        Ok(()) => format!("it was renamed to {}", Path::new(&to).display()),
        Err(error) => format!("it could not be renamed: {error}"),
    }
}

impl PipelineCache {
    pub fn open(
        device: &wgpu::Device,
        folder: &Path,
        say: &mut dyn FnMut(&str),
    ) -> (Option<PipelineCache>, CacheStatus) {
        if !device.features().contains(wgpu::Features::PIPELINE_CACHE) {
            return (None, CacheStatus::None);
        }
        let info = device.adapter_info();
        let key = key_of(&info);
        let path = folder.join(file_name(&info));
        let (data, status) = load(&path, &key, say);
        // Good by its checksum, and written by wgpu for this key; should wgpu or the driver refuse it, it starts empty.
        let inner = unsafe {
            device.create_pipeline_cache(&wgpu::PipelineCacheDescriptor {
                label: None,
                data: (!data.is_empty()).then_some(data.as_slice()),
                fallback: true,
            })
        };
        let cache = PipelineCache { inner, path, key, saved: Mutex::new(checksum(&data)) };
        (Some(cache), status)
    }

    pub fn save(&self, say: &mut dyn FnMut(&str)) -> CacheStatus {
        let Ok(mut saved) = self.saved.lock() else {
            return CacheStatus::Failed;
        };
        let data = self.inner.get_data().unwrap_or_default();
        let sum = checksum(&data);
        if data.is_empty() || (sum == *saved && self.path.exists()) {
            return CacheStatus::Unchanged;
        }
        match write_whole(&self.path, &pack(&self.key, &data)) {
            Ok(()) => {
                *saved = sum;
                CacheStatus::Saved
            }
            Err(error) => {
                say(&format!("The pipeline cache {} cannot be written: {error}.", self.path.display()));
                CacheStatus::Failed
            }
        }
    }
}

/// The caller's function, called at most once.
struct Speaker(Option<abi::Say>, *mut std::ffi::c_void);

impl Speaker {
    fn say(&mut self, line: &str) {
        if let Some(say) = self.0.take() {
            unsafe { say(StringView::of(line), self.1) };
        }
    }
}

#[no_mangle]
pub unsafe extern "C" fn tesseraDeviceOpenPipelineCache(
    device: Raw,
    folder: StringView,
    say: Option<abi::Say>,
    userdata: *mut std::ffi::c_void,
) -> CacheStatus {
    unsafe {
        call("tesseraDeviceOpenPipelineCache", device, CacheStatus::Failed, |device: &Device| {
            let folder = PathBuf::from(folder.text()?);
            let mut speaker = Speaker(say, userdata);
            if device.cache.get().is_some() {
                return Err("the device has a pipeline cache already".into());
            }
            let (cache, status) = PipelineCache::open(&device.inner, &folder, &mut |line| speaker.say(line));
            if let Some(cache) = cache {
                let _ = device.cache.set(cache);
            }
            Ok(status)
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn tesseraDeviceSavePipelineCache(
    device: Raw,
    say: Option<abi::Say>,
    userdata: *mut std::ffi::c_void,
) -> CacheStatus {
    unsafe {
        call("tesseraDeviceSavePipelineCache", device, CacheStatus::Failed, |device: &Device| {
            let mut speaker = Speaker(say, userdata);
            let cache = device.cache.get();
            Ok(cache.map_or(CacheStatus::None, |cache| cache.save(&mut |line| speaker.say(line))))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_comes_back_as_it_was() {
        let data: Vec<u8> = (0..1000).map(|i| (i * 7) as u8).collect();
        assert_eq!(unpack(&pack("key", &data), "key"), Ok(data.as_slice()));
        assert_eq!(unpack(&pack("key", &[]), "key"), Ok([].as_slice()));
    }

    #[test]
    fn every_damage_is_seen() {
        let file = pack("key", &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
        for end in 0..file.len() {
            assert!(unpack(&file[..end], "key").is_err(), "cut off at {end}");
        }
        for i in 0..file.len() {
            let mut other = file.clone();
            other[i] ^= 0x10;
            assert!(unpack(&other, "key").is_err(), "changed at {i}");
        }
        let mut longer = file.clone();
        longer.push(0);
        assert!(unpack(&longer, "key").is_err());
        assert_eq!(unpack(&file, "other"), Err("belongs to another adapter or driver"));
        assert!(unpack(b"", "key").is_err());
    }

    #[test]
    fn no_temporary_file_is_left() {
        let folder = std::env::temp_dir().join(format!("tessera-write-{}", std::process::id()));
        let path = folder.join("sub/file.bin");
        write_whole(&path, b"one").unwrap();
        write_whole(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(folder.join("sub")).unwrap().count(), 1);
        // Where a folder is in the way, nothing stays behind either.
        fs::create_dir_all(folder.join("dir.bin/inside")).unwrap();
        assert!(write_whole(&folder.join("dir.bin"), b"x").is_err());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        fs::remove_dir_all(&folder).unwrap();
    }
}
