// Tensors of block dtypes: known values, the kernels against the host's dequantizer, matmuls and gradients.
#include "ops/quant/quant.h"

#include <cstring>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "quant/support.h"
#include "support/check.h"
#include "support/devices.h"
#include "support/errors.h"
#include "tessera/explain.h"

namespace tessera::test {
namespace {

const std::vector<DType>& formats() {
  static const std::vector<DType> all = [] {
    std::vector<DType> list;
    for (const DTypeInfo& t : kBlockDTypeInfo) list.push_back(t.dtype);
    return list;
  }();
  return all;
}

void put(Bytes& b, std::size_t at, std::initializer_list<int> values) {
  for (const int v : values) b[at++] = static_cast<std::byte>(v);
}

// f16: 0x3800 is 0.5, 0x3c00 is 1, 0x4000 is 2, 0xc000 is -2.
TEST(QuantBlocks, KnownValues) {
  {
    Bytes b(18);  // d = 0.5; 4 bits, less 8
    put(b, 0, {0x00, 0x38, 0x21, 0xf0});
    const auto x = dequantize_blocks(q4_0, b);
    ASSERT_EQ(x.size(), 32U);
    EXPECT_EQ(x[0], -3.5F);   // (1 - 8) / 2
    EXPECT_EQ(x[16], -3.0F);  // (2 - 8) / 2
    EXPECT_EQ(x[1], -4.0F);   // (0 - 8) / 2
    EXPECT_EQ(x[17], 3.5F);   // (15 - 8) / 2
  }
  {
    Bytes b(20);  // d = 0.5, m = -2
    put(b, 0, {0x00, 0x38, 0x00, 0xc0, 0x21, 0xf0});
    const auto x = dequantize_blocks(q4_1, b);
    EXPECT_EQ(x[0], -1.5F);  // 1 / 2 - 2
    EXPECT_EQ(x[16], -1.0F);
    EXPECT_EQ(x[17], 5.5F);
  }
  {
    Bytes b(22);  // d = 2; the fifth bits of elements 0 and 17
    put(b, 0, {0x00, 0x40, 0x01, 0x00, 0x02, 0x00, 0x21, 0xf0});
    const auto x = dequantize_blocks(q5_0, b);
    EXPECT_EQ(x[0], 2.0F);     // (1 + 16 - 16) * 2
    EXPECT_EQ(x[16], -28.0F);  // (2 - 16) * 2
    EXPECT_EQ(x[17], 30.0F);   // (15 + 16 - 16) * 2
    EXPECT_EQ(x[1], -32.0F);
  }
  {
    Bytes b(34);
    put(b, 0, {0x00, 0x38, 0x7f, 0x80, 0x03});
    const auto x = dequantize_blocks(q8_0, b);
    EXPECT_EQ(x[0], 63.5F);
    EXPECT_EQ(x[1], -64.0F);
    EXPECT_EQ(x[2], 1.5F);
    EXPECT_EQ(x[31], 0.0F);
  }
  // Scales of Q4_K and Q5_K: byte 0 holds scale 0 and the upper bits of scale 4, byte 4 minimum 0 and those of
  // minimum 4, byte 8 the lower bits of both.
  const std::initializer_list<int> scales{0x40 | 3, 0, 0, 0, 0x80 | 5, 0, 0, 0, 0x27, 0, 0, 0};
  {
    Bytes b(144);  // d = 0.5, dmin = 2
    put(b, 0, {0x00, 0x38, 0x00, 0x40});
    put(b, 4, scales);
    put(b, 16, {0x0b});           // element 0
    put(b, 16 + 64 + 1, {0x94});  // elements 129 and 161
    const auto x = dequantize_blocks(q4_k, b);
    ASSERT_EQ(x.size(), 256U);
    EXPECT_EQ(x[0], 0.5F * 3 * 11 - 2.0F * 5);
    EXPECT_EQ(x[1], -10.0F);
    EXPECT_EQ(x[129], 0.5F * (7 + 16) * 4 - 2.0F * (2 + 32));  // group 4
    EXPECT_EQ(x[161], 0.0F);                                   // group 5: scale 0, minimum 0
  }
  {
    Bytes b(176);
    put(b, 0, {0x00, 0x38, 0x00, 0x40});
    put(b, 4, scales);
    put(b, 16, {0x11});  // fifth bits of elements 0 (bit 0) and 128 (bit 4)
    put(b, 48, {0x0b});
    put(b, 48 + 64, {0x04});
    const auto x = dequantize_blocks(q5_k, b);
    EXPECT_EQ(x[0], 0.5F * 3 * 27 - 10.0F);
    EXPECT_EQ(x[1], -10.0F);
    EXPECT_EQ(x[128], 0.5F * 23 * 20 - 68.0F);
  }
  {
    Bytes b(210);
    put(b, 0, {0x21});             // lower bits of elements 0 and 64
    put(b, 64 + 33, {0xf0});       // of elements 161 and 225
    put(b, 128, {0x31});           // upper bits of 0: 1, of 32: 0, of 64: 3
    put(b, 128 + 32 + 1, {0xc0});  // of 225: 3
    put(b, 192, {2, 0, 0, 0, 0xff});
    put(b, 192 + 14, {3});
    put(b, 208, {0x00, 0x38});
    const auto x = dequantize_blocks(q6_k, b);
    EXPECT_EQ(x[0], 0.5F * 2 * (1 + 16 - 32));
    EXPECT_EQ(x[64], 0.5F * -1 * (2 + 48 - 32));
    EXPECT_EQ(x[225], 0.5F * 3 * (15 + 48 - 32));
    EXPECT_EQ(x[32], 0.0F);
  }
}

TEST(QuantBlocks, QuantizeToNearest) {
  std::vector<float> x(32);
  for (int i = 0; i < 32; ++i) x[static_cast<std::size_t>(i)] = static_cast<float>(i - 16) / 8;
  // The largest is -2: the scale of Q4_0 is 0.25, and eighths go to the nearest quarter, but 15/8 only to 7/4.
  const auto four = dequantize_blocks(q4_0, quantize_blocks(q4_0, x));
  const auto eight = dequantize_blocks(q8_0, quantize_blocks(q8_0, x));
  EXPECT_EQ(four[0], -2.0F);
  EXPECT_EQ(four[2], -1.75F);
  EXPECT_EQ(four[31], 1.75F);
  for (std::size_t i = 0; i < 32; ++i) {
    EXPECT_LE(std::abs(four[i] - x[i]), 0.125F);
    EXPECT_LE(std::abs(eight[i] - x[i]), 2.0F / 127 * 0.51F + 127 * 2.0F / 127 * 0x1p-11F);  // with d's rounding
  }
  const std::vector<float> zero(32);
  EXPECT_EQ(dequantize_blocks(q4_0, quantize_blocks(q4_0, zero)), zero);
}

class Quant : public DeviceTest {};

TEST_P(Quant, DequantizeEqualsTheDecoder) {
  for (const DType f : formats()) {
    for (const Shape& s : {Shape{1, 256}, Shape{3, 512}, Shape{65, 256}}) {
      const Bytes b = random_blocks(f, s.numel(), 5);
      const auto q = from_blocks(f, b, s, device_);
      EXPECT_EQ(dequantize(q).to_vector<float>(), dequantize_blocks(f, b)) << name(f) << s.str();
    }
    if (info(f).elements == 32) {  // an odd number of blocks
      const Bytes b = random_blocks(f, 3 * 32, 6);
      const auto q = from_blocks(f, b, {3, 32}, device_);
      EXPECT_EQ(dequantize(q).to_vector<float>(), dequantize_blocks(f, b)) << name(f);
    }
  }
}

TEST_P(Quant, DequantizeToHalves) {
  const Bytes b = random_blocks(q8_0, 64 * 4, 7);
  const auto q = from_blocks(q8_0, b, {4, 64}, device_);
  const auto want = dequantize_blocks(q8_0, b);
  const Tensor half = dequantize(q, f16);
  ASSERT_EQ(half.dtype(), f16);
  const auto got = half.to_vector<Half>();
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_EQ(got[i], Half(want[i]));
}

/// x times the transpose of the dequantized matrix in f64, with a bound of the error; `blocks`: of a matmul with
/// blocks, whose few rows the CPU rounds to 8 bits.
void check_product(const Tensor& got, const std::vector<double>& x, const std::vector<float>& w, std::int64_t k,
                   const std::string& what, bool blocks = false) {
  const auto values = read_values({got})[0].f;
  const auto depth = static_cast<std::size_t>(k);
  const std::size_t m = x.size() / depth;
  const std::size_t n = w.size() / depth;
  ASSERT_EQ(values.size(), m * n) << what;
  const bool rounded = blocks && m <= 8 && got.device().info().type == DeviceType::kCpu;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      double size = 0;
      double most = 0;
      for (std::size_t c = 0; c < depth; ++c) {
        sum += x[i * depth + c] * static_cast<double>(w[j * depth + c]);
        size += std::abs(x[i * depth + c]);
        most = std::max(most, std::abs(static_cast<double>(w[j * depth + c])));
      }
      // Scale and minimum are summed apart: terms of up to three times the largest weight, in sums of k / 16 terms.
      const double bound = unit_roundoff(f32) * (static_cast<double>(k) / 16 + 48) * 3 * most * size +
                           unit_roundoff(got.dtype()) * std::abs(sum) +
                           (rounded ? rounding_of_row(x.data() + i * depth, w.data() + j * depth, depth) : 0);
      ASSERT_NEAR(values[i * n + j], sum, bound) << what << " at " << i << ", " << j;
    }
  }
}

