// The header of an IDX file.
#pragma once

#include <cstddef>
#include <span>

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

}  // namespace tessera::io
