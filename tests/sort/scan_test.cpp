// Scans against plain loops: all operators and types, lengths around tiles, axes and layouts, special values.
#include <fmt/format.h>

#include "ops/sort/sort.h"
#include "sort/support.h"

namespace tessera::test {
namespace {

class Scans : public DeviceTest {};
TESSERA_ON_ALL_DEVICES(Scans);

constexpr double kUnit = 0x1p-24;  // half an ulp of f32 at 1

struct Sums {
  std::vector<double> value, bound;
};

/// Sums along rows in f64, and how far f32 may be: each addition of a tree rounds once.
Sums sums_of(const Floats& x, std::int64_t cols) {
  Sums s;
  double run = 0;
  double size = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (static_cast<std::int64_t>(i) % cols == 0) run = size = 0;
    run += x[i];
    size += std::fabs(x[i]);
    s.value.push_back(run);
    s.bound.push_back(40 * kUnit * size);
  }
  return s;
}

TEST_P(Scans, SumsOfAllLengths) {
  for (const std::int64_t n : {1, 2, 15, 16, 17, 63, 64, 65, 257, 1000, 1024, 4095, 4096, 4097, 8192, 20001, 70000}) {
    const Floats x = numbers<float>(3 * n, 1);
    const Sums s = sums_of(x, n);
    expect_near(cumsum(Tensor(x, {3, n}), 1).to_vector<float>(), s.value, s.bound, fmt::format("rows of {}", n));
  }
}

TEST_P(Scans, ManyRowsShortAndLong) {
  for (const auto& [rows, cols] :
       std::vector<std::pair<std::int64_t, std::int64_t>>{{1000, 3}, {777, 40}, {513, 4100}}) {
    const auto x = numbers<std::int32_t>(rows * cols, 2, -100, 100);
    std::vector<std::int32_t> expected(x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (static_cast<std::int64_t>(i) % cols != 0) expected[i] += expected[i - 1];
    }
    EXPECT_EQ(cumsum(Tensor(x, {rows, cols}), -1).to_vector<std::int32_t>(), expected) << rows << " x " << cols;
  }
}

/// `all`: every operator; else one of each kind, since each is two to four pipelines more.
template <class E>
void check_integers(DType t, bool all) {
  for (const std::int64_t n : {5, 4100, 9001}) {
    const auto x = numbers<E>(n, 3, t == u32 || t == u64 ? 0 : -1e6, sizeof(E) == 8 ? 9e15 : 2e9);
    std::vector<E> sums(x);
    std::vector<E> products(x);
    std::vector<E> tops(x);
    std::vector<E> lows(x);
    Ints top_at(x.size(), 0);
    Ints low_at(x.size(), 0);
    for (std::size_t i = 1; i < x.size(); ++i) {
      using U = std::make_unsigned_t<E>;
      sums[i] = static_cast<E>(static_cast<U>(sums[i - 1]) + static_cast<U>(x[i]));
      products[i] = static_cast<E>(static_cast<U>(products[i - 1]) * static_cast<U>(x[i]));
      tops[i] = std::max(tops[i - 1], x[i]);
      lows[i] = std::min(lows[i - 1], x[i]);
      top_at[i] = x[i] >= tops[i - 1] ? static_cast<std::int32_t>(i) : top_at[i - 1];
      low_at[i] = x[i] <= lows[i - 1] ? static_cast<std::int32_t>(i) : low_at[i - 1];
    }
    const Tensor a(x, {n});
    const std::string what = fmt::format("{} of {}", n, name(t));
    EXPECT_EQ(cumsum(a, 0).to_vector<E>(), sums) << what;
    if (all) {
      EXPECT_EQ(cumprod(a, 0).to_vector<E>(), products) << what;
    }
    if (all || t == i64) {
      const Indexed top = cummax(a, 0);
      EXPECT_EQ(top.values.to_vector<E>(), tops) << what;
      EXPECT_EQ(top.indices.to_vector<std::int32_t>(), top_at) << what;
    }
    if (all || t == u32) {
      const Indexed low = cummin(a, 0);
      EXPECT_EQ(low.values.to_vector<E>(), lows) << what;
      EXPECT_EQ(low.indices.to_vector<std::int32_t>(), low_at) << what;
    }
  }
}

TEST_P(Scans, Integers) {
  check_integers<std::int32_t>(i32, on_cpu() || full());
  check_integers<std::uint32_t>(u32, on_cpu() || full());
  check_integers<std::int64_t>(i64, on_cpu() || full());
  check_integers<std::uint64_t>(u64, on_cpu() || full());
}

TEST_P(Scans, SmallTypes) {
  const Ints x = numbers<std::int32_t>(300, 4, 0, 7);
  Ints sums(x);
  Ints tops(x);
  for (std::size_t i = 1; i < x.size(); ++i) {
    sums[i] += sums[i - 1];
    tops[i] = std::max(tops[i], tops[i - 1]);
  }
  const Tensor a(x, {300});
  for (const DType t : {i8, u8, i16, u16, f16, bf16}) {
    const Tensor b = cast(a, t);
    EXPECT_EQ(cumsum(b, 0).dtype(), is_float(t) ? t : (t == u8 || t == u16 ? u32 : i32));
    if (t != bf16) {  // which has not the digits
      EXPECT_EQ(cast(cumsum(b, 0), i32).to_vector<std::int32_t>(), sums) << name(t);
    }
    EXPECT_EQ(cummax(b, 0).values.dtype(), t);
    EXPECT_EQ(cast(cummax(b, 0).values, i32).to_vector<std::int32_t>(), tops) << name(t);
  }
  const Tensor odd = equal(remainder(a, 2), 1);
  EXPECT_EQ(cumsum(odd, 0).dtype(), i32);
  EXPECT_EQ(slice(cumsum(odd, 0), {{299, 300}}).to_vector<std::int32_t>(), sum(odd).to_vector<std::int32_t>());
}

TEST_P(Scans, AnyAxisAndLayout) {
  const Ints x = numbers<std::int32_t>(5 * 6 * 7, 5, -9, 9);
  const Tensor a(x, {5, 6, 7});
  const auto plain = [&](const Tensor& t, int axis) {
    Ints v = t.to_vector<std::int32_t>();
    std::int64_t inner = 1;
    for (int d = axis + 1; d < t.rank(); ++d) inner *= t.size(d);
    for (std::size_t i = 0; i < v.size(); ++i) {
      if (static_cast<std::int64_t>(i) / inner % t.size(axis) != 0) v[i] += v[i - static_cast<std::size_t>(inner)];
    }
    return v;
  };
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_EQ(cumsum(a, axis).to_vector<std::int32_t>(), plain(a, axis)) << axis;
    EXPECT_EQ(cumsum(a, axis - 3).to_vector<std::int32_t>(), plain(a, axis)) << axis;
    const Tensor turned = flip(transpose(a, 0, 2), {1});
    EXPECT_EQ(cumsum(turned, axis).to_vector<std::int32_t>(), plain(turned, axis)) << axis;
    const Tensor spread = broadcast_to(slice(a, {{0, 5}, {2, 3}, {0, 7, 2}}), {5, 6, 4});
    EXPECT_EQ(cumsum(spread, axis).to_vector<std::int32_t>(), plain(spread, axis)) << axis;
  }
  EXPECT_EQ((cumsum(a + 1, 1) * 2).shape(), (Shape{5, 6, 7}));
}