TEST_P(Quant, Products) {
  for (const DType f : formats()) {
    const std::int64_t k = 512;
    const Bytes b = random_blocks(f, 37 * k, 8);
    const auto w = dequantize_blocks(f, b);
    const auto q = from_blocks(f, b, {37, k}, device_);
    for (const std::int64_t m : {1, 2, 3, 5, 8, 9}) {
      if (f != q4_k && f != q8_0 && m != 1 && m != 8) continue;
      const auto x = plain(f32, {m, k}, 9);
      check_product(matmul(make_tensor(x, device_), q.T()), x.f, w, k, fmt::format("{} {} rows", name(f), m), true);
    }
  }
  // More units than invocations, and fewer; one row of outputs.
  for (const auto& [n, k] : {std::pair{1, 32}, std::pair{5, 4128}, std::pair{130, 96}}) {
    const Bytes b = random_blocks(q4_0, n * k, 10);
    const auto q = from_blocks(q4_0, b, {n, k}, device_);
    const auto x = plain(f32, {1, k}, 11);
    check_product(matmul(make_tensor(x, device_), q.T()), x.f, dequantize_blocks(q4_0, b), k,
                  fmt::format("{}x{}", n, k), true);
  }
}

// Few rows are read without a copy or a cast: columns of a wider tensor, every other row, in halves.
TEST_P(Quant, ProductsOfViews) {
  const std::int64_t k = 256;
  const Bytes b = random_blocks(q8_0, 37 * k, 8);
  const auto q = from_blocks(q8_0, b, {37, k}, device_);
  for (const DType t : {f32, f16, bf16}) {
    const Tensor wide = make_tensor(plain(t, {6, 3 * k}, 9), device_).eval();
    const Tensor part = slice(wide, {{0, 6, 2}, {k, 2 * k}});
    const Tensor copy = contiguous(part).eval();
    EXPECT_EQ(read_values({matmul(part, q.T())})[0].f, read_values({matmul(copy, q.T())})[0].f) << name(t);
    EXPECT_EQ(explain(matmul(part, q.T())).kernels.size(), explain(matmul(copy, q.T())).kernels.size()) << name(t);
    // Not in whole quads: copied.
    const Tensor odd = slice(wide, {{0, 6, 2}, {k + 1, 2 * k + 1}});
    EXPECT_EQ(read_values({matmul(odd, q.T())})[0].f, read_values({matmul(contiguous(odd).eval(), q.T())})[0].f)
        << name(t);
  }
}

