// Groups the nodes of a simplified graph into kernels, by rules over loop nests and never by the name of an op.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "graph/graph.h"
#include "schedule/kernel.h"
#include "tessera/device_info.h"

namespace tessera::schedule {

/// 1 where there is none.
std::int64_t last_axis(const Shape& shape);

/// A number that sizes decide: read from the nodes of a graph.
struct SizeRef {
  enum class What : std::uint8_t {
    kNumel,
    kRows,   // all but the last axis
    kCols,   // of a matmul or a reduction; else the last axis
    kReads,  // how often a matmul reads an element of its operand `dim`
    kViewDim,
    kViewTail,
    kConstant,
  };
  What what = What::kNumel;
  int node = -1;
  int dim = 0;             // of level 0; kViewTail: the product from it on
  std::int64_t value = 0;  // kConstant
  auto operator<=>(const SizeRef&) const = default;
  [[nodiscard]] std::int64_t get(const Graph& graph) const;
};

/// What a plan took for granted beyond its key. Checked on every hit; where one fails, another plan is made.
struct Guard {
  enum class Kind : std::uint8_t { kEqual, kAtMost, kMore };
  Kind kind = Kind::kEqual;
  SizeRef a, b;
  auto operator<=>(const Guard&) const = default;
  [[nodiscard]] bool holds(const Graph& graph) const;
};

struct Fused {
  std::vector<Kernel> kernels;  // in an order that respects their data
  std::vector<Guard> guards;
};

/// What one element of an op costs, in additions or so; 0 for what computes nothing.
int cost_of(Op op);

/// `graph` has been simplified. Every root that is not a leaf is an output of some kernel.
Fused fuse(const Graph& graph, const DeviceInfo& device);

}  // namespace tessera::schedule
