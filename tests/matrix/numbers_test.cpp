// Numbers at the ends of f16's range, what is not a number, and operands of other types.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "matrix/support.h"

namespace tessera::test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class MatrixNumbers : public Matrix {
 protected:
  /// Plain data with some elements [row, col] set; negative ones count from the end.
  struct Spot {
    std::int64_t row, col;
    double value;
  };
  [[nodiscard]] Tensor spotted(DType t, const Shape& shape, std::uint32_t seed, const std::vector<Spot>& spots) const {
    reference::Value v = plain(t, shape, seed, 0.5, 2);
    for (const Spot& s : spots) {
      const std::int64_t row = s.row < 0 ? s.row + shape[0] : s.row;
      v.f[static_cast<std::size_t>(row * shape[1] + (s.col < 0 ? s.col + shape[1] : s.col))] = s.value;
    }
    return make_tensor(v, device_);
  }
};

TEST_F(MatrixNumbers, SumsBeyondTheRange) {
  // 200 * 200 * k passes 65504 from k = 2 on; rows of small numbers stay finite.
  std::vector<Case> cases;
  for (const std::int64_t n : {36, 33}) {
    cases.emplace_back(fmt::format("{} columns", n), [this, n] {
      reference::Value a = plain(f16, {40, 36}, 1, -1, 1);
      for (std::size_t i = 0; i < a.f.size(); ++i) a.f[i] = i / 36 % 3 == 0 ? 200 : i / 36 % 3 == 1 ? -200 : a.f[i];
      return matmul(
          make_tensor(a, device_),
          make_tensor(value_of(f16, {36, n}, std::vector<double>(static_cast<std::size_t>(36 * n), 200)), device_));
    });
  }
  check(cases, With::kSome);
}

TEST_F(MatrixNumbers, SpoilOnlyWhatTheyTouch) {
  // In the last row, the last column and the last step, where tiles are moved back inside or filled with zeros.
  std::vector<Case> cases;
  for (const Size& s : {Size{68, 72, 36}, {67, 69, 33}}) {
    for (const double x : {kNan, kInf}) {
      const auto add = [&](const char* what, const std::vector<Spot>& a, const std::vector<Spot>& b) {
        cases.emplace_back(fmt::format("{}x{}x{} {} in {}", s.m, s.n, s.k, x, what), [=, this] {
          return matmul(spotted(f16, {s.m, s.k}, 2, a), spotted(f16, {s.k, s.n}, 3, b));
        });
      };
      add("a's last row", {{-1, 3, x}}, {});
      add("b's last column", {}, {{2, -1, x}});
      add("the last step of both", {{4, -1, x}}, {{-1, 5, x}});
    }
  }
  check(cases, With::kSome);
}

TEST_F(MatrixNumbers, SmallestNumbers) {
  check({{"denormals of f16", std::function<Tensor()>([this] {
            reference::Value a = plain(f16, {36, 36}, 4, -1, 1);
            for (double& x : a.f) x = reference::round_to(x * std::exp2(-16), f16);
            return cast(matmul(make_tensor(a, device_), data(f16, {36, 36}, 5)), f32);
          })}},
        With::kSome);
}

TEST_F(MatrixNumbers, ReducedPrecision) {
  become("reduced precision", [](DeviceInfo& info) { info.reduced_precision = true; });
  std::vector<Case> cases;
  for (const DType t : {f32, bf16}) {
    for (const Size& s : {Size{68, 72, 36}, {67, 69, 33}}) {
      cases.emplace_back(fmt::format("{} {}x{}x{}", name(t), s.m, s.n, s.k),
                         [=, this] { return matmul(data(t, {s.m, s.k}, 6), data(t, {s.k, s.n}, 7)); });
    }
  }
  check(cases, With::kSome, true);
  EXPECT_TRUE(std::ranges::any_of(ran_, [](const auto& s) { return s.unit != 0; }));
}