TEST_P(Quant, ProductsOfManyRowsDecodeWeightsWhereTheyAreRead) {
  for (const DType f : formats()) {
    const std::int64_t k = 512;
    const Bytes b = random_blocks(f, 37 * k, 20);
    const auto w = dequantize_blocks(f, b);
    const auto q = from_blocks(f, b, {37, k}, device_);
    const auto x = plain(f32, {19, k}, 21);
    const Tensor y = matmul(make_tensor(x, device_), q.T());
    EXPECT_EQ(explain(y).kernels.size(), on_cpu() ? 2U : 1U) << name(f);
    check_product(y, x.f, w, k, fmt::format("{} 19 rows", name(f)));
    // Rows and columns of the weights from the middle on, which are not whole quads.
    const Tensor part = slice(dequantize(q), {{3, 30}, {5, 500}});
    std::vector<double> left;
    std::vector<float> right;
    for (std::size_t i = 0; i < 19; ++i) {
      for (std::size_t c = 5; c < 500; ++c) left.push_back(x.f[i * 512 + c]);
    }
    for (std::size_t i = 3; i < 30; ++i) {
      for (std::size_t c = 5; c < 500; ++c) right.push_back(w[i * 512 + c]);
    }
    const Tensor z = matmul(slice(make_tensor(x, device_), {{0, 19}, {5, 500}}), part.T());
    check_product(z, left, right, 495, fmt::format("{} a part", name(f)));
  }
}

