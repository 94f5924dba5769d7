// Reads images by what their files begin with, converts their channels, writes PNG files, and joins images to a sheet.
#include "tessera/data/image.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "base/fail.h"
#include "base/ints.h"
#include "base/os/files.h"
#include "data/image_files.h"
#include "tessera/ops.h"

namespace tessera::data {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U;

bool begins_with(std::span<const std::byte> bytes, std::string_view text) {
  return bytes.size() >= text.size() &&
         std::equal(text.begin(), text.end(), bytes.begin(), [](char c, std::byte b) { return std::byte(c) == b; });
}

[[noreturn]] void fail_unknown(std::span<const std::byte> bytes, const std::string& name) {
  if (bytes.empty()) fail(ErrorKind::kParse, "decode_image: '{}' is not an image: it is empty.", name);
  std::string first;
  for (const std::byte b : bytes.first(std::min<std::size_t>(bytes.size(), 4))) {
    first += fmt::format(" {:02x}", static_cast<unsigned>(b));
  }
  fail(ErrorKind::kParse,
       "decode_image: '{}' is not an image that can be read: it begins with the bytes{}; a PNG, JPEG, PPM (P6) or PGM "
       "(P5) file is expected.",
       name, first);
}

Pixels decode(std::span<const std::byte> bytes, const std::string& name, std::uint64_t max_bytes) {
  const auto what = [&](const char* format) { return fmt::format("decode_image: the {} file '{}'", format, name); };
  if (begins_with(bytes, "\x89PNG\r\n\x1a\n")) return decode_by_library(bytes, what("PNG"), max_bytes);
  if (begins_with(bytes, "\xff\xd8\xff")) return decode_by_library(bytes, what("JPEG"), max_bytes);
  if (begins_with(bytes, "P6")) return decode_pnm(bytes, what("PPM"), max_bytes);
  if (begins_with(bytes, "P5")) return decode_pnm(bytes, what("PGM"), max_bytes);
  fail_unknown(bytes, name);
}

/// ITU-R BT.601, in 16 bits behind the point.
std::uint8_t gray_of(const std::uint8_t* rgb) {
  return static_cast<std::uint8_t>((19595U * rgb[0] + 38470U * rgb[1] + 7471U * rgb[2] + 32768U) >> 16U);
}

Pixels converted(const Pixels& from, std::int64_t channels, const std::string& name, std::uint64_t max_bytes) {
  const std::size_t size =
      checked_bytes(fmt::format("decode_image: '{}'", name), static_cast<std::uint64_t>(from.height),
                    static_cast<std::uint64_t>(from.width), static_cast<std::uint64_t>(channels), max_bytes);
  auto out = std::make_shared<std::vector<std::uint8_t>>(size);
  const auto* in = reinterpret_cast<const std::uint8_t*>(from.bytes.bytes.data());
  const auto step = static_cast<std::size_t>(from.channels);
  for (auto at = out->begin(); at != out->end(); in += step) {
    if (channels == 1) {
      *at++ = gray_of(in);
      continue;
    }
    for (std::size_t c = 0; c < 3; ++c) *at++ = in[step == 1 ? 0 : c];
    if (channels == 4) *at++ = 255;
  }
  return {.bytes = {.bytes = std::as_bytes(std::span(*out)), .owner = out, .shared = false},
          .height = from.height,
          .width = from.width,
          .channels = channels};
}

}  // namespace

Array decode_image(std::span<const std::byte> bytes, const std::string& name, const ImageOptions& options) {
  if (options.channels != 0 && options.channels != 1 && options.channels != 3 && options.channels != 4) {
    fail(ErrorKind::kValue,
         "decode_image: {} channels were asked for; 1, 3 or 4 are expected, or 0 for those of the file.",
         options.channels);
  }
  const std::uint64_t most = std::min(options.max_bytes, kMostBytes);
  Pixels pixels = decode(bytes, name, most);
  if (options.channels != 0 && options.channels != pixels.channels) {
    pixels = converted(pixels, options.channels, name, most);
  }
  return {pixels.bytes, u8, {pixels.height, pixels.width, pixels.channels}};
}

Array load_image(const fs::path& path, const ImageOptions& options) {
  const os::MappedFile file(path);
  return decode_image(file.bytes(), path.string(), options);
}

void save_png(const fs::path& path, const Array& image) {
  if (!image.defined()) fail(ErrorKind::kValue, "save_png: an empty Array was given for '{}'.", path.string());
  const Shape& shape = image.shape();
  if (image.dtype() != u8) {
    fail(ErrorKind::kDType, "save_png: the image for '{}' is {}; u8 is expected.", path.string(), name(image.dtype()));
  }
  const std::int64_t channels = shape.rank() == 3 ? shape[2] : 1;
  const bool fits = (shape.rank() == 2 || shape.rank() == 3) && (channels == 1 || channels == 3 || channels == 4) &&
                    shape[0] > 0 && shape[1] > 0 && shape[0] < INT32_MAX && shape[1] < INT32_MAX;
  if (!fits) {
    fail(ErrorKind::kShape,
         "save_png: the image for '{}' has shape {}; [H, W] or [H, W, C] with 1, 3 or 4 channels is expected.",
         path.string(), shape);
  }
  const HostView file = encode_png({.bytes = {.bytes = image.bytes(), .owner = nullptr, .shared = true},
                                    .height = shape[0],
                                    .width = shape[1],
                                    .channels = channels});
  os::replace_file_with(path, [&](const os::Append& append) { append(file.bytes); });
}

void save_png(const fs::path& path, const Tensor& image) {
  if (!image.defined()) fail(ErrorKind::kValue, "save_png: an empty Tensor was given for '{}'.", path.string());
  save_png(path, Array::of(image));
}

Tensor image_grid(const Tensor& images, std::int64_t columns, std::int64_t padding) {
  if (!images.defined()) fail(ErrorKind::kValue, "image_grid: an empty Tensor was given.");
  const Shape& shape = images.shape();
  if (shape.rank() != 4 || shape.numel() == 0 || (shape[1] != 1 && shape[1] != 3 && shape[1] != 4)) {
    fail(ErrorKind::kShape,
         "image_grid: images of shape {} were given; [N, C, H, W] with 1, 3 or 4 channels is expected.", shape);
  }
  if (images.dtype() != u8 && !is_float(images.dtype())) {
    fail(ErrorKind::kDType, "image_grid: images of {} were given; u8 or floats are expected.", name(images.dtype()));
  }
  if (columns < 1 || padding < 0) {
    fail(ErrorKind::kValue,
         "image_grid: {} columns and a padding of {} were given; at least 1 column and a padding of 0 are expected.",
         columns, padding);
  }
  Tensor x = images;
  if (x.dtype() != u8) x = cast(round(clamp(cast(x, f32), 0.0, 1.0) * 255.0), u8);
  const std::int64_t n = shape[0];
  const std::int64_t across = std::min(columns, n);
  const std::int64_t down = ceil_div(n, across);
  const std::int64_t height = shape[2] + padding;
  const std::int64_t width = shape[3] + padding;
  // Each image has its lines above and on the left; those at the end are added last.
  x = pad(x, {{0, down * across - n}, {0, 0}, {padding, 0}, {padding, 0}});
  x = x.reshape({down, across, shape[1], height, width}).permute({0, 3, 1, 4, 2});
  return pad(x.reshape({down * height, across * width, shape[1]}), {{0, padding}, {0, padding}, {0, 0}});
}

}  // namespace tessera::data
