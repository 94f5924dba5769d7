// Matrix products of all types, sizes, views and batches, with and without fused work on their results.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/check.h"
#include "support/devices.h"

namespace tessera::test {
namespace {

class Matmul : public DeviceTest {
 protected:
  Tensor data(DType t, const Shape& shape, std::uint32_t seed) const {
    return make_tensor(plain(t, shape, seed, -2, 2), device_);
  }
};

constexpr std::int64_t kSizes[] = {1, 3, 15, 16, 17, 31, 33, 64, 65, 127, 129, 200};

TEST_P(Matmul, SizesInEachPlace) {
  // Each size as M, N and K beside sizes that are not multiples of anything.
  for (const std::int64_t n : kSizes) {
    Checker check(device_);
    check.add(fmt::format("{0}x37 x 37x29", n), matmul(data(f32, {n, 37}, 1), data(f32, {37, 29}, 2)));
    check.add(fmt::format("41x{0} x {0}x29", n), matmul(data(f32, {41, n}, 3), data(f32, {n, 29}, 4)));
    check.add(fmt::format("41x37 x 37x{0}", n), matmul(data(f32, {41, 37}, 5), data(f32, {37, n}, 6)));
    check.add(fmt::format("{0}x{0} x {0}x{0}", n), matmul(data(f32, {n, n}, 7), data(f32, {n, n}, 8)));
  }
}

TEST_P(Matmul, SizesAsProduct) {
  if (!full()) GTEST_SKIP() << "only in a full run";
  for (const std::int64_t m : kSizes) {
    for (const std::int64_t n : kSizes) {
      Checker check(device_);
      for (const std::int64_t k : kSizes) {
        check.add(fmt::format("{}x{} x {}x{}", m, k, k, n), matmul(data(f32, {m, k}, 1), data(f32, {k, n}, 2)));
      }
    }
  }
}

TEST_P(Matmul, AllTypes) {
  for (const DType t : dtypes_of(device_)) {
    Checker check(device_);
    check.add(fmt::format("{} 33x20 x 20x40", name(t)), matmul(data(t, {33, 20}, 9), data(t, {20, 40}, 10)));
    if (!full() && t != f16 && t != bf16 && t != i32 && t != i64) continue;
    check.add(fmt::format("{} 65x64 x 64x68", name(t)), matmul(data(t, {65, 64}, 11), data(t, {64, 68}, 12)));
    check.add(fmt::format("{} 1x100 x 100x33", name(t)), matmul(data(t, {1, 100}, 13), data(t, {100, 33}, 14)));
    check.add(fmt::format("{} 33x100 x 100x2", name(t)), matmul(data(t, {33, 100}, 15), data(t, {100, 2}, 16)));
  }
  Checker check(device_);
  check.add("f16 times f32", matmul(data(f16, {17, 20}, 17), data(f32, {20, 40}, 18)));
  check.add("i32 times f32", matmul(data(i32, {17, 20}, 17), data(f32, {20, 40}, 18)));
}

TEST_P(Matmul, TransposedAndSlicedViews) {
  for (const DType t : {f32, f16}) {
    for (const std::int64_t n : {20, 64}) {
      Checker check(device_);
      const Tensor a = data(t, {n, n}, 19);
      const Tensor b = data(t, {n, n}, 20);
      const auto add = [&](const char* what, const Tensor& x, const Tensor& y) {
        check.add(fmt::format("{} {}, {}", name(t), n, what), matmul(x, y));
      };
      add("a transposed", a.T(), b);
      add("b transposed", a, b.T());
      add("both transposed", a.T(), b.T());
      add("with itself, transposed", a, a.T());
      if (t == f16 && !full()) continue;
      add("a sliced with an offset", slice(a, {{3, {}}, {2, -2}}), slice(b, {{1, -3}}));
      add("steps of two", slice(a, {{}, {{}, {}, 2}}), slice(b, {{{}, {}, 2}}));
      add("steps backwards", flip(a, {1}), flip(b, {0}));
      add("columns of b in fours", a, slice(b, {{}, {4, 16}}));
      add("a row spread out", broadcast_to(slice(a, {{2, 3}}), {18, n}), b);
      add("reshaped after permute", reshape(permute(reshape(a, {2, n / 2, n}), {1, 0, 2}), {n, n}), b);
      add("padded on the way", pad(a, {{1, 2}, {0, 0}}), b);
      add("computed on the way", a * 2.0 + 1.0, relu(b));
    }
  }
}

TEST_P(Matmul, LongSums) {
  // Cut into pieces on a GPU: of 256 columns, of 342, and not at all.
  for (const DType t : {f32, f16, bf16, i32, i8}) {
    Checker check(device_);
    for (const std::int64_t k : {2048, 1026, 1031}) {
      if (k != 2048 && t != f32) continue;
      check.add(fmt::format("{} 20x{} x {}x24", name(t), k, k), matmul(data(t, {20, k}, 31), data(t, {k, 24}, 32)));
    }
    check.add(
        fmt::format("{} both turned, of a batch, with work on results", name(t)),
        abs(matmul(transpose(data(t, {2, 1024, 9}, 33)), transpose(data(t, {2, 11, 1024}, 34))) + data(t, {11}, 35)));
  }
}

TEST_P(Matmul, NarrowIntegersWrapBeforeWhatFollows) {
  for (const DType t : {i8, u8, i16, u16}) {
    Checker check(device_);
    const Tensor a = full({9, 40}, 100, t, device_);
    const Tensor b = full({40, 12}, 99, t, device_);
    const Tensor c = matmul(a, b);
    check.add(fmt::format("a product of {}, widened", name(t)), cast(c, i32) + 1);
    check.add(fmt::format("a product of {}, compared", name(t)), greater(c, full({12}, 3, t, device_)));
  }
}

TEST_P(Matmul, Batches) {
  Checker check(device_);
  const Tensor a = data(f32, {2, 3, 17, 20}, 21);
  const Tensor b = data(f32, {2, 3, 20, 9}, 22);
  check.add("two batch axes", matmul(a, b));
  check.add("a batch and a matrix", matmul(a, data(f32, {20, 33}, 23)));
  check.add("a matrix and a batch", matmul(data(f32, {40, 17}, 24), a));
  check.add("batches that broadcast", matmul(slice(a, {{0, 1}}), slice(b, {{}, {1, 2}})));
  check.add("more batch axes on one side", matmul(data(f32, {17, 20}, 25), b));
  check.add("batch axes permuted", matmul(permute(a, {1, 0, 2, 3}), permute(b, {1, 0, 2, 3})));
  check.add("heads taken out of columns", matmul(permute(data(f32, {3, 10, 4, 8}, 26), {0, 2, 1, 3}),
                                                 permute(data(f32, {3, 10, 4, 8}, 27), {0, 2, 3, 1})));
  check.add("rank 8", matmul(data(f32, {1, 2, 1, 2, 1, 1, 6, 5}, 28), data(f32, {2, 1, 1, 5, 7}, 29)));
  check.add("f16 in batches", matmul(data(f16, {5, 8, 36}, 30), data(f16, {5, 36, 8}, 31)));
}

TEST_P(Matmul, VectorsAndNothing) {
  Checker check(device_);
  const Tensor m = data(f32, {33, 50}, 32);
  const Tensor v = data(f32, {50}, 33);
  check.add("matrix times vector", matmul(m, v));
  check.add("vector times matrix", matmul(data(f32, {33}, 34), m));
  check.add("vector times vector", matmul(v, v));
  check.add("batch times vector", matmul(data(f32, {3, 4, 50}, 35), v));
  check.add("vector times batch", matmul(v, data(f32, {3, 50, 4}, 36)));
  check.add("K = 0", matmul(data(f32, {40, 0}, 37), data(f32, {0, 50}, 38)));
  check.add("K = 0, one row", matmul(data(f32, {1, 0}, 37), data(f32, {0, 50}, 38)));
  check.add("K = 0, i64", matmul(data(i64, {3, 0}, 37), data(i64, {0, 5}, 38)));
  check.add("M = 0", matmul(data(f32, {0, 20}, 39), data(f32, {20, 50}, 40)));
  check.add("an empty batch", matmul(data(f32, {0, 40, 20}, 41), data(f32, {20, 50}, 42)));
  check.add("a long vector", matmul(data(f32, {100003}, 43), data(f32, {100003}, 44)));
  check.add("a skinny product of long rows", matmul(data(f32, {2, 20001}, 45), data(f32, {20001, 3}, 46)));
}

TEST_P(Matmul, Epilogues) {
  for (const DType t : {f32, f16}) {
    for (const std::int64_t n : {36, 33}) {
      Checker check(device_);
      const Tensor a = data(t, {40, 24}, 47);
      const Tensor b = data(t, {24, n}, 48);
      const Tensor c = matmul(a, b);
      const std::string what = fmt::format("{}, {} columns: ", name(t), n);
      check.add(what + "bias row", c + data(t, {n}, 49));
      check.add(what + "relu, bias and residual", relu(c + data(t, {n}, 49)) + data(t, {40, n}, 51));
      check.add(what + "cast", cast(c, t == f32 ? f16 : f32));
      if (t == f16 && !full()) continue;
      check.add(what + "bias column", c + data(t, {40, 1}, 50));
      check.add(what + "activation", gelu(c));
      check.add(what + "a residual that is transposed", c + data(t, {n, 40}, 52).T());
      check.add(what + "scaled by a number", c * 0.125);
      check.add(what + "used twice", c * sigmoid(c));
      check.add(what + "rows summed", sum(c, {1}));
      check.add(what + "softmax of it", softmax(c));
      check.add(what + "a product of it", matmul(c, b.T()));
    }
  }
  // The result and what is made of it, both asked for.
  Checker check(device_);
  const Tensor c = matmul(data(f32, {40, 24}, 53), data(f32, {24, 36}, 54));
  check.add("the product itself", c);
  check.add("and its exponential", exp(c * 0.1));
}

class ReducedMatmul : public Matmul {};

TEST_P(ReducedMatmul, PackedF16) {
  Checker check(device_);
  const Tensor a = data(f16, {65, 64}, 55);
  const Tensor b = data(f16, {64, 68}, 56);
  check.add("in quads", matmul(a, b));
  check.add("odd columns", matmul(a, slice(b, {{}, {1, {}}})));
  check.add("transposed", matmul(b.T(), a.T()));
  check.add("a row", matmul(slice(a, {{3, 4}}), b));
  check.add("bias, relu, residual", relu(matmul(a, b) + data(f16, {68}, 57)) + data(f16, {65, 68}, 58));
  check.add("to f32", cast(matmul(a, b), f32));
  check.add("from f32", cast(matmul(cast(a, f32), cast(slice(b, {{}, {0, 67}}), f32)), f16));
}

TESSERA_ON_ALL_DEVICES(Matmul);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ReducedMatmul);
TESSERA_ON_REDUCED_DEVICES(ReducedMatmul);

}  // namespace
}  // namespace tessera::test
