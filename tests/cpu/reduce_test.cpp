// Reductions on the CPU device: short, long and strided rows, several phases, all ops, awkward values.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "cpu/kernel_run.h"
#include "graph/op.h"

namespace tessera {
namespace {

class Reduce : public KernelRun {
 protected:
  // One reduction of one input to a row-level output.
  static Kernel plain(Op o, DType from, DType to) {
    Kernel k;
    k.kind = Kernel::Kind::kReduce;
    k.inputs = {{0, from}};
    k.outputs = {{1, to}};
    k.indices = {{}, {Index::Kind::kRow, -1, -1, {}}};
    k.instrs = {load(from, 0), reduce(o, to, 0)};
    k.stores = {{1, 0, true}};
    return k;
  }

  template <class T, class R>
  std::vector<R> reduced(Op o, DType from, DType to, const std::vector<T>& x, std::uint32_t rows, std::uint32_t cols) {
    runtime::Buffer* out = room<R>(rows);
    run(plain(o, from, to), {rows, cols}, {buffer(x), out});
    return read<R>(out, rows);
  }

  static std::vector<float> noise(std::size_t n) {
    std::mt19937 random(17);
    std::uniform_real_distribution<float> within(-1, 1);
    std::vector<float> x(n);
    for (float& v : x) v = within(random);
    return x;
  }

