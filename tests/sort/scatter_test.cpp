// Scatters against plain loops: modes, types, many and few columns, long runs, indices out of range.
#include <fmt/format.h>

#include "ops/sort/sort.h"
#include "sort/support.h"

namespace tessera::test {
namespace {

class Scatters : public DeviceTest {};
TESSERA_ON_ALL_DEVICES(Scatters);

constexpr std::array kModes{Scatter::kSet, Scatter::kAdd, Scatter::kMul, Scatter::kMax, Scatter::kMin};

template <class E>
void combine(E& to, E v, Scatter mode) {
  if (mode == Scatter::kSet) to = v;
  if (mode == Scatter::kAdd) to = static_cast<E>(to + v);
  if (mode == Scatter::kMul) to = static_cast<E>(to * v);
  if (mode == Scatter::kMax) to = std::max(to, v);
  if (mode == Scatter::kMin) to = std::min(to, v);
}

/// Small whole numbers, so that sums are exact in any order.
Tensor rows_of(const Ints& base, std::int64_t rows, std::int64_t cols, const Ints& index, const Ints& updates,
               Scatter mode, DType t, bool with_base) {
  const auto n = static_cast<std::int64_t>(index.size());
  const Tensor b = cast(Tensor(base, {rows, cols}), t);
  return Tensor(ops::scatter_rows(with_base ? b.node() : nullptr, rows, cols, Tensor(index, {n}).node(),
                                  cast(Tensor(updates, {n, cols}), t).node(), static_cast<ops::ScatterMode>(mode)));
}

void check_rows(std::int64_t rows, std::int64_t cols, std::int64_t n, double low, double high, DType t, Scatter mode) {
  const bool product = mode == Scatter::kMul;
  const double least = t == u32 || t == u64 ? 0 : -3;
  const Ints base = numbers<std::int32_t>(rows * cols, 1, least, 3);
  const Ints index = numbers<std::int32_t>(n, 2, low, high);
  const Ints updates =
      product ? numbers<std::int32_t>(n * cols, 3, -1, 1) : numbers<std::int32_t>(n * cols, 3, least, 3);
  for (const bool with_base : {true, false}) {
    if (!with_base && mode != Scatter::kAdd && mode != Scatter::kSet) continue;
    Ints expected = with_base ? base : Ints(base.size(), 0);
    for (std::size_t i = 0; i < index.size(); ++i) {
      if (index[i] < 0 || index[i] >= rows) continue;
      for (std::int64_t c = 0; c < cols; ++c) {
        combine(expected[static_cast<std::size_t>(index[i] * cols + c)],
                updates[i * static_cast<std::size_t>(cols) + static_cast<std::size_t>(c)], mode);
      }
    }
    EXPECT_EQ(cast(rows_of(base, rows, cols, index, updates, mode, t, with_base), i32).to_vector<std::int32_t>(),
              expected)
        << fmt::format("{} updates of {} to {} rows, {}, mode {}", n, cols, rows, name(t), static_cast<int>(mode));
  }
}

TEST_P(Scatters, RowsInAllModes) {
  for (const Scatter mode : kModes) {
    check_rows(10, 1, 50, -2, 12, i32, mode);
    check_rows(300, 3, 700, -2, 310, i32, mode);
    check_rows(20, 70, 500, -1, 25, i32, mode);
  }
}

TEST_P(Scatters, RunsOfManyChunks) {
  for (const auto& [low, high] : std::vector<std::pair<double, double>>{{0, 0}, {0, 2}, {0, 600}, {200, 202}}) {
    check_rows(601, 1, 70000, low, high, i32, Scatter::kAdd);
    check_rows(601, 40, 5000, low, high, i32, Scatter::kAdd);
  }
  for (const std::int64_t n : {1, 63, 64, 65, 255, 256, 257, 512, 513, 4096, 4097}) {
    check_rows(3, 2, n, 0, 2, i32, Scatter::kAdd);
    check_rows(3, 33, n, 0, 2, i32, Scatter::kAdd);
  }
}

TEST_P(Scatters, Types) {
  for (const DType t : {f32, f16, bf16, i8, u32, i64, u64}) {
    check_rows(50, 2, 90, -1, 51, t, Scatter::kAdd);
    if (on_cpu() || t == i64 || t == f32 || full()) check_rows(50, 2, 90, -1, 51, t, Scatter::kMax);
    check_rows(50, 2, 90, -1, 51, t, Scatter::kSet);
  }
  if (on_cpu()) check_rows(50, 2, 90, -1, 51, f64, Scatter::kMul);
}

TEST_P(Scatters, FlatSumsAreTheSameInEveryRun) {
  const std::int64_t n = 6000;
  const Ints at = numbers<std::int32_t>(n, 4, 0, 40);
  const Floats v = numbers<float>(n, 5, -1000, 1000);
  std::vector<double> sums(41, 0);
  std::vector<double> sizes(41, 0);
  for (std::size_t i = 0; i < at.size(); ++i) {
    sums[static_cast<std::size_t>(at[i])] += v[i];
    sizes[static_cast<std::size_t>(at[i])] += std::fabs(v[i]);
  }
  const auto add = [&] {
    return Tensor(ops::scatter_add_flat(41, Tensor(at, {60, 100}).node(), Tensor(v, {60, 100}).node()))
        .to_vector<float>();
  };
  const Floats got = add();
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], sums[i], 200 * 0x1p-24 * sizes[i]);
  EXPECT_EQ(got, add());
}

