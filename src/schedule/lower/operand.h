// How a matmul reads its operands: with one stride per axis, or through an im2col view with several strides per axis
// and zero padding (implicit GEMM).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "graph/graph.h"
#include "schedule/operand_layout.h"

namespace tessera {

/// Whether the operand is read with one stride for each of its axes.
bool is_strided_operand(const Graph& graph, int node);
/// The layout of such an operand.
StridedLayout strided_layout(const Graph& graph, int node);

/// Where each element of an operand lies in the buffer of `base`. The batch, the row and the column are each numbers
/// over `dims`; coordinates times strides add up to the place, and coordinates times steps to the tests' numbers.
struct Im2colView {
  struct Dim {
    std::int64_t size = 1;
    std::int64_t stride = 0;
    std::vector<std::int64_t> steps;  // one for each test
    friend bool operator==(const Dim&, const Dim&) = default;
  };
  /// The element is zero where start + the sum of steps is outside 0..size-1.
  struct Test {
    std::int64_t start = 0;
    std::int64_t size = 0;
  };
  int base = -1;
  std::array<std::vector<Dim>, 3> dims;  // of the batch, the row, the column; the outermost first
  std::int64_t offset = 0;
  std::vector<Test> tests;

  [[nodiscard]] Im2colLayout layout() const;
};

/// The map of an operand down to the buffer of node `base`; -1: to what lies under all views and pads. Nothing where
/// there is none: strides that carry from one axis of a padded tensor into another, pads with something else than zero.
std::optional<Im2colView> im2col_view(const Graph& graph, int node, int base = -1);

}  // namespace tessera