TEST_F(MatrixNumbers, HalfSums) {
  // Sums of small whole numbers are exact in f16 in whatever order, so that the bounds of sums in f32 hold.
  const auto whole = [this](const Shape& shape, std::uint32_t seed) {
    reference::Value v = plain(f16, shape, seed, -2.5, 2.5);
    for (double& x : v.f) x = std::round(x);
    return make_tensor(v, device_);
  };
  std::vector<Case> cases;
  for (const auto& [s, turned] :
       {std::pair{Size{68, 72, 36}, 0}, {Size{67, 69, 33}, 1}, {Size{17, 129, 131}, 2}, {Size{68, 72, 36}, 3}}) {
    cases.emplace_back(fmt::format("{}x{}x{} turned {}", s.m, s.n, s.k, turned), [=] {
      const Tensor a = (turned & 1) != 0 ? whole({s.k, s.m}, 21).T() : whole({s.m, s.k}, 21);
      return matmul(a, (turned & 2) != 0 ? whole({s.n, s.k}, 22).T() : whole({s.k, s.n}, 22));
    });
  }
  cases.emplace_back("batches with work on results",
                     [=] { return relu(matmul(whole({3, 20, 36}, 23), whole({36, 24}, 24)) - whole({24}, 25)); });
  for (const bool matrices : {true, false}) {
    become(matrices ? "half sums" : "half sums without matrices", [&](DeviceInfo& info) {
      info.half_sums = true;
      if (!matrices) info.matrices.clear();
    });
    check(cases, With::kSome);
    EXPECT_TRUE(matrices || std::ranges::all_of(ran_, [](const auto& s) { return s.half; }));
    const bool has = std::ranges::any_of(device_.info().matrices, [](const MatrixConfig& c) {
      return c.m == c.n && c.m == c.k && c.input == DType::kF16 && c.result == DType::kF16;
    });
    EXPECT_EQ(std::ranges::any_of(ran_, [](const auto& s) { return s.half && s.unit != 0; }), has);
  }
}

TEST_F(MatrixNumbers, HalfSumsKeepTheirError) {
  // Each of k additions rounds by 2^-11 of a partial sum, which is at most the sum of all magnitudes.
  for (const bool matrices : {true, false}) {
    become(matrices ? "half sums" : "half sums without matrices", [&](DeviceInfo& info) {
      info.half_sums = true;
      if (!matrices) info.matrices.clear();
    });
    constexpr std::int64_t kDeep = 300;
    const Tensor a = data(f16, {33, kDeep}, 31);
    const Tensor b = data(f16, {kDeep, 40}, 32);
    const auto exact = matmul(cast(a, f32), cast(b, f32)).to_vector<float>();
    const auto bound = matmul(abs(cast(a, f32)), abs(cast(b, f32))).to_vector<float>();
    for (std::size_t round = 0; round < 4; ++round) {
      choosing_->choose(round, device_.info().type == DeviceType::kSoftware ? 16 * 16 : UINT32_MAX);
      const auto got = cast(matmul(a, b), f32).to_vector<float>();
      float worst = 0;
      for (std::size_t i = 0; i < got.size(); ++i) {
        const float each = bound[i] * (kDeep + 1) * 0x1p-11F;
        EXPECT_LE(std::abs(got[i] - exact[i]), each) << i << " with " << choosing_->shapes().back().key();
        worst = std::max(worst, std::abs(got[i] - exact[i]) / bound[i]);
      }
      EXPECT_LT(worst, 0x1p-6F) << "far more than rounding explains";
    }
  }
}

TEST_F(MatrixNumbers, FullPrecisionHasTheSameBitsWithoutMatrices) {
  const auto run = [&](DType t) {
    choosing_->choose(0, UINT32_MAX);
    const Tensor c = matmul(data(t, {68, 36}, 8), data(t, {36, 72}, 9));
    return encode(read_values({c})[0]);
  };
  for (const DType t : {f32, bf16}) {
    become("as it is", [](DeviceInfo&) {});
    const auto with = run(t);
    EXPECT_EQ(choosing_->shapes().at(0).unit, 0U);
    become("without matrices", [](DeviceInfo& info) { info.matrices.clear(); });
    EXPECT_EQ(with, run(t)) << name(t);
  }
}

}  // namespace
}  // namespace tessera::test
