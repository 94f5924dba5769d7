// Decoders and encoders of image files, below the public functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "tessera/data/image.h"
#include "tessera/host.h"

namespace tessera::data {

/// 8 bits each, the channels fastest.
struct Pixels {
  HostView bytes;
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t channels = 0;
};

/// PNG and JPEG, by the library tessera_image. `what` begins messages: "decode_image: the PNG file 'a.png'".
Pixels decode_by_library(std::span<const std::byte> file, const std::string& what, std::uint64_t max_bytes);
/// The bytes of a PNG file.
HostView encode_png(const Pixels& pixels);

/// Binary PPM and PGM (P6, P5), whose first two bytes have been checked.
Pixels decode_pnm(std::span<const std::byte> file, const std::string& what, std::uint64_t max_bytes);

/// Throws if an image takes more than max_bytes; else returns how many it takes.
std::size_t checked_bytes(const std::string& what, std::uint64_t height, std::uint64_t width, std::uint64_t channels,
                          std::uint64_t max_bytes);

}  // namespace tessera::data
