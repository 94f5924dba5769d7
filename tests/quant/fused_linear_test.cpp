// Fused linear layers: the kernel against sums in f64 and against the composition, at the edges of its tiles.
#include "ops/matmul/fused_linear.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ops/quant/quant.h"
#include "quant/support.h"
#include "schedule/device_model.h"
#include "support/devices.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

class FusedLinear : public DeviceTest {};
TESSERA_ON_ALL_DEVICES(FusedLinear);
class FusedLinearReduced : public DeviceTest {};
TESSERA_ON_REDUCED_DEVICES(FusedLinearReduced);
class FusedLinearChunked : public DeviceTest {};
TESSERA_ON_WINDOWED_DEVICES(FusedLinearChunked);

struct Matrix {
  Tensor tensor;              // [n, k]
  std::vector<float> values;  // of its elements
  std::vector<float> codes;   // these without their minimums; empty if the device takes x as it is
};

/// The elements without the minimums of their blocks, which are what is left where all codes are zero.
std::vector<float> without_minimums(DType dtype, const Bytes& blocks, std::vector<float> values) {
  if (!has_minimum(dtype)) return values;
  ops::Planes planes = ops::repack(dtype, blocks);
  std::ranges::fill(planes.front(), 0);
  if (ops::block_layout(dtype).high_bits > 0) std::ranges::fill(planes.back(), 0);
  const std::vector<float> minimums =
      dequantize_blocks(dtype, ops::unpack(dtype, planes, blocks.size() / size_of(dtype)));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] -= minimums[i];
  return values;
}

std::vector<float> numbers(std::int64_t count, int seed, double size = 1) {
  std::mt19937 random(static_cast<std::uint32_t>(seed));
  std::vector<float> v(static_cast<std::size_t>(count));
  for (float& x : v) x = static_cast<float>(size * (static_cast<double>(random()) / 2147483648.0 - 1));
  return v;
}

Matrix matrix(DType dtype, std::int64_t n, std::int64_t k, int seed, const Device& device) {
  if (is_block(dtype)) {
    const Bytes bytes = random_blocks(dtype, n * k, static_cast<std::uint32_t>(seed));
    Matrix m{from_blocks(dtype, bytes, {n, k}, device), dequantize_blocks(dtype, bytes), {}};
    if (schedule::DeviceModel(device.info()).packed_dots) m.codes = without_minimums(dtype, bytes, m.values);
    return m;
  }
  const Tensor t = Tensor(numbers(n * k, seed), {n, k}, device).astype(dtype).eval();
  return {t, t.astype(f32).to_vector<float>(), {}};
}

struct Sum {
  double value = 0;
  double bound = 0;     // of the error of sums in f32, in any order, and of x in 8 bits
  double rounding = 0;  // the latter
};

template <class F>
void expect_error(F&& f, ErrorKind kind, const std::string& text) {
  const Error e = error_of(f);
  EXPECT_EQ(e.kind(), kind) << e.what();
  EXPECT_NE(std::string(e.what()).find(text), std::string::npos) << e.what();
}

