// The sizes of a tensor along each of its axes: rank 0 to 8, stored inline.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

#include "tessera/export.h"

namespace TESSERA_API tessera {

inline constexpr int kMaxRank = 8;

/// The sizes of a tensor, outermost first. Values are checked when a tensor is created.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<std::int64_t> dims) : Shape(std::span(dims.begin(), dims.size())) {}
  explicit Shape(std::span<const std::int64_t> dims);  // Error of kind shape above rank 8

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] std::int64_t numel() const;
  std::int64_t& operator[](int axis) { return dims_[static_cast<std::size_t>(axis)]; }
  std::int64_t operator[](int axis) const { return dims_[static_cast<std::size_t>(axis)]; }
  [[nodiscard]] std::int64_t back() const { return (*this)[rank_ - 1]; }
  [[nodiscard]] const std::int64_t* begin() const { return dims_.data(); }
  [[nodiscard]] const std::int64_t* end() const { return dims_.data() + rank_; }
  void push_back(std::int64_t size);
  [[nodiscard]] std::string str() const;  // "[2, 3]"

  friend bool operator==(const Shape& a, const Shape& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

 private:
  std::array<std::int64_t, kMaxRank> dims_{};
  int rank_ = 0;
};

}  // namespace tessera