TEST_P(Scatters, NothingToAddAndNowhereTo) {
  const Tensor at = zeros({2, 3}, i32);
  const Tensor v = ones({2, 3});
  EXPECT_EQ(Tensor(ops::scatter_add_flat(2, zeros({0}, i32).node(), zeros({0}).node())).to_vector<float>(),
            (Floats{0, 0}));
  EXPECT_EQ(Tensor(ops::scatter_add_flat(0, at.node(), v.node())).to_vector<float>(), Floats{});
}

TEST_P(Scatters, AlongAnAxis) {
  const Tensor x = reshape(arange(0, 12, 1, f32), {3, 4});
  const Tensor at(Ints{0, 2, 2, 1, 0, -1}, {2, 3});
  const Tensor v(Floats{100, 200, 300, 400, 500, 600}, {2, 3});
  EXPECT_EQ(scatter(x, at, v, 0).to_vector<float>(), (Floats{100, 500, 2, 3, 400, 5, 6, 7, 8, 200, 600, 11}));
  EXPECT_EQ(scatter_add(x, at, v, 1).to_vector<float>(), (Floats{100, 1, 502, 3, 504, 405, 6, 607, 8, 9, 10, 11}));
  EXPECT_EQ(scatter(x, at, v, -1, Scatter::kMin).to_vector<float>(), x.to_vector<float>());
  EXPECT_EQ(error_of([&] { static_cast<void>(scatter(x, at * 100, v, 1, Scatter::kMax).to_vector<float>()); }).kind(),
            ErrorKind::kValue)
      << "out of bounds";
  EXPECT_EQ(scatter(cast(x, i64), cast(at, i64), v, 0, Scatter::kAdd).dtype(), i64);
}

TEST_P(Scatters, AddsSlices) {
  const Tensor x = zeros({2, 4, 3});
  const Tensor source = reshape(arange(1, 19, 1, f32), {2, 3, 3});
  const Tensor y = index_add(x, 1, Tensor(Ints{3, -3, 3}, {3}), source);
  EXPECT_EQ(y.to_vector<float>(),
            (Floats{0, 0, 0, 4, 5, 6, 0, 0, 0, 8, 10, 12, 0, 0, 0, 13, 14, 15, 0, 0, 0, 26, 28, 30}));
}

TEST_P(Scatters, CountsBins) {
  const Ints x = numbers<std::int32_t>(3000, 5, -2, 9);
  Ints expected(8, 0);
  for (const std::int32_t v : x) {
    if (v >= 0 && v < 8) ++expected[static_cast<std::size_t>(v)];
  }
  EXPECT_EQ(Tensor(ops::bincount(Tensor(x, {3000}).node(), 8)).to_vector<std::int32_t>(), expected);
}

TEST_P(Scatters, SaysWhatIsWrong) {
  const Tensor x = zeros({3, 4});
  const Tensor at = zeros({2, 3}, i32);
  EXPECT_EQ(error_of([&] { scatter(x, at, zeros({2, 2}), 0); }).kind(), ErrorKind::kShape);
  EXPECT_EQ(error_of([&] { scatter(x, zeros({2, 5}, i32), zeros({2, 5}), 0); }).kind(), ErrorKind::kShape);
  EXPECT_EQ(error_of([&] { scatter(x, zeros({3}, i32), zeros({3}), 0); }).kind(), ErrorKind::kShape);
  EXPECT_EQ(error_of([&] { scatter(x, cast(at, f32), zeros({2, 3}), 0); }).kind(), ErrorKind::kDType);
  EXPECT_EQ(error_of([&] { scatter(x, at, zeros({2, 3}), 2); }).kind(), ErrorKind::kShape);
  EXPECT_EQ(error_of([&] { index_add(x, 0, zeros({2}, i32), zeros({3, 4})); }).kind(), ErrorKind::kShape);
  EXPECT_EQ(error_of([&] { index_add(x, 0, zeros({2}), zeros({2, 4})); }).kind(), ErrorKind::kDType);
  const auto rows = [&](const Tensor& index, ops::ScatterMode mode) {
    ops::scatter_rows(nullptr, 3, 4, index.node(), zeros({2, 4}).node(), mode);
  };
  EXPECT_EQ(error_of([&] { rows(zeros({2}, i32), ops::ScatterMode::kMax); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { rows(zeros({3}, i32), ops::ScatterMode::kAdd); }).kind(), ErrorKind::kShape);
}

}  // namespace
}  // namespace tessera::test