/// Row m of norm(x) times row n of w.
Sum dot(const std::vector<float>& x, const Matrix& w, std::size_t k, std::size_t m, std::size_t n,
        const std::vector<float>& norm, double eps, double offset) {
  double scale = 1;
  if (!norm.empty()) {
    double squares = 0;
    for (std::size_t i = 0; i < k; ++i) squares += static_cast<double>(x[m * k + i]) * x[m * k + i];
    scale = 1 / std::sqrt(squares / static_cast<double>(k) + eps);
  }
  Sum s;
  double size = 0;
  std::vector<double> row;
  for (std::size_t i = 0; i < k; ++i) {
    row.push_back(scale * x[m * k + i] * (norm.empty() ? 1 : norm[i] + offset));
    const double term = row.back() * w.values[n * k + i];
    s.value += term;
    size += std::abs(term);
  }
  // A unit sums 16 products, then up to k / 16 of them; blocks with minima add a sum of x. 2^-23 leaves room for both.
  if (is_block(w.tensor.dtype()) && w.tensor.device().info().type == DeviceType::kCpu && x.size() <= 8 * k)
    s.rounding = rounding_of_row(row.data(), w.values.data() + n * k, k);
  s.bound = size * (static_cast<double>(k) / 16 + 40) * 0x1p-23 + 1e-30 + s.rounding;
  if (w.codes.empty() || k % 16 != 0) return s;  // else GPUs with packed dot products
  // Half a step for each element; steps are of 16 elements, and a division may be off by some units in the last place.
  for (std::size_t unit = 0; unit < k; unit += 16) {
    double largest = 0;
    double weights = 0;
    for (std::size_t i = unit; i < unit + 16; ++i) {
      largest = std::max(largest, std::abs(row[i]));
      weights += std::abs(w.codes[n * k + i]);
    }
    s.rounding += 0.501 * largest / 127 * weights;
  }
  s.bound += s.rounding;
  return s;
}

void expect_linear(const Device& device, DType dtype, std::int64_t rows, std::int64_t k,
                   const std::vector<std::int64_t>& outputs, bool norm, bool biases) {
  SCOPED_TRACE(fmt::format("{} rows {} k {} norm {} biases {}", name(dtype), rows, k, norm, biases));
  const std::vector<float> x = numbers(rows * k, 1, 3);
  const std::vector<float> g = norm ? numbers(k, 2) : std::vector<float>{};
  std::vector<Matrix> weights;
  std::vector<Tensor> tensors;
  FusedLinearOptions options{.eps = 1e-5, .norm_offset = norm ? 0.5 : 0.0, .scale = 2};
  if (norm) options.norm = Tensor(g, {k}, device);
  std::vector<std::vector<float>> b;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    weights.push_back(matrix(dtype, outputs[i], k, 3 + static_cast<int>(i), device));
    tensors.push_back(weights.back().tensor);
    b.push_back(numbers(outputs[i], 9));
    if (biases) options.biases.emplace_back(b.back(), Shape{outputs[i]}, device);
  }
  const std::vector<Tensor> y = fused_linear(Tensor(x, {rows, k}, device), tensors, options);
  ASSERT_EQ(y.size(), outputs.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    const std::vector<float> got = y[i].to_vector<float>();
    ASSERT_EQ(y[i].shape(), (Shape{rows, outputs[i]}));
    const auto n = static_cast<std::size_t>(outputs[i]);
    for (std::size_t at = 0; at < got.size(); ++at) {
      const Sum s =
          dot(x, weights[i], static_cast<std::size_t>(k), at / n, at % n, g, options.eps, options.norm_offset);
      const double expected = 2 * s.value + (biases ? b[i][at % n] : 0);
      ASSERT_NEAR(got[at], expected, 2 * s.bound + std::abs(expected) * 0x1p-22) << "weight " << i << " at " << at;
    }
  }
}

TEST_P(FusedLinear, EveryDtype) {
  std::vector<DType> all{f32, f16, bf16, q4_0, q8_0, q4_k, q6_k, mxfp4};
  if (full() || on_cpu()) {
    all.resize(3);
    for (const DTypeInfo& t : kBlockDTypeInfo) all.push_back(t.dtype);
  }
  for (const DType t : all) expect_linear(device_, t, 1, 512, {9}, true, false);
}

// Tiles have 4 or 8 outputs, units 16 elements, and a pass of a workgroup 1,024 to 8,192.
TEST_P(FusedLinear, EdgesOfTiles) {
  expect_linear(device_, f32, 1, 16, {1}, false, false);
  expect_linear(device_, f16, 1, 16, {4, 1, 5}, true, true);
  expect_linear(device_, f32, 2, 1040, {3, 8}, true, true);
  expect_linear(device_, q8_0, 1, 8224, {5}, true, false);
  expect_linear(device_, q4_0, 3, 96, {6, 2, 3}, true, true);
  expect_linear(device_, q4_k, 8, 256, {7, 1}, true, false);
  expect_linear(device_, bf16, 5, 48, {7}, false, true);
  expect_linear(device_, f32, 9, 32, {7}, true, true);   // more rows than the kernel takes
  expect_linear(device_, f32, 2, 36, {7}, true, false);  // no whole units
}

