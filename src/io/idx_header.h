// IDX files: the header, and the array in host memory.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

#include "io/host_array.h"
#include "io/json.h"
#include "tessera/dtype.h"
#include "tessera/shape.h"

namespace tessera::io {

struct IdxHeader {
  DType dtype;
  Shape shape;
  std::size_t offset;  // of the data, which ends the file
};

/// Parses and checks it against the size of the file.
IdxHeader parse_idx(std::span<const std::byte> file, const Fault& fault);

/// The array of a file, mapped where its bytes need no change.
HostArray read_idx(const std::filesystem::path& path, std::string_view function);

}  // namespace tessera::io
