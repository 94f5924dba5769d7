// Operands that are computed on their way to matrix units.
#include "matrix/support.h"
#include "tessera/explain.h"

namespace tessera::test {
namespace {

using MatrixPrologues = Matrix;

TEST_F(MatrixPrologues, WithEachShape) {
  check({{"in quads",
          [this] {
            return matmul(silu(data(f16, {68, 64}, 1)) * data(f16, {68, 64}, 2), data(f16, {64, 72}, 3) * 0.5);
          }}},
        With::kEach);
  EXPECT_TRUE(std::ranges::any_of(ran_, [](const codegen::MatmulShape& s) { return s.unit != 0; }));
}

TEST_F(MatrixPrologues, LayoutsAndSizes) {
  std::vector<Case> cases;
  for (const std::int64_t n : {15, 17, 127, 129}) {
    cases.emplace_back(fmt::format("{} rows", n), [this, n] {
      return matmul(relu(data(f16, {n, 36}, 8) + data(f16, {36}, 9)), data(f16, {36, 40}, 10));
    });
    cases.emplace_back(fmt::format("{} deep", n),
                       [this, n] { return matmul(data(f16, {40, n}, 11), data(f16, {n, 36}, 12) - 1.0); });
  }
  for (const std::int64_t n : {64, 33}) {
    cases.emplace_back(fmt::format("transposed {}", n), [this, n] {
      return matmul((data(f16, {n, 40}, 13) * 2.0).T(), tanh(data(f16, {48, n}, 14)).T());
    });
    cases.emplace_back(fmt::format("gate and up {}", n), [this, n] {
      const Tensor both = data(f16, {20, 2 * n}, 15);
      return matmul(silu(slice(both, {{}, {0, n}})) * slice(both, {{}, {n, {}}}), data(f16, {n, 36}, 16));
    });
  }
  cases.emplace_back("odd sizes, a row and a column", [this] {
    return matmul(data(f16, {67, 33}, 4) * data(f16, {67, 1}, 5), data(f16, {33, 69}, 6) + data(f16, {69}, 7));
  });
  cases.emplace_back("batches", [this] { return matmul(abs(data(f16, {3, 40, 20}, 17)), data(f16, {20, 36}, 18)); });
  cases.emplace_back("from other types", [this] {
    return matmul(cast(data(f32, {40, 36}, 19), f16), cast(data(i8, {36, 40}, 20), f16) * data(f16, {40}, 21));
  });
  cases.emplace_back("two products of it", [this] {
    const Tensor e = data(f16, {40, 36}, 22) * 2.0;
    return std::vector{matmul(e, data(f16, {36, 40}, 23)), matmul(e, data(f16, {36, 24}, 24) + 1.0)};
  });
  check(cases, With::kSome);
}

TEST_F(MatrixPrologues, OneKernel) {
  const Tensor e = silu(data(f16, {64, 64}, 25)) * data(f16, {64, 64}, 26);
  const Explanation text = explain(matmul(e, data(f16, {64, 64}, 27)));
  ASSERT_EQ(text.kernels.size(), 1U);
  EXPECT_EQ(text.kernels[0].ops, (std::vector<std::string>{"sigmoid", "multiply", "multiply", "matmul"}));
}

}  // namespace
}  // namespace tessera::test
