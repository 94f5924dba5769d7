// Every family of kernels on tensors that are larger than a binding, against the oracle.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "runtime/device.h"
#include "support/check.h"
#include "support/devices.h"

namespace tessera::test {
namespace {

class Chunked : public DeviceTest {
 protected:
  [[nodiscard]] Tensor data(DType t, const Shape& shape, std::uint32_t seed = 1) const {
    return make_tensor(plain(t, shape, seed, -3, 3), device_);
  }
  /// The types of a default run, and more in a full one.
  [[nodiscard]] static std::vector<DType> types(std::vector<DType> some, const std::vector<DType>& more) {
    if (tessera::test::full()) some.insert(some.end(), more.begin(), more.end());
    return some;
  }
  /// Checks that the test leaves the bounds of one binding at all.
  void expect_windows(const Tensor& x) const {
    EXPECT_GT(static_cast<std::uint64_t>(x.shape().numel()) * size_of(x.dtype()),
              device_.info().limits.max_storage_binding_size);
  }
};

const DType kTypes[] = {f32, f16, bf16, i8, u16, i32, i64, boolean};

TEST_P(Chunked, Elementwise) {
  for (const DType t : kTypes) {
    Checker check(device_);
    const Tensor x = data(t, {67, 129}, 1);
    const Tensor y = data(t, {67, 129}, 2);
    expect_windows(x);
    const auto add = [&](const char* what, const Tensor& r) { check.add(fmt::format("{} {}", name(t), what), r); };
    add("two inputs", t == boolean ? logical_xor(x, y) : x * y + x);
    add("a row for all", t == boolean ? logical_or(x, data(t, {129}, 3)) : x + data(t, {129}, 3));
    add("a column for all", t == boolean ? logical_or(x, data(t, {67, 1}, 4)) : x + data(t, {67, 1}, 4));
    add("to a larger type", cast(x, t == i64 ? f32 : i64));
    add("to a smaller type", cast(x, u8));
    add("a choice", where(greater(x, y), x, y));
  }
}

TEST_P(Chunked, WhatHasNoInputs) {
  Checker check(device_);
  check.add("numbers", arange(0, 3000, 1, i32, device_) + 1);
  check.add("halves", cast(arange(0, 3001, 1, i32, device_), f16) * 0.5);
  check.add("ones", tessera::full({70, 130}, 2.0, i64, device_));
  check.add("identity", eye(70, 90, 3, i8, device_));
}

TEST_P(Chunked, Views) {
  for (const DType t : {f32, f16, i8, i64, boolean}) {
    Checker check(device_);
    const Tensor x = data(t, {68, 132}, 5);
    const Tensor odd = data(t, {7, 9, 11, 13}, 6);
    expect_windows(x);
    const auto add = [&](const char* what, const Tensor& r) { check.add(fmt::format("{} {}", name(t), what), r); };
    add("transposed", contiguous(x.T()));
    add("transposed and used", where(equal(x.T(), x.T()), x.T(), x.T()));
    add("transposed in batches", contiguous(transpose(data(t, {5, 36, 40}, 61))));
    add("axes turned", contiguous(permute(odd, {2, 0, 3, 1})));
    add("backwards", contiguous(flip(x)));
    add("with its own mirror image", where(greater(x, flip(x)), x, flip(x)));
    add("every third column", contiguous(slice(x, {{}, {1, {}, 3}})));
    add("every seventh row, backwards", contiguous(slice(x, {{{}, {}, -7}})));
    add("few far apart", contiguous(slice(reshape(x, {68 * 132}), {{3, {}, 2000}})));
    add("spread out", broadcast_to(expand_dims(x, 1), {68, 3, 132}));
    add("spread out and turned", contiguous(permute(broadcast_to(expand_dims(x, 1), {68, 2, 132}), {2, 1, 0})));
    add("turned, reshaped and turned again",
        contiguous(permute(reshape(permute(odd, {3, 1, 0, 2}), {13, 9, 77}), {2, 0, 1})));
  }
}

TEST_P(Chunked, Gather) {
  for (const DType t : kTypes) {
    Checker check(device_);
    const Tensor x = data(t, {67, 129}, 8);
    expect_windows(x);
    const auto add = [&](const char* what, const Tensor& r) { check.add(fmt::format("{} {}", name(t), what), r); };
    const Tensor rows(std::vector<std::int32_t>{66, 0, 31, -1, 0, 45}, {6}, device_);
    add("rows", take(x, rows, 0));
    add("columns", take(x, rows, 1));
    const Tensor numbers = arange(0, 5000, 1, i32, device_);
    add("more than a binding, from everywhere", take(x, remainder(numbers * 7919, 67 * 129)));
    add("what was computed", take(where(greater(x, x.T().T()), x, x), remainder(numbers * 31, 67 * 129)));
  }
}

TEST_P(Chunked, Scatter) {
  for (const DType t : {i32, i64}) {
    Checker check(device_);
    const Tensor x = data(t, {31, 129}, 8);
    expect_windows(x);
    const auto add = [&](const char* what, const Tensor& r) { check.add(fmt::format("{} {}", name(t), what), r); };
    const Tensor rows = remainder(arange(0, 20, 1, i32, device_) * 7919, 31);
    add("rows", index_add(x, 0, rows, data(t, {20, 129}, 9)));
    const Tensor everywhere = remainder(reshape(arange(0, 31 * 40, 1, i32, device_) * 31, {31, 40}), 129);
    add("elements", scatter_add(x, everywhere, data(t, {31, 40}, 10), 1));
    add("the last of several", scatter(x, remainder(everywhere, 7), data(t, {31, 40}, 11), 1));
  }
}

TEST_P(Chunked, ViewsOfWhatIsComputed) {
  Checker check(device_);
  const Tensor x = data(f32, {66, 132}, 7);
  const Tensor y = data(f32, {132, 66}, 8);
  check.add("a sum with a transpose", x + y.T());
  check.add("a transpose of a cheap chain", relu(x * 2.0).T() + 1.0);
  check.add("a transpose of a dear chain", (gelu(x) + x).T() * y);
  check.add("through two views", flip((x.T() + y), {1}).T() * x);
  check.add("a small transpose", data(i64, {36, 40}, 62) + data(i8, {40, 36}, 63).T());
  const Tensor t = (x + 1.0).T();
  check.add("both the view", contiguous(t));
  check.add("and more of it", exp(t * 0.1));
}

TEST_P(Chunked, PadsAndConcatenations) {
  for (const DType t : {f32, f16, u8, i64}) {
    Checker check(device_);
    const Tensor x = data(t, {41, 67}, 9);
    const auto add = [&](const char* what, const Tensor& r) { check.add(fmt::format("{} {}", name(t), what), r); };
    add("padded", pad(x, {{3, 2}, {1, 5}}, 2));
    add("padded by much", pad(x, {{40, 0}, {0, 300}}, 1));
    add("a transpose padded", pad(x.T(), {{1, 0}, {2, 2}}, 3));
    add("padded, then transposed", contiguous(pad(x, {{1, 1}, {1, 1}}).T()));
    add("rows joined", concat({x, x + x, x}, 0));
    add("columns joined", concat({x, slice(x, {{}, {0, 5}}), x}, 1));
  }
}

TEST_P(Chunked, Reductions) {
  for (const DType t : types({f32, f16, i8, i64, boolean}, {i32})) {
    Checker check(device_);
    const Tensor x = data(t, {70, 90}, 10);
    const Tensor tall = data(t, {1031, 7}, 11);
    const Tensor deep = data(t, {11, 13, 17}, 12);
    const auto add = [&](const char* what, const Tensor& r) { check.add(fmt::format("{} {}", name(t), what), r); };
    const auto total = [&](const Tensor& a, const Axes& axes) { return t == boolean ? any(a, axes) : sum(a, axes); };
    add("rows", total(x, {1}));
    add("columns", total(x, {0}));
    add("all", total(x, {}));
    add("the middle axis", total(deep, {1}));
    add("outer axes", total(deep, {0, 2}));
    add("many short rows", total(tall, {1}));
    add("few long columns", total(tall, {0}));
    add("largest of rows", max(x, {1}));
    add("smallest of columns", min(x, {0}));
    add("largest of all", max(x));
    add("where the largest is", argmax(x, 1));
    add("where the smallest of a column is", argmin(tall, 0));
    add("where the largest of all is", argmax(x));
  }
}

TEST_P(Chunked, FirstOfEqualsAndNotANumber) {
  std::vector<float> values(4000, 1.0F);
  values[1999] = values[2500] = 7.0F;
  const auto place = [&](const std::vector<float>& v) {
    return argmax(Tensor(v, {static_cast<std::int64_t>(v.size())}, device_)).item<std::int32_t>();
  };
  EXPECT_EQ(place(values), 1999);
  values[3001] = values[3900] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(place(values), 3001);
  EXPECT_EQ(place(std::vector<float>(3999, -std::numeric_limits<float>::infinity())), 0);
}

TEST_P(Chunked, RowKernels) {
  for (const DType t : {f32, f16}) {
    for (const Shape& shape : {Shape{120, 20}, Shape{5, 700}, Shape{1, 4001}, Shape{300, 23}, Shape{300, 129}}) {
      if (!tessera::test::full() && (t == f16 || shape[0] == 300) && shape != Shape{120, 20}) continue;
      Checker check(device_);
      const Tensor x = data(t, shape, 13);
      const auto add = [&](const char* what, const Tensor& r) {
        check.add(fmt::format("{} {} {}", name(t), shape.str(), what), r);
      };
      add("softmax", softmax(x));
      add("softmax of columns", softmax(x, 0));
      add("layer norm", layer_norm(x, data(t, {shape[1]}, 14), data(t, {shape[1]}, 15)));
      add("softmax of a transpose", softmax(x.T()));
      add("logsumexp", logsumexp(x, {1}));
    }
  }
}

TEST_P(Chunked, Matmul) {
  for (const DType t : types({f32, f16, i8, i64}, {i32, boolean})) {
    Checker check(device_);
    const auto add = [&](const char* what, const Tensor& r) { check.add(fmt::format("{} {}", name(t), what), r); };
    const Tensor tall = data(t, {150, 20}, 16);
    const Tensor wide = data(t, {20, 150}, 17);
    const Tensor square = data(t, {20, 20}, 18);
    add("a is large", matmul(tall, square));
    add("b is large", matmul(square, wide));
    add("all are large", matmul(tall, wide));
    add("a transposed", matmul(wide.T(), square));
    add("b transposed", matmul(square, tall.T()));
    if (t != f32 && t != i64) continue;
    add("long sums", matmul(wide, tall));
    add("a row", matmul(slice(tall, {{3, 4}}), wide));
    add("a column", matmul(tall, slice(wide, {{}, {5, 6}})));
    add("a row times many", matmul(data(t, {1, 500}, 19), data(t, {500, 13}, 20)));
    add("a long vector", matmul(data(t, {3000}, 19), data(t, {3000}, 20)));
    add("backwards and in steps", matmul(flip(tall), slice(wide, {{}, {{}, {}, 2}})));
  }
  Checker check(device_);
  const Tensor a = data(f16, {9, 900}, 21);
  const Tensor b = data(f16, {900, 12}, 22);
  check.add("long sums of halves", matmul(a, b));
  check.add("odd sizes", matmul(data(f32, {43, 37}, 23), data(f32, {37, 61}, 24)));
  check.add("sums of nothing", matmul(data(f32, {80, 0}, 23), data(f32, {0, 70}, 24)));
}

TEST_P(Chunked, BatchedMatmul) {
  Checker check(device_);
  const Tensor a = data(f32, {3, 14, 17, 10}, 25);
  const Tensor b = data(f32, {3, 14, 10, 9}, 26);
  check.add("many small", matmul(a, b));
  check.add("few large", matmul(data(f32, {2, 70, 12}, 27), data(f32, {2, 12, 70}, 28)));
  check.add("one matrix for all", matmul(a, data(f32, {10, 33}, 29)));
  check.add("one for all on the left", matmul(data(f32, {40, 17}, 30), a));
  check.add("batch axes turned", matmul(permute(a, {1, 0, 2, 3}), permute(b, {1, 0, 2, 3})));
  check.add("transposed", matmul(transpose(b), transpose(a)));
  check.add("a large one for all", matmul(data(f32, {3, 6, 20}, 31), data(f32, {20, 70}, 32)));
  check.add("halves", matmul(data(f16, {5, 20, 36}, 33), data(f16, {5, 36, 21}, 34)));
}

TEST_P(Chunked, MatmulEpilogues) {
  for (const std::int64_t n : {68, 65}) {
    Checker check(device_);
    const Tensor c = matmul(data(f32, {50, 20}, 35), data(f32, {20, n}, 36));
    check.add("bias, relu and a residual", relu(c + data(f32, {n}, 37)) + data(f32, {50, n}, 38));
    check.add("a column", c * data(f32, {50, 1}, 39));
    check.add("a transposed residual", c + data(f32, {n, 50}, 40).T());
    check.add("in halves", cast(c, f16));
    check.add("softmax of it", softmax(c));
    check.add("a product of it", matmul(c.T(), data(f32, {50, 12}, 41)));
  }
}

TEST_P(Chunked, SmallMapsOfLargeTensors) {
  Checker check(device_);
  const Tensor x = data(f32, {66, 132}, 42);
  // Independent small maps share a dispatch where their buffers can be bound.
  for (int i = 0; i < 4; ++i) check.add(fmt::format("row {}", i), slice(x, {{17 * i, 17 * i + 1}}) * 2.0);
  for (int i = 0; i < 4; ++i) check.add(fmt::format("column {}", i), slice(x, {{}, {i, i + 1}}) * 3.0);
}

TEST_P(Chunked, CompiledFunctionsReplay) {
  const auto f = [](const std::vector<Tensor>& in) {
    const Tensor w = in[0] - in[1] * 0.5;
    return std::vector<Tensor>{w, sum(w, {0}), matmul(w.T(), slice(in[1], {{}, {0, 20}}))};
  };
  const Compiled step = compile(f, {.donate = {0}});
  Tensor w = data(f32, {70, 90}, 43).eval();
  Tensor same = w + 0.0;
  same.eval();
  const Tensor g = data(f32, {70, 90}, 44).eval();
  for (int i = 0; i < 4; ++i) {
    const auto got = step({w, g});
    const auto expected = f({same, g});
    EXPECT_EQ(got[0].to_vector<float>(), expected[0].to_vector<float>());
    EXPECT_EQ(got[1].to_vector<float>(), expected[1].to_vector<float>());
    EXPECT_EQ(got[2].to_vector<float>(), expected[2].to_vector<float>());
    w = got[0];
    same = expected[0];
  }
  EXPECT_EQ(step.traces(), 1U);
}

TEST_P(Chunked, ProfilesPieces) {
  const Tensor x = data(f32, {66, 132}, 45).eval();
  Profiler profiler(device_);
  (x * 2.0).eval();
  const auto& records = profiler.records();
  const std::uint64_t bytes = 66 * 132 * 4;
  EXPECT_GT(records.size(), bytes / device_.info().limits.max_storage_binding_size);
  std::uint64_t moved = 0;
  for (const KernelRecord& r : records) {
    EXPECT_EQ(r.label, "map_multiply");
    moved += r.bytes;
  }
  EXPECT_EQ(moved, 2 * bytes);
  Profiler turning(device_);
  contiguous(x.T()).eval();
  moved = 0;
  for (const KernelRecord& r : turning.records()) moved += r.bytes;
  EXPECT_GT(moved, bytes * 3 / 2);
  EXPECT_LT(moved, bytes * 5 / 2);
  const Explanation explained = explain(std::vector<Tensor>{contiguous(x.T())});
  ASSERT_EQ(explained.kernels.size(), 1U);
  EXPECT_EQ(explained.kernels[0].label, "map_ranges");
}

TESSERA_ON_WINDOWED_DEVICES(Chunked);

class ManyMatrices : public DeviceTest {};

TEST_P(ManyMatrices, MoreThanAGridHolds) {
  if (!on_cpu() && !tessera::test::full()) GTEST_SKIP() << "only in a full run";
  const std::int64_t count = 65536 + 77;
  const Tensor n = arange(0, static_cast<double>(count), 1, i32, device_);
  const Tensor a = cast(reshape(n, {count, 1, 1}), f32) + cast(reshape(arange(0, 10, 1, i32, device_), {1, 5, 2}), f32);
  const auto got =
      matmul(a, broadcast_to(tessera::full({1, 2, 5}, 0.5, f32, device_), {count, 2, 5})).to_vector<float>();
  ASSERT_EQ(got.size(), static_cast<std::size_t>(count * 25));
  for (std::int64_t z = 0; z < count; ++z) {
    for (std::int64_t m = 0; m < 5; ++m) {
      const auto expected = static_cast<float>(z) + 0.5F * static_cast<float>(4 * m + 1);
      for (std::int64_t k = 0; k < 5; ++k) ASSERT_EQ(got[static_cast<std::size_t>((z * 5 + m) * 5 + k)], expected) << z;
    }
  }
}

TESSERA_ON_ALL_DEVICES(ManyMatrices);

class PastTheAdaptersOwn : public DeviceTest {};

TEST_P(PastTheAdaptersOwn, Binding) {
  const std::uint64_t binding = device_.info().limits.max_storage_binding_size;
  if (on_cpu() || !tessera::test::full()) GTEST_SKIP() << "only in a full run on a GPU";
  const auto rows = static_cast<std::int64_t>(binding / (4 * 1024) / 4 * 5);
  if (static_cast<std::uint64_t>(rows) * 4096 > device_.info().limits.max_buffer_size) GTEST_SKIP() << "no room";
  const Tensor i = arange(0, static_cast<double>(rows * 1024), 1, i32, device_).eval();
  const Tensor turned = contiguous(reshape(i, {rows, 1024}).T());
  const auto value = [](const Tensor& x, std::int64_t at) {
    return slice(reshape(x, {x.numel()}), {{at, at + 1}}).to_vector<std::int32_t>()[0];
  };
  for (std::int64_t k = 0; k < 64; ++k) {
    const std::int64_t at = rows * 1024 / 64 * k + 7 * k;
    EXPECT_EQ(value(i, at), at);
    EXPECT_EQ(value(turned, at), at % rows * 1024 + at / rows);
  }
  EXPECT_EQ(max(turned).item<std::int32_t>(), rows * 1024 - 1);
  const auto sums = sum(reshape(i, {rows, 1024}) - reshape(i, {rows, 1024}) + 1, {1}).to_vector<std::int32_t>();
  EXPECT_EQ(sums, std::vector<std::int32_t>(static_cast<std::size_t>(rows), 1024));
}

TESSERA_ON_ALL_DEVICES(PastTheAdaptersOwn);

}  // namespace
}  // namespace tessera::test