TEST_P(FusedLinearReduced, Halves) {
  expect_linear(device_, f16, 2, 64, {5, 3}, true, true);
  expect_linear(device_, q4_0, 1, 64, {5}, true, false);
}

TEST_P(FusedLinearChunked, PastABinding) {
  expect_linear(device_, f32, 1, 64, {40}, true, false);
  expect_linear(device_, q8_0, 2, 256, {40}, true, false);
}

TEST_P(FusedLinear, ZerosAndHugeElements) {
  const Matrix w = matrix(f16, 6, 64, 1, device_);
  const Tensor norm = ones({64}, f32, device_);
  const auto all = [](const Tensor& t) { return t.to_vector<float>(); };
  for (const float v : all(fused_linear(zeros({1, 64}, f32, device_), {w.tensor}, {.norm = norm})[0])) EXPECT_EQ(v, 0);
  std::vector<float> x(64, 0.5F);
  x[17] = 1e5F;
  const std::vector<float> got = all(fused_linear(Tensor(x, {1, 64}, device_), {w.tensor})[0]);
  for (std::size_t n = 0; n < 6; ++n) {
    const Sum s = dot(x, w, 64, 0, n, {}, 0, 0);
    EXPECT_NEAR(got[n], s.value, s.bound);
  }
}

// x is rounded to 8 bits for block dtypes on some devices: to units of what is largest among 16 elements.
TEST_P(FusedLinear, RoundedInputsOfBlocks) {
  for (const DType t : {q4_0, q5_1, q8_0, q4_k, iq4_nl, mxfp4}) {
    SCOPED_TRACE(name(t));
    const Matrix w = matrix(t, 9, 512, 1, device_);
    const auto result = [&](const std::vector<float>& x) {
      return fused_linear(Tensor(x, {1, 512}, device_), {w.tensor})[0].to_vector<float>();
    };
    std::vector<float> x = numbers(512, 2);
    const auto expect_near = [&] {
      const std::vector<float> got = result(x);
      for (std::size_t n = 0; n < 9; ++n) {
        const Sum s = dot(x, w, 512, 0, n, {}, 0, 0);
        EXPECT_NEAR(got[n], s.value, s.bound) << n;
      }
    };
    x[17] = 1e5F;
    expect_near();
    std::ranges::fill(x.begin() + 32, x.begin() + 64, 0.0F);
    std::ranges::fill(x.begin() + 64, x.begin() + 80, 1e-36F);
    std::ranges::fill(x.begin() + 80, x.begin() + 96, 1e30F);
    expect_near();
    for (const float bad : {INFINITY, -INFINITY, NAN}) {
      x[100] = bad;
      for (const float y : result(x)) EXPECT_FALSE(std::isfinite(y)) << bad;
    }
  }
}

