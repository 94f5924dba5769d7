// What the text of a scan's kernels depends on.
#pragma once

#include "ops/reduce/scan.h"

namespace tessera::schedule {

struct ScanVariant {
  ops::ScanKind kind = ops::ScanKind::kSum;
  DType dtype = DType::kF32;
  ops::ScanStep step = ops::ScanStep::kWhole;
  bool exclusive = false;
  bool reverse = false;
  bool quads = false;    // x and the results are accessed by quads
  bool strided = false;  // x may be a view, which is read by elements
  static auto fields(auto& s) { return std::tie(s.kind, s.dtype, s.step, s.exclusive, s.reverse, s.quads, s.strided); }
};

}  // namespace tessera::schedule
