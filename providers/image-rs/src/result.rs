//! What functions return across the C boundary, and the guard that keeps panics inside.
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Once;

#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Ok = 0,
    Parse = 1,
    Value = 2,
    Limit = 3,
    Unsupported = 4,
    Internal = 5,
}

/// TesseraImageResult of tessera_image.h.
#[repr(C)]
pub struct CResult {
    pub status: Status,
    pub text: *const u8,
    pub text_size: usize,
    pub data: *const u8,
    pub size: usize,
    pub width: u32,
    pub height: u32,
    pub channels: u32,
}

/// The result with what it points to. The C side sees the first member.
#[repr(C)]
struct Owner {
    shown: CResult,
    text: String,
    data: Vec<u8>,
}

#[derive(Debug, Default)]
pub struct Answer {
    pub data: Vec<u8>,
    pub width: u32,
    pub height: u32,
    pub channels: u32,
}

#[derive(Debug)]
pub struct Failure {
    pub status: Status,
    pub text: String,
}

impl Failure {
    pub fn parse(text: impl ToString) -> Self {
        Failure { status: Status::Parse, text: text.to_string() }
    }
    pub fn value(text: impl ToString) -> Self {
        Failure { status: Status::Value, text: text.to_string() }
    }
    pub fn limit(text: impl ToString) -> Self {
        Failure { status: Status::Limit, text: text.to_string() }
    }
    pub fn unsupported(text: impl ToString) -> Self {
        Failure { status: Status::Unsupported, text: text.to_string() }
    }
}

fn pack(status: Status, text: String, answer: Answer) -> *mut CResult {
    let mut owner = Box::new(Owner {
        shown: CResult {
            status,
            text: std::ptr::null(),
            text_size: 0,
            data: std::ptr::null(),
            size: 0,
            width: answer.width,
            height: answer.height,
            channels: answer.channels,
        },
        text,
        data: answer.data,
    });
    owner.shown.text = owner.text.as_ptr();
    owner.shown.text_size = owner.text.len();
    owner.shown.data = owner.data.as_ptr();
    owner.shown.size = owner.data.len();
    Box::into_raw(owner).cast()
}

/// Frees what `guard` returned.
pub unsafe fn release(result: *mut CResult) {
    if !result.is_null() {
        drop(unsafe { Box::from_raw(result.cast::<Owner>()) });
    }
}

fn message_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| s.to_string()).or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a panic without a message".into())
}

/// Panics come back as results, so nothing is printed. The hook is that of this library alone.
fn silence_panics() {
    static ONCE: Once = Once::new();
    if !cfg!(test) {
        ONCE.call_once(|| std::panic::set_hook(Box::new(|_| {})));
    }
}

/// Runs f; errors and panics become results with a message.
pub fn guard(f: impl FnOnce() -> Result<Answer, Failure>) -> *mut CResult {
    silence_panics();
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(Ok(answer)) => pack(Status::Ok, String::new(), answer),
        Ok(Err(failure)) => pack(failure.status, failure.text, Answer::default()),
        Err(panic) => {
            let text = message_of(&*panic);
            // The payload may panic when it is dropped.
            std::mem::forget(panic);
            pack(Status::Internal, text, Answer::default())
        }
    }
}

/// Runs f, whose panics are dropped: for functions that return no result.
pub fn quiet<T: Default>(f: impl FnOnce() -> T) -> T {
    silence_panics();
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_default()
}

/// The bytes of a pointer and a size; a null pointer is none.
pub unsafe fn bytes<'a>(data: *const u8, size: usize) -> &'a [u8] {
    if data.is_null() || size == 0 {
        return &[];
    }
    unsafe { std::slice::from_raw_parts(data, size) }
}

/// Zeros for the pixels of an image, at most `max_bytes`.
pub fn room(width: usize, height: usize, channels: usize, max_bytes: usize) -> Result<Vec<u8>, Failure> {
    let size = width.checked_mul(height).and_then(|n| n.checked_mul(channels)).unwrap_or(usize::MAX);
    if size > max_bytes {
        let text = format!(
            "the image is {width} x {height} with {channels} channels, which takes more than {max_bytes} bytes"
        );
        return Err(Failure::limit(text));
    }
    let mut out = Vec::new();
    if out.try_reserve_exact(size).is_err() {
        return Err(Failure::limit(format!("there is no memory for its {size} bytes")));
    }
    out.resize(size, 0);
    Ok(out)
}
