// Work on the results of products that is fused into them, on matrix units.
#include <cmath>

#include "matrix/support.h"
#include "runtime/memory/storage.h"
#include "tessera/compile.h"

namespace tessera::test {
namespace {

class MatrixEpilogues : public Matrix {
 protected:
  /// Cases of a product of [68, 36] and [36, n].
  [[nodiscard]] std::vector<Case> cases(std::int64_t n, DType t) const {
    std::vector<Case> all;
    const auto add = [&](const char* what, std::function<Tensor(const Tensor&)> f) {
      all.emplace_back(fmt::format("{}, {} columns, {}", name(t), n, what),
                       [this, n, t, f = std::move(f)] { return f(matmul(data(t, {68, 36}, 1), data(t, {36, n}, 2))); });
    };
    add("bias row, relu", [=, this](const Tensor& c) { return relu(c + data(t, {n}, 3)); });
    add("bias column", [=, this](const Tensor& c) { return c + data(t, {68, 1}, 4); });
    add("scaled and added to", [=, this](const Tensor& c) { return c * 0.125 + data(t, {68, n}, 5); });
    add("to bf16", [](const Tensor& c) { return cast(c, bf16); });
    add("gelu to f32", [](const Tensor& c) { return gelu(cast(c, f32)); });
    add("a residual that is transposed", [=, this](const Tensor& c) { return c + data(t, {n, 68}, 6).T(); });
    all.emplace_back(fmt::format("{}, {} columns, two results", name(t), n), [this, n, t] {
      const Tensor c = matmul(data(t, {68, 36}, 1), data(t, {36, n}, 2));
      return std::vector{c, sigmoid(c)};
    });
    if (!full()) return all;
    add("used twice", [](const Tensor& c) { return c * sigmoid(c); });
    add("rows summed", [](const Tensor& c) { return sum(c, {1}); });
    add("softmax of it", [](const Tensor& c) { return softmax(c); });
    return all;
  }
};

TEST_F(MatrixEpilogues, InQuads) { check(cases(72, f16), With::kSome); }
TEST_F(MatrixEpilogues, OddColumns) { check(cases(67, f16), With::kSome); }

// The last tiles must not compute a result again whose addend has been overwritten.
TEST_F(MatrixEpilogues, AddendsUpdatedInPlace) {
  constexpr std::int64_t kRows = 68;
  for (const std::int64_t n : {72, 67}) {
    const Tensor a = data(f16, {kRows, 36}, 1);
    const Tensor b = data(f16, {36, n}, 2);
    const auto addend = [&] { return data(f16, {kRows, n}, 5); };
    const auto want = cast(addend() + matmul(a, b) * 0.125, f32).to_vector<float>();
    for (std::size_t candidate = 0; candidate < 3; ++candidate) {
      choosing_->choose(candidate, device_.info().type == DeviceType::kSoftware ? 16 * 16 : UINT32_MAX);
      const Compiled update =
          compile([](const std::vector<Tensor>& in) { return std::vector{in[0] + matmul(in[1], in[2]) * 0.125}; },
                  {.donate = {0}});
      const Tensor c = addend();
      const auto* buffer = &c.node()->storage()->buffer();
      const Tensor result = update({c, a, b})[0];
      const std::string shape = choosing_->shapes().back().key();
      EXPECT_EQ(&result.node()->storage()->buffer(), buffer) << shape;
      const auto got = cast(result, f32).to_vector<float>();
      for (std::size_t i = 0; i < got.size(); ++i) {
        ASSERT_NEAR(got[i], want[i], 0x1p-9 * (1 + std::abs(want[i])))
            << "at " << i << " of " << n << " columns, " << shape;
      }
    }
  }
}

}  // namespace
}  // namespace tessera::test