TEST_P(Scans, ExclusiveAndReverse) {
  for (const std::int64_t n : {7, 8, 100, 4100, 4096 * 2}) {
    const Ints x = numbers<std::int32_t>(2 * n, 6, -9, 9);
    for (const bool exclusive : {false, true}) {
      for (const bool reverse : {false, true}) {
        Ints expected(x.size());
        for (std::int64_t row = 0; row < 2; ++row) {
          std::int32_t run = 0;
          for (std::int64_t e = 0; e < n; ++e) {
            const auto at = static_cast<std::size_t>(row * n + (reverse ? n - 1 - e : e));
            if (exclusive) expected[at] = run;
            run += x[at];
            if (!exclusive) expected[at] = run;
          }
        }
        const Tensor got(ops::cumsum(Tensor(x, {2, n}).node(), 1, {exclusive, reverse}));
        EXPECT_EQ(got.to_vector<std::int32_t>(), expected)
            << n << (exclusive ? " exclusive" : "") << (reverse ? " reverse" : "");
      }
    }
  }
}

TEST_P(Scans, SpecialValues) {
  const Tensor x(Floats{1, kNan, 3, 2, 2, 3, kNan, -kInf, kInf, 5, -kInf, -kInf, kInf, 1}, {14});
  expect_same(cumsum(x, 0).to_vector<float>(),
              Floats{1, kNan, kNan, kNan, kNan, kNan, kNan, kNan, kNan, kNan, kNan, kNan, kNan, kNan}, "cumsum");
  EXPECT_EQ(cummax(x, 0).indices.to_vector<std::int32_t>(), (Ints{0, 1, 1, 1, 1, 1, 6, 6, 6, 6, 6, 6, 6, 6}));
  expect_same(cummin(slice(x, {{2, 6}}), 0).values.to_vector<float>(), Floats{3, 2, 2, 2}, "cummin");
  EXPECT_EQ(cummin(slice(x, {{2, 6}}), 0).indices.to_vector<std::int32_t>(), (Ints{0, 1, 2, 2}));
  const Tensor low(Floats{-kInf, -kInf, 1, -kInf, kInf, 1}, {6});
  EXPECT_EQ(cummax(low, 0).indices.to_vector<std::int32_t>(), (Ints{0, 1, 2, 2, 4, 4}));
  expect_same(logcumsumexp(low, 0).to_vector<float>(), Floats{-kInf, -kInf, 1, 1, kInf, kInf}, "logcumsumexp");
  expect_same(cumprod(Tensor(Floats{2, 0, kInf, 1}, {4}), 0).to_vector<float>(), Floats{2, 0, kNan, kNan}, "cumprod");
}

