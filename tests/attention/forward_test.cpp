// Attention against its composition in f64, for sizes, masks and types; what it says to bad input.
#include <limits>

#include "schedule/device_model.h"
#include "support.h"
#include "support/errors.h"

namespace tessera::test {
namespace {

class Attention : public DeviceTest {
 protected:
  /// What the composition gives in f64 on the CPU.
  static std::vector<double> expected(const Problem& p, DType source, std::uint32_t seed) {
    const Data x = data_of(p, source, f64, open({"cpu", "cpu", "", 0}), seed);
    return numbers(Tensor(ops::attention_composed(x.q.node(), x.k.node(), x.v.node(), spec_of(p, x))));
  }

  void check(const Problem& p, DType dtype, std::uint32_t seed = 1) {
    const std::vector<double> want = expected(p, dtype == f64 ? f32 : dtype, seed);
    open(GetParam());
    const Data x = data_of(p, dtype == f64 ? f32 : dtype, dtype, device_, seed);
    const Tensor y(ops::attention(x.q.node(), x.k.node(), x.v.node(), spec_of(p, x)));
    EXPECT_EQ(y.dtype(), dtype);
    const std::vector<double> got = numbers(y);
    // Scores of numbers up to 2: their error is that of a sum of d products, and moves each weight by as much. Then a
    // mean of numbers up to 2 with lk weights, and the result's own rounding.
    const double u = unit_roundoff(dtype == f64 ? f64 : f32);
    const auto d = static_cast<double>(p.d);
    const double scores = u * (d + 8) * 4 * std::sqrt(d);
    double bound = 2 * (2 * scores + u * (static_cast<double>(p.lk) + 32)) + 2 * unit_roundoff(dtype);
    // Tensor cores take weights of f16: each is rounded once more.
    if (dtype == f16 && schedule::DeviceModel(device_.info()).matrix_size != 0) bound += 2 * unit_roundoff(f16);
    const Difference diff = compare(got, want);
    EXPECT_LE(diff.most, bound) << p.name() << " " << name(dtype);
  }
};

using Mask = Problem::Mask;

TEST_P(Attention, Sizes) {
  for (const std::int64_t d : {3, 32, 100}) check({1, 2, 2, 33, 70, d}, f32);
  if (every_variant(device_)) check({1, 2, 2, 33, 70, 255}, f32);
  for (const std::int64_t l : {1, 63, 64, 65, 130}) check({1, 1, 1, l, l, 32}, f32);
  check({2, 3, 3, 5, 1000, 32}, f32);
  check({1, 1, 1, 1, 4097, 32}, f32);
}

TEST_P(Attention, SharedHeads) {
  check({2, 8, 2, 17, 40, 32}, f32);
  check({2, 6, 1, 9, 70, 32, true}, f32);
}

TEST_P(Attention, Masks) {
  for (const auto& [lq, lk] : {std::pair{70, 70}, std::pair{20, 90}, std::pair{90, 20}, std::pair{1, 65}}) {
    check({1, 2, 2, lq, lk, 32, true}, f32);  // 90 queries, 20 keys: the first 70 see none
    check({1, 2, 1, lq, lk, 32, true, 7}, f32);
    check({1, 2, 2, lq, lk, 32, false, 12}, f32);
    check({2, 2, 2, lq, lk, 32, false, 0, Mask::kAdditive}, f32);
    check({2, 4, 2, lq, lk, 32, true, 0, Mask::kBool}, f32);
    check({2, 4, 2, lq, lk, 32, true, 30, Mask::kRow}, f32);
  }
}

TEST_P(Attention, Types) {
  for (const DType t : {f16, bf16, f32, f64}) {
    if (t == f64 && !device_.info().features.f64) continue;
    check({2, 4, 2, 33, 70, every_variant(device_) ? 64 : 32, true}, t);
    if (t == f16 || full()) check({1, 1, 1, 20, 40, 30, false, 0, Mask::kAdditive}, t);
  }
}

// On devices with tensor cores these are their kernels: tiles of 128 queries by 32 keys, or 64 by 16.
TEST_P(Attention, HalvesOfEverySize) {
  const std::int64_t largest = every_variant(device_) ? 128 : 64;
  for (std::int64_t d = 32; d <= largest; d += 32) check({1, 2, 1, 70, 45, d, d > 32}, f16);
  for (const std::int64_t l : {16, 17, 63, 64, 65, 129}) check({1, 1, 1, l, l, 64, l % 2 == 1}, f16);
  check({2, 6, 2, 33, 1, 64}, f16);
  check({1, 1, 1, 20, 1030, 32}, f16);
}

TEST_P(Attention, HalvesWithMasks) {
  for (const auto& [lq, lk] : {std::pair{70, 70}, std::pair{20, 90}, std::pair{90, 20}}) {
    check({1, 2, 2, lq, lk, 64, true}, f16);  // 90 queries, 20 keys: the first 70 see none
    check({1, 2, 1, lq, lk, 64, true, 7}, f16);
    check({1, 2, 2, lq, lk, 64, false, 12}, f16);
    check({2, 2, 2, lq, lk, 64, false, 0, Mask::kAdditive}, f16);
    check({2, 4, 2, lq, lk, 64, true, 30, Mask::kRow}, f16);
  }
}

TEST_P(Attention, HalvesWhoseScoresRise) {
  // Each tile of keys outweighs all before it, by more than weights of f16 can hold: results are scaled again and
  // again.
  constexpr std::int64_t kKeys = 200;
  std::vector<float> k(static_cast<std::size_t>(kKeys) * 64);
  std::vector<float> v(k.size());
  for (std::size_t i = 0; i < k.size(); ++i) {
    k[i] = static_cast<float>(i / 64) / 16;
    v[i] = static_cast<float>(i / 64 % 7) - 3;
  }
  const std::vector<float> q(20 * 64, 1.0F);
  for (const bool falling : {false, true}) {
    const auto run = [&](const Device& device, DType t) {
      const auto make = [&](const std::vector<float>& x, std::int64_t l) {
        return Tensor(x, {1, 1, l, 64}, device).astype(t);
      };
      return numbers(
          scaled_dot_product_attention(make(q, 20), make(k, kKeys), make(v, kKeys), {.scale = falling ? -1.0 : 1.0}));
    };
    const std::vector<double> want = run(open({"cpu", "cpu", "", 0}), f64);
    open(GetParam());
    EXPECT_LE(compare(run(device_, f16), want).most, 4 * 3 * unit_roundoff(f16)) << falling;
  }
}

TEST_P(Attention, HalvesThatAreNotNumbers) {
  std::vector<float> q(20 * 32, 0.5F);
  std::vector<float> k(40 * 32, 0.25F);
  q[3 * 32] = std::numeric_limits<float>::quiet_NaN();
  k[2 * 32] = std::numeric_limits<float>::infinity();  // the scores of rows that see key 2 are not finite
  const Tensor tq = Tensor(q, {1, 1, 20, 32}, device_).astype(f16);
  const Tensor tk = Tensor(k, {1, 1, 40, 32}, device_).astype(f16);
  const auto all = numbers(scaled_dot_product_attention(tq, tk, tk));
  EXPECT_TRUE(std::isnan(all[3 * 32 + 5]));
  const Tensor plain_keys = full({1, 1, 40, 32}, 0.25, f16, device_);
  const auto one = numbers(scaled_dot_product_attention(tq, plain_keys, plain_keys));
  EXPECT_TRUE(std::isnan(one[3 * 32 + 5]));
  for (const std::size_t row : {0U, 2U, 4U, 19U}) EXPECT_EQ(one[row * 32 + 5], 0.25) << row;
}

TEST_P(Attention, SmallWorkgroupMemory) {
  for (const std::int64_t d : {32, 64, 256}) {
    if (d > 32 && !every_variant(device_)) break;
    Problem p{1, 2, 1, 70, 130, d, true, 0, Mask::kRow};
    p.workgroup_memory = 16384;
    check(p, f32);
  }
}

TEST_P(Attention, FewQueriesOverManyKeys) {
  Problem p{2, 8, 2, 1, 700, 64};
  p.split = true;
  check(p, f32);
  p.lk = 257;
  check(p, f16);
  p = {1, 6, 1, 3, 600, 32, true, 0, Mask::kAdditive};  // 18 rows in workgroups of 8
  p.split = true;
  check(p, f32);
  p.window = 100;  // whole splits are masked
  p.mask = Mask::kBool;
  check(p, f32);
  p = {1, 2, 2, 8, 300, 256, true};
  p.split = true;
  if (every_variant(device_)) check(p, f32);
}

// A cache with room for lk keys, of which each sequence has some: none, one, half a tile, all, and more than there are.
TEST_P(Attention, LengthsOfSequences) {
  const std::vector<std::int32_t> lengths{0, 1, 37, 64, 90, 1000};
  const bool all = every_variant(device_);
  for (const DType t : {f32, f16}) {
    for (const bool causal : {false, true}) {
      Problem p{6, 4, 2, 33, 90, 32, causal};
      p.lengths = lengths;
      if (all || t == f32) check(p, t);
      p.window = 20;
      if (all || t == f32) check(p, t);
      p.mask = Mask::kRow;
      if (all || t == f16) check(p, t);
      p = {6, 4, 2, 2, 700, 32, causal};
      p.lengths = {0, 1, 256, 257, 600, 700};  // whole splits are past the end
      p.split = true;
      if (all || t == f16) check(p, t);
      p.mask = Mask::kAdditive;
      p.window = causal ? 300 : 0;
      if (all || t == f32) check(p, t);
    }
  }
}

TEST_P(Attention, WhatIsPastTheLengthIsNotRead) {
  const Tensor lengths(std::vector<std::int32_t>{5, 3}, {2}, device_);
  for (const std::int64_t d : {32, 260}) {  // 260: the composition
    if (d > 32 && !every_variant(device_)) break;
    const auto size = static_cast<std::size_t>(300 * d);
    std::vector<float> k(2 * size, std::numeric_limits<float>::quiet_NaN());
    for (const std::size_t b : {std::size_t{0}, size}) {
      std::fill_n(k.begin() + static_cast<std::ptrdiff_t>(b), 5 * d, 0.5F);
    }
    const Tensor keys(k, {2, 1, 300, d}, device_);
    const auto attend = [&](const Tensor& q, const Tensor& kv) {
      return scaled_dot_product_attention(q, kv, kv, {.lengths = lengths});
    };
    const auto gradients = grad([&](const Tensor& q, const Tensor& kv) { return sum(square(attend(q, kv))); });
    for (const std::int64_t lq : {1, 20}) {
      const Tensor q = full({2, 1, lq, d}, 0.25, f32, device_);
      for (const double v : numbers(attend(q, keys))) ASSERT_EQ(v, 0.5) << d;
      // One number for all sequences.
      for (const double v : numbers(scaled_dot_product_attention(q, keys, keys, {.lengths = 5})))
        ASSERT_EQ(v, 0.5) << d;
      const auto [of_q, of_keys] = gradients(q, keys);
      EXPECT_TRUE(all(isfinite(of_q)).item<bool>()) << d;
      EXPECT_TRUE(all(isfinite(of_keys)).item<bool>()) << d;
      if (!every_variant(device_)) continue;
      const Tensor again = grad([&](const Tensor& x) { return sum(square(std::get<0>(gradients(x, keys)))); })(q);
      EXPECT_TRUE(all(isfinite(again)).item<bool>()) << d;
    }
  }
}

TEST_P(Attention, OneTraceServesAGrowingLength) {
  const Compiled step = compile([](const Tensors& in) {
    return Tensors{scaled_dot_product_attention(in[0], in[1], in[1], {.causal = true, .lengths = in[2]})};
  });
  const Tensor cache = make_tensor(plain(f32, {1, 2, 600, 32}, 3, -1, 1), device_);
  const Tensor q = make_tensor(plain(f32, {1, 4, 1, 32}, 4, -1, 1), device_);
  for (const std::int32_t n : {1, 2, 255, 256, 257, 599, 600}) {
    const Tensor length(std::vector<std::int32_t>{n}, {1}, device_);
    const Tensor front = slice(cache, {{}, {}, {0, n}});
    const auto want = numbers(scaled_dot_product_attention(q, front, front));
    EXPECT_LE(compare(numbers(step({q, cache, length})[0]), want).most, 1e-5) << n;
  }
  EXPECT_EQ(step.traces(), 1U);
}

TEST_P(Attention, ViewsAndRankThree) {
  // Heads out of columns, as models do; rank 3 is one batch.
  const Tensor x = make_tensor(plain(f32, {20, 4, 32}, 3, -2, 2), device_);
  const Tensor y = permute(x, {1, 0, 2});
  const auto three = numbers(scaled_dot_product_attention(y, y, y, {.causal = true}));
  const Tensor z = expand_dims(contiguous(y), 0);
  const auto four = numbers(scaled_dot_product_attention(z, z, z, {.causal = true}));
  EXPECT_EQ(three, four);
  EXPECT_EQ(scaled_dot_product_attention(y, y, y).shape(), (Shape{4, 20, 32}));
}

TEST_P(Attention, MaskedRowsAreZero) {
  const Tensor q = make_tensor(plain(f32, {1, 1, 3, 32}, 3), device_);
  const Tensor mask(std::vector<bool>{true, true, true, false, false, false, false, true, false}, {3, 3}, device_);
  const auto got = numbers(scaled_dot_product_attention(q, q, q, {.mask = mask}));
  const auto v = numbers(q);
  for (std::size_t i = 0; i < 32; ++i) {
    EXPECT_EQ(got[32 + i], 0);
    EXPECT_FLOAT_EQ(static_cast<float>(got[64 + i]), static_cast<float>(v[32 + i]));  // one key: its value
  }
}

TEST_P(Attention, ExtremeScores) {
  // Scores of +-20000: the largest wins, and nothing overflows; a finite mask of the lowest float is no minus infinity.
  std::vector<float> q(32, 100.0F);
  std::vector<float> k(64, 6.25F);
  for (std::size_t i = 32; i < 64; ++i) k[i] = -6.25F;
  std::vector<float> v(64, 1.0F);
  for (std::size_t i = 32; i < 64; ++i) v[i] = 3.0F;
  const Tensor tq(q, {1, 1, 1, 32}, device_);
  const Tensor tk(k, {1, 1, 2, 32}, device_);
  const Tensor tv(v, {1, 1, 2, 32}, device_);
  EXPECT_EQ(numbers(scaled_dot_product_attention(tq, tk, tv, {.scale = 1.0}))[5], 1);
  EXPECT_EQ(numbers(scaled_dot_product_attention(tq, tk, tv, {.scale = -1.0}))[5], 3);
  const Tensor low(std::vector<float>(2, std::numeric_limits<float>::lowest()), {1, 2}, device_);
  EXPECT_EQ(numbers(scaled_dot_product_attention(tq, tk, tv, {.mask = low, .scale = 0.0}))[5], 2);
}

TEST_P(Attention, NanStays) {
  std::vector<float> k(96, 1.0F);
  k[40] = std::numeric_limits<float>::quiet_NaN();
  const Tensor q = make_tensor(plain(f32, {1, 1, 2, 32}, 3), device_);
  const Tensor v = make_tensor(plain(f32, {1, 1, 3, 32}, 4), device_);
  const Tensor tk(k, {1, 1, 3, 32}, device_);
  for (const double x : numbers(scaled_dot_product_attention(q, tk, v))) EXPECT_TRUE(std::isnan(x));
  // Only the last of two queries sees the key with the NaN, where there are two keys.
  const Tensor two = slice(tk, {{}, {}, {0, 2}});
  const auto causal = numbers(scaled_dot_product_attention(q, two, slice(v, {{}, {}, {0, 2}}), {.causal = true}));
  EXPECT_FALSE(std::isnan(causal[0]));
  EXPECT_TRUE(std::isnan(causal[32]));
}

TEST_P(Attention, NothingToSee) {
  const Tensor none = zeros({2, 2, 0, 32}, f32, device_);
  const Tensor some = make_tensor(plain(f32, {2, 2, 5, 32}, 3), device_);
  EXPECT_EQ(scaled_dot_product_attention(none, some, some).numel(), 0);
  for (const double x : numbers(scaled_dot_product_attention(some, none, none))) EXPECT_EQ(x, 0);
}

TEST_P(Attention, LargeHeadsTakeTheComposition) { check({1, 2, 1, 9, 11, 300, true}, f32); }

TEST_P(Attention, BadInput) {
  const auto t = [&](const Shape& s) { return zeros(s, f32, device_); };
  const auto text = [&](const Tensor& q, const Tensor& k, const Tensor& v, const AttentionOptions& o = {}) {
    return std::string(error_of([&] { scaled_dot_product_attention(q, k, v, o); }).what());
  };
  const Tensor x = t({2, 4, 8, 32});
  EXPECT_NE(text(t({8, 32}), x, x).find("q is [8, 32]"), std::string::npos);
  EXPECT_NE(text(x, x, t({2, 4, 8, 16})).find("v is [2, 4, 8, 16]"), std::string::npos);
  EXPECT_NE(text(x, t({2, 4, 8, 16}), t({2, 4, 8, 16})).find("k is [2, 4, 8, 16]"), std::string::npos);
  EXPECT_NE(text(x, t({1, 4, 8, 32}), t({1, 4, 8, 32})).find("batches 2 and 1"), std::string::npos);
  EXPECT_NE(text(x, t({2, 3, 8, 32}), t({2, 3, 8, 32})).find("4 heads of q cannot share 3"), std::string::npos);
  EXPECT_NE(text(x, x, x, {.mask = t({8, 9})}).find("[8, 9] does not broadcast"), std::string::npos);
  EXPECT_NE(text(x, x, x, {.mask = zeros({8, 8}, i32, device_)}).find("type i32"), std::string::npos);
  EXPECT_NE(text(x, x, x, {.window = -1}).find("window is -1"), std::string::npos);
  EXPECT_NE(text(x, x, x, {.scale = NAN}).find("scale is nan"), std::string::npos);
  EXPECT_NE(text({}, x, x).find("empty Tensor"), std::string::npos);
}

TESSERA_ON_ALL_DEVICES(Attention);

}  // namespace
}  // namespace tessera::test