TEST_P(FusedLinear, ResidualAndGates) {
  const auto k = std::int64_t{64};
  const std::vector<float> x = numbers(3 * k, 1);
  const Matrix gate = matrix(q4_0, 7, k, 2, device_);
  const Matrix up = matrix(f16, 7, k, 3, device_);
  const Tensor in(x, {3, 1, k}, device_);
  const std::vector<float> r = numbers(21, 4);
  const std::vector<float> sum = fused_linear_add(in, up.tensor, Tensor(r, {3, 1, 7}, device_)).to_vector<float>();
  for (std::size_t i = 0; i < 21; ++i) {
    const Sum s = dot(x, up, 64, i / 7, i % 7, {}, 0, 0);
    EXPECT_NEAR(sum[i], r[i] + s.value, s.bound + 1e-6) << i;
  }
  const auto expected = [](FusedActivation a, double v) {
    if (a == FusedActivation::kSilu) return v / (1 + std::exp(-v));
    if (a == FusedActivation::kRelu) return std::max(v, 0.0);
    if (a == FusedActivation::kGelu) return 0.5 * v * (1 + std::erf(v * std::sqrt(0.5)));
    return 0.5 * v * (1 + std::tanh(std::sqrt(2 / 3.14159265358979) * (v + 0.044715 * v * v * v)));
  };
  for (const FusedActivation a :
       {FusedActivation::kSilu, FusedActivation::kGelu, FusedActivation::kGeluTanh, FusedActivation::kRelu}) {
    const std::vector<float> got = fused_gated_linear(in, gate.tensor, up.tensor, a).to_vector<float>();
    for (std::size_t i = 0; i < 21; ++i) {
      const auto [g, bound, rounding] = dot(x, gate, 64, i / 7, i % 7, {}, 0, 0);
      const double u = dot(x, up, 64, i / 7, i % 7, {}, 0, 0).value;
      // No activation is steeper than 1.13.
      EXPECT_NEAR(got[i], expected(a, g) * u, 2e-5 * (1 + std::abs(g * u)) + 1.13 * rounding * std::abs(u))
          << static_cast<int>(a) << " at " << i;
    }
  }
}

// The kernel writes queries and caches as the composition does, up to a rounding to the dtype of the caches.
void expect_qkv(const Device& device, DType dtype, DType cache, std::int64_t batch, bool interleaved, bool biases) {
  SCOPED_TRACE(fmt::format("{} {} batch {} interleaved {}", name(dtype), name(cache), batch, interleaved));
  constexpr std::int64_t kWidth = 64;
  constexpr std::int64_t kSize = 8;
  constexpr std::int64_t kContext = 5;
  ops::FusedLinear f;
  std::vector<Tensor> weights;
  FusedLinearOptions options{.norm = Tensor(numbers(kWidth, 5), {kWidth}, device), .eps = 1e-6};
  const std::vector<float> in = numbers(batch * kWidth, 6);
  double rounding = 0;
  for (const std::int64_t heads : {6, 2, 2}) {
    const Matrix w = matrix(dtype, heads * kSize, kWidth, static_cast<int>(weights.size()), device);
    for (std::int64_t i = 0; i < batch * heads * kSize; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const auto n = static_cast<std::size_t>(heads * kSize);
      rounding = std::max(rounding, dot(in, w, kWidth, at / n, at % n, numbers(kWidth, 5), 1e-6, 0).rounding);
    }
    weights.push_back(w.tensor);
    if (biases) options.biases.emplace_back(numbers(heads * kSize, 7), Shape{heads * kSize}, device);
  }
  const Tensor x(in, {batch, kWidth}, device);
  const auto filled = [&](int seed) {
    return Tensor(numbers(batch * 2 * kContext * kSize, seed), {batch, 2, kContext, kSize}, device)
        .astype(cache)
        .eval();
  };
  const Tensor k_cache = filled(8);
  const Tensor v_cache = filled(9);
  std::vector<std::int32_t> at;
  for (std::int64_t i = 0; i < batch; ++i) at.push_back(static_cast<std::int32_t>((i * 3 + 4) % kContext));
  const Tensor angle(numbers(batch * kSize / 2, 10, 3), {batch, kSize / 2}, device);
  const FusedQkvOptions qkv{.rotation = concat({cos(angle), sin(angle)}, 1).eval(),
                            .interleaved = interleaved,
                            .starts = Tensor(at, {batch}, device),
                            .value_scale = 0.25};
  const FusedQkv got = fused_qkv(x, weights, k_cache, v_cache, qkv, options);
  f.x = x.node();
  f.norm_weight = options.norm.node();
  f.eps = options.eps;
  for (const Tensor& w : weights) f.weights.push_back(w.node()), f.outputs.push_back(w.size(0));
  for (const Tensor& b : options.biases) f.bias.push_back(b.node());
  f.epilogue = ops::LinearEpilogue::kQkv;
  f.rotation = qkv.rotation.node();
  f.starts = qkv.starts.node();
  f.k_cache = k_cache.node();
  f.v_cache = v_cache.node();
  f.head_size = kSize;
  f.interleaved = interleaved;
  f.value_scale = qkv.value_scale;
  const std::vector<NodePtr> expected = ops::fused_linear_composed(f);
  const double bound = cache == f32 ? 3e-6 : cache == f16 ? 0x1p-10 : 0x1p-7;
  const auto same = [&](const Tensor& a, const NodePtr& b) {
    const std::vector<float> p = a.astype(f32).to_vector<float>();
    const std::vector<float> q = Tensor(b).astype(f32).to_vector<float>();
    ASSERT_EQ(p.size(), q.size());
    for (std::size_t i = 0; i < p.size(); ++i)
      ASSERT_NEAR(p[i], q[i], bound * (4 + std::abs(q[i])) + 1.5 * rounding) << i;
  };
  same(got.queries, expected[0]);
  same(got.k_cache, expected[1]);
  same(got.v_cache, expected[2]);
  // What others hold is not overwritten.
  EXPECT_EQ(k_cache.astype(f32).to_vector<float>(), filled(8).astype(f32).to_vector<float>());
}

