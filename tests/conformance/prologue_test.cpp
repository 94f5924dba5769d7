// Products whose operands are elementwise expressions, which they compute where they load them.
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/check.h"
#include "support/devices.h"
#include "tessera/profile.h"

namespace tessera::test {
namespace {

class Prologue : public DeviceTest {
 protected:
  Tensor data(DType t, const Shape& shape, std::uint32_t seed) const {
    return make_tensor(plain(t, shape, seed, -2, 2), device_);
  }
  /// Adds a product to the check, once it is seen to become so many kernels.
  void add(Checker& check, const std::string& what, const Tensor& product, std::size_t kernels = 1) const {
    if (device_.info().prologues) {
      EXPECT_EQ(explain(product).kernels.size(), kernels) << what;
    }
    check.add(what, product);
  }
};

constexpr std::int64_t kPrologueSizes[] = {15, 17, 127, 129};

TEST_P(Prologue, SizesInEachPlace) {
  for (const std::int64_t n : kPrologueSizes) {
    Checker check(device_);
    const auto both = [&](const char* what, const Tensor& a, const Tensor& b) {
      add(check, fmt::format("{} {}, left", what, n), matmul(relu(a) * data(f32, a.shape(), 3), b));
      add(check, fmt::format("{} {}, right", what, n), matmul(a, b * 2.0 - 1.0));
    };
    both("rows", data(f32, {n, 37}, 1), data(f32, {37, 29}, 2));
    both("depth", data(f32, {41, n}, 1), data(f32, {n, 29}, 2));
    both("columns", data(f32, {41, 36}, 1), data(f32, {36, n}, 2));
  }
}

TEST_P(Prologue, OneRow) {
  Checker check(device_);
  const Tensor a = data(f32, {1, 256}, 4);
  const Tensor b = data(f32, {256, 260}, 5);
  add(check, "left", matmul(relu(a + data(f32, {256}, 6)), b));
  add(check, "right", matmul(a, b * data(f32, {260}, 7)));
  add(check, "odd columns", matmul(a, exp(slice(b, {{}, {1, {}}}))));
  check.add("few columns are a reduction", matmul(relu(a), slice(b, {{}, {0, 3}})));
}

TEST_P(Prologue, AllTypes) {
  for (const DType t : dtypes_of(device_)) {
    if (t == boolean) continue;
    Checker check(device_);
    for (const std::int64_t n : {40, 41}) {
      const std::string what = fmt::format("{} {}", name(t), n);
      const Tensor a = data(t, {33, n}, 8);
      const Tensor b = data(t, {n, 36}, 9);
      const Tensor both = matmul(a * a + a, maximum(b, data(t, {n, 36}, 10)));
      if (size_of(t) > 4) {  // its products are reductions
        check.add(what, both);
        continue;
      }
      add(check, what, both);
      if (t != f16 && t != bf16 && t != i32 && !tessera::test::full()) continue;
      add(check, what + ", from f32", matmul(a, cast(data(f32, {n, 36}, 12) * 2.0, t)));
      add(check, what + ", a choice", matmul(where(greater(a, data(t, {33, n}, 13)), a, -a), b));
    }
  }
}

TEST_P(Prologue, HalvesAreRoundedAsInMemory) {
  // 1 + 2^-11 is no f16: what is summed are rounded factors.
  for (const DType t : {f16, bf16}) {
    Checker check(device_);
    const Tensor a = data(t, {20, 48}, 14);
    const Tensor b = data(t, {48, 24}, 15);
    add(check, fmt::format("{} left", name(t)), matmul(a * 1.0009765625 + 0.000488281, b));
    add(check, fmt::format("{} right", name(t)), matmul(a, b * 0.33333 + 1.0));
    add(check, fmt::format("{} from f32 to f32", name(t)),
        cast(matmul(cast(data(f32, {20, 48}, 47), t), cast(data(f32, {48, 24}, 48), t)), f32));
  }
  std::vector<float> tiny(std::size_t{16} * 16, 2049.0F);
  const Tensor x = Tensor(tiny, {16, 16}, device_);
  const Tensor ones = tessera::full({16, 16}, 1.0, f16, device_);
  // 2049 becomes 2048 as an f16, so the sum of sixteen is 32768 and not 32784.
  EXPECT_EQ(cast(matmul(cast(x, f16), ones), f32).to_vector<float>(), std::vector<float>(256, 32768.0F));
}

TEST_P(Prologue, RowsColumnsAndNumbers) {
  for (const DType t : {f32, f16}) {
    for (const std::int64_t k : {36, 33}) {
      Checker check(device_);
      const Tensor a = data(t, {20, k}, 16);
      const Tensor b = data(t, {k, 40}, 17);
      const std::string what = fmt::format("{} {}: ", name(t), k);
      add(check, what + "a number", matmul(a * 0.125, b));
      add(check, what + "a tensor of one element", matmul(a * data(t, {1}, 18), b));
      add(check, what + "a row", matmul(a + data(t, {k}, 19), b));
      add(check, what + "a column", matmul(a * data(t, {20, 1}, 20), b));
      add(check, what + "a row and a column", matmul(relu(a * data(t, {20, 1}, 20) + data(t, {k}, 19)), b));
      add(check, what + "a row of the right one", matmul(a, b * data(t, {40}, 21)));
      add(check, what + "a column of the right one", matmul(a, b * data(t, {k, 1}, 22)));
      add(check, what + "numbered", matmul(a * cast(arange(0, k, 1, i32, device_), t), b));
      const Tensor wide = data(t, {20, 2 * k}, 23);
      add(check, what + "halves of its columns",
          matmul(silu(slice(wide, {{}, {0, k}})) * slice(wide, {{}, {k, {}}}), b));
      add(check, what + "rows of a batch", matmul(reshape(a, {4, 5, k}) * data(t, {5, 1}, 24), b));
      add(check, what + "matrices of a batch", matmul(reshape(a, {4, 5, k}) * data(t, {4, 1, 1}, 25), b));
    }
  }
}

TEST_P(Prologue, Views) {
  for (const DType t : {f32, f16}) {
    for (const std::int64_t n : {64, 21}) {
      Checker check(device_);
      const Tensor x = data(t, {n, n}, 26);
      const Tensor e = x * 2.0 + 1.0;
      const Tensor w = data(t, {n, n}, 27);
      const auto two = [&](const char* what, const Tensor& a, const Tensor& b, std::size_t kernels = 1) {
        add(check, fmt::format("{} {}, {}", name(t), n, what), matmul(a, b), kernels);
      };
      two("left transposed", e.T(), w);
      two("right transposed", w, e.T());
      two("both transposed", e.T(), tanh(w).T());
      two("with itself", e, e);
      two("with itself, transposed", e, e.T());
      two("with what it is made of", e, x);
      two("sliced", slice(e, {{1, {}}, {2, -2}}), slice(w, {{1, -3}}));
      two("every second column", slice(e, {{}, {{}, {}, 2}}), slice(w, {{{}, {}, 2}}));
      two("backwards", flip(e, {1}), w);
      two("a row spread out", broadcast_to(slice(e, {{2, 3}}), {18, n}), w);
      two("made of a transposed matrix", x.T() + w, w, 2);
      two("padded on the way", pad(e, {{1, 2}, {0, 0}}), w, 2);
    }
  }
}

TEST_P(Prologue, Batches) {
  Checker check(device_);
  const Tensor a = data(f32, {2, 3, 17, 20}, 28);
  const Tensor b = data(f32, {2, 3, 20, 9}, 29);
  add(check, "two batch axes", matmul(relu(a), exp(b)));
  add(check, "a batch and a matrix", matmul(a * 3.0, data(f32, {20, 33}, 30) + 1.0));
  add(check, "a matrix and a batch", matmul(abs(data(f32, {40, 17}, 31)), a - 1.0));
  add(check, "batches that broadcast", matmul(slice(a, {{0, 1}}) * 2.0, sin(slice(b, {{}, {1, 2}}))));
  add(check, "heads taken out of columns",
      matmul(permute(data(f32, {3, 10, 4, 8}, 32) * 0.5, {0, 2, 1, 3}),
             permute(data(f32, {3, 10, 4, 8}, 33), {0, 2, 3, 1})));
}

TEST_P(Prologue, BesideWorkOnResults) {
  for (const DType t : {f32, f16}) {
    Checker check(device_);
    const Tensor x = data(t, {40, 24}, 34);
    const Tensor w = data(t, {24, 36}, 35);
    const Tensor c = matmul(x * x, w * 2.0);
    add(check, fmt::format("{}: bias, relu, residual", name(t)), relu(c + data(t, {36}, 36)) + data(t, {40, 36}, 37));
    const Tensor square = data(t, {36, 36}, 38);
    add(check, fmt::format("{}: what it is made of is the residual", name(t)), matmul(relu(square), square) + square);
    add(check, fmt::format("{}: rows of it", name(t)), softmax(c), 2);
    add(check, fmt::format("{}: behind a product's own", name(t)), matmul(relu(matmul(x, w)), square), 2);
  }
}

TEST_P(Prologue, SeveralProducts) {
  for (const DType t : {f32, f16}) {
    Checker check(device_);
    const Tensor e = sigmoid(data(t, {40, 24}, 39));
    check.add(fmt::format("{}: one", name(t)), matmul(e, data(t, {24, 36}, 40)));
    check.add(fmt::format("{}: another", name(t)), matmul(e, data(t, {24, 20}, 41)));
    check.add(fmt::format("{}: with a right one of its own", name(t)), matmul(e, data(t, {24, 28}, 42) * 3.0));
    check.add(fmt::format("{}: as the right one", name(t)), matmul(data(t, {12, 40}, 43), e));
    const Tensor kept = data(t, {40, 24}, 44) + 1.0;
    check.add(fmt::format("{}: kept", name(t)), kept);
    check.add(fmt::format("{}: of what is kept", name(t)), matmul(kept, data(t, {24, 36}, 45)));
  }
}

TEST_P(Prologue, WhatIsNotFinite) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  std::vector<float> values(std::size_t{20} * 36, 0.5F);
  values[37] = kInf, values[90] = 2, values[150] = -kInf, values[300] = std::numeric_limits<float>::quiet_NaN();
  const Tensor x = Tensor(values, {20, 36}, device_);
  const Tensor w = data(f32, {36, 24}, 46);
  Checker check(device_);
  add(check, "infinities", matmul(x * 2.0, w));
  add(check, "made finite", matmul(where(isfinite(x), x, tessera::full({20, 36}, -1.0, f32, device_)), w));
  add(check, "logarithms of negative numbers", matmul(log(w).T(), x.T()));
  add(check, "f16 out of range", matmul(cast(x * 60000.0, f16), cast(w, f16)));
}

TEST_P(Prologue, Gradients) {
  const Tensor x = data(f32, {12, 20}, 48);
  const Tensor s = data(f32, {20}, 49);
  const Tensor w = data(f32, {20, 16}, 50);
  const auto loss = [](const Tensors& in) { return sum(square(matmul(silu(in[0]) * in[1], in[2] * 2.0))); };
  const Tensors g = grad(loss)(Tensors{x, s, w});
  Checker check(device_);
  for (std::size_t i = 0; i < g.size(); ++i) check.add(fmt::format("gradient {}", i), g[i]);
}

TESSERA_ON_ALL_DEVICES(Prologue);
TESSERA_ON_REDUCED_DEVICES(Prologue);

}  // namespace
}  // namespace tessera::test
