// Selections whose shapes depend on the data, counts, and draws.
#include <set>

#include "sort/support.h"

namespace tessera::test {
namespace {

class Selects : public DeviceTest {};
TESSERA_ON_ALL_DEVICES(Selects);

TEST_P(Selects, FindsWhatIsNotZero) {
  for (const std::int64_t n : {1, 64, 1000, 9001}) {
    const Ints x = numbers<std::int32_t>(n, 1, -1, 1);
    Ints expected;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] != 0) expected.push_back(static_cast<std::int32_t>(i));
    }
    const Tensor found = nonzero(Tensor(x, {n}));
    EXPECT_EQ(found.shape(), (Shape{static_cast<std::int64_t>(expected.size()), 1}));
    EXPECT_EQ(found.to_vector<std::int32_t>(), expected);
  }
  EXPECT_EQ(nonzero(Tensor(Floats{0, 1, kNan, 0, -0.0F, 3}, {2, 3})).to_vector<std::int32_t>(),
            (Ints{0, 1, 0, 2, 1, 2}));
  EXPECT_EQ(nonzero(zeros({3, 4})).shape(), (Shape{0, 2}));
  EXPECT_EQ(nonzero(zeros({0, 4})).shape(), (Shape{0, 2}));
  EXPECT_EQ(nonzero(Tensor(5)).shape(), (Shape{1, 0}));
  EXPECT_EQ(nonzero(transpose(Tensor(Ints{0, 1, 1, 0, 0, 1}, {2, 3}))).to_vector<std::int32_t>(),
            (Ints{1, 0, 2, 0, 2, 1}));
}

TEST_P(Selects, ByMask) {
  const Tensor x = reshape(arange(0, 12, 1, f32), {3, 4});
  EXPECT_EQ(masked_select(x, equal(remainder(x, 3.0), 0.0)).to_vector<float>(), (Floats{0, 3, 6, 9}));
  EXPECT_EQ(masked_select(x, Tensor(std::vector<bool>{true, false, false, true}, {4})).to_vector<float>(),
            (Floats{0, 3, 4, 7, 8, 11}));
  EXPECT_EQ(masked_select(cast(x, u8), less(x, 0.0)).shape(), Shape{0});
  EXPECT_EQ(error_of([&] { masked_select(x, x); }).kind(), ErrorKind::kDType);
  EXPECT_EQ(error_of([&] { masked_select(x, zeros({3}, boolean)); }).kind(), ErrorKind::kShape);
}

TEST_P(Selects, DistinctValues) {
  for (const std::int64_t n : {1, 100, 5000}) {
    const Ints x = numbers<std::int32_t>(n, 2, -20, 20);
    const std::set<std::int32_t> expected(x.begin(), x.end());
    const Unique u = unique(Tensor(x, {n}));
    const Ints values = u.values.to_vector<std::int32_t>();
    EXPECT_EQ(values, Ints(expected.begin(), expected.end()));
    const Ints inverse = u.inverse.to_vector<std::int32_t>();
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(values[static_cast<std::size_t>(inverse[i])], x[i]);
    const Ints counts = u.counts.to_vector<std::int32_t>();
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(counts[i], std::count(x.begin(), x.end(), values[i]));
  }
  const Unique u = unique(Tensor(Floats{kNan, 0, -0.0F, kNan, 1, kInf}, {2, 3}));
  expect_same(u.values.to_vector<float>(), Floats{0, 1, kInf, kNan}, "special values");
  EXPECT_EQ(u.counts.to_vector<std::int32_t>(), (Ints{2, 1, 1, 2}));
  EXPECT_EQ(u.inverse.to_vector<std::int32_t>(), (Ints{3, 0, 0, 3, 1, 2}));
  EXPECT_EQ(u.inverse.shape(), (Shape{2, 3}));
  const Unique none = unique(zeros({0, 3}));
  EXPECT_EQ(none.values.shape(), Shape{0});
  EXPECT_EQ(none.counts.shape(), Shape{0});
  EXPECT_EQ(none.inverse.shape(), (Shape{0, 3}));
}

