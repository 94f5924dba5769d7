// Reductions over any axes, types, layouts and sizes, and the row kernels that are made of them.
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/check.h"
#include "support/devices.h"

namespace tessera::test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

class Reduce : public DeviceTest {
 protected:
  /// Without subgroups and f16 only some types take another path.
  [[nodiscard]] std::vector<DType> types() const {
    if (!GetParam().disabled.empty() && !full()) return {f32, f16, i32};
    return dtypes_of(device_);
  }
  Tensor data(DType t, const Shape& shape, std::uint32_t seed, double low = -4, double high = 4) const {
    return make_tensor(plain(t, shape, seed, low, high), device_);
  }
};

/// Every reduction with a value for the type, over `axes`.
void add_all(Checker& check, const std::string& what, const Tensor& x, const Axes& axes, bool keepdims) {
  const auto add = [&](const char* op, const Tensor& y) {
    check.add(fmt::format("{} of {}", op, what), y, /*zero_sign_matters=*/false);
  };
  add("sum", sum(x, axes, keepdims));
  add("mean", mean(x, axes, keepdims));
  add("max", max(x, axes, keepdims));
  add("min", min(x, axes, keepdims));
  add("any", any(x, axes, keepdims));
  add("all", all(x, axes, keepdims));
}

TEST_P(Reduce, EverySubsetOfThreeAxes) {
  const Tensor x = data(f32, {5, 6, 7}, 1);
  for (int subset = 0; subset < 8; ++subset) {
    for (const bool keepdims : {false, true}) {
      Checker check(device_);
      Axes axes;
      for (int a = 0; a < 3; ++a) {
        if ((subset >> a & 1) != 0) axes.push_back(a % 2 == 0 ? a : a - 3);
      }
      const std::string what = fmt::format("f32 over axes [{}]{}", fmt::join(axes, ", "), keepdims ? ", kept" : "");
      const Tensor y = sum(x, axes, keepdims);
      Shape expected;
      for (int a = 0; a < 3; ++a) {
        if (subset != 0 && (subset >> a & 1) == 0) {
          expected.push_back(x.shape()[a]);
        } else if (keepdims) {
          expected.push_back(1);
        }
      }
      EXPECT_EQ(y.shape(), expected) << what;
      check.add("sum of " + what, y);
      if (subset % 3 == 0 || full()) add_all(check, what, x, axes, keepdims);
      check.add("prod of " + what, prod(x * 0.25 + 1.0, axes, keepdims));
      check.add("var of " + what, var(x, axes, keepdims));
      check.add("stddev of " + what, stddev(x, axes, keepdims, 1));
      check.add("logsumexp of " + what, logsumexp(x, axes, keepdims));
    }
  }
}

TEST_P(Reduce, AllTypes) {
  for (const DType t : types()) {
    for (const bool rows : {true, false}) {
      Checker check(device_);
      // Awkward integers wrap; floats stay moderate, special values have tests of their own.
      const Shape shape{9, 37};
      const Tensor x = is_float(t) ? data(t, shape, 2) : make_tensor(awkward_and_random(t, shape, 2), device_);
      const Axes axes{rows ? 1 : 0};
      const std::string what = fmt::format("{} over {}", name(t), rows ? "rows" : "columns");
      add_all(check, what, x, axes, false);
      check.add("prod of " + what, prod(is_float(t) ? x * 0.1 + 1.0 : x, axes));
      check.add("argmax of " + what, argmax(x, axes[0]));
      check.add("argmin of " + what, argmin(x, axes[0]));
    }
  }
}

TEST_P(Reduce, AllLayouts) {
  for (const DType t : {f32, f16, u8, i64}) {
    const Tensor base = data(t, kLayoutBase, 3);
    for (const Layout& layout : layouts()) {
      if (!full() && t != f32 && &layout - layouts().data() != static_cast<int>(t) % 10) continue;
      Checker check(device_);
      const Tensor x = layout.view(base);
      const std::string what = fmt::format("{}, {}", name(t), layout.name);
      check.add("sum of all of " + what, sum(x));
      if (x.rank() == 0) continue;
      check.add("sum over the last axis of " + what, sum(x, {-1}));
      check.add("sum over the first axis of " + what, sum(x, {0}));
      if (x.size(-1) > 0) check.add("max over the last axis of " + what, max(x, {-1}), false);
    }
  }
}

