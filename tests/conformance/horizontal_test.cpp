// Products of one left operand in one kernel: all types, columns, views, batches and work on the results.
#include <array>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/check.h"
#include "support/devices.h"
#include "tessera/profile.h"

namespace tessera::test {
namespace {

class Horizontal : public DeviceTest {
 protected:
  Tensor data(DType t, const Shape& shape, std::uint32_t seed) const {
    return make_tensor(plain(t, shape, seed, -2, 2), device_);
  }
  /// On large GPUs with tensor cores, products of few rows stay apart.
  [[nodiscard]] bool stays_apart(DType t) const {
    const DeviceInfo& device = device_.info();
    return device.type == DeviceType::kDiscreteGpu && !device.matrices.empty() && t == f16;
  }
  /// Adds the products to the check, once they are seen to become so many kernels.
  void add(Checker& check, const std::string& what, const std::vector<Tensor>& products, std::size_t kernels) const {
    const bool cut = GetParam().max_binding_size == 1024;  // so that rows do not fit: each product is made of several
    if (device_.info().grouped_gemm && !stays_apart(products[0].dtype()) && !cut) {
      EXPECT_EQ(explain(products).kernels.size(), kernels) << what;
    }
    for (std::size_t i = 0; i < products.size(); ++i) check.add(fmt::format("{}, number {}", what, i), products[i]);
  }
};

TEST_P(Horizontal, Columns) {
  // Of tiles of 32 and more: less than one, whole ones, and a last one that is not.
  using Widths = std::vector<std::int64_t>;
  for (const std::int64_t m : {5, 37, 130}) {
    for (const Widths& widths : {Widths{36, 20}, {37, 5, 33}, {128, 256, 132}, {131, 257}, {64, 64}}) {
      const Tensor x = data(f32, {m, 37}, 1);
      std::vector<Tensor> products;
      for (const std::int64_t n : widths) products.push_back(matmul(x, data(f32, {37, n}, static_cast<unsigned>(n))));
      Checker check(device_);
      add(check, fmt::format("{} rows, {} columns", m, fmt::join(widths, "+")), products, 1);
    }
  }
}

TEST_P(Horizontal, AllTypes) {
  for (const DType t : dtypes_of(device_)) {
    const Tensor x = data(t, {33, 20}, 2);
    const std::size_t kernels = t == i64 || t == u64 || t == boolean ? 2 : 1;  // these are reductions
    Checker check(device_);
    add(check, fmt::format("{} in quads", name(t)), {matmul(x, data(t, {20, 40}, 3)), matmul(x, data(t, {20, 12}, 4))},
        kernels);
    add(check, fmt::format("{}, odd columns", name(t)),
        {matmul(x, data(t, {20, 41}, 5)), matmul(x, data(t, {20, 11}, 6))}, kernels);
  }
}

TEST_P(Horizontal, Views) {
  for (const DType t : {f32, f16}) {
    Checker check(device_);
    const Tensor x = data(t, {36, 40}, 7);
    const Tensor w = data(t, {72, 36}, 8);
    const auto two = [&](const char* what, const Tensor& a, const Tensor& b, const Tensor& c, std::size_t kernels) {
      add(check, fmt::format("{}, {}", name(t), what), {matmul(a, b), matmul(a, c)}, kernels);
    };
    two("x transposed", x.T(), data(t, {36, 24}, 9), data(t, {36, 28}, 10), 1);
    two("weights transposed", x.T(), w.T(), data(t, {40, 36}, 11).T(), 1);
    two("one of them transposed", x.T(), w.T(), data(t, {36, 40}, 12), 2);
    two("parts of one matrix", x.T(), slice(w, {{0, 48}}).T(), slice(w, {{48, {}}}).T(), 1);
    two("parts that break quads", x.T(), slice(w, {{1, 46}}).T(), slice(w, {{48, {}}, {}}).T(), 2);
    two("columns of one matrix", x, slice(data(t, {40, 72}, 13), {{}, {0, 40}}),
        slice(data(t, {40, 72}, 13), {{}, {4, 36}}), 1);
    two("backwards", x, flip(data(t, {40, 44}, 14), {0}), data(t, {40, 44}, 15), 1);
    two("with itself", x, data(t, {40, 40}, 16), x.T(), 2);
    two("square, with itself", slice(x, {{}, {0, 36}}), slice(x, {{}, {0, 36}}), data(t, {36, 20}, 17), 1);
    two("another part of x", slice(x, {{}, {4, {}}}), data(t, {36, 20}, 18), data(t, {36, 24}, 19), 1);
    two("computed on the way", relu(x), data(t, {40, 20}, 20), data(t, {40, 24}, 21), device_.info().prologues ? 1 : 2);
    two("another x", x, data(t, {40, 20}, 20), data(t, {40, 24}, 21), 1);
  }
}

TEST_P(Horizontal, Batches) {
  Checker check(device_);
  const Tensor x = data(f32, {2, 3, 17, 20}, 22);
  add(check, "two batch axes", {matmul(x, data(f32, {2, 3, 20, 8}, 23)), matmul(x, data(f32, {2, 3, 20, 36}, 24))}, 1);
  add(check, "one matrix for all", {matmul(x, data(f32, {20, 8}, 25)), matmul(x, data(f32, {20, 36}, 26))}, 1);
  const Tensor y = data(f32, {17, 20}, 27);
  add(check, "one x for all", {matmul(y, data(f32, {3, 20, 8}, 28)), matmul(y, data(f32, {3, 20, 36}, 29))}, 1);
  // However many kernels there are for nothing.
  const Tensor none = data(f32, {0, 3, 17, 20}, 30);
  check.add("an empty batch", matmul(none, data(f32, {1, 3, 20, 8}, 31)));
  check.add("another", matmul(none, data(f32, {1, 3, 20, 36}, 31)));
  const Tensor narrow = data(f32, {40, 0}, 30);
  check.add("nothing to add up", matmul(narrow, data(f32, {0, 8}, 31)));
  check.add("nor here", matmul(narrow, data(f32, {0, 36}, 31)));
}

TEST_P(Horizontal, WorkOnTheResults) {
  for (const DType t : {f32, f16}) {
    for (const std::int64_t odd : {0, 1}) {
      Checker check(device_);
      const Tensor x = data(t, {40, 24}, 32);
      const Tensor bias = data(t, {36 + odd}, 33);
      const Tensor q = matmul(x, data(t, {24, 36 + odd}, 34));
      const Tensor k = matmul(x, data(t, {24, 20 + odd}, 35));
      const std::string what = fmt::format("{}, {} columns", name(t), 36 + odd);
      add(check, what + ", bias", {relu(q + bias) * 0.5, k + data(t, {20 + odd}, 36)}, 1);
      add(check, what + ", one bias for two", {q + bias, matmul(x, data(t, {24, 36 + odd}, 37)) - bias}, 1);
      add(check, what + ", residual and cast", {q + data(t, {36 + odd, 40}, 38).T(), cast(k, t == f32 ? f16 : f32)}, 1);
      add(check, what + ", two results of one", {q, sigmoid(q), k}, 1);
      add(check, what + ", x again", {matmul(x, data(t, {24, 24}, 39)) + x, matmul(x, data(t, {24, 24}, 40)) * x}, 1);
      add(check, what + ", sums of rows", {sum(q, {1}), softmax(k)}, 3);
    }
  }
}

TEST_P(Horizontal, WhatHangsTogetherStaysApart) {
  Checker check(device_);
  const Tensor x = data(f32, {20, 20}, 41);
  const Tensor first = matmul(x, data(f32, {20, 20}, 42));
  add(check, "the second needs the first", {first, matmul(x, first)}, 2);
  const Tensor gate = matmul(x, data(f32, {20, 24}, 43));
  const Tensor up = matmul(x, data(f32, {20, 24}, 44));
  add(check, "a gate works in the back of the second", {silu(gate) * up}, 2);
  const Tensor a = matmul(x, data(f32, {20, 20}, 45));
  const Tensor b = matmul(x, softmax(a));
  add(check, "through another kernel", {a, b, matmul(x, data(f32, {20, 28}, 46))}, 3);
}

TEST_P(Horizontal, OnePlanServesOtherSizes) {
  // Planned for products that are alike; then one is narrow or has broken quads.
  using Sizes = std::array<std::int64_t, 5>;  // m, k and the columns
  for (const Sizes& s : {Sizes{40, 36, 132, 136, 256},
                         {40, 36, 132, 9, 256},
                         {40, 35, 7, 128, 130},
                         {130, 64, 300, 6, 5},
                         {5, 20, 8, 260, 12}}) {
    const Tensor x = data(f16, {s[0], s[1]}, 47);
    Checker check(device_);
    for (std::size_t i = 2; i < s.size(); ++i) {
      const auto seed = static_cast<std::uint32_t>(48 + i);
      check.add(fmt::format("{}: product {}", fmt::join(s, ", "), i - 2), matmul(x, data(f16, {s[1], s[i]}, seed)));
    }
    Profiler profiler(device_);
    check.run();
    if (!device_.info().grouped_gemm || stays_apart(f16)) continue;
    EXPECT_EQ(profiler.records().size(), 1U) << fmt::format("{}", fmt::join(s, ", "));
  }
}

TEST_P(Horizontal, TheProfilerSeesOneDispatch) {
  if (!device_.info().grouped_gemm) GTEST_SKIP() << "the CPU runs products one after the other";
  const Tensor x = data(f32, {8, 64}, 49);
  const Tensor w = data(f32, {64, 96}, 50);
  const Tensor v = data(f32, {64, 32}, 51);
  eval(x, w, v);
  Profiler profiler(device_);
  eval(matmul(x, w), matmul(x, v));
  ASSERT_EQ(profiler.records().size(), 1U);
  EXPECT_EQ(profiler.records()[0].label, "grouped_2x_matmul");
  EXPECT_EQ(profiler.records()[0].flops, 2U * 8 * 64 * (96 + 32));
  EXPECT_EQ(profiler.records()[0].bytes, 4U * (8 * 64 + 64 * (96 + 32) + 8 * (96 + 32))) << "x counts once";
}

class ApartHorizontal : public DeviceTest {};

TEST_P(ApartHorizontal, CanBeSwitchedOff) {
  EXPECT_FALSE(device_.info().grouped_gemm);
  const Tensor x = make_tensor(plain(f32, {8, 64}, 52, -2, 2), device_);
  const std::vector<Tensor> both{matmul(x, x.T()), matmul(x, make_tensor(plain(f32, {8, 64}, 53, -2, 2), device_).T())};
  EXPECT_EQ(explain(both).kernels.size(), 2U);
  Checker check(device_);
  for (const Tensor& t : both) check.add("apart", t);
}

class LargeHorizontal : public Horizontal {};

TEST_P(LargeHorizontal, PartsRunWhereTheWholeDoesNotFit) {
  Checker check(device_);
  const Tensor x = data(f32, {40, 24}, 54);
  add(check, "a result past the binding", {matmul(x, data(f32, {24, 20}, 55)), matmul(x, data(f32, {24, 40}, 56))}, 1);
  add(check, "operands past it", {matmul(x, data(f32, {100, 24}, 57).T()), matmul(x, data(f32, {104, 24}, 58).T())}, 1);
}

std::vector<TestDevice> switched_off() {
  std::vector<TestDevice> result;
  for (const TestDevice& d : devices()) {
    if (d.device.starts_with("webgpu")) result.push_back({d.name + "_apart", d.device, "grouped_gemm", 0});
  }
  return result;
}

TESSERA_ON_ALL_DEVICES(Horizontal);
TESSERA_ON_REDUCED_DEVICES(Horizontal);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ApartHorizontal);
INSTANTIATE_TEST_SUITE_P(Apart, ApartHorizontal, testing::ValuesIn(switched_off()), device_name);
TESSERA_ON_WINDOWED_DEVICES(LargeHorizontal);

}  // namespace
}  // namespace tessera::test
