// The elements of an array in a file, in host memory, before a tensor or a data set is made of them.
#pragma once

#include <string>

#include "tessera/dtype.h"
#include "tessera/host.h"
#include "tessera/shape.h"

namespace tessera::io {

struct HostArray {
  HostView view;  // little-endian, row-major; not always aligned
  DType dtype;
  Shape shape;
};

}  // namespace tessera::io
