// Loads IDX files, the format of MNIST: the header is checked against the size of the file before a tensor is made.
#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include "base/os/files.h"
#include "io/idx_header.h"
#include "tessera/host.h"
#include "tessera/io.h"

namespace tessera::io {

namespace fs = std::filesystem;

namespace {

static_assert(std::endian::native == std::endian::little, "IDX files are big-endian, and are reversed here");

}  // namespace

HostArray read_idx(const fs::path& path, std::string_view function) {
  const auto file = std::make_shared<const os::MappedFile>(path);
  const IdxHeader header = parse_idx(file->bytes(), Fault(path.string(), function));
  const std::span<const std::byte> data = file->bytes().subspan(header.offset);
  const std::size_t width = size_of(header.dtype);
  if (width == 1) return {{data, file, false}, header.dtype, header.shape};
  const auto reversed = in_host_memory(
      path.string(), function, [&] { return std::make_shared<std::vector<std::byte>>(data.begin(), data.end()); });
  for (auto at = reversed->begin(); at != reversed->end(); at += static_cast<std::ptrdiff_t>(width)) {
    std::reverse(at, at + static_cast<std::ptrdiff_t>(width));
  }
  return {{*reversed, reversed, false}, header.dtype, header.shape};
}

Tensor load_idx(const fs::path& path, const Device& device) {
  const HostArray array = read_idx(path, "load_idx");
  return from_host(array.view, array.dtype, array.shape, device);
}

}  // namespace tessera::io