TEST_P(Quant, ProductsOfOneInputShareAKernel) {
  const auto x = plain(f32, {37, 256}, 25);
  const Tensor input = make_tensor(x, device_);
  // q, k and v: widths that differ, of one format or of two.
  for (const auto& dtypes : {std::vector{q4_0, q4_0, q4_0}, {q8_0, q8_0}, {q6_k, q6_k}, {q4_k, q6_k, q4_k}}) {
    std::vector<Tensor> products;
    std::vector<std::vector<float>> weights;
    for (std::size_t i = 0; i < dtypes.size(); ++i) {
      const auto n = static_cast<std::int64_t>(i == 0 ? 72 : 36);
      const Bytes b = random_blocks(dtypes[i], n * 256, static_cast<unsigned>(30 + i));
      weights.push_back(dequantize_blocks(dtypes[i], b));
      products.push_back(matmul(input, from_blocks(dtypes[i], b, {n, 256}, device_).T()));
    }
    if (device_.info().grouped_gemm) {
      const bool one = dtypes[0] == dtypes[1];
      EXPECT_EQ(explain(products).kernels.size(), one ? 1U : 2U) << name(dtypes[0]);
    }
    eval(products);
    for (std::size_t i = 0; i < dtypes.size(); ++i) {
      check_product(products[i], x.f, weights[i], 256, fmt::format("{} {}", name(dtypes[i]), i));
    }
  }
  // Another part of the same weights, and weights that are not quantized beside them.
  const Bytes b = random_blocks(q8_0, 72 * 256, 33);
  const auto w = dequantize_blocks(q8_0, b);
  const Tensor q = dequantize(from_blocks(q8_0, b, {72, 256}, device_));
  const auto plain_w = plain(f32, {256, 36}, 34);
  const std::vector<Tensor> parts{matmul(input, slice(q, {{0, 36}}).T()), matmul(input, slice(q, {{36, {}}}).T()),
                                  matmul(input, make_tensor(plain_w, device_))};
  eval(parts);
  check_product(parts[0], x.f, {w.begin(), w.begin() + 36 * 256}, 256, "the first rows");
  check_product(parts[1], x.f, {w.begin() + 36 * 256, w.end()}, 256, "the others");
}

TEST_P(Quant, EmbeddingsDecodeTheirRowsAlone) {
  const std::vector<std::int32_t> ids{7, 0, 36, 7, 12, 35};
  const Tensor at(ids, {2, 3}, device_);
  for (const DType f : formats()) {
    for (const std::int64_t k : {256, 512}) {
      const Bytes b = random_blocks(f, 37 * k, 22);
      const auto w = dequantize_blocks(f, b);
      const auto q = from_blocks(f, b, {37, k}, device_);
      std::vector<float> want;
      for (const std::int32_t id : ids) want.insert(want.end(), w.begin() + id * k, w.begin() + (id + 1) * k);
      const Tensor rows = embedding(at, dequantize(q));
      EXPECT_EQ(explain(rows).kernels.size(), on_cpu() ? 2U : 1U) << name(f);
      EXPECT_EQ(rows.to_vector<float>(), want) << name(f);
      const std::vector<Half> halves = embedding(at, dequantize(q, f16)).to_vector<Half>();
      for (std::size_t i = 0; i < want.size(); ++i) {
        ASSERT_EQ(static_cast<float>(halves[i]), static_cast<float>(Half(want[i]))) << name(f) << i;
      }
    }
  }
}

TEST_P(Quant, EmbeddingsBesideOtherWork) {
  const Bytes b = random_blocks(q4_k, 37 * 256, 23);
  const Bytes c = random_blocks(q8_0, 37 * 256, 24);
  const auto q = from_blocks(q4_k, b, {37, 256}, device_);
  const auto other = from_blocks(q8_0, c, {37, 256}, device_);
  const Tensor at(std::vector<std::int32_t>{5, 11, 30}, {3}, device_);
  const Tensor far(std::vector<std::int32_t>{1, 36, 1}, {3}, device_);
  const Tensor w = dequantize(q);
  const Tensor v = dequantize(other);
  // What copies in memory give.
  const auto kept = [](const Tensor& x) {
    x.eval();
    return x;
  };
  const auto both = [&](const Tensor& x, const Tensor& y) {
    const Tensor rows = embedding(at, x);
    const Tensor h = rows * 2.0 + embedding(far, x);
    return std::vector{h, embedding(at, x) - embedding(far, y),                       // two tables
                       sum(rows, {1}), matmul(concat({rows, rows, rows, h}), x.T()),  // tied weights
                       take(x, at, 1)};
  };
  const std::vector<Tensor> got = both(w, v);
  const std::vector<Tensor> want = both(kept(dequantize(q) * 1.0), kept(dequantize(other) * 1.0));
  for (std::size_t i = 0; i < got.size(); ++i) {
    const std::vector<float> x = got[i].to_vector<float>();
    const std::vector<float> y = want[i].to_vector<float>();
    ASSERT_EQ(x.size(), y.size());
    for (std::size_t e = 0; e < x.size(); ++e) ASSERT_NEAR(x[e], y[e], 1e-4F * (1 + std::abs(y[e]))) << i << ": " << e;
  }
  eval(both(w, v));  // all at once
  // Asked for more than there is, or asked for itself: a copy is made.
  const Tensor many(std::vector<std::int32_t>(40, 3), {40}, device_);
  EXPECT_EQ(explain(embedding(many, dequantize(q))).kernels.size(), 2U);
  const Tensor table = dequantize(q);
  EXPECT_EQ(explain(std::vector{embedding(at, table), table}).kernels.size(), 2U);
  EXPECT_EQ(embedding(many, dequantize(q)).to_vector<float>()[256 * 39], w.to_vector<float>()[256 * 3]);
}

