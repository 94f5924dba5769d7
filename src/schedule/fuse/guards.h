// Guards: what a plan took for granted about sizes, beyond its key.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "graph/graph.h"

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
  int dim = 0;             // of level 0; kViewTail: the product of the sizes from it on
  std::int64_t value = 0;  // kConstant
  auto operator<=>(const SizeRef&) const = default;
  [[nodiscard]] std::int64_t get(const Graph& graph) const;
  static SizeRef numel(int node) { return {What::kNumel, node}; }
  static SizeRef constant(std::int64_t value) { return {What::kConstant, -1, 0, value}; }
};

/// Checked on every hit of the plan cache; where one fails, another plan is made.
struct Guard {
  enum class Kind : std::uint8_t { kEqual, kAtMost, kMore };
  Kind kind = Kind::kEqual;
  SizeRef a, b;
  auto operator<=>(const Guard&) const = default;
  [[nodiscard]] bool holds(const Graph& graph) const;
};

/// Whether a size is at most `limit`; the answer is added to the guards.
bool at_most(const Graph& graph, const SizeRef& size, const SizeRef& limit, std::vector<Guard>& guards);
bool at_most(const Graph& graph, const SizeRef& size, std::int64_t limit, std::vector<Guard>& guards);

}  // namespace tessera::schedule
