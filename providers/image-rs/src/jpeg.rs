//! JPEG files: decoded to gray or RGB. Corrupt and truncated files are errors, not images with gray parts.
use crate::result::{room, Answer, Failure};
use zune_jpeg::errors::DecodeErrors;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

pub const SIGNATURE: [u8; 3] = [0xff, 0xd8, 0xff];

fn failure(e: DecodeErrors) -> Failure {
    match e {
        DecodeErrors::Unsupported(scheme) => {
            Failure::unsupported(format!("JPEG of the kind {scheme:?} is not supported"))
        }
        e => Failure::parse(format!("{e:?}")),
    }
}

/// Whether the file has its end: segments are skipped by their lengths, and the data of scans up to the next marker. The
/// decoder itself does not notice if the last rows of blocks are missing.
pub fn is_complete(file: &[u8]) -> bool {
    let mut at = 2;
    while let (Some(&first), Some(&marker)) = (file.get(at), file.get(at + 1)) {
        match (first, marker) {
            (0xff, 0xd9) => return true,
            // Fill bytes; stuffed bytes, restarts and markers without a segment; and data of a scan.
            (0xff, 0xff) => at += 1,
            (0xff, 0x00 | 0x01 | 0xd0..=0xd8) => at += 2,
            (0xff, _) => match (file.get(at + 2), file.get(at + 3)) {
                (Some(&high), Some(&low)) => at += 2 + usize::from(u16::from_be_bytes([high, low])).max(2),
                _ => return false,
            },
            _ => at += 1,
        }
    }
    false
}

pub fn decode(file: &[u8], max_bytes: usize) -> Result<Answer, Failure> {
    if !is_complete(file) {
        return Err(Failure::parse("the file is truncated"));
    }
    let options = DecoderOptions::default().set_strict_mode(true).set_max_width(65535).set_max_height(65535);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(file), options);
    decoder.decode_headers().map_err(failure)?;
    let (width, height) = decoder.dimensions().ok_or_else(|| Failure::parse("it has no size"))?;
    let gray = decoder.input_colorspace() == Some(ColorSpace::Luma);
    let (space, channels) = if gray { (ColorSpace::Luma, 1) } else { (ColorSpace::RGB, 3) };
    decoder.set_options(options.jpeg_set_out_colorspace(space));
    let mut out = room(width, height, channels, max_bytes)?;
    if decoder.output_buffer_size() != Some(out.len()) {
        return Err(Failure::parse("its size and its number of channels do not fit"));
    }
    decoder.decode_into(&mut out).map_err(failure)?;
    Ok(Answer { data: out, width: width as u32, height: height as u32, channels: channels as u32 })
}
