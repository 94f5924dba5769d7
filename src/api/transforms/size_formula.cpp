// Interpolation on a grid of sizes in the binomial basis, where all coefficients are integers.
#include "api/transforms/size_formula.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/ints.h"

namespace tessera {

namespace {

constexpr int kMaxExponent = 2;

/// t over e, which is an integer for each integer t.
std::uint64_t binomial(std::int64_t t, int e) {
  const auto u = static_cast<std::uint64_t>(t);
  if (e == 0) return 1;
  if (e == 1) return u;
  return t % 2 == 0 ? static_cast<std::uint64_t>(t / 2) * (u - 1) : u * static_cast<std::uint64_t>((t - 1) / 2);
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

}  // namespace

SizeGrid::SizeGrid(Sizes start, Sizes step) : start_(std::move(start)), step_(std::move(step)) {
  const auto varying = std::ranges::count_if(step_, [](std::int64_t s) { return s != 0; });
  // Numel and strides are products of sizes, the scores of attention a square: with two names each may be squared.
  const int most = varying <= 2 ? 4 : 3;
  std::vector<int> e(step_.size(), 0);
  while (true) {
    if (std::accumulate(e.begin(), e.end(), 0) <= most) exponents_.push_back(e);
    std::size_t i = 0;
    while (i < e.size() && (step_[i] == 0 || e[i] == kMaxExponent)) e[i++] = 0;
    if (i == e.size()) return;
    ++e[i];
  }
}

Sizes SizeGrid::point(std::size_t i) const {
  Sizes at = start_;
  for (std::size_t n = 0; n < at.size(); ++n) at[n] += exponents_[i][n] * step_[n];
  return at;
}

bool SizeGrid::on_grid(const Sizes& sizes) const {
  for (std::size_t n = 0; n < sizes.size(); ++n) {
    const std::int64_t distance = sizes[n] - start_[n];
    if (step_[n] == 0 ? distance != 0 : distance % step_[n] != 0) return false;
  }
  return true;
}

std::vector<std::uint64_t> SizeGrid::basis(const Sizes& sizes) const {
  std::vector<std::uint64_t> all;
  all.reserve(exponents_.size());
  for (const std::vector<int>& e : exponents_) {
    std::uint64_t product = 1;
    for (std::size_t n = 0; n < e.size(); ++n) {
      if (step_[n] != 0) product *= binomial((sizes[n] - start_[n]) / step_[n], e[n]);
    }
    all.push_back(product);
  }
  return all;
}

std::int64_t SizeGrid::monomial(std::size_t i, const Sizes& sizes) const {
  std::int64_t product = 1;
  for (std::size_t n = 0; n < sizes.size(); ++n) {
    for (int e = 0; e < exponents_[i][n]; ++e) product *= sizes[n];
  }
  return product;
}

void SizeGrid::to_coefficients(std::span<std::int64_t> values) const {
  const auto position = [&](const std::vector<int>& e) {
    return as_index(std::ranges::find(exponents_, e) - exponents_.begin());
  };
  for (std::size_t n = 0; n < step_.size(); ++n) {
    if (step_[n] == 0) continue;
    for (int order = 1; order <= kMaxExponent; ++order) {
      for (int at = kMaxExponent; at >= order; --at) {
        for (std::size_t i = 0; i < exponents_.size(); ++i) {
          if (exponents_[i][n] != at) continue;
          std::vector<int> before = exponents_[i];
          --before[n];
          values[i] -= values[position(before)];
        }
      }
    }
  }
}

int SizeGrid::degree(std::span<const std::int64_t> coefficients) const {
  int most = 0;
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    if (coefficients[i] != 0) most = std::max(most, std::accumulate(exponents_[i].begin(), exponents_[i].end(), 0));
  }
  return most;
}

SizeFormula SizeFormula::of_integers(const SizeGrid& grid, std::vector<std::int64_t> values) {
  SizeFormula f;
  f.constant_ = std::ranges::all_of(values, [&](std::int64_t v) { return v == values[0]; });
  if (f.constant_) {
    values.resize(1);
  } else {
    grid.to_coefficients(values);
  }
  f.coefficients_ = std::move(values);
  return f;
}

namespace {

/// The integers near some numbers; none if one is not near an integer.
std::optional<std::vector<std::int64_t>> near_integers(const SizeGrid& grid, std::span<const double> numbers,
                                                       double epsilon) {
  const auto near = [&](double x, double to) { return std::abs(x - to) <= 8 * epsilon * std::abs(to); };
  std::vector<std::int64_t> integers;
  for (const double u : numbers) {
    const double nearest = std::round(u);
    if (!(std::abs(nearest) * epsilon * 64 < 1) || !near(u, nearest)) break;
    integers.push_back(static_cast<std::int64_t>(nearest));
  }
  if (integers.size() == numbers.size()) return integers;
  // Large multiples of a product of sizes, where rounding hides the integers: the factor is one.
  for (std::size_t p = 1; p < grid.points(); ++p) {
    integers.clear();
    double factor = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::int64_t product = grid.monomial(p, grid.point(i));
      const double own = std::round(numbers[i] / static_cast<double>(product));
      if (i == 0) factor = own;
      if (!(std::abs(own) * epsilon * 64 < 1) || own != factor ||
          !near(numbers[i], factor * static_cast<double>(product)))
        break;
      integers.push_back(static_cast<std::int64_t>(factor) * product);
    }
    if (integers.size() == numbers.size()) return integers;
  }
  return std::nullopt;
}

}  // namespace