TEST_P(Reduce, SizesAroundBoundaries) {
  const std::vector<std::int64_t> sizes{1, 2, 3, 4, 5, 31, 32, 33, 127, 128, 129, 255, 256, 1000, 1024, 1025, 4097};
  for (const std::int64_t n : sizes) {
    Checker check(device_);
    const Tensor x = data(f32, {3, n}, 4);
    check.add(fmt::format("sum of rows of {}", n), sum(x, {1}));
    check.add(fmt::format("max of rows of {}", n), max(x, {1}));
    check.add(fmt::format("argmax of rows of {}", n), argmax(x, 1));
    check.add(fmt::format("sum of columns, {} of them", n), sum(x, {0}));
    if (n % 3 == 0 || full()) check.add(fmt::format("sum of bytes in rows of {}", n), sum(cast(x, i8), {1}));
  }
}

TEST_P(Reduce, ExtremesOfNarrowIntegers) {
  // Lanes without an element must not bring in a number of their own.
  for (const DType t : {i8, i16, u8, u16, i32, u32}) {
    Checker check(device_);
    for (const std::int64_t n : {1, 3, 6, 8, 33, 130}) {
      const Tensor x = full({7, n}, 5, t, device_);
      check.add(fmt::format("min of {} fives of {}", n, name(t)), min(x, {1}));
      check.add(fmt::format("max of {} fives of {}", n, name(t)), max(x, {1}));
      if (is_signed(t)) check.add(fmt::format("max of {} below zero of {}", n, name(t)), max(negative(x), {1}));
    }
  }
}

TEST_P(Reduce, ManyRowsAndFewRows) {
  Checker check(device_);
  const Tensor tall = data(f32, {3001, 7}, 5);
  const Tensor wide = data(f32, {7, 3001}, 6);
  check.add("sum of many short rows", sum(tall, {1}));
  check.add("sum of a few long columns", sum(tall, {0}));
  check.add("sum of a few long rows", sum(wide, {1}));
  check.add("sum of many short columns", sum(wide, {0}));
  check.add("argmin of many short columns", argmin(wide, 0));
  check.add("u8 rows", sum(cast(tall, u8), {1}));
  check.add("f16 maxima", max(cast(tall, f16), {1}));
  check.add("f16 minima of columns", min(cast(wide, f16), {0}));
}

TEST_P(Reduce, LongRowsInStages) {
  const std::int64_t n = 100003;
  for (const DType t : {f32, f16, i32, i64, u8}) {
    if (!full() && t == i64) continue;
    Checker check(device_);
    const Tensor x = data(t, {2, n}, 7, 0, 3);
    check.add(fmt::format("sum of a long row of {}", name(t)), sum(x, {1}));
    check.add(fmt::format("max of a long row of {}", name(t)), max(x, {1}));
    check.add(fmt::format("min of all of {}", name(t)), min(x));
    check.add(fmt::format("argmax of a long row of {}", name(t)), argmax(x, 1));
    check.add(fmt::format("argmin of a long row of {}", name(t)), argmin(x, 1));
  }
  Checker check(device_);
  const Tensor x = data(f32, {n}, 8, 0.9999, 1.0001);
  check.add("prod of a long row", prod(x));
  check.add("mean of a long row", mean(x));
  check.add("var of a long row", var(x));
  check.add("logsumexp of a long row", logsumexp(x));
  check.add("all of a long row", all(greater(x, 0.5)));
  check.add("any of a long row", any(greater(x, 1.5)));
  check.add("sum of a long column that is sliced",
            sum(slice(transpose(reshape(slice(x, {{0, 100000}}), {50000, 2})), {{}, {1, {}, 2}}), {1}));
}

// Ties between pieces of a row, NaN in one of them, rows of infinities: the first element wins, as in a short row.
TEST_P(Reduce, SpecialValuesInStages) {
  const std::int64_t n = 20011;
  const std::vector<std::vector<std::pair<std::int64_t, float>>> rows{
      {},  // zeros
      {{4097, 3}, {4096, 3}, {12000, 3}, {20010, -3}, {8191, -3}},
      {{15000, kNan}, {9000, kNan}, {10, kInf}, {11, -kInf}},
      {{20010, kInf}, {0, -kInf}, {19999, kInf}, {20009, -kInf}},
  };
  std::vector<float> values(static_cast<std::size_t>(n) * (rows.size() + 2), 0.0F);
  const auto row = [&](std::size_t i) { return std::span(values).subspan(i * static_cast<std::size_t>(n), n); };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const auto& [at, value] : rows[i]) row(i)[static_cast<std::size_t>(at)] = value;
  }
  std::ranges::fill(row(rows.size()), -kInf);
  std::ranges::fill(row(rows.size() + 1), kInf);
  const Tensor x(values, {static_cast<std::int64_t>(rows.size()) + 2, n}, device_);
  Checker check(device_);
  add_all(check, "special values of long rows", x, {1}, false);
  check.add("argmax of special values of long rows", argmax(x, 1));
  check.add("argmin of special values of long rows", argmin(x, 1));
}