TEST_P(Scans, LogSumsOfLargeAndSmall) {
  for (const std::int64_t n : {10, 1000, 5000}) {
    const Floats x = numbers<float>(n, 7, -200, 200);
    std::vector<double> expected;
    std::vector<double> bound;
    double run = -std::numeric_limits<double>::infinity();
    for (const float v : x) {
      const double top = std::max<double>(run, v);
      run = top + std::log(std::exp(run - top) + std::exp(v - top));
      expected.push_back(run);
      bound.push_back(64 * kUnit * std::max(1.0, std::fabs(run)));
    }
    expect_near(logcumsumexp(Tensor(x, {n}), 0).to_vector<float>(), expected, bound, fmt::format("{}", n));
  }
}

TEST_P(Scans, Nothing) {
  EXPECT_EQ(cumsum(zeros({3, 0}), 1).shape(), (Shape{3, 0}));
  EXPECT_EQ(cumsum(zeros({0, 3}), 1).to_vector<float>(), Floats{});
  EXPECT_EQ(cummax(zeros({0}), 0).indices.dtype(), i32);
}

TEST_P(Scans, SaysWhatIsWrong) {
  EXPECT_EQ(error_of([] { cumsum(zeros({2, 3}), 2); }).kind(), ErrorKind::kShape);
  EXPECT_EQ(error_of([] { cumsum(Tensor(1.0), 0); }).kind(), ErrorKind::kShape);
  EXPECT_EQ(error_of([] { cummax(zeros({2, 3}), -3); }).kind(), ErrorKind::kShape);
  EXPECT_EQ(error_of([] { logcumsumexp(Tensor(), 0); }).kind(), ErrorKind::kValue);
}

class LimitedScans : public DeviceTest {};
TESSERA_ON_WINDOWED_DEVICES(LimitedScans);

TEST_P(LimitedScans, SayWhatIsTooLarge) {
  EXPECT_EQ(cumsum(ones({200}, i32), 0).to_vector<std::int32_t>().back(), 200);
  const Error e = error_of([] { static_cast<void>(cumsum(ones({5000}, i32), 0).to_vector<std::int32_t>()); });
  EXPECT_EQ(e.kind(), ErrorKind::kLimit) << e.what();
}

}  // namespace
}  // namespace tessera::test
