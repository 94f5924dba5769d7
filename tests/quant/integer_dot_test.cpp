// Matmuls of few rows by integer dot products, for each instruction set that the machine has, against sums in f64 of
// the dequantized weights.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "ops/quant/quant.h"
#include "ops/quant/quant_dot.h"
#include "quant/support.h"
#include "support/check.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Target {
  std::int64_t bits;
  bool vnni;
};

class IntegerDot : public testing::TestWithParam<Target> {
 protected:
  void SetUp() override { hwy::SetSupportedTargetsForTest(GetParam().bits); }
  void TearDown() override { hwy::SetSupportedTargetsForTest(0); }

  /// x [m, k] of T times the transpose of blocks [n, k].
  template <class T>
  [[nodiscard]] static std::vector<float> product(DType dtype, const Bytes& blocks, std::size_t n, std::size_t k,
                                                  const std::vector<T>& x) {
    const ops::Planes planes = ops::repack(dtype, blocks);
    std::vector<Bytes> copies;  // of their own sizes: reads past an end are seen
    for (const ops::Words& words : planes) {
      const std::span<const std::byte> bytes = std::as_bytes(std::span(words));
      copies.emplace_back(bytes.begin(), bytes.end());
    }
    const std::vector<std::span<const std::byte>> spans(copies.begin(), copies.end());
    std::vector<float> out(x.size() / k * n, kNan);
    const bool done = ops::integer_matmul({.dtype = dtype,
                                           .planes = spans,
                                           .n = n,
                                           .k = k,
                                           .m = x.size() / k,
                                           .x_dtype = dtype_of<T>(),
                                           .x = reinterpret_cast<const std::byte*>(x.data()),
                                           .x_stride = static_cast<std::ptrdiff_t>(k * sizeof(T)),
                                           .out = out.data(),
                                           .vnni = GetParam().vnni});
    EXPECT_TRUE(done);
    return out;
  }

  template <class T>
  static void check(DType dtype, std::size_t n, std::size_t k, const std::vector<T>& x, const std::string& what) {
    const Bytes blocks = random_blocks(dtype, static_cast<std::int64_t>(n * k), static_cast<std::uint32_t>(n + k));
    const std::vector<float> w = dequantize_blocks(dtype, blocks);
    const std::vector<float> got = product(dtype, blocks, n, k, x);
    const std::vector<float> values(x.begin(), x.end());
    for (std::size_t i = 0; i < got.size(); ++i) {
      const float* row = values.data() + i / n * k;
      const float* weights = w.data() + i % n * k;
      double sum = 0;
      double size = 0;
      double most = 0;
      for (std::size_t c = 0; c < k; ++c) {
        sum += static_cast<double>(row[c]) * weights[c];
        size += std::abs(static_cast<double>(row[c]));
        most = std::max(most, std::abs(static_cast<double>(weights[c])));
      }
      // As of the kernels in floats: scale and minimum are summed apart.
      const double rounding = unit_roundoff(f32) * (static_cast<double>(k) / 16 + 48) * 3 * most * size;
      ASSERT_NEAR(got[i], sum, rounding_of_row(row, weights, k) + rounding)
          << fmt::format("{} [{}, {}] {} at {}", name(dtype), n, k, what, i);
    }
  }

  template <class T>
  static std::vector<T> numbers(std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<T> x;
    for (std::size_t i = 0; i < count; ++i)
      x.push_back(static_cast<T>(static_cast<float>(static_cast<double>(random()) / 2147483648.0 - 1)));
    return x;
  }

 private:
  template <class T>
  static constexpr DType dtype_of() {
    return std::is_same_v<T, Half> ? f16 : std::is_same_v<T, BFloat16> ? bf16 : f32;
  }
};

