// Parses the header of IDX files: dtype, rank and sizes are checked against the size of the file.
#include "io/idx_header.h"

#include <algorithm>
#include <cstdint>

#include "base/fail.h"
#include "base/sizes.h"

namespace tessera::io {

namespace {

constexpr std::size_t kMagicBytes = 4;  // two zeros, the dtype, the rank
constexpr std::size_t kSizeBytes = 4;   // of each axis: a big-endian u32

DType dtype_of_code(int code, const Fault& fault) {
  switch (code) {
    case 0x08:
      return u8;
    case 0x09:
      return i8;
    case 0x0B:
      return i16;
    case 0x0C:
      return i32;
    case 0x0D:
      return f32;
    case 0x0E:
      return f64;
    default:
      fault(
          fmt::format("has the dtype {:#04x}; one of 0x08 (u8), 0x09 (i8), 0x0b (i16), 0x0c (i32), 0x0d (f32) and "
                      "0x0e (f64) is expected",
                      code));
  }
}

}  // namespace

IdxHeader parse_idx(std::span<const std::byte> file, const Fault& fault) {
  const auto byte = [&](std::size_t i) { return std::to_integer<std::uint32_t>(file[i]); };
  if (file.size() < kMagicBytes) fault(fmt::format("has {} bytes; at least 4 are expected", file.size()));
  if (byte(0) == 0x1f && byte(1) == 0x8b) fault("is compressed by gzip; unpack it first (gunzip)");
  if (byte(0) != 0 || byte(1) != 0) {
    fault(fmt::format("begins with the bytes {:#04x} {:#04x}; an IDX file begins with two zeros", byte(0), byte(1)));
  }
  IdxHeader header{dtype_of_code(static_cast<int>(byte(2)), fault), {}, kMagicBytes + kSizeBytes * byte(3)};
  if (byte(3) > static_cast<std::uint32_t>(kMaxRank)) {
    fault(fmt::format("has {} axes; at most {} are expected", byte(3), kMaxRank));
  }
  if (file.size() < header.offset) {
    fault(fmt::format("has {} bytes; a header of {} axes has {}", file.size(), byte(3), header.offset));
  }
  const std::size_t available = file.size() - header.offset;
  std::uint64_t bytes = size_of(header.dtype);  // without sizes of 0: strides must fit as well
  for (std::size_t at = kMagicBytes; at < header.offset; at += kSizeBytes) {
    const std::uint32_t size = byte(at) << 24U | byte(at + 1) << 16U | byte(at + 2) << 8U | byte(at + 3);
    header.shape.push_back(static_cast<std::int64_t>(size));
    if (size > 1 && bytes > static_cast<std::uint64_t>(kMaxTensorBytes) / size) {
      fault(fmt::format("has the shape {}; sizes of at most 2^60 bytes together are expected", header.shape));
    }
    bytes *= std::max<std::uint32_t>(size, 1);
  }
  if (std::ranges::find(header.shape, 0) != header.shape.end()) bytes = 0;
  if (bytes != available) {
    fault(fmt::format("has {} bytes of data; {} are expected for the shape {} of {}", available, bytes, header.shape,
                      name(header.dtype)));
  }
  return header;
}

}  // namespace tessera::io
