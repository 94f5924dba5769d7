//! What functions return across the C boundary, and the guard that keeps panics inside.
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Once;

#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Ok = 0,
    Parse = 1,
    Value = 2,
    Internal = 3,
}

/// TesseraTextResult of tessera_text.h.
#[repr(C)]
pub struct CResult {
    pub status: Status,
    pub text: *const u8,
    pub text_size: usize,
    pub ids: *const u32,
    pub offsets: *const u64,
    pub count: usize,
}

/// The result with what it points to. The C side sees the first member.
#[repr(C)]
struct Owner {
    shown: CResult,
    text: String,
    ids: Vec<u32>,
    offsets: Option<Vec<u64>>,
}

#[derive(Debug, Default)]
pub struct Answer {
    pub text: String,
    pub ids: Vec<u32>,
    pub offsets: Option<Vec<u64>>,
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
}

fn pack(status: Status, answer: Answer) -> *mut CResult {
    let mut owner = Box::new(Owner {
        shown: CResult {
            status,
            text: std::ptr::null(),
            text_size: 0,
            ids: std::ptr::null(),
            offsets: std::ptr::null(),
            count: 0,
        },
        text: answer.text,
        ids: answer.ids,
        offsets: answer.offsets,
    });
    owner.shown.text = owner.text.as_ptr();
    owner.shown.text_size = owner.text.len();
    owner.shown.ids = owner.ids.as_ptr();
    owner.shown.count = owner.ids.len();
    owner.shown.offsets = owner.offsets.as_ref().map_or(std::ptr::null(), |o| o.as_ptr());
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
    let (status, answer) = match catch_unwind(AssertUnwindSafe(f)) {
        Ok(Ok(answer)) => (Status::Ok, answer),
        Ok(Err(failure)) => (failure.status, Answer { text: failure.text, ..Answer::default() }),
        Err(panic) => {
            let answer = Answer { text: message_of(&*panic), ..Answer::default() };
            // The payload may panic when it is dropped.
            std::mem::forget(panic);
            (Status::Internal, answer)
        }
    };
    pack(status, answer)
}

/// Runs f, whose panics are dropped: for functions that return no result.
pub fn quiet<T: Default>(f: impl FnOnce() -> T) -> T {
    silence_panics();
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_default()
}

/// The bytes of a pointer and a size; a null pointer is the empty text.
pub unsafe fn bytes<'a>(data: *const u8, size: usize) -> &'a [u8] {
    if data.is_null() || size == 0 {
        return &[];
    }
    unsafe { std::slice::from_raw_parts(data, size) }
}

/// The same as text.
pub unsafe fn text<'a>(data: *const u8, size: usize) -> Result<&'a str, Failure> {
    std::str::from_utf8(unsafe { bytes(data, size) })
        .map_err(|e| Failure::value(format!("the text is not valid UTF-8 at byte {}", e.valid_up_to())))
}
