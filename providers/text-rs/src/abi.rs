//! The exported functions: pointers in, guarded results out.
use crate::result::{bytes, guard, quiet, release, text, Answer, CResult};
use crate::template::ChatTemplate;
use crate::tokenizer::TextTokenizer;
use std::ffi::c_char;

/// Stores a new object behind `out`.
unsafe fn store<T>(out: *mut *mut T, object: T) -> Answer {
    unsafe { *out = Box::into_raw(Box::new(object)) };
    Answer::default()
}

unsafe fn free<T>(object: *mut T) {
    if !object.is_null() {
        quiet(|| drop(unsafe { Box::from_raw(object) }));
    }
}

#[no_mangle]
pub unsafe extern "C" fn tesseraTextRelease(result: *mut CResult) {
    quiet(|| unsafe { release(result) });
}

#[no_mangle]
pub extern "C" fn tesseraTextVersion() -> *const c_char {
    // The versions are those of Cargo.toml; a test compares them.
    concat!(env!("CARGO_PKG_VERSION"), " (tokenizers 0.23.2, minijinja 3.0.5)\0").as_ptr().cast()
}

#[no_mangle]
pub unsafe extern "C" fn tesseraTokenizerCreate(
    json: *const u8,
    size: usize,
    out: *mut *mut TextTokenizer,
) -> *mut CResult {
    guard(|| unsafe { Ok(store(out, TextTokenizer::new(bytes(json, size))?)) })
}

#[no_mangle]
pub unsafe extern "C" fn tesseraTokenizerRelease(tokenizer: *mut TextTokenizer) {
    unsafe { free(tokenizer) }
}

#[no_mangle]
pub unsafe extern "C" fn tesseraTokenizerEncode(
    tokenizer: *const TextTokenizer,
    data: *const u8,
    size: usize,
    add_special_tokens: bool,
    offsets: bool,
) -> *mut CResult {
    guard(|| unsafe { (*tokenizer).encode(text(data, size)?, add_special_tokens, offsets) })
}

#[no_mangle]
pub unsafe extern "C" fn tesseraTokenizerDecode(
    tokenizer: *const TextTokenizer,
    ids: *const u32,
    count: usize,
    skip_special_tokens: bool,
) -> *mut CResult {
    guard(|| {
        let ids = if count == 0 { &[] } else { unsafe { std::slice::from_raw_parts(ids, count) } };
        unsafe { (*tokenizer).decode(ids, skip_special_tokens) }
    })
}

#[no_mangle]
pub unsafe extern "C" fn tesseraTokenizerTokenToId(
    tokenizer: *const TextTokenizer,
    token: *const u8,
    size: usize,
) -> *mut CResult {
    guard(|| unsafe { Ok((*tokenizer).token_to_id(text(token, size)?)) })
}

#[no_mangle]
pub unsafe extern "C" fn tesseraTokenizerIdToToken(tokenizer: *const TextTokenizer, id: u32) -> *mut CResult {
    guard(|| unsafe { Ok((*tokenizer).id_to_token(id)) })
}

#[no_mangle]
pub unsafe extern "C" fn tesseraTokenizerVocabSize(tokenizer: *const TextTokenizer) -> usize {
    quiet(|| unsafe { (*tokenizer).vocab_size() })
}

#[no_mangle]
pub unsafe extern "C" fn tesseraTokenizerSpecialTokens(tokenizer: *const TextTokenizer) -> *mut CResult {
    guard(|| unsafe { Ok((*tokenizer).special_tokens()) })
}

#[no_mangle]
pub unsafe extern "C" fn tesseraTemplateCreate(
    source: *const u8,
    size: usize,
    out: *mut *mut ChatTemplate,
) -> *mut CResult {
    guard(|| unsafe { Ok(store(out, ChatTemplate::new(text(source, size)?)?)) })
}

#[no_mangle]
pub unsafe extern "C" fn tesseraTemplateRelease(template: *mut ChatTemplate) {
    unsafe { free(template) }
}

#[no_mangle]
pub unsafe extern "C" fn tesseraTemplateRender(
    template: *const ChatTemplate,
    variables: *const u8,
    size: usize,
) -> *mut CResult {
    guard(|| unsafe { (*template).render(text(variables, size)?) })
}
