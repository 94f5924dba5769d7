// Index maps of views: a bounded stack of strided levels from a row-major index to a row-major index.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tessera/shape.h"

namespace tessera {

/// One axis of a strided level.
struct Dim {
  std::int64_t size = 1;
  std::int64_t stride = 0;
  friend bool operator==(const Dim&, const Dim&) = default;
};

/// A strided level: maps a row-major index over its dims to offset + sum of coordinate * stride. Normal form: no dim of
/// size 1, adjacent dims merged where possible.
struct ViewLevel {
  std::vector<Dim> dims;
  std::int64_t offset = 0;

  [[nodiscard]] std::int64_t map(std::int64_t index) const;
  friend bool operator==(const ViewLevel&, const ViewLevel&) = default;
};

/// Maps a row-major index of the view to a row-major index of its base, level 0 first. Without levels it is the
/// identity, as for every reshape: a row-major index does not depend on the shape.
struct View {
  static constexpr std::size_t kMaxLevels = 3;
  std::vector<ViewLevel> levels;

  [[nodiscard]] bool identity() const { return levels.empty(); }
  [[nodiscard]] std::int64_t map(std::int64_t index) const;
  /// The part of the view that a kernel's text depends on: levels, ranks, the class of each stride (0, 1 or 'n'), and a
  /// '+' for an offset: "[n1][01+]".
  [[nodiscard]] std::string layout_class() const;
  friend bool operator==(const View&, const View&) = default;
};

/// Row-major strides of a shape.
std::vector<Dim> contiguous_dims(const Shape& shape);

/// A view with `dims` and `offset` (over the axes of a shape; strides in units of the index space above `below`) on top
/// of the levels `below`, in normal form. `base_numel` is the element count of the base node.
View make_view(std::vector<Dim> dims, std::int64_t offset, std::span<const ViewLevel> below, std::int64_t base_numel);

/// The axes of `shape` as dims over the levels below: level 0 of `view` split along the shape's axes if possible (then
/// `below` starts at level 1), otherwise row-major dims (then `below` is the whole view).
struct SplitView {
  std::vector<Dim> dims;
  std::int64_t offset = 0;
  std::span<const ViewLevel> below;
};
SplitView split_view(const View& view, const Shape& shape);

}  // namespace tessera
