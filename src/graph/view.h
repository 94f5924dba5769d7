// Index maps of views: a bounded stack of strided levels from a row-major index to a row-major index.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/stride_class.h"
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

class ViewLayout;

/// Maps a row-major index of the view to a row-major index of its base, level 0 first. Without levels it is the
/// identity, as for every reshape: a row-major index does not depend on the shape.
struct View {
  static constexpr std::size_t kMaxLevels = 3;
  std::vector<ViewLevel> levels;

  [[nodiscard]] bool identity() const { return levels.empty(); }
  [[nodiscard]] std::int64_t map(std::int64_t index) const;
  /// The part of the view that programs depend on.
  [[nodiscard]] ViewLayout layout() const;
  friend bool operator==(const View&, const View&) = default;
};

/// The layout of one level of a view.
struct LevelLayout {
  StrideClasses strides;
  bool offset = false;  // it is not 0

  [[nodiscard]] int rank() const { return static_cast<int>(strides.size()); }
  /// Whether several indices lead to one element.
  [[nodiscard]] bool broadcasts() const { return strides.contains(StrideClass::kZero); }
  /// Whether it broadcasts one element to one dim.
  [[nodiscard]] bool broadcasts_element() const { return strides == StrideClasses{StrideClass::kZero}; }
  /// Whether it broadcasts a column: the index below is the row.
  [[nodiscard]] bool follows_row() const { return strides == StrideClasses{StrideClass::kOne, StrideClass::kZero}; }
  /// Whether it broadcasts a row: the index below is the column.
  [[nodiscard]] bool follows_col() const { return strides == StrideClasses{StrideClass::kZero, StrideClass::kOne}; }
  /// Whether the innermost stride is 1.
  [[nodiscard]] bool contiguous() const { return strides.ends_with(StrideClass::kOne); }
  /// Whether the innermost stride is neither 0 nor 1.
  [[nodiscard]] bool strided() const { return strides.ends_with(StrideClass::kAny); }
  /// Whether it is contiguous along the second-last dim, and strided along the last.
  [[nodiscard]] bool transposed() const {
    return strided() && rank() > 1 && strides[strides.size() - 2] == StrideClass::kOne;
  }
  friend bool operator==(const LevelLayout&, const LevelLayout&) = default;
};

/// The part of a view that programs depend on: its levels with the class of each stride, and whether they have offsets.
class ViewLayout {
 public:
  void add(const LevelLayout& level) { levels_.at(count_++) = level; }
  [[nodiscard]] std::span<const LevelLayout> levels() const { return std::span(levels_).first(count_); }
  /// Whether some level broadcasts.
  [[nodiscard]] bool broadcasts() const;
  // Whether the view is one such level without an offset.
  [[nodiscard]] bool broadcasts_element() const { return is_level() && levels_[0].broadcasts_element(); }
  [[nodiscard]] bool follows_row() const { return is_level() && levels_[0].follows_row(); }
  [[nodiscard]] bool follows_col() const { return is_level() && levels_[0].follows_col(); }
  /// As in signatures and plan keys: "[n1][01+]", with the letters of the strides and a '+' for an offset.
  [[nodiscard]] std::string str() const;
  friend bool operator==(const ViewLayout&, const ViewLayout&) = default;

 private:
  [[nodiscard]] bool is_level() const { return count_ == 1 && !levels_[0].offset; }

  std::array<LevelLayout, View::kMaxLevels> levels_;
  std::size_t count_ = 0;
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
