// Work on the results of products that is fused into them, on matrix units.
#include "matrix/support.h"

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

}  // namespace
}  // namespace tessera::test
