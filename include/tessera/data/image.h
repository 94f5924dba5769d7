// Image files: PNG, JPEG, PPM and PGM as arrays of pixels, PNG files of them, and sheets of many images.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "tessera/data/array.h"
#include "tessera/export.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {
namespace data {

/// The library for PNG and JPEG files, tessera_image: the crates png and zune-jpeg. It is loaded at the first use from
/// beside the engine's own library, or from the path in TESSERA_IMAGE_LIBRARY. Without it, as in a browser, these files
/// are an Error of kind unsupported; PPM and PGM files need no library.
struct ImageLibrary {
  std::string path;     // empty: there is none
  std::string version;  // with those of the crates
  std::string error;    // why there is none
};
ImageLibrary image_library();

struct ImageOptions {
  int channels = 0;                                   // 1 (gray), 3 (RGB) or 4 (RGB and alpha); 0: those of the file
  std::uint64_t max_bytes = std::uint64_t{1} << 30U;  // the most that the pixels may take; 1 GiB at most
};

/// The pixels of a PNG, JPEG, binary PPM (P6) or binary PGM (P5) file: u8 [H, W, C], where C is 1, 3 or 4. Palettes are
/// looked up, 16 bits lose the lower 8, CMYK becomes RGB, and gray with alpha RGBA. Conversions to `channels` repeat
/// gray (0.299 R + 0.587 G + 0.114 B the other way), drop alpha, or add 255. The orientation of EXIF is not applied.
/// Error of kind parse with `name` for a file that is not valid or truncated, of kind limit past max_bytes.
/// Thread-safe.
Array decode_image(std::span<const std::byte> bytes, const std::string& name, const ImageOptions& options = {});
/// The same for a file. Error of kind io if it cannot be read.
Array load_image(const std::filesystem::path& path, const ImageOptions& options = {});

/// Writes u8 [H, W] or [H, W, C], where C is 1, 3 or 4, as a PNG file. The file is replaced atomically.
void save_png(const std::filesystem::path& path, const Array& image);
void save_png(const std::filesystem::path& path, const Tensor& image);

/// Images [N, C, H, W], u8 or floats from 0 to 1, in rows of `columns`, with black lines of `padding` pixels around
/// each: u8 [height, width, C], for save_png.
Tensor image_grid(const Tensor& images, std::int64_t columns, std::int64_t padding = 2);

}  // namespace data
}  // namespace tessera