TEST_P(Reduce, SpecialValues) {
  const Tensor x(std::vector<float>{1,    2, kNan, -1, kNan, kNan, 0,    1,     -kInf, -kInf, -kInf, -kInf,  //
                                    kInf, 3, -2,   0,  kInf, 5,    kInf, -kInf, -kInf, 4,     -kInf, 2},
                 {6, 4}, device_);
  Checker check(device_);
  add_all(check, "special values", x, {1}, false);
  check.add("argmax of special values", argmax(x, 1));
  check.add("argmin of special values", argmin(x, 1));
  check.add("argmax of special values over columns", argmax(x, 0));
  check.add("prod of special values", prod(x, {1}));
  check.add("logsumexp of special values", logsumexp(x, {1}));
  check.add("softmax of special values", softmax(x));
  check.add("log_softmax of special values", log_softmax(x));
  check.add("layer_norm of special values", layer_norm(x));
  check.add("var of special values", var(x, {1}));
  const Tensor ties(std::vector<float>{3, 1, 3, 1, 2, 2, 2, 2, -0.0F, 0, -0.0F, 0}, {3, 4}, device_);
  check.add("argmax of ties", argmax(ties, 1));
  check.add("argmin of ties", argmin(ties, 1));
}

TEST_P(Reduce, NothingToReduce) {
  Checker check(device_);
  const Tensor x = data(f32, {3, 0}, 9);
  check.add("sum of no columns", sum(x, {1}));
  check.add("sum of no rows", sum(x, {0}));
  check.add("prod of no columns", prod(x, {1}));
  check.add("mean of no columns", mean(x, {1}));
  check.add("any of no columns", any(x, {1}));
  check.add("all of no columns", all(x, {1}));
  check.add("max over rows of no columns", max(x, {0}));
  check.add("sum of a number", sum(Tensor(3.0)));
  check.add("sum of one element", sum(data(f32, {1, 1, 1}, 10), {1}));
  check.add("softmax of no rows", softmax(data(f32, {0, 5}, 10)));
}

class Rows : public Reduce {};

TEST_P(Rows, SizesTypesAndAxes) {
  const std::vector<std::int64_t> sizes{1, 3, 4, 33, 128, 129, 1000, 1025, 4097};
  for (const std::int64_t n : sizes) {
    if (!full() && !on_cpu() && (n == 4 || n == 33)) continue;
    for (const DType t : {f32, f16, bf16}) {
      if (!full() && t != f32 && n != 129 && n != 1000) continue;
      Checker check(device_);
      const Tensor x = data(t, {5, n}, 11);
      const Tensor w = data(t, {n}, 12, 0.5, 2);
      const std::string what = fmt::format("{} rows of {}", name(t), n);
      check.add("softmax of " + what, softmax(x));
      check.add("log_softmax of " + what, log_softmax(x));
      if (n == 1 && t == bf16) {  // no bound is known there; but a row of one is its own mean
        EXPECT_EQ(max(abs(layer_norm(x, w, w * 0.5) - w * 0.5)).item<float>(), 0.0F) << what;
      } else {
        check.add("layer_norm of " + what, layer_norm(x, w, w * 0.5));
      }
      check.add("rms_norm of " + what, rms_norm(x, w));
      if (n > 1000 && !full()) continue;
      check.add("var of " + what, var(x, {1}));
      check.add("softmax over columns of " + what, softmax(x, 0));
      check.add("softmax of transposed " + what, softmax(transpose(x)));
    }
  }
}

TEST_P(Rows, MaskedAndWrittenOutByHand) {
  Checker check(device_);
  const Tensor x = data(f32, {6, 50}, 13);
  const Tensor mask = make_tensor(plain(boolean, {6, 50}, 14), device_);
  const Tensor masked = where(mask, x, -std::numeric_limits<double>::infinity());
  check.add("softmax of masked rows", softmax(masked));
  const Tensor shifted = exp(x - max(x, {1}, true));
  check.add("softmax by hand", shifted / sum(shifted, {1}, true));
  const Tensor centred = x - mean(x, {-1}, true);
  check.add("normalised by hand", centred / sqrt(mean(centred * centred, {-1}, true) + 1e-5));
  check.add("row sums beside row maxima", sum(x, {1}) + max(x, {1}));
  check.add("values that exp would overflow on", softmax(x * 1000.0));
}

TESSERA_ON_ALL_DEVICES(Reduce);
TESSERA_ON_ALL_DEVICES(Rows);
TESSERA_ON_REDUCED_DEVICES(Reduce);
TESSERA_ON_REDUCED_DEVICES(Rows);

}  // namespace
}  // namespace tessera::test