TEST_P(Quant, ProductsOfOtherShapesAndTypes) {
  const Bytes b = random_blocks(q4_k, 8 * 256, 12);
  const auto w = dequantize_blocks(q4_k, b);
  const auto q = from_blocks(q4_k, b, {8, 256}, device_);
  for (const DType t : {f16, bf16}) {
    const auto x = plain(t, {2, 3, 256}, 13);
    const Tensor y = matmul(make_tensor(x, device_), q.T());
    EXPECT_EQ(y.dtype(), t);
    EXPECT_EQ(y.shape(), (Shape{2, 3, 8}));
    check_product(y, x.f, w, 256, std::string(name(t)), true);
  }
  const auto x = plain(f32, {256, 4}, 14);
  std::vector<double> transposed;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t c = 0; c < 256; ++c) transposed.push_back(x.f[c * 4 + i]);
  }
  check_product(matmul(make_tensor(x, device_).T(), q.T()), transposed, w, 256, "a transposed view", true);
  EXPECT_EQ(matmul(zeros({256}, f32, device_), q.T()).shape(), (Shape{8}));
  EXPECT_EQ(matmul(zeros({0, 256}, f32, device_), q.T()).shape(), (Shape{0, 8}));
}

TEST_P(Quant, Gradient) {
  const Bytes b = random_blocks(q5_0, 6 * 64, 15);
  const auto w = dequantize_blocks(q5_0, b);
  const auto q = from_blocks(q5_0, b, {6, 64}, device_);
  const Tensor x = make_tensor(plain(f32, {3, 64}, 16), device_);
  x.node()->set_tracked(true);
  const Tensor y = matmul(x, q.T());
  ASSERT_NE(y.node()->gradient(), nullptr);
  const auto g = plain(f32, {3, 6}, 17);
  const std::vector<NodePtr> given{make_tensor(g, device_).node()};
  const std::vector<NodePtr> outputs{y.node()};
  const Tensor dx(y.node()->gradient()->function({*y.node()->gradient()->inputs, outputs, given})[0]);
  std::vector<float> turned(w.size());
  for (std::size_t n = 0; n < 6; ++n) {
    for (std::size_t c = 0; c < 64; ++c) turned[c * 6 + n] = w[n * 64 + c];
  }
  check_product(dx, g.f, turned, 6, "gradient");
}

TEST_P(Quant, QuantizeATensor) {
  const auto values = plain(f32, {2, 3, 64}, 18);
  const Tensor x = make_tensor(values, device_);
  std::vector<float> elements(values.f.begin(), values.f.end());
  for (const DType t : {q4_0, q4_1, q5_0, q5_1, q8_0, mxfp4}) {
    const Tensor q = quantize(x, t);
    EXPECT_EQ(q.dtype(), t);
    EXPECT_EQ(q.shape(), x.shape());
    EXPECT_EQ(q.device(), device_);
    EXPECT_EQ(to_blocks(q), quantize_blocks(t, elements)) << name(t);
  }
  EXPECT_EQ(to_blocks(x.astype(f16).quantize(q8_0)), to_blocks(quantize(x.astype(f16).astype(f32), q8_0)));
}

/// Blocks of all magnitudes: random, ties, zeros of both signs, one element, equal elements, next to powers of two.
std::vector<float> hard_numbers(std::size_t blocks) {
  std::mt19937 random(21);
  std::normal_distribution<float> gauss;
  std::vector<float> all;
  for (std::size_t b = 0; b < blocks; ++b) {
    const float scale = std::ldexp(1.0F, static_cast<int>(b * 7 % 30) - 18);
    std::vector<float> x(32);
    for (float& v : x) v = gauss(random) * scale;
    if (b % 9 == 1) {
      for (float& v : x) v = std::nearbyint(v / scale * 8) / 8 * scale;
    } else if (b % 9 == 2) {
      for (std::size_t i = 0; i < 32; ++i) x[i] = (i + b) % 2 == 0 ? 0.0F : -0.0F;
    } else if (b % 9 == 3) {
      x.assign(32, x[0]);
    } else if (b % 9 == 4) {
      x.assign(32, 0.0F);
      x[b % 32] = -scale;
    } else if (b % 9 == 5) {  // the largest magnitude twice, with both signs
      x[7] = 5 * scale;
      x[20] = -5 * scale;
      if (b % 2 == 0) std::swap(x[7], x[20]);
    } else if (b % 9 == 6) {  // steps below a power of two, where a rounded logarithm is that of the power
      float top = std::ldexp(1.0F, static_cast<int>(b % 32) - 20);
      for (std::size_t i = 0; i < b % 50; ++i) top = std::nextafter(top, 0.0F);
      for (float& v : x) v = std::clamp(v / scale * top / 4, -top, top);
      x[b % 31] = top;
    } else if (b % 9 == 7) {
      for (float& v : x) v = std::abs(v) + 3 * scale;
    }
    all.insert(all.end(), x.begin(), x.end());
  }
  return all;
}

