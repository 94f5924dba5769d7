// Complex tensors beside the oracle: inputs that both know, and how close results must be.
#pragma once

#include <complex>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/check.h"
#include "support/devices.h"

namespace tessera::test {

using Complex = std::complex<double>;

inline Device cpu() { return open({"cpu", "cpu", "", 0}); }

/// Numbers of moderate size, whose products are finite in c64 too; the first ones are zeros, infinities and NaN where
/// `special`.
inline reference::Value complex_values(DType t, const Shape& shape, std::uint32_t seed, bool special = false) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  reference::Value v{t, shape, {}, {}, {}};
  const double parts[] = {0.0, -0.0, 1.0, -1.5, kInf, -kInf, kNan};
  if (special) {
    for (const double a : parts) {
      for (const double b : parts) v.c.emplace_back(a, b);
    }
  }
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-3, 3);
  while (static_cast<std::int64_t>(v.c.size()) < shape.numel()) {
    const double a = number(random);
    v.c.push_back(reference::round_to(Complex(a, number(random)), t));
  }
  v.c.resize(static_cast<std::size_t>(shape.numel()));
  return v;
}

/// Leaves whose data the oracle finds again.
class Beside {
 public:
  Tensor tensor(const reference::Value& value) {
    Tensor t = make_tensor(value, cpu());
    leaves_.emplace(t.node().get(), value);
    kept_.push_back(t);  // or another leaf could come to its address
    return t;
  }
  Tensor complex(DType t, const Shape& shape, std::uint32_t seed, bool special = false) {
    return tensor(complex_values(t, shape, seed, special));
  }
  /// The CPU's result is the oracle's, up to `ulps` of its size where it is finite.
  void expect(const std::string& what, const Tensor& x, double ulps = 4) const {
    const NodePtr root = x.node();
    const auto input = [this](const Node& n) { return leaves_.at(&n); };
    const reference::Value want = reference::evaluate(std::span(&root, 1), input)[0];
    const reference::Value got = read_values({x})[0];
    ASSERT_EQ(got.shape, want.shape) << what;
    ASSERT_EQ(got.i, want.i) << what;
    const double eps = unit_roundoff(real_of(x.dtype())) * 2 * ulps;
    for (std::size_t k = 0; k < want.f.size(); ++k) part(what, k, got.f[k], want.f[k], std::abs(want.f[k]), eps, x);
    for (std::size_t k = 0; k < want.c.size(); ++k) {
      const Complex w = reference::round_to(want.c[k], x.dtype());
      part(what + " (real)", k, got.c[k].real(), w.real(), std::abs(w), eps, x);
      part(what + " (imaginary)", k, got.c[k].imag(), w.imag(), std::abs(w), eps, x);
    }
  }

 private:
  static void part(const std::string& what, std::size_t k, double got, double want, double size, double eps,
                   const Tensor& x) {
    if (!std::isfinite(want)) {
      EXPECT_TRUE(got == want || (std::isnan(got) && std::isnan(want)))
          << what << " of " << name(x.dtype()) << " at " << k << ": " << got << " instead of " << want;
      return;
    }
    const double room = std::isfinite(size) ? eps * size : 0;
    EXPECT_LE(std::abs(got - want), room + 1e-40)
        << what << " of " << name(x.dtype()) << " at " << k << ": " << got << " instead of " << want;
  }
  std::map<const Node*, reference::Value> leaves_;
  std::vector<Tensor> kept_;
};

}  // namespace tessera::test
