// What the texts of scattering's kernels depend on.
#pragma once

#include "ops/index/scatter.h"

namespace tessera::schedule {

/// Runs of equal keys inside chunks: the first level, or the chunk ends of the level below.
struct ScatterSegmentsVariant {
  ops::ScatterMode mode = ops::ScatterMode::kAdd;
  DType dtype = DType::kF32;
  bool first = false;
  bool by_cols = false;  // a lane per column, not per entry
  bool strided = false;  // the values may be a view
  static auto fields(auto& s) { return std::tie(s.mode, s.dtype, s.first, s.by_cols, s.strided); }
};

struct ScatterJoinVariant {
  ops::ScatterMode mode = ops::ScatterMode::kAdd;
  DType dtype = DType::kF32;
  std::int64_t levels = 1;
  bool with_base = false;
  bool strided = false;  // the base, and the updates of kSet, may be views
  static auto fields(auto& s) { return std::tie(s.mode, s.dtype, s.levels, s.with_base, s.strided); }
};

}  // namespace tessera::schedule