TEST_P(Selects, Counts) {
  EXPECT_EQ(bincount(Tensor(Ints{1, 3, 1, 0}, {2, 2})).to_vector<std::int32_t>(), (Ints{1, 2, 0, 1}));
  EXPECT_EQ(bincount(Tensor(Ints{1}, {1}), 3).to_vector<std::int32_t>(), (Ints{0, 1, 0}));
  EXPECT_EQ(bincount(zeros({0}, i32), 2).to_vector<std::int32_t>(), (Ints{0, 0}));
  EXPECT_EQ(error_of([] { bincount(Tensor(Ints{1, -2}, {2})); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { bincount(zeros({2})); }).kind(), ErrorKind::kDType);
  EXPECT_EQ(error_of([] { bincount(zeros({2}, i32), -1); }).kind(), ErrorKind::kValue);
  // numpy.histogram([-1, 0, 0.1, 0.25, 0.5, 0.99, 1, 1.5, nan], 4, (0, 1)) counts 2, 1, 1, 2.
  EXPECT_EQ(
      histogram(Tensor(Floats{-1, 0, 0.1F, 0.25, 0.5, 0.99F, 1, 1.5, kNan}, {9}), 4, 0, 1).to_vector<std::int32_t>(),
      (Ints{2, 1, 1, 2}));
  EXPECT_EQ(histogram(zeros({0}), 2, 0, 1).to_vector<std::int32_t>(), (Ints{0, 0}));
  EXPECT_EQ(error_of([] { histogram(zeros({2}), 0, 0, 1); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { histogram(zeros({2}), 3, 1, 1); }).kind(), ErrorKind::kValue);
}

TEST_P(Selects, Permutations) {
  random::set_seed(7);
  const Ints first = random::permutation(3000).to_vector<std::int32_t>();
  const Ints second = random::permutation(3000).to_vector<std::int32_t>();
  EXPECT_NE(first, second);
  EXPECT_EQ(std::set<std::int32_t>(first.begin(), first.end()).size(), 3000U);
  EXPECT_EQ(*std::max_element(first.begin(), first.end()), 2999);
  random::set_seed(7);
  EXPECT_EQ(random::permutation(3000).to_vector<std::int32_t>(), first);
  EXPECT_EQ(random::permutation(0).shape(), Shape{0});
  EXPECT_EQ(error_of([] { random::permutation(-1); }).kind(), ErrorKind::kValue);
}

/// Counts of draws against what is expected, by five standard deviations.
void check_draws(const Ints& drawn, const std::vector<double>& p) {
  const auto n = static_cast<double>(drawn.size());
  for (std::size_t k = 0; k < p.size(); ++k) {
    const auto count = static_cast<double>(std::count(drawn.begin(), drawn.end(), static_cast<std::int32_t>(k)));
    EXPECT_NEAR(count, n * p[k], 5 * std::sqrt(n * p[k] * (1 - p[k]))) << k;
  }
}

TEST_P(Selects, DrawsWithGivenProbabilities) {
  random::set_seed(11);
  const std::vector<double> p{0.1, 0, 0.6, 0.3};
  const Tensor weights(Floats{1, 0, 6, 3}, {4});
  check_draws(random::categorical(broadcast_to(log(weights), {8000, 4})).to_vector<std::int32_t>(), p);
  check_draws(random::multinomial(weights, 8000, true).to_vector<std::int32_t>(), p);
  EXPECT_EQ(random::multinomial(broadcast_to(weights, {3, 4}), 7, true).shape(), (Shape{3, 7}));
  const Ints row = random::multinomial(stack({weights, flip(weights)}), 3).to_vector<std::int32_t>();
  EXPECT_EQ((std::set<std::int32_t>(row.begin(), row.begin() + 3)), (std::set<std::int32_t>{0, 2, 3}));
  EXPECT_EQ((std::set<std::int32_t>(row.begin() + 3, row.end())), (std::set<std::int32_t>{0, 1, 3}));
  Ints firsts;
  const Ints many = random::multinomial(broadcast_to(weights, {8000, 4}), 2).to_vector<std::int32_t>();
  for (std::size_t i = 0; i < many.size(); i += 2) firsts.push_back(many[i]);
  check_draws(firsts, p);
  EXPECT_EQ(error_of([&] { random::multinomial(weights, 5); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { random::multinomial(zeros({1, 2, 3}), 1); }).kind(), ErrorKind::kShape);
}

}  // namespace
}  // namespace tessera::test
