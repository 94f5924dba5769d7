//! Tests of what the engine's own tests cannot see: the guard, limits, and every truncation and many changes of small files.
use crate::abi::*;
use crate::jpeg::is_complete;
use crate::result::{guard, release, room, Answer, CResult, Failure, Status};

const PNGS: [(&str, &[u8]); 6] = [
    ("rgba", include_bytes!("../../../../tests/data/images/rgba.png")),
    ("gray_alpha", include_bytes!("../../../../tests/data/images/gray_alpha.png")),
    ("gray16", include_bytes!("../../../../tests/data/images/gray16.png")),
    ("bits", include_bytes!("../../../../tests/data/images/bits.png")),
    ("palette", include_bytes!("../../../../tests/data/images/palette.png")),
    ("palette_alpha", include_bytes!("../../../../tests/data/images/palette_alpha.png")),
];
const JPEGS: [(&str, &[u8]); 6] = [
    ("gray", include_bytes!("../../../../tests/data/images/gray.jpg")),
    ("rgb", include_bytes!("../../../../tests/data/images/rgb.jpg")),
    ("half", include_bytes!("../../../../tests/data/images/half.jpg")),
    ("progressive", include_bytes!("../../../../tests/data/images/progressive.jpg")),
    ("restart", include_bytes!("../../../../tests/data/images/restart.jpg")),
    ("cmyk", include_bytes!("../../../../tests/data/images/cmyk.jpg")),
];
const MOST: usize = 1 << 20;

struct Shown {
    status: Status,
    text: String,
    data: Vec<u8>,
    shape: (u32, u32, u32), // height, width, channels
}

fn shown(result: *mut CResult) -> Shown {
    let r = unsafe { &*result };
    let text = unsafe { std::slice::from_raw_parts(r.text, r.text_size) };
    let data = unsafe { std::slice::from_raw_parts(r.data, r.size) };
    let out = Shown {
        status: r.status,
        text: String::from_utf8(text.to_vec()).unwrap(),
        data: data.to_vec(),
        shape: (r.height, r.width, r.channels),
    };
    unsafe { release(result) };
    out
}

fn decode(file: &[u8], most: usize) -> Shown {
    shown(unsafe { tesseraImageDecode(file.as_ptr(), file.len(), most) })
}

/// An image has the bytes of its shape, and an error a text.
fn check(name: &str, s: &Shown) {
    if s.status == Status::Ok {
        let (h, w, c) = s.shape;
        assert_eq!(s.data.len(), (h * w * c) as usize, "{name}");
        assert!(s.data.len() <= MOST && matches!(c, 1 | 3 | 4), "{name}");
    } else {
        assert!(!s.text.is_empty(), "{name}");
    }
}

#[test]
fn panics_and_errors_become_results() {
    let panic = shown(guard(|| panic!("{} is wrong", 7)));
    assert_eq!((panic.status, panic.text.as_str()), (Status::Internal, "7 is wrong"));
    let error = shown(guard(|| Err(Failure::value("no"))));
    assert_eq!((error.status, error.text.as_str()), (Status::Value, "no"));
    let good = shown(guard(|| Ok(Answer { data: vec![1, 2], width: 2, height: 1, channels: 1 })));
    assert_eq!((good.status, good.data, good.shape), (Status::Ok, vec![1, 2], (1, 2, 1)));
    unsafe { tesseraImageRelease(std::ptr::null_mut()) };
}

#[test]
fn the_version_names_the_crates_of_the_lock_file() {
    let version = unsafe { std::ffi::CStr::from_ptr(tesseraImageVersion()) }.to_str().unwrap();
    let lock = include_str!("../../../Cargo.lock");
    for name in ["png", "zune-jpeg"] {
        let at = lock.find(&format!("name = \"{name}\"\nversion = \"")).unwrap();
        let number = lock[at..].lines().nth(1).unwrap().trim_start_matches("version = ").trim_matches('"');
        assert!(version.contains(&format!("{name} {number}")), "{version} and {number} of Cargo.lock");
    }
}

