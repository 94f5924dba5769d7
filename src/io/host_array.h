// The elements of an array in a file, in host memory, before a tensor or a data set is made of them.
#pragma once

#include <new>
#include <string>
#include <string_view>

#include "base/fail.h"
#include "tessera/dtype.h"
#include "tessera/host.h"
#include "tessera/shape.h"

namespace tessera::io {

struct HostArray {
  HostView view;  // little-endian, row-major; not always aligned
  DType dtype;
  Shape shape;
};

/// f(), where std::bad_alloc is an Error of kind out_of_memory with the name of the file.
template <class F>
auto in_host_memory(const std::string& file, std::string_view function, F f) {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    fail(ErrorKind::kOutOfMemory, "{}: '{}' cannot be read: the host has not enough memory for its elements.", function,
         file);
  }
}

}  // namespace tessera::io
