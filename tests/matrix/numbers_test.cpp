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

struct Size {
  std::int64_t m, n, k;
};

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
