// What the texts of the kernels of sorting and searching depend on.
#pragma once

#include "ops/sort/sort_calls.h"

namespace tessera::schedule {

/// Short rows, in workgroup memory of so many slots.
struct SortSmallVariant {
  DType dtype = DType::kF32;
  bool descending = false;
  std::int64_t slots = 0;
  static auto fields(auto& s) { return std::tie(s.dtype, s.descending, s.slots); }
};

/// Both kernels of a radix pass.
struct SortPassVariant {
  ops::SortSource source = ops::SortSource::kElements;
  DType dtype = DType::kF32;  // of the elements or keys
  bool quads = false;         // they are read by quads
  bool last = false;          // no keys are written
  static auto fields(auto& s) { return std::tie(s.source, s.dtype, s.quads, s.last); }
};

struct SearchVariant {
  DType dtype = DType::kF32;
  bool right = false;
  static auto fields(auto& s) { return std::tie(s.dtype, s.right); }
};

}  // namespace tessera::schedule
