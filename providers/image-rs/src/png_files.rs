//! PNG files: decoded to 8 bits and 1, 3 or 4 channels, and encoded.
use crate::result::{room, Answer, Failure};
use png::{ColorType, DecodingError, Limits, Transformations};
use std::io::Cursor;

pub const SIGNATURE: [u8; 8] = [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a];

/// Beside the pixels the decoder holds a few rows, at most 8 bytes for each pixel of a row of 2^31 - 1.
const ROWS: usize = 1 << 26;

fn failure(e: DecodingError) -> Failure {
    match e {
        DecodingError::IoError(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => {
            Failure::parse("the file is truncated")
        }
        DecodingError::LimitsExceeded => Failure::limit("its rows take more memory than allowed"),
        e => Failure::parse(e),
    }
}

pub fn decode(file: &[u8], max_bytes: usize) -> Result<Answer, Failure> {
    let limits = Limits { bytes: max_bytes.saturating_mul(2).saturating_add(ROWS) };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(file), limits);
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let mut reader = decoder.read_info().map_err(failure)?;
    let (width, height) = reader.info().size();
    let color = reader.output_color_type().0;
    let stored = match color {
        ColorType::Grayscale => 1,
        ColorType::GrayscaleAlpha => 2,
        ColorType::Rgb => 3,
        ColorType::Rgba => 4,
        ColorType::Indexed => return Err(Failure::parse("its palette is missing")),
    };
    let channels = if stored == 2 { 4 } else { stored };
    let (w, h) = (width as usize, height as usize);
    // Room for the result first: gray with alpha becomes RGBA.
    let mut out = room(w, h, channels, max_bytes)?;
    let frame = &mut out[..w * h * stored];
    reader.next_frame(frame).map_err(failure)?;
    // Checksums, and the end of the file.
    reader.finish().map_err(failure)?;
    if stored == 2 {
        for i in (0..w * h).rev() {
            let (gray, alpha) = (out[2 * i], out[2 * i + 1]);
            out[4 * i..4 * i + 4].copy_from_slice(&[gray, gray, gray, alpha]);
        }
    }
    Ok(Answer { data: out, width, height, channels: channels as u32 })
}

pub fn encode(pixels: &[u8], width: u32, height: u32, channels: u32) -> Result<Answer, Failure> {
    let color = match channels {
        1 => ColorType::Grayscale,
        3 => ColorType::Rgb,
        4 => ColorType::Rgba,
        n => return Err(Failure::value(format!("{n} channels were given; 1, 3 or 4 are expected"))),
    };
    let expected = u128::from(width) * u128::from(height) * u128::from(channels);
    if expected != pixels.len() as u128 || expected == 0 {
        let text =
            format!("{} bytes were given for an image of {width} x {height} with {channels} channels", pixels.len());
        return Err(Failure::value(text));
    }
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(color);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(Failure::value)?;
    writer.write_image_data(pixels).map_err(Failure::value)?;
    writer.finish().map_err(Failure::value)?;
    Ok(Answer { data: file, width, height, channels })
}
