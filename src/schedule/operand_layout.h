// Where a matmul finds the elements of an operand, as far as programs depend on it: strided, or through an im2col view.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "graph/stride_class.h"

namespace tessera {

/// One stride for each axis.
struct StridedLayout {
  int batch_axes = 0;
  StrideClass row = StrideClass::kAny;  // from one row to the next
  StrideClass col = StrideClass::kAny;

  [[nodiscard]] bool contiguous_along_row() const { return col == StrideClass::kOne; }
  [[nodiscard]] bool contiguous_along_col() const { return row == StrideClass::kOne; }
  /// "bbn1": a 'b' for each batch axis, and the matrix.
  [[nodiscard]] std::string str() const {
    return std::string(static_cast<std::size_t>(batch_axes), 'b') + matrix_str();
  }
  /// The classes of the rows' and the columns' stride: "n1".
  [[nodiscard]] std::string matrix_str() const { return {letter(row), letter(col)}; }
  friend bool operator==(const StridedLayout&, const StridedLayout&) = default;
};

/// Several strides for each axis, and bounds checks for zero padding.
struct Im2colLayout {
  static constexpr int kBatch = 0, kRow = 1, kCol = 2;
  using Axes = std::array<StrideClasses, 3>;  // the dims of the batch, the row and the column
  Axes strides;
  std::vector<Axes> tests;  // of each bounds check: the steps of its value

  [[nodiscard]] int rank(int axis) const { return static_cast<int>(strides[static_cast<std::size_t>(axis)].size()); }
  [[nodiscard]] int dims() const { return rank(kBatch) + rank(kRow) + rank(kCol); }
  [[nodiscard]] int test_count() const { return static_cast<int>(tests.size()); }
  /// The dims of the three axes, then the steps of each check over all dims: "n|nn1|n1:000010:001000".
  [[nodiscard]] std::string str() const;
  friend bool operator==(const Im2colLayout&, const Im2colLayout&) = default;
};

class OperandLayout {
 public:
  OperandLayout() = default;
  OperandLayout(StridedLayout layout) : layout_(layout) {}
  OperandLayout(Im2colLayout layout) : layout_(std::move(layout)) {}

  [[nodiscard]] bool is_im2col() const { return std::holds_alternative<Im2colLayout>(layout_); }
  [[nodiscard]] const StridedLayout& strided() const { return std::get<StridedLayout>(layout_); }
  [[nodiscard]] const Im2colLayout& im2col() const { return std::get<Im2colLayout>(layout_); }
  /// As in signatures.
  [[nodiscard]] std::string str() const { return is_im2col() ? im2col().str() : strided().str(); }
  /// Without the batch axes of a strided operand, as in tuning.json.
  [[nodiscard]] std::string matrix_str() const { return is_im2col() ? im2col().str() : strided().matrix_str(); }
  friend bool operator==(const OperandLayout&, const OperandLayout&) = default;

 private:
  std::variant<StridedLayout, Im2colLayout> layout_;
};

}  // namespace tessera