#[test]
fn shapes_are_those_of_the_files() {
    let expected = [(5, 7, 4), (5, 7, 4), (5, 7, 1), (5, 11, 1), (5, 7, 3), (5, 7, 4)];
    for ((name, file), shape) in PNGS.iter().zip(expected) {
        let s = decode(file, MOST);
        assert_eq!((s.status, s.shape), (Status::Ok, shape), "{name}: {}", s.text);
    }
    let expected = [(9, 13, 1), (19, 17, 3), (19, 17, 3), (19, 17, 3), (19, 17, 3), (8, 8, 3)];
    for ((name, file), shape) in JPEGS.iter().zip(expected) {
        let s = decode(file, MOST);
        assert_eq!((s.status, s.shape), (Status::Ok, shape), "{name}: {}", s.text);
    }
}

#[test]
fn what_was_encoded_is_decoded() {
    for (width, height, channels) in [(1, 1, 1), (1, 1, 4), (3, 2, 1), (5, 7, 3), (300, 2, 4)] {
        let pixels: Vec<u8> = (0..width * height * channels).map(|i| (i * 37 % 251) as u8).collect();
        let file = shown(unsafe { tesseraImageEncodePng(pixels.as_ptr(), pixels.len(), width, height, channels) });
        assert_eq!(file.status, Status::Ok, "{}", file.text);
        let image = decode(&file.data, MOST);
        assert_eq!((image.data, image.shape), (pixels, (height, width, channels)));
    }
    for (size, width, height, channels) in [(0, 0, 3, 1), (6, 2, 3, 2), (5, 2, 3, 1), (6, u32::MAX, u32::MAX, 4)] {
        let pixels = vec![0u8; size];
        let s = shown(unsafe { tesseraImageEncodePng(pixels.as_ptr(), size, width, height, channels) });
        assert_eq!(s.status, Status::Value, "{}", s.text);
    }
}

#[test]
fn images_are_no_larger_than_allowed() {
    for (name, file) in PNGS.iter().chain(&JPEGS) {
        let bytes = decode(file, MOST).data.len();
        assert_eq!(decode(file, bytes).status, Status::Ok, "{name}");
        let s = decode(file, bytes - 1);
        assert_eq!(s.status, Status::Limit, "{name}: {}", s.text);
    }
    // Sizes that headers claim: nothing is allocated for them.
    assert_eq!(room(usize::MAX, 2, 3, MOST).unwrap_err().status, Status::Limit);
    let mut huge = PNGS[0].1.to_vec();
    huge[16..24].copy_from_slice(&[0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff]);
    assert_ne!(decode(&huge, usize::MAX).status, Status::Ok);
    let mut huge = JPEGS[1].1.to_vec();
    let frame = huge.windows(2).position(|w| w == [0xff, 0xc0]).unwrap();
    huge[frame + 5..frame + 9].fill(0xff);
    assert_eq!(decode(&huge, MOST).status, Status::Limit);
}

#[test]
fn truncated_files_are_errors() {
    for (name, file) in PNGS.iter().chain(&JPEGS) {
        for size in 0..file.len() {
            let s = decode(&file[..size], MOST);
            assert_eq!(s.status, Status::Parse, "{name}, {size} of {} bytes: {}", file.len(), s.text);
        }
    }
    assert!(is_complete(JPEGS[3].1) && !is_complete(&[]) && !is_complete(&[0xff, 0xd8, 0xff]));
    assert!(!is_complete(&[0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff]));
}

#[test]
fn changed_files_are_images_or_errors() {
    let mut state = 88172645463325252u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as usize
    };
    for (name, file) in PNGS.iter().chain(&JPEGS) {
        for at in 0..file.len() {
            let mut changed = file.to_vec();
            changed[at] ^= 1 << (next() % 8);
            check(name, &decode(&changed, MOST));
            changed[at] = next() as u8;
            let other = next() % file.len();
            changed[other] = next() as u8;
            check(name, &decode(&changed, MOST));
        }
    }
}
