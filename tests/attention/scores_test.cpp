// Soft-capping and attention sinks: the kernels against the composition in f64, edges, gradients and errors.
#include <limits>

#include "autograd/support.h"
#include "schedule/device_model.h"
#include "support.h"
#include "support/errors.h"

namespace tessera::test {
namespace {

using Mask = Problem::Mask;

class AttentionScores : public DeviceTest {
 protected:
  static std::vector<double> expected(const Problem& p, DType source) {
    const Data x = data_of(p, source, f64, open({"cpu", "cpu", "", 0}));
    return numbers(Tensor(ops::attention_composed(x.q.node(), x.k.node(), x.v.node(), spec_of(p, x))));
  }

  void check(const Problem& p, DType dtype) {
    const std::vector<double> want = expected(p, dtype == f64 ? f32 : dtype);
    open(GetParam());
    const Data x = data_of(p, dtype == f64 ? f32 : dtype, dtype, device_);
    const std::vector<double> got = numbers(Tensor(ops::attention(x.q.node(), x.k.node(), x.v.node(), spec_of(p, x))));
    // The bound of forward_test.cpp; soft-capping has a slope of at most 1, and its own error is a few roundings of the
    // cap; a sink only makes weights smaller.
    const double u = unit_roundoff(dtype == f64 ? f64 : f32);
    const auto d = static_cast<double>(p.d);
    const double scores = u * ((d + 8) * 4 * std::sqrt(d) + 16 * p.softcap);
    double bound = 2 * (2 * scores + u * (static_cast<double>(p.lk) + 32)) + 2 * unit_roundoff(dtype);
    if (dtype == f16 && schedule::DeviceModel(device_.info()).matrix_size != 0) bound += 2 * unit_roundoff(f16);
    EXPECT_LE(compare(got, want).most, bound) << p.name() << " " << name(dtype);
  }
  /// With each of them, and with both.
  void check_all(Problem p, DType dtype) {
    p.softcap = 1.5;
    check(p, dtype);
    p.sinks = 0.5;
    check(p, dtype);
    p.softcap = 0;
    check(p, dtype);
  }
};

TEST_P(AttentionScores, Tiles) {
  const bool all = every_variant(device_);
  for (const DType t : {f32, f16, bf16}) {
    Problem p{2, 4, 2, 33, 70, 32, true};
    if (all) check_all(p, t);
    p.window = 9;
    p.lengths = {70, 31};
    p.softcap = 2;
    p.sinks = 0;
    if (all || t == f16) check(p, t);
    p.mask = Mask::kAdditive;
    if (all || t == f32) check(p, t);
  }
  if (device_.info().features.f64) check_all({1, 2, 1, 20, 40, 8, true}, f64);
}

TEST_P(AttentionScores, HeadSizes) {
  if (!every_variant(device_)) return;
  for (const std::int64_t d : {64, 80, 128, 256, 30}) {
    for (const DType t : {f32, f16, bf16}) {
      Problem p{1, 4, 2, 21, 50, d, true, 0, Mask::kRow};
      p.softcap = 3;
      p.sinks = 1;
      check(p, t);
      p = {2, 4, 2, 2, 300, d, true};
      p.lengths = {1, 300};
      p.softcap = 3;
      p.sinks = 1;
      p.split = true;
      check(p, t);
    }
  }
}

TEST_P(AttentionScores, SplitKv) {
  const bool all = every_variant(device_);
  for (const DType t : {f32, f16}) {
    Problem p{2, 8, 2, 1, 700, 64};
    p.split = true;
    if (all || t == f32) check_all(p, t);
    p = {4, 6, 2, 3, 600, 32, true, 100, Mask::kRow};  // whole splits are masked
    p.lengths = {0, 1, 300, 600};
    p.split = true;
    if (all) check_all(p, t);
  }
}

// On devices with tensor cores these are their kernels.
TEST_P(AttentionScores, HalvesInTiles) {
  if (!every_variant(device_) && schedule::DeviceModel(device_.info()).matrix_size == 0) return;
  Problem p{1, 2, 1, 70, 45, 32, true};
  p.sinks = 6;  // above most scores
  p.softcap = 2;
  check(p, f16);
  if (!every_variant(device_)) return;
  p.d = 64;
  p.softcap = 0;
  check(p, f16);
  p = {2, 2, 2, 33, 70, 32, false, 12, Mask::kRow};
  p.lengths = {70, 1};
  p.softcap = 2;
  p.sinks = -3;
  check(p, f16);
}

// All scores are past the cap: the weights of all keys are equal, but for the sign of their scores.
TEST_P(AttentionScores, AllScoresCapped) {
  const Tensor q = full({1, 1, 2, 32}, 100.0, f32, device_);
  std::vector<float> k(300 * 32, 50.0F);
  std::fill_n(k.begin(), 32, -50.0F);
  std::vector<float> v(300 * 32, 1.0F);
  std::fill_n(v.begin(), 32, -1.0F);
  for (const std::int64_t keys : {4, 300}) {
    const Tensor tk = slice(Tensor(k, {1, 1, 300, 32}, device_), {{}, {}, {0, keys}});
    const Tensor tv = slice(Tensor(v, {1, 1, 300, 32}, device_), {{}, {}, {0, keys}});
    const double low = std::exp(-2.0);  // scores of -1 and 1
    const auto others = static_cast<double>(keys - 1);
    for (const double x : numbers(scaled_dot_product_attention(q, tk, tv, {.softcap = 1.0}))) {
      EXPECT_NEAR(x, (others - low) / (others + low), 1e-5);
    }
    // Infinite scores too: the cap is finite.
    for (const double x : numbers(scaled_dot_product_attention(q * 1e30, tk * 1e30, tv, {.softcap = 1.0}))) {
      EXPECT_NEAR(x, (others - low) / (others + low), 1e-5);
    }
  }
}

// A sink far above all scores takes all the weight; one far below takes none; keys that are not there leave it alone.
TEST_P(AttentionScores, SinksAtTheirEdges) {
  const auto sink = [&](double x) { return Tensor(std::vector<float>(2, static_cast<float>(x)), {2}, device_); };
  for (const std::int64_t keys : {20, 300}) {
    if (keys > 20 && !every_variant(device_)) break;
    const Tensor q = make_tensor(plain(f32, {1, 2, 3, 32}, 3, -1, 1), device_);
    const Tensor k = make_tensor(plain(f32, {1, 2, keys, 32}, 4, -1, 1), device_);
    const auto none = numbers(scaled_dot_product_attention(q, k, k));
    for (const double x : numbers(scaled_dot_product_attention(q, k, k, {.sinks = sink(1e4)}))) EXPECT_EQ(x, 0);
    for (const double x : numbers(scaled_dot_product_attention(q, k, k, {.sinks = sink(1e38)}))) EXPECT_EQ(x, 0);
    for (const double low : {-1e4, -3e38, -std::numeric_limits<double>::infinity()}) {
      EXPECT_LE(compare(numbers(scaled_dot_product_attention(q, k, k, {.sinks = sink(low)})), none).most, 1e-6) << low;
    }
    const Tensor empty(std::vector<std::int32_t>{0}, {1}, device_);
    for (const double x : numbers(scaled_dot_product_attention(q, k, k, {.sinks = sink(0), .lengths = empty}))) {
      EXPECT_EQ(x, 0);
    }
    // A window of one key: its value times the weight that a sink leaves.
    const Tensor zero = zeros({1, 2, 3, 32}, f32, device_);
    const auto half =
        numbers(scaled_dot_product_attention(zero, k, k, {.causal = true, .sinks = sink(0), .window = 1}));
    const auto last = numbers(slice(k, {{}, {}, {keys - 3, keys}}));
    for (std::size_t i = 0; i < half.size(); ++i) EXPECT_NEAR(half[i], last[i] / 2, 1e-6);
    const Tensor one(std::vector<std::int32_t>{1}, {1}, device_);
    const auto first = numbers(slice(k, {{}, {}, {0, 1}}));
    const auto at_one =
        numbers(slice(scaled_dot_product_attention(zero, k, k, {.causal = true, .sinks = sink(0), .lengths = one}),
                      {{}, {}, {2, 3}}));
    for (std::size_t i = 0; i < at_one.size(); ++i) EXPECT_NEAR(at_one[i], first[i] / 2, 1e-6);
  }
}

// Devices with 8 bindings: a mask, lengths, sinks and a block table do not fit one kernel.
TEST_P(AttentionScores, FewBindings) {
  const Problem p{2, 4, 2, 20, 64, 32, true, 0, Mask::kRow};
  const Tensor table(std::vector<std::int32_t>{3, 1, 0, 2}, {2, 2}, device_);
  const Data x = data_of(p, f32, f32, device_);
  const Tensor pool_k = make_tensor(plain(f32, {4, 2, 32, 32}, 21, -2, 2), device_);
  const Tensor pool_v = make_tensor(plain(f32, {4, 2, 32, 32}, 22, -2, 2), device_);
  ops::AttentionSpec spec = spec_of(p, x);
  spec.lengths = Tensor(std::vector<std::int32_t>{64, 0}, {2}, device_).node();
  spec.block_table = table.node();
  spec.sinks = make_tensor(plain(f32, {4}, 23, -1, 1), device_).node();
  const auto run = [&] { return numbers(Tensor(ops::attention(x.q.node(), pool_k.node(), pool_v.node(), spec))); };
  const auto many = run();
  spec.workgroup_memory = 16384;  // and 8 bindings
  EXPECT_LE(compare(run(), many).most, 2e-6);
  const Tensor composed(ops::attention_composed(x.q.node(), pool_k.node(), pool_v.node(), spec));
  EXPECT_LE(compare(numbers(composed), many).most, 1e-5);
}

TEST_P(AttentionScores, Errors) {
  const Tensor x = zeros({2, 4, 8, 32}, f32, device_);
  const auto text = [&](const AttentionOptions& o) {
    return std::string(error_of([&] { scaled_dot_product_attention(x, x, x, o); }).what());
  };
  EXPECT_NE(text({.softcap = 0.0}).find("softcap is 0"), std::string::npos);
  EXPECT_NE(text({.softcap = -1.0}).find("softcap is -1"), std::string::npos);
  EXPECT_NE(text({.softcap = INFINITY}).find("softcap is inf"), std::string::npos);
  EXPECT_NE(text({.sinks = zeros({3}, f32, device_)}).find("[4] is expected"), std::string::npos);
  EXPECT_NE(text({.sinks = zeros({4}, i32, device_)}).find("type i32"), std::string::npos);
}

TESSERA_ON_ALL_DEVICES(AttentionScores);

TEST(AttentionScoresAutograd, FirstAndSecondDerivatives) {
  const Tensors x{random_f64({1, 4, 3, 4}, 1), random_f64({1, 2, 5, 4}, 2), random_f64({1, 2, 5, 4}, 3),
                  random_f64({4}, 4)};
  for (const bool capped : {false, true}) {
    const std::optional<double> softcap = capped ? std::optional(0.7) : std::nullopt;
    check_gradient(
        "sinks",
        [&](const Tensors& t) {
          return scaled_dot_product_attention(t[0], t[1], t[2], {.causal = true, .softcap = softcap, .sinks = t[3]});
        },
        x);
    // Sinks that are constants: the kernels of the backward pass, by the logarithms of sums with the sinks.
    check_gradient("constant sinks",
                   [&](const Tensors& t) {
                     return scaled_dot_product_attention(t[0], t[1], t[2],
                                                         {.causal = true, .softcap = softcap, .sinks = x[3]});
                   },
                   {x[0], x[1], x[2]});
  }
}

}  // namespace
}  // namespace tessera::test