TEST_P(Quant, QuantizeMakesTheBytesOfTheHost) {
  for (const DType t : {q4_0, q4_1, q5_0, q5_1, q8_0, mxfp4}) {
    for (const std::int64_t blocks : {1, 2, 3, 7, 9, 450}) {
      const std::vector<float> x = hard_numbers(static_cast<std::size_t>(blocks));
      const Bytes want = quantize_blocks(t, x);
      const Bytes got = to_blocks(quantize(Tensor(x, {blocks, 32}, device_), t));
      ASSERT_EQ(got.size(), want.size());
      std::size_t differing = 0;
      for (std::size_t i = 0; i < got.size() && differing < 5; ++i) {
        if (got[i] == want[i]) continue;
        ++differing;
        ADD_FAILURE() << name(t) << " block " << i / size_of(t) << " (" << i / size_of(t) % 9 << ") byte "
                      << i % size_of(t) << ": " << static_cast<int>(got[i]) << ", expected "
                      << static_cast<int>(want[i]);
      }
    }
    // Numbers whose scales are denormal, or 0 in f16.
    for (const float size : {1e-36F, 1e-30F, 1e-9F, 1e-7F, 1e-5F}) {
      std::vector<float> x(64);
      for (std::size_t i = 0; i < 64; ++i) x[i] = size * (static_cast<float>(i) / 16 - 1.7F);
      EXPECT_EQ(to_blocks(quantize(Tensor(x, {2, 32}, device_), t)), quantize_blocks(t, x)) << name(t) << " " << size;
    }
    EXPECT_TRUE(to_blocks(quantize(zeros({0, 32}, f32, device_), t)).empty());
  }
}

// The bytes do not depend on which zero a minimum is: the first one's sign is kept, and a range of 0 is +0. They equal
// those of PyPI's gguf if all zeros of a block have one sign.
TEST_P(Quant, QuantizeZerosOfBothSigns) {
  const auto block = [](std::initializer_list<std::pair<int, float>> runs) {
    std::vector<float> x;
    for (const auto& [count, value] : runs) x.insert(x.end(), static_cast<std::size_t>(count), value);
    return x;
  };
  std::vector<std::vector<float>> blocks{block({{32, 0.0F}}),
                                         block({{32, -0.0F}}),
                                         block({{31, 0.0F}, {1, -0.0F}}),
                                         block({{31, -0.0F}, {1, 0.0F}}),
                                         block({{1, 0.0F}, {31, -0.0F}}),
                                         block({{1, -0.0F}, {31, 0.0F}}),
                                         block({{10, 0.0F}, {1, -0.0F}, {21, 0.0F}}),
                                         block({{4, 1.0F}, {9, -0.0F}, {9, 0.0F}, {10, 2.0F}}),
                                         block({{4, 1.0F}, {9, 0.0F}, {9, -0.0F}, {10, 2.0F}}),
                                         block({{4, -1.0F}, {9, -0.0F}, {9, 0.0F}, {10, -2.0F}}),
                                         block({{4, -1.0F}, {9, 0.0F}, {9, -0.0F}, {10, -2.0F}})};
  for (const bool first : {false, true}) {
    std::vector<float>& x = blocks.emplace_back();
    for (int i = 0; i < 32; ++i) x.push_back((i % 2 == 0) == first ? 0.0F : -0.0F);
    blocks.push_back(x);
    blocks.back()[17] = 3;
    blocks.push_back(x);
    blocks.back()[17] = -3;
  }
  const auto count = static_cast<std::int64_t>(blocks.size());
  for (const DType t : {q4_0, q4_1, q5_0, q5_1, q8_0, mxfp4}) {
    std::vector<float> x;
    for (const std::vector<float>& b : blocks) x.insert(x.end(), b.begin(), b.end());
    const Bytes want = quantize_blocks(t, x);
    EXPECT_EQ(to_blocks(quantize(Tensor(x, {count, 32}, device_), t)), want) << name(t);
    if (t != q4_1 && t != q5_1) continue;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const std::byte* b = want.data() + i * size_of(t);
      const auto low = std::ranges::min_element(blocks[i]);
      EXPECT_EQ(static_cast<int>(b[1] & std::byte{0x80}), 0) << i;
      EXPECT_EQ((b[3] & std::byte{0x80}) != std::byte{0}, std::signbit(*low)) << i;
    }
  }
  // Formats by search have blocks of up to 256 elements.
  for (const DType t : {q2_k, q3_k, q4_k, q5_k, q6_k, iq4_nl, iq4_xs}) {
    std::vector<float> x;
    for (std::size_t i = 0; i < 16; ++i) {
      for (std::size_t k = 0; k < 8; ++k) {
        const std::vector<float>& b = blocks[i % 3 == 0 ? i : (i + k) % blocks.size()];
        x.insert(x.end(), b.begin(), b.end());
      }
    }
    EXPECT_EQ(to_blocks(quantize(Tensor(x, {16, 256}, device_), t)), quantize_blocks(t, x)) << name(t);
  }
}