std::vector<Target> targets() {
  std::vector<Target> result;
  std::vector<std::int64_t> all{HWY_AVX3, HWY_AVX2, HWY_SSE4};
  if (std::ranges::find(all, HWY_STATIC_TARGET) == all.end()) all.push_back(HWY_STATIC_TARGET);
  for (const std::int64_t t : all) {
    if ((hwy::SupportedTargets() & t) == 0 || t == HWY_SCALAR) continue;  // which has no integer dot products
    result.push_back({t, true});
    if (t == HWY_AVX3) result.push_back({t, false});
  }
  return result;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(IntegerDot);
INSTANTIATE_TEST_SUITE_P(Simd, IntegerDot, testing::ValuesIn(targets()), [](const auto& p) {
  return fmt::format("{}{}", hwy::TargetName(p.param.bits), p.param.vnni ? "" : "_without_vnni");
});

TEST_P(IntegerDot, EveryDtype) {
  for (const DTypeInfo& t : kBlockDTypeInfo) {
    const auto block = static_cast<std::size_t>(t.elements);
    for (const std::size_t blocks : {1, 2, 3, 5, 17}) {
      const std::size_t k = blocks * block;
      for (const std::size_t m : {1, 2, 3, 8}) {
        check(t.dtype, 7, k, numbers<float>(m * k, 3), fmt::format("{} rows", m));
      }
    }
    check(t.dtype, 1, block, numbers<float>(block, 4), "one block");
    check(t.dtype, 301, 512, numbers<float>(7 * 512, 5), "several threads");
    check(t.dtype, 5, 512, numbers<Half>(3 * 512, 6), "f16");
    check(t.dtype, 5, 512, numbers<BFloat16>(3 * 512, 7), "bf16");
  }
}

TEST_P(IntegerDot, ZerosAndSizes) {
  for (const DTypeInfo& t : kBlockDTypeInfo) {
    const std::size_t k = 512;
    const Bytes blocks = random_blocks(t.dtype, 3 * 512, 8);
    for (const float y : product(t.dtype, blocks, 3, k, std::vector<float>(k))) EXPECT_EQ(y, 0) << t.name;
    std::vector<float> x(k);  // zeros but for one element: what it multiplies is exact
    x[300] = 3;
    const std::vector<float> w = dequantize_blocks(t.dtype, blocks);
    const std::vector<float> got = product(t.dtype, blocks, 3, k, x);
    for (std::size_t n = 0; n < 3; ++n) EXPECT_NEAR(got[n], 3 * w[n * k + 300], 1e-5 * (1 + std::abs(w[n * k + 300])));
    std::vector<float> huge = numbers<float>(k, 9);
    huge[77] = 1e30F;
    check(t.dtype, 3, k, huge, "an outlier");
    std::vector<float> small = numbers<float>(k, 10);
    for (float& v : small) v *= 1e-36F;
    check(t.dtype, 3, k, small, "small elements");
    for (float& v : small) v *= 1e-6F;  // below the least normal number, where a step is 2^-149
    for (const float y : product(t.dtype, blocks, 3, k, small)) EXPECT_LT(std::abs(y), 1e-35F);
  }
}

// Elements that are not finite reach the rows of x that have them, and no others.
TEST_P(IntegerDot, InfinitiesAndNaN) {
  for (const DTypeInfo& t : kBlockDTypeInfo) {
    const std::size_t k = 512;
    const Bytes blocks = random_blocks(t.dtype, 5 * 512, 11);
    for (const float bad : {kInf, -kInf, kNan}) {
      std::vector<float> x = numbers<float>(3 * k, 12);
      const std::vector<float> clean = product(t.dtype, blocks, 5, k, x);
      x[k + 41] = bad;
      const std::vector<float> got = product(t.dtype, blocks, 5, k, x);
      for (std::size_t i = 0; i < got.size(); ++i) {
        if (i / 5 == 1) {
          EXPECT_FALSE(std::isfinite(got[i])) << t.name;
        } else {
          EXPECT_EQ(got[i], clean[i]) << t.name;
        }
      }
    }
  }
  // Scales of the weights that are not finite.
  Bytes blocks = random_blocks(q8_0, 2 * 64, 13);
  blocks[0] = std::byte{0};
  blocks[1] = std::byte{0x7c};
  EXPECT_FALSE(std::isfinite(product(q8_0, blocks, 2, 64, numbers<float>(64, 14))[0]));
  EXPECT_TRUE(std::isfinite(product(q8_0, blocks, 2, 64, numbers<float>(64, 14))[1]));
}

TEST_P(IntegerDot, DequantizeEqualsTheDecoder) {
  for (const DTypeInfo& t : kBlockDTypeInfo) {
    for (const std::size_t k : {static_cast<std::size_t>(t.elements), static_cast<std::size_t>(3 * t.elements)}) {
      const std::size_t n = k == 96 ? 301 : 7;
      const Bytes blocks = random_blocks(t.dtype, static_cast<std::int64_t>(n * k), 16);
      const ops::Planes planes = ops::repack(t.dtype, blocks);
      std::vector<std::span<const std::byte>> spans;
      for (const ops::Words& words : planes) spans.push_back(std::as_bytes(std::span(words)));
      std::vector<float> out(n * k, kNan);
      ASSERT_TRUE(ops::dequantize_rows(t.dtype, spans, n, k, out.data()));
      EXPECT_EQ(out, dequantize_blocks(t.dtype, blocks)) << t.name << " " << k;
    }
  }
}

// All codes at their ends, times elements of one sign: no sum of products saturates.
TEST_P(IntegerDot, LargestCodes) {
  for (const DTypeInfo& t : kBlockDTypeInfo) {
    for (const int byte : {0x00, 0x7f, 0x80, 0xff}) {
      const std::size_t k = 256;
      Bytes blocks(static_cast<std::size_t>(byte_size(t.dtype, static_cast<std::int64_t>(k))),
                   static_cast<std::byte>(byte));
      const Bytes random = random_blocks(t.dtype, static_cast<std::int64_t>(k), 15);
      const std::size_t size = size_of(t.dtype);
      for (std::size_t b = 0; b < blocks.size(); b += size) {
        for (std::size_t i = 0; i < (t.dtype == mxfp4 ? 1U : 4U); ++i) {
          const std::size_t at = b + scale_at(t.dtype) + i;
          if (i < 2 || has_minimum(t.dtype)) blocks[at] = random[at];
        }
      }
      const std::vector<float> w = dequantize_blocks(t.dtype, blocks);
      for (const float sign : {1.0F, -1.0F}) {
        const std::vector<float> x(k, sign);
        double sum = 0;
        double size_of_sum = 0;
        for (const float v : w) sum += static_cast<double>(sign) * v, size_of_sum += std::abs(static_cast<double>(v));
        // All elements of x are the largest of their blocks: 127 steps, exactly.
        ASSERT_NEAR(product(t.dtype, blocks, 1, k, x)[0], sum, 2e-5 * size_of_sum + 1e-6) << t.name << " " << byte;
      }
    }
  }
}

}  // namespace
}  // namespace tessera::test