std::optional<SizeFormula> SizeFormula::of_doubles(const SizeGrid& grid, std::span<const double> values) {
  if (std::ranges::all_of(values, [&](double v) { return same_bits(v, values[0]); })) {
    SizeFormula f;
    f.coefficients_ = {0};
    f.real_ = values[0];
    return f;
  }
  constexpr int kMaxDenominator = 16;
  const bool single =
      std::ranges::all_of(values, [](double v) { return same_bits(static_cast<double>(static_cast<float>(v)), v); });
  const double epsilon =
      single ? double{std::numeric_limits<float>::epsilon()} : std::numeric_limits<double>::epsilon();
  const double sign = values[0] < 0 ? -1 : 1;
  std::optional<SizeFormula> best;
  int best_degree = 0;
  for (const Kind kind : {Kind::kValue, Kind::kReciprocal, Kind::kRoot, Kind::kReciprocalRoot}) {
    const bool root = kind == Kind::kRoot || kind == Kind::kReciprocalRoot;
    const bool one_sign = std::ranges::all_of(values, [&](double v) { return v * sign > 0; });
    if (root && !one_sign) continue;
    for (int denominator = 1; denominator <= kMaxDenominator; ++denominator) {
      std::vector<double> numbers;
      for (const double v : values) {
        const double u = (kind == Kind::kReciprocal || kind == Kind::kReciprocalRoot ? 1 / v : v) * sign;
        numbers.push_back((root ? u * u : u) * denominator);
      }
      auto integers = near_integers(grid, numbers, epsilon);
      if (!integers.has_value()) continue;
      SizeFormula f = of_integers(grid, std::move(*integers));
      if (f.constant_) continue;
      f.kind_ = kind;
      f.single_ = single;
      f.denominator_ = sign * denominator;
      const int degree = grid.degree(f.coefficients_);
      if (!best.has_value() || degree < best_degree) {
        best = std::move(f);
        best_degree = degree;
      }
      break;  // a larger denominator gives the same
    }
  }
  return best;
}

std::int64_t SizeFormula::integer(std::span<const std::uint64_t> basis) const {
  if (constant_) return coefficients_[0];
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < basis.size(); ++i) sum += basis[i] * static_cast<std::uint64_t>(coefficients_[i]);
  return static_cast<std::int64_t>(sum);
}

double SizeFormula::real(std::span<const std::uint64_t> basis) const {
  if (constant_) return real_;
  const double number = static_cast<double>(integer(basis)) / std::abs(denominator_);
  double value = number;
  switch (kind_) {
    case Kind::kValue:
      break;
    case Kind::kReciprocal:
      value = std::abs(denominator_) / static_cast<double>(integer(basis));
      break;
    case Kind::kRoot:
      value = std::sqrt(number);
      break;
    case Kind::kReciprocalRoot:
      value = 1 / std::sqrt(number);
      break;
  }
  if (denominator_ < 0) value = -value;
  return single_ ? static_cast<double>(static_cast<float>(value)) : value;
}

}  // namespace tessera
