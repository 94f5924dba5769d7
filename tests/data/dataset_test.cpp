// Data sets: of arrays, tensors and functions; mapped, selected, split and concatenated.
#include <algorithm>
#include <atomic>
#include <limits>
#include <set>
#include <thread>

#include "data/order.h"
#include "data/support.h"

namespace tessera::test {
namespace {

using data::Array;
using data::DatasetPtr;
using data::Sample;

class DatasetTest : public DataTest {};

std::vector<std::int32_t> xs(const DatasetPtr& dataset) {
  std::vector<std::int32_t> values;
  for (std::int64_t i = 0; i < dataset->size(); ++i) values.push_back(dataset->get(i)["x"].values<std::int32_t>()[0]);
  return values;
}

TEST_F(DatasetTest, OfArraysAndTensors) {
  const DatasetPtr arrays = data::from_arrays(
      {{"x", Array(std::vector<std::int32_t>{5, 6, 7}, {3})}, {"y", Array(std::vector<float>(6, 1), {3, 2})}});
  EXPECT_EQ(arrays->size(), 3);
  EXPECT_EQ(xs(arrays), (std::vector<std::int32_t>{5, 6, 7}));
  EXPECT_EQ(arrays->get(2)["y"].shape(), Shape({2}));
  EXPECT_EQ(arrays->name(2), "row 2");
  const DatasetPtr tensors = data::from_tensors(Tree{{"x", Tensor(std::vector<std::int32_t>{1, 2}, {2}) + 1}});
  EXPECT_EQ(xs(tensors), (std::vector<std::int32_t>{2, 3}));
  EXPECT_EQ(data::from_arrays({{"x", Array(std::vector<float>{}, {0, 4})}})->size(), 0);
}

TEST_F(DatasetTest, ArraysThatDoNotFitTogether) {
  EXPECT_EQ(error_of([] { (void)data::from_arrays(Sample()); }).kind(), ErrorKind::kValue);
  const Error rows = error_of([] {
    (void)data::from_arrays({{"x", Array(std::vector<int>{1, 2}, {2})}, {"y", Array(std::vector<int>{1, 2, 3}, {3})}});
  });
  EXPECT_EQ(rows.kind(), ErrorKind::kShape);
  expect_text(rows, "'x' has 2 rows and 'y' has 3");
  EXPECT_EQ(error_of([] { (void)data::from_arrays({{"x", 1}}); }).kind(), ErrorKind::kShape);
  EXPECT_EQ(error_of([] { (void)data::from_arrays({{"x", Array()}}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { (void)data::from_tensors(Tree{{"a", Tree{{"b", Tensor(1)}}}}); }).kind(), ErrorKind::kValue);
}

TEST_F(DatasetTest, MapSubsetConcatenate) {
  const DatasetPtr doubled = data::map(numbers(5), [](Sample s) {
    s.set("x", s["x"].values<std::int32_t>()[0] * 2);
    return s;
  });
  EXPECT_EQ(xs(doubled), (std::vector<std::int32_t>{0, 2, 4, 6, 8}));
  const DatasetPtr some = data::subset(doubled, {4, 0, 4});
  EXPECT_EQ(xs(some), (std::vector<std::int32_t>{8, 0, 8}));
  EXPECT_EQ(some->name(0), "sample 4");
  EXPECT_EQ(data::subset(doubled, {})->size(), 0);
  const DatasetPtr all = data::concatenate({some, data::subset(doubled, {}), numbers(2)});
  EXPECT_EQ(xs(all), (std::vector<std::int32_t>{8, 0, 8, 0, 1}));
  EXPECT_EQ(all->name(2), "sample 4");
  EXPECT_EQ(all->name(3), "sample 0");
}

TEST_F(DatasetTest, Errors) {
  EXPECT_EQ(error_of([] { (void)data::map(nullptr, [](Sample s) { return s; }); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { (void)data::map(numbers(1), nullptr); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { (void)data::from_function(1, nullptr); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { (void)data::from_function(-1, [](std::int64_t) { return Sample(); }); }).kind(),
            ErrorKind::kValue);
  expect_text(error_of([] { (void)data::subset(numbers(3), {0, 3}); }), "the position 3 was given; the data set has 3");
  EXPECT_EQ(error_of([] { (void)data::subset(numbers(3), {-1}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { (void)data::subset(nullptr, {}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { (void)data::concatenate({}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { (void)data::concatenate({numbers(1), nullptr}); }).kind(), ErrorKind::kValue);
  constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(error_of([] { (void)data::concatenate({numbers(kHuge), numbers(1)}); }).kind(), ErrorKind::kLimit);
  EXPECT_EQ(data::concatenate({numbers(kHuge - 1), numbers(1)})->get(kHuge - 1)["x"].values<std::int32_t>()[0], 0);
}

TEST_F(DatasetTest, SplitIsDisjointCompleteAndSeeded) {
  for (const std::int64_t size : {0, 1, 2, 3, 10, 101}) {
    const auto parts = data::split(numbers(size), {0.7, 0.2, 0.1}, 4);
    ASSERT_EQ(parts.size(), 3U);
    std::multiset<std::int32_t> all;
    for (const DatasetPtr& part : parts) {
      for (const std::int32_t x : xs(part)) all.insert(x);
    }
    EXPECT_EQ(static_cast<std::int64_t>(all.size()), size);
    EXPECT_EQ(std::set<std::int32_t>(all.begin(), all.end()).size(), all.size());
  }
  const auto part = [](double fraction, std::uint64_t seed) {
    return xs(data::split(numbers(100), {fraction}, seed)[0]);
  };
  EXPECT_EQ(part(0.5, 1), part(0.5, 1));
  EXPECT_NE(part(0.5, 1), part(0.5, 2));
  EXPECT_EQ(part(0.5, 1).size(), 50U);
  EXPECT_EQ(part(0, 1).size(), 0U);
  EXPECT_EQ(data::split(numbers(3), {}).size(), 0U);
  EXPECT_EQ(data::split(numbers(3), std::vector<double>(3, 1.0 / 3))[2]->size(), 1);
}

TEST_F(DatasetTest, FractionsThatAreRefused) {
  for (const double bad :
       {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(error_of([&] { (void)data::split(numbers(3), {bad}); }).kind(), ErrorKind::kValue) << bad;
  }
  expect_text(error_of([] { (void)data::split(numbers(3), {0.7, 0.4}); }), "add up to 1.1");
}

TEST_F(DatasetTest, OrdersArePermutationsThatDependOnAllArguments) {
  using data::Order;
  using data::OrderUse;
  const auto order = [](std::int64_t n, OrderUse use, std::uint64_t seed, std::uint64_t number) {
    const Order made(n, use, seed, number);
    std::vector<std::int64_t> positions;
    for (std::int64_t i = 0; i < n; ++i) positions.push_back(made[i]);
    return positions;
  };
  // By another implementation, in Python: an order is the same on every platform and in every version.
  EXPECT_EQ(order(10, OrderUse::kEpoch, 1, 0), (std::vector<std::int64_t>{2, 0, 3, 1, 5, 6, 7, 4, 9, 8}));
  EXPECT_EQ(order(10, OrderUse::kSplit, 1, 0), (std::vector<std::int64_t>{4, 9, 5, 0, 8, 3, 6, 7, 1, 2}));
  for (const std::int64_t n : {0, 1, 2, 1000}) {
    std::vector<std::int64_t> positions = order(n, OrderUse::kEpoch, 7, 3);
    std::ranges::sort(positions);
    for (std::int64_t i = 0; i < n; ++i) ASSERT_EQ(positions[static_cast<std::size_t>(i)], i);
  }
  const auto base = order(100, OrderUse::kEpoch, 1, 0);
  EXPECT_NE(base, order(100, OrderUse::kSplit, 1, 0));
  EXPECT_NE(base, order(100, OrderUse::kEpoch, 1, 1));
  EXPECT_NE(base, order(100, OrderUse::kEpoch, std::uint64_t{1} << 32U, 0));
  EXPECT_NE(base, order(100, OrderUse::kEpoch, 1, std::uint64_t{1} << 32U));
  EXPECT_EQ(error_of([] { (void)Order(std::int64_t{1} << 60U, OrderUse::kEpoch, 0, 0); }).kind(),
            ErrorKind::kOutOfMemory);
}

TEST_F(DatasetTest, EveryPositionOfAnOrderIsEquallyLikely) {
  constexpr std::int64_t kSamples = 5;
  constexpr int kDraws = 20000;
  std::array<std::array<int, kSamples>, kSamples> counts{};
  for (int epoch = 0; epoch < kDraws; ++epoch) {
    const data::Order order(kSamples, data::OrderUse::kEpoch, 0, static_cast<std::uint64_t>(epoch));
    for (std::int64_t i = 0; i < kSamples; ++i)
      ++counts[static_cast<std::size_t>(i)][static_cast<std::size_t>(order[i])];
  }
  for (const auto& row : counts) {
    for (const int count : row) EXPECT_NEAR(count, kDraws / kSamples, 300);  // more than five standard deviations
  }
}

TEST_F(DatasetTest, FortyThreadsReadOne) {
  const auto parts = data::split(data::map(numbers(1000), [](Sample s) { return s; }), {0.5, 0.5});
  const DatasetPtr all = data::concatenate({parts[0], parts[1]});
  std::atomic<std::int64_t> sum = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 40; ++t) {
      threads.emplace_back([&] {
        for (std::int64_t i = 0; i < all->size(); ++i) sum += all->get(i)["x"].values<std::int32_t>()[0];
      });
    }
  }
  EXPECT_EQ(sum, 40 * 499500);
}

}  // namespace
}  // namespace tessera::test
