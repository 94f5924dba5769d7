// Loads IDX files, the format of MNIST: the header is checked against the size of the file before a tensor is made.
#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include "base/fail.h"
#include "base/os/files.h"
#include "base/sizes.h"
#include "io/json.h"
#include "tessera/host.h"
#include "tessera/io.h"

namespace tessera::io {

namespace fs = std::filesystem;

namespace {

static_assert(std::endian::native == std::endian::little, "IDX files are big-endian, and are reversed here");

constexpr std::size_t kMagicBytes = 4;  // two zeros, the dtype, the rank
constexpr std::size_t kSizeBytes = 4;   // of each axis: a big-endian u32

struct Header {
  DType dtype;
  Shape shape;
  std::size_t offset;  // of the data
};

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

Header read_header(std::span<const std::byte> file, const Fault& fault) {
  const auto byte = [&](std::size_t i) { return std::to_integer<std::uint32_t>(file[i]); };
  if (file.size() < kMagicBytes) fault(fmt::format("has {} bytes; at least 4 are expected", file.size()));
  if (byte(0) == 0x1f && byte(1) == 0x8b) fault("is compressed by gzip; unpack it first (gunzip)");
  if (byte(0) != 0 || byte(1) != 0) {
    fault(fmt::format("begins with the bytes {:#04x} {:#04x}; an IDX file begins with two zeros", byte(0), byte(1)));
  }
  Header header{dtype_of_code(static_cast<int>(byte(2)), fault), {}, kMagicBytes + kSizeBytes * byte(3)};
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

}  // namespace

Tensor load_idx(const fs::path& path, const Device& device) {
  const auto file = std::make_shared<const os::MappedFile>(path);
  const Header header = read_header(file->bytes(), Fault(path.string(), "load_idx"));
  const std::span<const std::byte> data = file->bytes().subspan(header.offset);
  const std::size_t width = size_of(header.dtype);
  if (width == 1) return from_host({data, file, false}, header.dtype, header.shape, device);
  const auto reversed = std::make_shared<std::vector<std::byte>>(data.begin(), data.end());
  for (auto at = reversed->begin(); at != reversed->end(); at += static_cast<std::ptrdiff_t>(width)) {
    std::reverse(at, at + static_cast<std::ptrdiff_t>(width));
  }
  return from_host({*reversed, reversed, false}, header.dtype, header.shape, device);
}

}  // namespace tessera::io
