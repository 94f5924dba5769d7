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

std::optional<SizeFormula> SizeFormula::of_doubles(const SizeGrid& grid, std::span<const double> values) {
  if (std::ranges::all_of(values, [&](double v) { return same_bits(v, values[0]); })) {
    SizeFormula f;
    f.coefficients_ = {0};
    f.real_ = values[0];
    return f;
  }
  constexpr double kNear = 8 * std::numeric_limits<double>::epsilon();
  constexpr double kMost = 4503599627370496.0;  // 2^52
  constexpr int kMaxDenominator = 16;
  const double sign = values[0] < 0 ? -1 : 1;
  std::optional<SizeFormula> best;
  int best_degree = 0;
  for (const Kind kind : {Kind::kValue, Kind::kReciprocal, Kind::kRoot, Kind::kReciprocalRoot}) {
    const bool root = kind == Kind::kRoot || kind == Kind::kReciprocalRoot;
    for (int denominator = 1; denominator <= kMaxDenominator; ++denominator) {
      std::vector<std::int64_t> numbers;
      for (const double v : values) {
        double u = kind == Kind::kReciprocal || kind == Kind::kReciprocalRoot ? 1 / v : v;
        if (root) u *= v * sign > 0 ? u : std::numeric_limits<double>::quiet_NaN();  // all of one sign
        u *= (root ? 1 : sign) * denominator;
        const double nearest = std::round(u);
        if (!(std::abs(nearest) < kMost) || std::abs(u - nearest) > kNear * std::abs(nearest)) break;
        numbers.push_back(static_cast<std::int64_t>(nearest));
      }
      if (numbers.size() != values.size()) continue;
      SizeFormula f = of_integers(grid, numbers);
      if (f.constant_) continue;
      f.kind_ = kind;
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
  const auto number = static_cast<double>(integer(basis));
  const double denominator = std::abs(denominator_);
  const double sign = denominator_ < 0 ? -1 : 1;
  switch (kind_) {
    case Kind::kValue:
      return sign * (number / denominator);
    case Kind::kReciprocal:
      return sign * (denominator / number);
    case Kind::kRoot:
      return sign * std::sqrt(number / denominator);
    case Kind::kReciprocalRoot:
      return sign / std::sqrt(number / denominator);
  }
  return 0;
}

}  // namespace tessera