  struct Size {
    std::uint32_t rows, cols;
  };
  static constexpr Size kSizes[] = {{1, 1},    {1000, 1}, {5, 3},    {300, 17},  {7, 100},    {3, 1000},
                                    {2, 1025}, {1, 8192}, {1, 8193}, {3, 10000}, {1, 100000}, {9, 20000}};
};

TEST_F(Reduce, SumsAreAccurate) {
  for (const auto [rows, cols] : kSizes) {
    const auto x = noise(std::size_t{rows} * cols);
    const auto got = reduced<float, float>(Op::kSum, f32, f32, x, rows, cols);
    for (std::uint32_t r = 0; r < rows; ++r) {
      const double want = std::accumulate(x.begin() + r * cols, x.begin() + (r + 1) * cols, 0.0);
      ASSERT_NEAR(got[r], want, 1e-6 * std::fabs(want) + 1e-7) << rows << " x " << cols;
    }
  }
}

TEST_F(Reduce, BestAndWhere) {
  for (const auto [rows, cols] : kSizes) {
    const auto x = noise(std::size_t{rows} * cols);
    const auto most = reduced<float, float>(Op::kMax, f32, f32, x, rows, cols);
    const auto least = reduced<float, float>(Op::kMin, f32, f32, x, rows, cols);
    const auto at = reduced<float, std::int32_t>(Op::kArgMax, f32, i32, x, rows, cols);
    const auto low = reduced<float, std::int32_t>(Op::kArgMin, f32, i32, x, rows, cols);
    for (std::uint32_t r = 0; r < rows; ++r) {
      const auto begin = x.begin() + r * cols;
      const auto best = std::max_element(begin, begin + cols);
      const auto worst = std::min_element(begin, begin + cols);
      ASSERT_EQ(most[r], *best);
      ASSERT_EQ(least[r], *worst);
      ASSERT_EQ(at[r], best - begin);
      ASSERT_EQ(low[r], worst - begin);
    }
  }
}

TEST_F(Reduce, TheFirstOfEqualsAndNanWin) {
  for (const std::uint32_t cols : {5U, 100U, 20000U}) {
    std::vector<float> x(std::size_t{cols} * 4, 1);
    for (const std::uint32_t at : {cols / 2, cols - 1}) {
      x[at] = 3;            // two equal ones
      x[cols + at] = kNan;  // two NaN
      x[2 * cols + at] = -kInf;
      x[3 * cols + at] = at == cols - 1 ? kNan : 9;  // NaN after a large one
    }
    EXPECT_EQ((reduced<float, std::int32_t>(Op::kArgMax, f32, i32, x, 4, cols)),
              (std::vector<std::int32_t>{static_cast<std::int32_t>(cols / 2), static_cast<std::int32_t>(cols / 2), 0,
                                         static_cast<std::int32_t>(cols - 1)}));
    EXPECT_EQ((reduced<float, std::int32_t>(Op::kArgMin, f32, i32, x, 4, cols)),
              (std::vector<std::int32_t>{0, static_cast<std::int32_t>(cols / 2), static_cast<std::int32_t>(cols / 2),
                                         static_cast<std::int32_t>(cols - 1)}));
    const auto most = reduced<float, float>(Op::kMax, f32, f32, x, 4, cols);
    EXPECT_EQ(most[0], 3);
    EXPECT_TRUE(std::isnan(most[1]));
    EXPECT_EQ(most[2], 1);
    EXPECT_TRUE(std::isnan(most[3]));
    const auto least = reduced<float, float>(Op::kMin, f32, f32, x, 4, cols);
    EXPECT_EQ(least[0], 1);
    EXPECT_TRUE(std::isnan(least[1]));
    EXPECT_EQ(least[2], -kInf);
  }
}

TEST_F(Reduce, IntegersWrapAndKeepTheirOrder) {
  const std::vector<std::int32_t> x{INT32_MAX, 1, INT32_MIN, -5, 7, 7, 0, 2};
  EXPECT_EQ((reduced<std::int32_t, std::int32_t>(Op::kSum, i32, i32, x, 2, 4)), (std::vector<std::int32_t>{-5, 16}));
  EXPECT_EQ((reduced<std::int32_t, std::int64_t>(Op::kSum, i32, i64, x, 2, 4)), (std::vector<std::int64_t>{-5, 16}));
  EXPECT_EQ((reduced<std::int32_t, std::int32_t>(Op::kProd, i32, i32, x, 2, 4)),
            (std::vector<std::int32_t>{INT32_MIN, 0}));
  EXPECT_EQ((reduced<std::int32_t, std::int32_t>(Op::kMax, i32, i32, x, 2, 4)),
            (std::vector<std::int32_t>{INT32_MAX, 7}));
  EXPECT_EQ((reduced<std::int32_t, std::int32_t>(Op::kMin, i32, i32, x, 2, 4)),
            (std::vector<std::int32_t>{INT32_MIN, 0}));
  const std::vector<std::uint64_t> big{1, ~std::uint64_t{0}, 3, 4};
  EXPECT_EQ((reduced<std::uint64_t, std::uint64_t>(Op::kMax, u64, u64, big, 2, 2)),
            (std::vector<std::uint64_t>{~std::uint64_t{0}, 4}));
  EXPECT_EQ((reduced<std::uint64_t, std::uint64_t>(Op::kSum, u64, u64, big, 2, 2)), (std::vector<std::uint64_t>{0, 7}));
  EXPECT_EQ((reduced<std::uint64_t, std::int32_t>(Op::kArgMax, u64, i32, big, 2, 2)),
            (std::vector<std::int32_t>{1, 1}));
  const std::vector<std::int8_t> small{100, 100, -128, -1};
  EXPECT_EQ((reduced<std::int8_t, std::int8_t>(Op::kSum, i8, i8, small, 2, 2)), (std::vector<std::int8_t>{-56, 127}));
  EXPECT_EQ((reduced<std::int8_t, std::int8_t>(Op::kMin, i8, i8, small, 2, 2)), (std::vector<std::int8_t>{100, -128}));
  const std::vector<std::uint8_t> flags{0, 1, 1, 1, 0, 0};
  EXPECT_EQ((reduced<std::uint8_t, std::uint8_t>(Op::kMax, boolean, boolean, flags, 3, 2)),
            (std::vector<std::uint8_t>{1, 1, 0}));
  EXPECT_EQ((reduced<std::uint8_t, std::uint8_t>(Op::kMin, boolean, boolean, flags, 3, 2)),
            (std::vector<std::uint8_t>{0, 1, 0}));
  EXPECT_EQ((reduced<std::uint8_t, std::int32_t>(Op::kSum, boolean, i32, flags, 3, 2)),
            (std::vector<std::int32_t>{1, 2, 0}));
}

TEST_F(Reduce, NoColumnsGiveTheIdentity) {
  const std::vector<float> none;
  EXPECT_EQ((reduced<float, float>(Op::kSum, f32, f32, none, 3, 0)), (std::vector<float>{0, 0, 0}));
  EXPECT_EQ((reduced<float, float>(Op::kProd, f32, f32, none, 3, 0)), (std::vector<float>{1, 1, 1}));
  EXPECT_EQ((reduced<float, float>(Op::kMax, f32, f32, none, 1, 0)), (std::vector<float>{-kInf}));
  EXPECT_EQ((reduced<float, float>(Op::kMin, f32, f32, none, 1, 0)), (std::vector<float>{kInf}));
  EXPECT_EQ((reduced<float, std::int8_t>(Op::kMax, i8, i8, none, 1, 0)), (std::vector<std::int8_t>{-128}));
  EXPECT_EQ((reduced<float, std::uint16_t>(Op::kMin, u16, u16, none, 1, 0)), (std::vector<std::uint16_t>{65535}));
  EXPECT_EQ((reduced<float, std::uint8_t>(Op::kMin, boolean, boolean, none, 1, 0)), (std::vector<std::uint8_t>{1}));
  EXPECT_EQ((reduced<float, std::int64_t>(Op::kMax, i64, i64, none, 1, 0)), (std::vector<std::int64_t>{INT64_MIN}));
}

// softmax(x * s) with the row's maximum and sum as further outputs: three phases.
Kernel softmax(DType t) {
  Kernel k;
  k.kind = Kernel::Kind::kReduce;
  k.inputs = {{0, t}};
  k.outputs = {{1, t}, {2, f32}};
  k.indices = {{}, {Index::Kind::kRow, -1, -1, {}}};
  const auto o = [](Op op, std::vector<int> args, bool row = false) {
    return Instr{Instr::Kind::kOp, op, f32, row, -1, -1, -1, std::move(args)};
  };
  k.instrs = {{Instr::Kind::kLoad, Op::kInput, t, false, 0, 0, -1, {}},
              {Instr::Kind::kScalar, Op::kScalar, f32, true, -1, -1, -1, {}},
              o(Op::kMultiply, {0, 1}),
              {Instr::Kind::kReduce, Op::kMax, f32, true, -1, -1, -1, {2}},
              o(Op::kSubtract, {2, 3}),
              o(Op::kExp, {4}),
              {Instr::Kind::kReduce, Op::kSum, f32, true, -1, -1, -1, {5}},
              o(Op::kDivide, {5, 6}),
              o(Op::kLog, {6}, true),
              o(Op::kAdd, {8, 3}, true)};
  k.stores = {{7, 0, false}, {9, 1, true}};  // the second output is logsumexp
  return k;
}

TEST_F(Reduce, SoftmaxInPhases) {
  for (const bool in_place : {false, true}) {
    for (const auto [rows, cols] : kSizes) {
      const std::size_t n = std::size_t{rows} * cols;
      const auto x = noise(n);
      Kernel k = softmax(f32);
      if (in_place) k.aliases = {{0, 0}};
      runtime::Buffer* in = buffer(x);
      runtime::Buffer* out = in_place ? in : room<float>(n);
      runtime::Buffer* logs = room<float>(rows);
      run(k, {rows, cols, bits(5)}, {in, out, logs});
      const auto got = read<float>(out, n);
      const auto log_sum = read<float>(logs, rows);
      for (std::uint32_t r = 0; r < rows; ++r) {
        double sum = 0;
        for (std::uint32_t c = 0; c < cols; ++c) sum += std::exp(5.0 * x[r * cols + c]);
        ASSERT_NEAR(log_sum[r], std::log(sum), 2e-6 * std::max(1.0, std::fabs(std::log(sum))));
        for (std::uint32_t c = 0; c < cols; ++c) {
          const double want = std::exp(5.0 * x[r * cols + c]) / sum;
          ASSERT_NEAR(got[r * cols + c], want, 3e-6 * want) << rows << " x " << cols;
        }
      }
    }
  }
}

TEST_F(Reduce, MeanAndVarianceWithWeights) {
  // (x - mean) * rsqrt(var + eps) * w[col] + b[row]; the variance needs the mean: three phases, loads at col and row.
  Kernel k;
  k.kind = Kernel::Kind::kReduce;
  k.inputs = {{0, f32}, {1, f32}, {2, f32}};
  k.outputs = {{3, f32}};
  k.indices = {{}, {Index::Kind::kRow, -1, -1, {}}, {Index::Kind::kCol, -1, -1, {}}};
  k.instrs = {load(f32, 0),
              reduce(Op::kSum, f32, 0),
              scalar(f32),
              op(Op::kMultiply, f32, {1, 2}, true),
              op(Op::kSubtract, f32, {0, 3}),
              op(Op::kSquare, f32, {4}),
              reduce(Op::kSum, f32, 5),
              op(Op::kMultiply, f32, {6, 2}, true),
              op(Op::kRsqrt, f32, {7}, true),
              op(Op::kMultiply, f32, {4, 8}),
              load(f32, 1, 2),
              op(Op::kMultiply, f32, {9, 10}),
              load(f32, 2, 1, true),
              op(Op::kAdd, f32, {11, 12})};
  k.stores = {{13, 0, false}};
  for (const auto [rows, cols] : kSizes) {
    if (cols < 3) continue;
    const std::size_t n = std::size_t{rows} * cols;
    const auto x = noise(n);
    const auto w = noise(cols);
    const auto b = noise(rows);
    runtime::Buffer* out = room<float>(n);
    run(k, {rows, cols, bits(1.0F / static_cast<float>(cols))}, {buffer(x), buffer(w), buffer(b), out});
    const auto got = read<float>(out, n);
    for (std::uint32_t r = 0; r < rows; ++r) {
      double mean = 0;
      double var = 0;
      for (std::uint32_t c = 0; c < cols; ++c) mean += x[r * cols + c];
      mean /= cols;
      for (std::uint32_t c = 0; c < cols; ++c) var += (x[r * cols + c] - mean) * (x[r * cols + c] - mean);
      var /= cols;
      for (std::uint32_t c = 0; c < cols; ++c) {
        ASSERT_NEAR(got[r * cols + c], (x[r * cols + c] - mean) / std::sqrt(var) * w[c] + b[r], 1e-4) << cols;
      }
    }
  }
}

TEST_F(Reduce, TheOuterAxis) {
  // Sum, maximum and argmin down the columns of an [cols, rows] matrix.
  for (const auto [rows, cols] :
       {Size{1, 5}, Size{70, 3}, Size{64, 64}, Size{1000, 33}, Size{3, 9000}, Size{129, 12000}}) {
    const std::size_t n = std::size_t{rows} * cols;
    const auto x = noise(n);
    Kernel k;
    k.kind = Kernel::Kind::kReduce;
    k.inputs = {{0, f32}};
    k.outputs = {{1, f32}, {2, f32}, {3, i32}, {4, f32}};
    k.indices = {{}, {Index::Kind::kRow, -1, -1, {}}, view("[1n]")};
    k.instrs = {load(f32, 0, 2), reduce(Op::kSum, f32, 0), reduce(Op::kMax, f32, 0), reduce(Op::kArgMin, i32, 0),
                op(Op::kSubtract, f32, {0, 2})};
    k.stores = {{1, 0, true}, {2, 1, true}, {3, 2, true}, {4, 3, false}};
    runtime::Buffer* out[] = {room<float>(rows), room<float>(rows), room<std::int32_t>(rows), room<float>(n)};
    run(k, {rows, cols, rows, 1, cols, rows, 0}, {buffer(x), out[0], out[1], out[2], out[3]});
    const auto sums = read<float>(out[0], rows);
    const auto most = read<float>(out[1], rows);
    const auto least = read<std::int32_t>(out[2], rows);
    const auto shifted = read<float>(out[3], n);
    for (std::uint32_t r = 0; r < rows; ++r) {
      double sum = 0;
      float max = -kInf;
      std::uint32_t at = 0;
      for (std::uint32_t c = 0; c < cols; ++c) {
        const float v = x[c * rows + r];
        sum += v;
        max = std::max(max, v);
        if (v < x[at * rows + r]) at = c;
      }
      ASSERT_NEAR(sums[r], sum, 1e-6 * std::fabs(sum) + 1e-7) << rows << " x " << cols;
      ASSERT_EQ(most[r], max);
      ASSERT_EQ(least[r], static_cast<std::int32_t>(at));
      for (std::uint32_t c = 0; c < cols; ++c) ASSERT_EQ(shifted[r * cols + c], x[c * rows + r] - max);
    }
  }
}

TEST_F(Reduce, TheOuterAxisAlone) {
  // Row-level results only, in several types, with work on both sides of the reduction.
  for (const auto [rows, cols] :
       {Size{1, 5}, Size{70, 3}, Size{64, 64}, Size{1000, 33}, Size{3, 9000}, Size{300, 12000}}) {
    const std::size_t n = std::size_t{rows} * cols;
    std::vector<std::int16_t> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<std::int16_t>(i * 7919);
    const auto w = noise(cols);
    const auto b = noise(rows);
    Kernel k;
    k.kind = Kernel::Kind::kReduce;
    k.inputs = {{0, i16}, {1, f32}, {2, f32}};
    k.outputs = {{3, i16}, {4, f32}, {5, i16}};
    k.indices = {{}, {Index::Kind::kRow, -1, -1, {}}, view("[1n]"), {Index::Kind::kCol, -1, -1, {}}};
    k.instrs = {load(i16, 0, 2),           reduce(Op::kSum, i16, 0),       op(Op::kCast, f32, {0}),
                load(f32, 1, 3),           op(Op::kMultiply, f32, {2, 3}), load(f32, 2, 1),
                op(Op::kAdd, f32, {4, 5}), reduce(Op::kMax, f32, 6),       reduce(Op::kProd, i16, 0)};
    k.stores = {{1, 0, true}, {7, 1, true}, {8, 2, true}};
    runtime::Buffer* out[] = {room<std::int16_t>(rows), room<float>(rows), room<std::int16_t>(rows)};
    run(k, {rows, cols, rows, 1, cols, rows, 0}, {buffer(x), buffer(w), buffer(b), out[0], out[1], out[2]});
    const auto sums = read<std::int16_t>(out[0], rows);
    const auto most = read<float>(out[1], rows);
    const auto products = read<std::int16_t>(out[2], rows);
    for (std::uint32_t r = 0; r < rows; ++r) {
      std::uint32_t sum = 0;
      std::uint32_t product = 1;
      float max = -kInf;
      for (std::uint32_t c = 0; c < cols; ++c) {
        const std::int16_t v = x[c * rows + r];
        sum += static_cast<std::uint32_t>(v);
        product *= static_cast<std::uint32_t>(v);
        max = std::max(max, static_cast<float>(v) * w[c] + b[r]);
      }
      ASSERT_EQ(sums[r], static_cast<std::int16_t>(sum)) << rows << " x " << cols;
      ASSERT_EQ(products[r], static_cast<std::int16_t>(product));
      ASSERT_EQ(most[r], max);
    }
  }
}

TEST_F(Reduce, TheSameBitsEachTime) {
  const auto x = noise(1000000);
  const auto first = reduced<float, float>(Op::kSum, f32, f32, x, 1, 1000000);
  // As two rows the work is shared out otherwise; the first row alone must not change.
  std::vector<float> twice = x;
  twice.insert(twice.end(), x.begin(), x.end());
  twice.insert(twice.end(), x.begin(), x.end());
  for (int round = 0; round < 5; ++round) {
    EXPECT_EQ((reduced<float, float>(Op::kSum, f32, f32, x, 1, 1000000)), first);
    EXPECT_EQ((reduced<float, float>(Op::kSum, f32, f32, twice, 3, 1000000)), (std::vector<float>(3, first[0])));
  }
}

}  // namespace
}  // namespace tessera
