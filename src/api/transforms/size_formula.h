// Numbers of a graph as functions of the sizes of dynamic axes, found by interpolation.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tessera {

/// The sizes of the dynamic axes, one for each name.
using Sizes = std::vector<std::int64_t>;

/// The sizes from which numbers are interpolated: start + e * step for each list of exponents e. The exponents are a
/// lower set (with each list, all smaller ones), at most 2 for each name, so a polynomial has one value for each.
class SizeGrid {
 public:
  /// A step of 0 means that this name has one size.
  SizeGrid(Sizes start, Sizes step);

  [[nodiscard]] std::size_t points() const { return exponents_.size(); }
  [[nodiscard]] Sizes point(std::size_t i) const;
  [[nodiscard]] const Sizes& start() const { return start_; }
  [[nodiscard]] const Sizes& step() const { return step_; }
  /// Whether the sizes differ from the start by whole steps.
  [[nodiscard]] bool on_grid(const Sizes& sizes) const;
  /// The value of each basis polynomial at the sizes, which are on the grid: products of binomial coefficients, in
  /// 64 bits that wrap around.
  [[nodiscard]] std::vector<std::uint64_t> basis(const Sizes& sizes) const;

  /// The product of sizes with the exponents of point i.
  [[nodiscard]] std::int64_t monomial(std::size_t i, const Sizes& sizes) const;

  /// From the values at the points to the coefficients of the basis: differences, which are integers too.
  void to_coefficients(std::span<std::int64_t> values) const;
  /// The greatest sum of exponents with a coefficient that is not 0.
  [[nodiscard]] int degree(std::span<const std::int64_t> coefficients) const;

 private:
  Sizes start_;
  Sizes step_;
  std::vector<std::vector<int>> exponents_;
};

/// An integer or a double as a function of the sizes.
class SizeFormula {
 public:
  static SizeFormula of_integers(const SizeGrid& grid, std::vector<std::int64_t> values);
  /// The lowest polynomial that gives the values, their reciprocals, or the squares of either, over a small
  /// denominator; none if there is none.
  static std::optional<SizeFormula> of_doubles(const SizeGrid& grid, std::span<const double> values);

  [[nodiscard]] bool constant() const { return constant_; }
  [[nodiscard]] std::int64_t integer(std::span<const std::uint64_t> basis) const;
  [[nodiscard]] double real(std::span<const std::uint64_t> basis) const;

 private:
  enum class Kind : std::uint8_t { kValue, kReciprocal, kRoot, kReciprocalRoot };

  bool constant_ = true;
  std::vector<std::int64_t> coefficients_;  // one if it is constant
  Kind kind_ = Kind::kValue;
  double denominator_ = 1;  // with the sign
  bool single_ = false;     // rounded to f32
  double real_ = 0;         // of a constant double
};

}  // namespace tessera