TEST_P(Quant, QuantizeOfNumbersOutOfRangeIsNaN) {
  for (const DType t : {q4_0, q4_1, q5_0, q5_1, q8_0, mxfp4}) {
    for (const float bad : {INFINITY, -INFINITY, std::nanf(""), 3e38F}) {
      std::vector<float> x(5 * 32, 1.0F);
      x[2 * 32 + 17] = bad;
      const std::vector<float> y = dequantize(quantize(Tensor(x, {5, 32}, device_), t)).to_vector<float>();
      for (std::size_t i = 0; i < y.size(); ++i) {
        if (t == mxfp4 && bad == 3e38F) {
          EXPECT_TRUE(std::isfinite(y[i])) << i;
        } else {
          EXPECT_EQ(std::isnan(y[i]), i / 32 == 2) << name(t) << " " << bad << " at " << i;
        }
      }
    }
  }
}

TEST_P(Quant, QuantizeInCompiledFunctions) {
  const Tensor w = random::normal({48, 64}, 0.0F, 1.0F, f32, device_);
  w.eval();
  auto f = compile([](const Tensor& v, const Tensor& x) { return matmul(x, quantize(v * 2.0, q8_0).T()); });
  const Tensor x = random::normal({3, 64}, 0.0F, 1.0F, f32, device_);
  for (int i = 0; i < 3; ++i) {
    const std::vector<float> got = f(w, x).to_vector<float>();
    const Tensor plain =
        dequantize(from_blocks(q8_0, quantize_blocks(q8_0, (w * 2.0).to_vector<float>()), {48, 64}, device_));
    const std::vector<float> want = matmul(x, plain.T()).to_vector<float>();
    const std::vector<double> rounding = rounding_of_products(x, plain);
    for (std::size_t k = 0; k < got.size(); ++k) ASSERT_NEAR(got[k], want[k], 1e-3F + rounding[k]) << k;
  }
  // Nothing waits: the result is not computed yet. Its rows move as those of a file do.
  const Tensor lazy = quantize(w, q5_1);
  EXPECT_FALSE(lazy.is_evaluated());
  const Bytes all = to_blocks(lazy);
  const Bytes some = to_blocks(slice(lazy, {Slice{5, 9}}));
  EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin() + 5 * 2 * 24));
}

TEST_P(Quant, QuantizeBySearch) {
  const Tensor w = random::normal({5, 512}, 0.0F, 1.0F, f32, device_);
  for (const DType t : {q2_k, q3_k, q4_k, q5_k, q6_k, iq4_nl, iq4_xs}) {
    EXPECT_EQ(to_blocks(quantize(w, t)), quantize_blocks(t, w.to_vector<float>())) << name(t);
  }
}

