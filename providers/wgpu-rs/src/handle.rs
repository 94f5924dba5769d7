//! Handles: boxed objects with a tag in front, so that null, foreign and released handles are noticed.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::abi::Raw;
use crate::error::{complain, Sink};

/// What a handle may stand for.
pub trait Kind {
    const NAME: &'static str;
    const TAG: u64;
    /// Where errors of calls on it go.
    fn sink(&self) -> Option<&Sink>;
}

#[repr(C)]
struct Object<T> {
    tag: AtomicU64,
    value: T,
}

const DEAD: u64 = 0xdead_7e55_e7a0_0000;

/// A tag of its own for each kind.
pub const fn tag(number: u64) -> u64 {
    0x7e55_e7a0_b0c5_0000 | number
}

pub fn make<T: Kind>(value: T) -> Raw {
    Box::into_raw(Box::new(Object { tag: AtomicU64::new(T::TAG), value })).cast()
}

#[cold]
fn describe<T: Kind>(raw: Raw) -> String {
    if raw.is_null() {
        format!("a {} is needed, and the handle is null", T::NAME)
    } else {
        format!("a {} is needed, and the handle is none, or it was released", T::NAME)
    }
}

/// The object behind a handle, or what is wrong with the handle.
///
/// # Safety
/// `raw` must be null or point to readable memory; a live object must stay alive for as long as the result is used.
#[inline]
pub unsafe fn get<'a, T: Kind>(raw: Raw) -> Result<&'a T, String> {
    let object = raw.cast::<Object<T>>();
    if object.is_null() || !object.is_aligned() {
        return Err(describe::<T>(raw));
    }
    // The tag is read before the rest is believed in.
    let tag = unsafe { &*raw.cast::<AtomicU64>() };
    if tag.load(Ordering::Relaxed) != T::TAG {
        return Err(describe::<T>(raw));
    }
    Ok(unsafe { &(*object).value })
}

/// Takes the object out of its handle, once.
///
/// # Safety
/// As for `get`; nobody may use the handle at the same time.
unsafe fn take<T: Kind>(raw: Raw) -> Result<Box<Object<T>>, String> {
    unsafe { get::<T>(raw)? };
    let object = raw.cast::<Object<T>>();
    let swapped = unsafe { (*object).tag.compare_exchange(T::TAG, DEAD, Ordering::AcqRel, Ordering::Relaxed) };
    match swapped {
        Ok(_) => Ok(unsafe { Box::from_raw(object) }),
        Err(_) => Err(describe::<T>(raw)),
    }
}

/// What every wgpu…Release does; null is allowed. `last` sees the object before it goes.
///
/// # Safety
/// As for `take`.
pub unsafe fn release<T: Kind>(function: &'static str, raw: Raw, last: impl FnOnce(&T)) {
    if raw.is_null() {
        return;
    }
    match unsafe { take::<T>(raw) } {
        Ok(object) => {
            let dropped = std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || {
                last(&object.value);
                drop(object);
            }));
            if let Err(panic) = dropped {
                complain(None, function, &crate::error::panic_text(panic));
            }
        }
        Err(why) => complain(None, function, &why),
    }
}
