// Products of one left operand in one kernel on matrix units, with every shape.
#include "matrix/support.h"

namespace tessera::test {
namespace {

class MatrixHorizontal : public Matrix {
 protected:
  /// Products of [m, k] with matrices of these columns; `of` works on each result.
  [[nodiscard]] Case products(std::int64_t m, std::int64_t k, const std::vector<std::int64_t>& widths,
                              bool turn_x = false, bool turn_w = false,
                              const std::function<Tensor(const Tensor&)>& of = {}) const {
    return {fmt::format("{}x{}{} with {} columns{}", m, k, turn_x ? " transposed" : "", fmt::join(widths, "+"),
                        turn_w ? ", transposed" : ""),
            [=, this] {
              const Tensor x = turn_x ? data(f16, {k, m}, 1).T() : data(f16, {m, k}, 1);
              std::vector<Tensor> all;
              for (const std::int64_t n : widths) {
                const auto seed = static_cast<std::uint32_t>(2 + all.size());
                const Tensor c = matmul(x, turn_w ? data(f16, {n, k}, seed).T() : data(f16, {k, n}, seed));
                all.push_back(of ? of(c) : c);
              }
              return all;
            }};
  }
  /// check(), where each case is one kernel: all have rows enough for that on large devices, too.
  void check_together(const std::vector<Case>& cases, With with) {
    for (const Case& c : cases) EXPECT_EQ(explain(c.make()).kernels.size(), 1U) << c.name;
    check(cases, with);
    EXPECT_EQ(ran_.size() % runs_, 0U);
  }
};

TEST_F(MatrixHorizontal, EachShape) {
  // Tiles inside of each; and a last step that is not whole.
  check_together({products(128, 64, {256, 128}), products(68, 36, {132, 136, 260})}, With::kEach);
  std::size_t by_matrices = 0;
  for (const codegen::MatmulShape& s : ran_) by_matrices += s.unit != 0 ? 1 : 0;
  EXPECT_GE(by_matrices, full() ? 2 * 3 : 2) << "few shapes for matrix units are candidates";
}

TEST_F(MatrixHorizontal, Transposes) {
  std::vector<Case> cases;
  for (const auto& [x, w] : {std::pair{true, false}, {false, true}, {true, true}}) {
    cases.push_back(products(68, 36, {132, 136}, x, w));
    cases.push_back(products(67, 35, {17, 33, 5}, x, w));
  }
  cases.push_back(products(97, 35, {129, 131}));
  check_together(cases, With::kSome);
}

TEST_F(MatrixHorizontal, WorkOnTheResults) {
  check_together({products(72, 36, {64, 48}, false, false, [](const Tensor& c) { return relu(c) * 0.5; }),
                  products(71, 36, {67, 47}, false, false, [](const Tensor& c) { return cast(c, f32); }),
                  {"a bias for each",
                   [this] {
                     const Tensor x = data(f16, {68, 40}, 3);
                     const Tensor one = matmul(x, data(f16, {40, 72}, 4)) + data(f16, {72}, 5);
                     return std::vector{one, matmul(x, data(f16, {40, 36}, 6)) * data(f16, {68, 1}, 7)};
                   }},
                  {"a buffer for both",
                   [this] {
                     const Tensor x = data(f16, {68, 68}, 8);
                     return std::vector{matmul(x, data(f16, {68, 68}, 9)) + x, matmul(x, x)};
                   }}},
                 With::kSome);
}

TEST_F(MatrixHorizontal, Batches) {
  check_together({{"a batch",
                   [this] {
                     const Tensor x = data(f16, {3, 40, 20}, 10);
                     return std::vector{matmul(x, data(f16, {3, 20, 36}, 11)), matmul(x, data(f16, {3, 20, 44}, 12))};
                   }},
                  {"one x for a batch",
                   [this] {
                     const Tensor x = data(f16, {40, 20}, 13);
                     return std::vector{matmul(x, data(f16, {3, 20, 36}, 14)), matmul(x, data(f16, {3, 20, 44}, 15))};
                   }}},
                 With::kSome);
}

TEST_F(MatrixHorizontal, OtherSizesOfOnePlan) {
  // Planned for products that are alike, as the first; then one is narrow or has broken quads.
  const std::vector<Case> cases{products(40, 36, {132, 136, 256}), products(40, 36, {132, 9, 256}),
                                products(40, 64, {64, 128, 5}), products(40, 36, {300, 6, 7})};
  check(cases, With::kSome);
  EXPECT_EQ(ran_.size() % runs_, 0U) << "one kernel each";
}

}  // namespace
}  // namespace tessera::test