TEST_P(Quant, ScalesAtTheEdges) {
  // f16: 0, -0, subnormal, the largest, NaN and infinity, by the kernels as on the host.
  for (const DType f : formats()) {
    if (f == mxfp4) continue;
    Bytes b = random_blocks(f, 6 * 256, 40);
    const std::size_t at = scale_at(f);
    const std::size_t count = b.size() / size_of(f);
    const std::vector<int> edges{0x0000, 0x8000, 0x0001, 0x03ff, 0x7bff, 0x7e00, 0x7c00};
    for (std::size_t i = 0; i < count; ++i) {
      const int bits = edges[i % edges.size()];
      b[i * size_of(f) + at] = static_cast<std::byte>(bits & 255);
      b[i * size_of(f) + at + 1] = static_cast<std::byte>(bits >> 8);
    }
    const std::vector<float> want = dequantize_blocks(f, b);
    const std::vector<float> got = dequantize(from_blocks(f, b, {6, 256}, device_)).to_vector<float>();
    for (std::size_t i = 0; i < want.size(); ++i) {
      if (std::isnan(want[i])) {
        EXPECT_TRUE(std::isnan(got[i])) << name(f) << " " << i;
      } else {
        EXPECT_EQ(got[i], want[i]) << name(f) << " " << i;
      }
    }
  }
  Bytes b = random_blocks(mxfp4, 256, 41);
  for (std::size_t i = 0; i < 8; ++i)
    b[i * 17] = static_cast<std::byte>(std::vector{0, 1, 2, 3, 127, 253, 254, 255}[i]);
  const std::vector<float> want = dequantize_blocks(mxfp4, b);
  const std::vector<float> got = dequantize(from_blocks(mxfp4, b, {1, 256}, device_)).to_vector<float>();
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (i >= 224) {
      EXPECT_TRUE(std::isnan(got[i])) << i;
    } else if (i < 64) {  // scales below the normal numbers, which a GPU may round to 0
      EXPECT_TRUE(got[i] == want[i] || got[i] == 0) << i << ": " << got[i] << ", expected " << want[i];
    } else {
      EXPECT_EQ(got[i], want[i]) << i;
    }
  }
}

TEST_P(Quant, ActivationsPastTheRangeOfHalves) {
  for (const DType f : {q4_0, q8_0, q4_k, iq4_xs, mxfp4}) {
    const Bytes b = random_blocks(f, 5 * 256, 42);
    const auto w = dequantize_blocks(f, b);
    const Tensor q = from_blocks(f, b, {5, 256}, device_);
    for (const DType t : {f32, bf16, f16}) {
      for (const std::int64_t m : {1, 3, 12}) {
        if (m == 12 && t != f32) continue;  // more rows round the weights to x's dtype
        auto x = plain(t, {m, 256}, 43);
        for (double& v : x.f) v = t == f16 ? v * 8192 : std::ldexp(v, 20);  // f16: sums go past 65,504
        const Tensor y = matmul(make_tensor(x, device_), q.T());
        if (t != f16) {
          check_product(y, x.f, w, 256, fmt::format("{} {} {} rows", name(f), name(t), m), true);
          continue;
        }
        const auto got = read_values({y})[0].f;
        const auto wide = read_values({matmul(make_tensor(x, device_).astype(f32), q.T())})[0].f;
        for (std::size_t i = 0; i < got.size(); ++i) {
          if (std::abs(wide[i]) > 66000) {
            EXPECT_TRUE(std::isinf(got[i])) << name(f) << i;
          } else if (std::abs(wide[i]) < 65000) {
            EXPECT_NEAR(got[i], wide[i], 0x1p-10 * std::abs(wide[i]) + 1) << name(f) << i;
          }
        }
      }
    }
  }
}

TEST_P(Quant, BadInput) {
  const auto text = [](const auto& f) { return std::string(error_of(f).what()); };
  const auto says = [&](const auto& f, const char* part) {
    const std::string got = text(f);
    EXPECT_NE(got.find(part), std::string::npos) << got;
  };
  const Bytes b(18 * 4);
  says([&] { from_blocks(q4_0, b, {4, 64}, device_); }, "72 bytes");
  says([&] { from_blocks(q4_0, b, {8, 16}, device_); }, "[8, 16]");
  says([&] { from_blocks(q4_0, b, {}, device_); }, "32 elements");
  says([&] { from_blocks(q4_0, b, {2, 0}, device_); }, "[2, 0]");
  says([&] { from_blocks(q4_k, b, {1, 128}, device_); }, "256 elements");
  says([&] { from_blocks(f32, b, {1, 128}, device_); }, "mxfp4");
  says([&] { quantize(zeros({2, 40}, f32, device_), q8_0).eval(); }, "[2, 40]");
  says([&] { quantize(zeros({2, 32}, i32, device_), q8_0).eval(); }, "i32");
  says([&] { quantize(zeros({2, 32}, f32, device_), f16).eval(); }, "f16");
  says([&] { quantize_blocks(q4_0, std::vector<float>(33)); }, "33 elements");
  says([&] { dequantize_blocks(q4_0, Bytes(19)); }, "19 bytes");
  const Tensor q = from_blocks(q4_0, b, {2, 64}, device_);
  says([&] { matmul(zeros({3, 32}, f32, device_), q.T()); }, "[3, 32]");
  says([&] { dequantize(q, i32); }, "i32");
  says([&] { dequantize(zeros({2, 32}, f32, device_)); }, "block dtype");
  says([&] { (void)q.to_vector<float>(); }, "astype(f32)");
}

TESSERA_ON_ALL_DEVICES(Quant);

}  // namespace
}  // namespace tessera::test
