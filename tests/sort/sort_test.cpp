// Sorts against std::stable_sort: all types, lengths around tiles, ties and special values; and what is made of them.
#include "ops/sort/sort.h"

#include <fmt/format.h>

#include "sort/support.h"

namespace tessera::test {
namespace {

class Sorts : public DeviceTest {};
TESSERA_ON_ALL_DEVICES(Sorts);

/// The order of each row, with NaN above all.
template <class E>
Ints order_of(const std::vector<E>& x, std::int64_t cols, bool descending) {
  Ints order(x.size());
  for (std::size_t first = 0; first < x.size(); first += static_cast<std::size_t>(cols)) {
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(first);
    std::iota(begin, begin + cols, 0);
    const auto below = [](E a, E b) { return a < b || (a == a && b != b); };
    std::stable_sort(begin, begin + cols, [&](std::int32_t i, std::int32_t j) {
      const E a = x[first + static_cast<std::size_t>(i)];
      const E b = x[first + static_cast<std::size_t>(j)];
      return descending ? below(b, a) : below(a, b);
    });
  }
  return order;
}

template <class E>
std::vector<E> taken(const std::vector<E>& x, const Ints& order, std::int64_t cols) {
  std::vector<E> y;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t first = i / static_cast<std::size_t>(cols) * static_cast<std::size_t>(cols);
    y.push_back(x[first + static_cast<std::size_t>(order[i])]);
  }
  return y;
}

template <class E>
void check_sort(const std::vector<E>& x, std::int64_t cols, const std::string& what) {
  const auto rows = static_cast<std::int64_t>(x.size()) / cols;
  for (const bool descending : {false, true}) {
    const Indexed got = sort_with_indices(Tensor(x, {rows, cols}), 1, descending);
    const Ints order = order_of(x, cols, descending);
    EXPECT_EQ(got.indices.template to_vector<std::int32_t>(), order) << what << (descending ? ", down" : "");
    expect_same(got.values.template to_vector<E>(), taken(x, order, cols), what);
  }
}

TEST_P(Sorts, RowsOfAllLengths) {
  for (const std::int64_t n : {1, 2, 3, 63, 64, 65, 500, 1000, 1024, 1025, 4097, 20000}) {
    check_sort(numbers<float>(3 * n, 1), n, fmt::format("rows of {}", n));
  }
  check_sort(numbers<float>(2000 * 5, 2), 5, "many short rows");
  check_sort(numbers<float>(70 * 33, 3), 33, "rows of 33");
}

TEST_P(Sorts, Ties) {
  for (const std::int64_t n : {100, 3000, 9000}) {
    check_sort(numbers<std::int32_t>(2 * n, 4, -2, 2), n, fmt::format("{} with ties", n));
  }
  check_sort(Ints(5000, 7), 5000, "all equal");
}

TEST_P(Sorts, SpecialValues) {
  for (const std::int64_t n : {16, 2000}) {
    Floats x = numbers<float>(n, 5);
    const Floats special{kNan, 0, -0.0F, kInf, -kInf, -kNan, 1e-40F, -1e-40F, 0, kInf, -0.0F, 3.4e38F};
    for (std::size_t i = 0; i < special.size(); ++i) x[(i * 7) % static_cast<std::size_t>(n)] = special[i];
    check_sort(x, n, fmt::format("special values among {}", n));
    const Floats sorted = sort(Tensor(x, {n})).to_vector<float>();
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const auto at = static_cast<std::size_t>(order_of(x, n, false)[i]);
      EXPECT_EQ(std::signbit(sorted[i]) && sorted[i] == 0, std::signbit(x[at]) && x[at] == 0) << "zeros keep signs";
    }
  }
}

TEST_P(Sorts, Integers) {
  for (const std::int64_t n : {37, 5000}) {
    check_sort(numbers<std::int32_t>(n, 6, -2e9, 2e9), n, "i32");
    check_sort(numbers<std::uint32_t>(n, 7, 0, 4e9), n, "u32");
    check_sort(numbers<std::int64_t>(n, 8, -9e18, 9e18), n, "i64");
    check_sort(numbers<std::int64_t>(n, 9, -5, 5), n, "small i64");
    std::vector<std::uint64_t> wide = numbers<std::uint64_t>(n, 10, 0, 9e18);
    for (std::size_t i = 0; i < wide.size(); i += 3) wide[i] *= 2;
    check_sort(wide, n, "u64");
  }
  if (on_cpu()) check_sort(numbers<double>(5000, 11), 5000, "f64");
}

TEST_P(Sorts, SmallTypes) {
  for (const std::int64_t n : {50, 1500}) {
    for (const DType t : {i8, u8, i16, u16, boolean, f16, bf16}) {
      const Tensor x = cast(Tensor(numbers<float>(n, 12, t == u8 || t == u16 ? 0 : -100, 100), {n}), t);
      const Floats plain = cast(x, f32).to_vector<float>();
      for (const bool descending : {false, true}) {
        const Indexed got = sort_with_indices(x, 0, descending);
        const Ints order = order_of(plain, n, descending);
        EXPECT_EQ(got.values.dtype(), t);
        EXPECT_EQ(got.indices.to_vector<std::int32_t>(), order) << name(t);
        EXPECT_EQ(cast(got.values, f32).to_vector<float>(), taken(plain, order, n)) << name(t);
      }
    }
  }
}

