// What the texts of the kernels of sorting and searching depend on.
#pragma once

#include "ops/sort/sort_calls.h"

namespace tessera::schedule {

/// Short rows, in workgroup memory of so many slots.
struct SortSmallVariant {
  DType dtype = DType::kF32;
  bool descending = false;
  std::int64_t slots = 0;
  bool strided = false;  // x may be a view
  static auto fields(auto& s) { return std::tie(s.dtype, s.descending, s.slots, s.strided); }
};

/// Both kernels of a radix pass.
struct SortPassVariant {
  ops::SortSource source = ops::SortSource::kElements;
  DType dtype = DType::kF32;  // of the elements or keys
  bool quads = false;         // they are read by quads
  bool last = false;          // no keys are written
  static auto fields(auto& s) { return std::tie(s.source, s.dtype, s.quads, s.last); }
};

struct PutInRowsVariant {
  bool strided = false;  // both inputs may be views
  static auto fields(auto& s) { return std::tie(s.strided); }
};

struct SearchVariant {
  DType dtype = DType::kF32;
  bool right = false;
  bool strided = false;  // both inputs may be views
  static auto fields(auto& s) { return std::tie(s.dtype, s.right, s.strided); }
};

}  // namespace tessera::schedule
