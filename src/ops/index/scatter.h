// The call "scatter", which schedule/calls/scatter.cpp lowers, and the host functions of its kernels. Its inputs are
// the index (i32, [n]), updates [n, cols] and, unless the targets start as zeros, a base; its result is [rows, cols].
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "ops/sort/sort.h"

namespace tessera::ops {

struct ScatterAttributes {
  ScatterMode mode = ScatterMode::kSet;
  static auto fields(auto& s) { return std::tie(s.mode); }
};

std::string_view name_of(ScatterMode mode);

/// The updates sorted by target: their order, and for each target the start of its run (one more at the end).
struct Runs {
  NodePtr keys;    // u32, sorted
  NodePtr order;   // i32
  NodePtr starts;  // i32, [rows + 1]
};
Runs runs_of(std::int64_t rows, const NodePtr& index);

/// Runs of equal keys inside chunks: inputs are keys, values and, in the first level, the order.
void scatter_segments_host(const CustomHostCall& call, ScatterMode mode);
/// Each target: its base combined with its run, from as many levels as the run spans.
void scatter_join_host(const CustomHostCall& call, ScatterMode mode, std::int64_t levels, bool with_base);

}  // namespace tessera::ops