TEST_P(FusedLinear, QueriesKeysAndValues) {
  expect_qkv(device_, f32, f32, 1, false, false);
  expect_qkv(device_, f16, f16, 2, false, true);
  expect_qkv(device_, q8_0, bf16, 3, true, false);
}
TEST_P(FusedLinearReduced, QueriesKeysAndValues) { expect_qkv(device_, f16, f16, 2, true, false); }

TEST_P(FusedLinear, PositionPastTheContext) {
  const Tensor w = ones({8, 16}, f32, device_);
  const Tensor cache = zeros({1, 1, 4, 8}, f32, device_);
  const FusedQkvOptions qkv{.rotation = ones({1, 8}, f32, device_),
                            .starts = Tensor(std::vector<std::int32_t>{4}, {1}, device_)};
  const FusedQkv made = fused_qkv(ones({1, 16}, f32, device_), {w, w, w}, cache, cache * 1.0, qkv);
  expect_error([&] { (void)made.k_cache.to_vector<float>(); }, ErrorKind::kValue, "4");
}

TEST_P(FusedLinear, Errors) {
  const Tensor x = ones({2, 32}, f32, device_);
  const Tensor w = ones({3, 32}, f32, device_);
  expect_error([&] { (void)fused_linear(x, {}); }, ErrorKind::kValue, "0 weights");
  expect_error([&] { (void)fused_linear(x, {ones({3, 16}, f32, device_)}); }, ErrorKind::kShape, "[N, 32]");
  expect_error([&] { (void)fused_linear(x, {ones({3, 32}, i32, device_)}); }, ErrorKind::kDType, "i32");
  expect_error([&] { (void)fused_linear(x, {w}, {.norm = ones({16}, f32, device_)}); }, ErrorKind::kShape, "[32]");
  expect_error([&] { (void)fused_linear(x, {w}, {.biases = {w, w}}); }, ErrorKind::kValue, "2 biases");
  expect_error([&] { (void)fused_linear_add(x, w, x); }, ErrorKind::kShape, "[2, 3]");
  expect_error([&] { (void)fused_gated_linear(x, w, x, FusedActivation::kSilu); }, ErrorKind::kShape, "one shape");
  expect_error([&] { (void)fused_qkv(x, {w, w, w}, x, x, {}); }, ErrorKind::kShape, "heads, context");
}

}  // namespace
}  // namespace tessera::test
