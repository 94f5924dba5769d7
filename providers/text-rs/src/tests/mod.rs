//! Tests of what the engine's own tests cannot see: the guard, the rewriting of blocks, numbers as Python writes them.
use crate::abi::*;
use crate::generation::rewrite;
use crate::python::float_text;
use crate::result::{guard, release, Answer, CResult, Failure, Status};
use crate::template::ChatTemplate;

fn text_of(result: *mut CResult) -> (Status, String) {
    let shown = unsafe { &*result };
    let text = unsafe { std::slice::from_raw_parts(shown.text, shown.text_size) };
    let out = (shown.status, String::from_utf8(text.to_vec()).unwrap());
    unsafe { release(result) };
    out
}

#[test]
fn panics_and_errors_become_results() {
    assert_eq!(text_of(guard(|| panic!("{} is wrong", 7))), (Status::Internal, "7 is wrong".into()));
    assert_eq!(text_of(guard(|| Err(Failure::value("no")))), (Status::Value, "no".into()));
    assert_eq!(text_of(guard(|| Err(Failure::parse("bad")))), (Status::Parse, "bad".into()));
    assert_eq!(text_of(guard(|| Ok(Answer { text: "é".into(), ..Answer::default() }))), (Status::Ok, "é".into()));
}

#[test]
fn the_version_names_the_crates_of_the_lock_file() {
    let version = unsafe { std::ffi::CStr::from_ptr(tesseraTextVersion()) }.to_str().unwrap();
    let lock = include_str!("../../../Cargo.lock");
    for name in ["tokenizers", "minijinja"] {
        let at = lock.find(&format!("name = \"{name}\"\nversion = \"")).unwrap();
        let number = lock[at..].lines().nth(1).unwrap().trim_start_matches("version = ").trim_matches('"');
        assert!(version.contains(&format!("{name} {number}")), "{version} and {number} of Cargo.lock");
    }
}

#[test]
fn invalid_arguments_are_errors() {
    let mut tokenizer = std::ptr::null_mut();
    let bad = [0xffu8, 0xfe];
    let result = unsafe { tesseraTokenizerCreate(bad.as_ptr(), bad.len(), &mut tokenizer) };
    assert_eq!(text_of(result).0, Status::Parse);
    assert!(tokenizer.is_null());
    let mut template = std::ptr::null_mut();
    let result = unsafe { tesseraTemplateCreate(bad.as_ptr(), bad.len(), &mut template) };
    assert_eq!(text_of(result), (Status::Value, "the text is not valid UTF-8 at byte 0".into()));
    unsafe {
        tesseraTokenizerRelease(tokenizer);
        tesseraTemplateRelease(template);
        tesseraTextRelease(std::ptr::null_mut());
    }
}

#[test]
fn generation_blocks_are_rewritten_where_they_are_tags() {
    for (source, expected) in [
        ("{% generation %}a{% endgeneration %}", "{% with %}a{% endwith %}"),
        ("{%- generation -%}a{%+ endgeneration +%}", "{%- with -%}a{%+ endwith +%}"),
        ("{%generation%}{{ x }}{%endgeneration%}", "{%with%}{{ x }}{%endwith%}"),
        ("{# {% generation %} #}{{ '{% generation %}' }}", "{# {% generation %} #}{{ '{% generation %}' }}"),
        ("{% raw %}{% generation %}{% endraw %}{% generation %}", "{% raw %}{% generation %}{% endraw %}{% with %}"),
        (
            "{% set a = \"%} {% generation %}\" %}{% generations %}",
            "{% set a = \"%} {% generation %}\" %}{% generations %}",
        ),
        ("{% set a = '\\'' %}{% generation %}", "{% set a = '\\'' %}{% with %}"),
        ("é{% if generation %}{", "é{% if generation %}{"),
        ("{%", "{%"),
        ("{% generation", "{% with"),
        ("{{ é", "{{ é"),
    ] {
        assert_eq!(rewrite(source), expected);
    }
}

#[test]
fn floats_are_written_as_python_does() {
    for (x, text) in [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1.0, "1.0"),
        (0.1, "0.1"),
        (1e-4, "0.0001"),
        (1e-5, "1e-05"),
        (1.5e-7, "1.5e-07"),
        (1e15, "1000000000000000.0"),
        (1e16, "1e+16"),
        (1.25e300, "1.25e+300"),
        (123456.789, "123456.789"),
        (5e-324, "5e-324"),
        (f64::INFINITY, "Infinity"),
        (-1e22, "-1e+22"),
    ] {
        assert_eq!(float_text(x), text);
    }
}

#[test]
fn endless_templates_end() {
    let source = "{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}";
    let template = ChatTemplate::new(source).unwrap();
    assert_eq!(template.render("{}").unwrap_err().status, Status::Value);
    let deep = "[".repeat(100_000);
    assert_eq!(template.render(&deep).unwrap_err().status, Status::Parse);
    assert!(ChatTemplate::new(&"{{ (".repeat(50_000)).is_err());
    assert!(ChatTemplate::new(&format!("{{{{ {}1{} }}}}", "(".repeat(50_000), ")".repeat(50_000))).is_err());
}