TEST_P(Sorts, AnyAxisAndLayout) {
  const Floats x = numbers<float>(4 * 5 * 6, 13);
  const Tensor a = flip(Tensor(x, {4, 5, 6}), {2});
  for (int axis = 0; axis < 3; ++axis) {
    const Tensor moved = contiguous(transpose(a, axis, 2));
    const Floats plain = moved.to_vector<float>();
    const std::int64_t cols = a.size(axis);
    const Ints order = order_of(plain, cols, false);
    EXPECT_EQ(transpose(sort(a, axis), axis, 2).to_vector<float>(), taken(plain, order, cols)) << axis;
    EXPECT_EQ(transpose(argsort(a, axis - 3), axis, 2).to_vector<std::int32_t>(), order) << axis;
  }
  EXPECT_EQ(sort(zeros({3, 0}), 1).shape(), (Shape{3, 0}));
  EXPECT_EQ(argsort(zeros({0, 3}), 1).to_vector<std::int32_t>(), Ints{});
}

TEST_P(Sorts, LargestAndSmallest) {
  for (const std::int64_t n : {10, 3000}) {
    const Floats x = numbers<float>(2 * n, 14);
    const Indexed top = topk(Tensor(x, {2, n}), 5);
    const Ints order = order_of(x, n, true);
    Ints expected;
    Floats values;
    for (std::int64_t row = 0; row < 2; ++row) {
      for (std::int64_t i = 0; i < 5; ++i) {
        expected.push_back(order[static_cast<std::size_t>(row * n + i)]);
        values.push_back(x[static_cast<std::size_t>(row * n + expected.back())]);
      }
    }
    EXPECT_EQ(top.indices.to_vector<std::int32_t>(), expected);
    EXPECT_EQ(top.values.to_vector<float>(), values);
    EXPECT_EQ(topk(Tensor(x, {2, n}), 1, 1, false).values.to_vector<float>(),
              min(Tensor(x, {2, n}), {1}).to_vector<float>());
  }
  EXPECT_EQ(topk(zeros({3, 4}), 0).values.shape(), (Shape{3, 0}));
}

TEST_P(Sorts, MediansAndQuantiles) {
  const Tensor x(Floats{5, 1, 3, 2, 4, 9, 7, 8}, {2, 4});
  EXPECT_EQ(median(x).to_vector<float>(), (Floats{2.5, 7.5}));
  EXPECT_EQ(median(x, 0).to_vector<float>(), (Floats{4.5, 5, 5, 5}));
  EXPECT_EQ(median(x, 1, true).shape(), (Shape{2, 1}));
  // numpy.quantile([5, 1, 3, 2], [0, 0.1, 0.5, 0.9, 1]) is 1, 1.3, 2.5, 4.4, 5.
  const Floats q = quantile(slice(x, {{0, 1}}), {0, 0.1, 0.5, 0.9, 1}, 1).to_vector<float>();
  const Floats expected{1, 1.3F, 2.5F, 4.4F, 5};
  for (std::size_t i = 0; i < q.size(); ++i) EXPECT_FLOAT_EQ(q[i], expected[i]);
  EXPECT_EQ(quantile(x, std::vector<double>{0.25, 0.75}, 1, true).shape(), (Shape{2, 2, 1}));
  EXPECT_EQ(quantile(cast(x, i32), 0.5, 1).to_vector<float>(), (Floats{2.5, 7.5}));
  expect_same(median(Tensor(Floats{1, kNan, 2, kInf, 1, 1}, {2, 3})).to_vector<float>(), Floats{kNan, 1}, "NaN");
}

TEST_P(Sorts, SearchesSortedNumbers) {
  const Tensor sorted(Floats{-kInf, -1, 0, 0, 2, 2, 2, kInf, kNan}, {9});
  const Tensor v(Floats{-2, -1, 0, -0.0F, 1, 2, 3, kInf, kNan, -kInf}, {2, 5});
  EXPECT_EQ(searchsorted(sorted, v).to_vector<std::int32_t>(), (Ints{1, 1, 2, 2, 4, 4, 7, 7, 8, 0}));
  EXPECT_EQ(searchsorted(sorted, v, true).to_vector<std::int32_t>(), (Ints{1, 2, 4, 4, 4, 7, 7, 8, 9, 1}));
  EXPECT_EQ(searchsorted(sorted, v).shape(), (Shape{2, 5}));
  const Tensor wide(std::vector<std::int64_t>{-9000000000, -1, 5, 9000000000}, {4});
  EXPECT_EQ(searchsorted(wide, Tensor(Ints{-5, 5, 6}, {3})).to_vector<std::int32_t>(), (Ints{1, 2, 3}));
  const Tensor rows(Floats{1, 2, 3, 10, 20, 30}, {2, 3});
  EXPECT_EQ(searchsorted(rows, Tensor(Floats{2, 5, 20, 5}, {2, 2})).to_vector<std::int32_t>(), (Ints{1, 3, 1, 0}));
  EXPECT_EQ(searchsorted(zeros({0}), v).to_vector<std::int32_t>(), Ints(10, 0));
}

TEST_P(Sorts, SaysWhatIsWrong) {
  EXPECT_EQ(error_of([] { sort(zeros({2, 3}), 2); }).kind(), ErrorKind::kShape);
  EXPECT_EQ(error_of([] { argsort(Tensor(1.0)); }).kind(), ErrorKind::kShape);
  EXPECT_EQ(error_of([] { topk(zeros({2, 3}), 4); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { topk(zeros({2, 3}), -1); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { quantile(zeros({2, 3}), 1.5); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { quantile(zeros({2, 0}), 0.5); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { quantile(zeros({2, 3}), std::vector<double>{}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { searchsorted(zeros({2, 3}), zeros({1})); }).kind(), ErrorKind::kShape);
  EXPECT_EQ(error_of([] { searchsorted(Tensor(1.0), zeros({1})); }).kind(), ErrorKind::kShape);
}

}  // namespace
}  // namespace tessera::test
