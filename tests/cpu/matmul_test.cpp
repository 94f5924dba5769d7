// Contractions on the CPU device: sizes, layouts, types, batches, epilogues.
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "cpu/kernel_run.h"
#include "graph/op.h"
#include "runtime/cpu/gemm/gemm.h"

namespace tessera {
namespace {

using runtime::cpu::GemmSize;
using runtime::cpu::Matrix;

std::vector<float> noise(std::size_t n, unsigned seed = 3) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> within(-1, 1);
  std::vector<float> x(n);
  for (float& v : x) v = within(random);
  return x;
}

std::vector<double> expected(const GemmSize& s, const std::function<double(std::int64_t, std::int64_t)>& a,
                             const std::function<double(std::int64_t, std::int64_t)>& b) {
  std::vector<double> c(static_cast<std::size_t>(s.m * s.n));
  for (std::int64_t i = 0; i < s.m; ++i) {
    for (std::int64_t k = 0; k < s.k; ++k) {
      const double x = a(i, k);
      for (std::int64_t j = 0; j < s.n; ++j) c[static_cast<std::size_t>(i * s.n + j)] += x * b(k, j);
    }
  }
  return c;
}

TEST(Gemm, SizesAndLayouts) {
  const GemmSize sizes[] = {{1, 1, 1},     {3, 5, 7},    {14, 32, 64}, {15, 33, 257}, {1, 300, 200},
                            {300, 1, 200}, {64, 2, 513}, {2, 64, 300}, {100, 7, 3},   {130, 140, 600},
                            {5, 2100, 20}, {4100, 3, 9}, {8, 8, 1000}, {37, 41, 0}};
  for (const GemmSize& s : sizes) {
    for (const bool trans_a : {false, true}) {
      for (const bool trans_b : {false, true}) {
        const auto x = noise(static_cast<std::size_t>(s.m * s.k + 1), 1);
        const auto y = noise(static_cast<std::size_t>(s.k * s.n + 1), 2);
        const Matrix a{x.data(), f32, trans_a ? 1 : s.k, trans_a ? s.m : 1};
        const Matrix b{y.data(), f32, trans_b ? 1 : s.n, trans_b ? s.k : 1};
        const auto want = expected(
            s, [&](auto i, auto k) { return x[static_cast<std::size_t>(i * a.row_stride + k * a.col_stride)]; },
            [&](auto k, auto j) { return y[static_cast<std::size_t>(k * b.row_stride + j * b.col_stride)]; });
        for (const bool own : {true, false}) {
          std::vector<float> c(static_cast<std::size_t>(s.m * s.n), 99);
          (own ? runtime::cpu::gemm_blocked : runtime::cpu::gemm)(s, a, b, c.data());
          for (std::size_t i = 0; i < c.size(); ++i) {
            ASSERT_NEAR(c[i], want[i], 1e-6 * std::sqrt(static_cast<double>(s.k)) * 4 + 1e-7)
                << s.m << " x " << s.n << " x " << s.k << (trans_a ? " A^T" : "") << (trans_b ? " B^T" : "") << i;
          }
        }
      }
    }
  }
}

class Matmul : public KernelRun {
 protected:
  /// The layout with this str().
  static StridedLayout layout(std::string_view text) {
    const StridedLayout x{static_cast<int>(text.size()) - 2, class_of(text[text.size() - 2]), class_of(text.back())};
    EXPECT_EQ(x.str(), text);
    return x;
  }
  static Kernel plain(DType t, std::string_view layout_a, std::string_view layout_b) {
    Kernel k;
    k.kind = Kernel::Kind::kMatmul;
    k.inputs = {{0, t}, {1, t}};
    k.outputs = {{2, t}};
    k.indices = {{}};
    k.a = {0, 0, layout(layout_a)};
    k.b = {1, 1, layout(layout_b)};
    k.instrs = {{Instr::Kind::kContract, Op::kMatmul, t, false, 0, -1, -1, {}}};
    k.stores = {{0, 0, false}};
    return k;
  }
};

TEST_F(Matmul, BatchesAndBroadcastOperands) {
  // a is [2, 3, 4, 5], b one [5, 6] for all but with a batch stride of 30 along the second axis.
  constexpr std::uint32_t kBatch = 6;
  const auto x = noise(kBatch * 20);
  const auto y = noise(90);
  runtime::Buffer* out = room<float>(kBatch * 24);
  run(plain(f32, "bbn1", "bbn1"), {kBatch, 4, 6, 5, 2, 60, 3, 20, 5, 1, 0, 2, 0, 3, 30, 6, 1, 0},
      {buffer(x), buffer(y), out});
  const auto got = read<float>(out, kBatch * 24);
  for (std::uint32_t b = 0; b < kBatch; ++b) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      for (std::uint32_t j = 0; j < 6; ++j) {
        double want = 0;
        for (std::uint32_t k = 0; k < 5; ++k) want += double{x[b * 20 + i * 5 + k]} * y[b % 3 * 30 + k * 6 + j];
        ASSERT_NEAR(got[b * 24 + i * 6 + j], want, 1e-6);
      }
    }
  }
}

TEST_F(Matmul, FlippedOperandsWithOffsets) {
  // Rows of a backwards, columns of b backwards.
  const auto x = noise(12);
  const auto y = noise(20);
  runtime::Buffer* out = room<float>(15);
  run(plain(f32, "n1", "nn"), {1, 3, 5, 4, static_cast<std::uint32_t>(-4), 1, 8, 5, static_cast<std::uint32_t>(-1), 4},
      {buffer(x), buffer(y), out});
  const auto got = read<float>(out, 15);
  for (std::uint32_t i = 0; i < 3; ++i) {
    for (std::uint32_t j = 0; j < 5; ++j) {
      double want = 0;
      for (std::uint32_t k = 0; k < 4; ++k) want += double{x[8 - 4 * i + k]} * y[4 + 5 * k - j];
      ASSERT_NEAR(got[i * 5 + j], want, 1e-6);
    }
  }
}

TEST_F(Matmul, EpilogueWithBiasAndResidual) {
  // relu(a b + bias[col]) * s + residual + scale[row], the residual donated to the output.
  for (const auto& [m, n, k] :
       {GemmSize{3, 5, 4}, GemmSize{70, 1500, 33}, GemmSize{200, 100, 300}, GemmSize{4, 4, 0}}) {
    Kernel kernel = plain(f32, "n1", "n1");
    kernel.inputs = {{0, f32}, {1, f32}, {2, f32}, {3, f32}, {4, f32}};
    kernel.outputs = {{5, f32}, {6, f32}};
    kernel.indices = {{}, {Index::Kind::kCol, -1, -1, {}}, {Index::Kind::kRow, -1, -1, {}}};
    kernel.instrs = {{Instr::Kind::kContract, Op::kMatmul, f32, false, 0, -1, -1, {}},
                     load(f32, 2, 1),
                     op(Op::kAdd, f32, {0, 1}),
                     scalar(f32),
                     op(Op::kMaximum, f32, {2, 3}),
                     load(f32, 3, 0),
                     op(Op::kAdd, f32, {4, 5}),
                     load(f32, 4, 2),
                     op(Op::kAdd, f32, {6, 7})};
    kernel.stores = {{8, 0, false}, {0, 1, false}};
    kernel.aliases = {{3, 0}};
    const auto um = static_cast<std::uint32_t>(m);
    const auto un = static_cast<std::uint32_t>(n);
    const auto uk = static_cast<std::uint32_t>(k);
    const auto a = noise(um * uk + 1, 1);
    const auto b = noise(uk * un + 1, 2);
    const auto bias = noise(un, 3);
    const auto residual = noise(um * un, 4);
    const auto scale = noise(um, 5);
    runtime::Buffer* shared = buffer(residual);
    runtime::Buffer* raw = room<float>(um * un);
    run(kernel, {1, um, un, uk, uk, 1, 0, un, 1, 0, bits(0)},
        {buffer(a), buffer(b), buffer(bias), shared, buffer(scale), shared, raw});
    const auto got = read<float>(shared, um * un);
    const auto product = read<float>(raw, um * un);
    for (std::uint32_t i = 0; i < um; ++i) {
      for (std::uint32_t j = 0; j < un; ++j) {
        double sum = 0;
        for (std::uint32_t d = 0; d < uk; ++d) sum += double{a[i * uk + d]} * b[d * un + j];
        ASSERT_NEAR(product[i * un + j], sum, 1e-4);
        ASSERT_NEAR(got[i * un + j], std::max(sum + bias[j], 0.0) + residual[i * un + j] + scale[i], 1e-4);
      }
    }
  }
}

TEST_F(Matmul, HalfPrecisionAddsUpInSingle) {
  for (const DType t : {f16, bf16}) {
    const std::uint32_t m = 20;
    const std::uint32_t n = 40;
    const std::uint32_t k = 2000;
    const auto to_bits = [&](float v) { return t == f16 ? Half(v).bits : BFloat16(v).bits; };
    const auto from_bits = [&](std::uint16_t b) {
      Half h;
      h.bits = b;
      BFloat16 g;
      g.bits = b;
      return t == f16 ? static_cast<float>(h) : static_cast<float>(g);
    };
    std::vector<std::uint16_t> x(m * k);
    std::vector<std::uint16_t> y(k * n);
    const auto fx = noise(m * k, 1);
    const auto fy = noise(k * n, 2);
    std::transform(fx.begin(), fx.end(), x.begin(), to_bits);
    std::transform(fy.begin(), fy.end(), y.begin(), to_bits);
    runtime::Buffer* out = room<std::uint16_t>(m * n);
    // b is stored transposed.
    run(plain(t, "n1", "1n"), {1, m, n, k, k, 1, 0, 1, k, 0}, {buffer(x), buffer(y), out});
    const auto got = read<std::uint16_t>(out, m * n);
    for (std::uint32_t i = 0; i < m; ++i) {
      for (std::uint32_t j = 0; j < n; ++j) {
        double want = 0;
        for (std::uint32_t d = 0; d < k; ++d) want += double{from_bits(x[i * k + d])} * from_bits(y[j * k + d]);
        ASSERT_NEAR(from_bits(got[i * n + j]), want, std::fabs(want) * (t == f16 ? 1e-3 : 8e-3) + 1e-4);
      }
    }
  }
}

template <class T>
std::vector<T> whole(std::size_t n) {
  std::mt19937_64 random(9);
  std::vector<T> x(n);
  for (T& v : x) v = static_cast<T>(random());
  return x;
}

TEST_F(Matmul, IntegersAndDoubles) {
  const std::uint32_t m = 13;
  const std::uint32_t n = 300;
  const std::uint32_t k = 130;
  const auto check = [&]<class T>(T, DType t) {
    const auto x = whole<T>(m * k);
    const auto y = whole<T>(k * n);
    runtime::Buffer* out = room<T>(m * n);
    run(plain(t, "n1", "1n"), {1, m, n, k, k, 1, 0, 1, k, 0}, {buffer(x), buffer(y), out});
    const auto got = read<T>(out, m * n);
    for (std::uint32_t i = 0; i < m; ++i) {
      for (std::uint32_t j = 0; j < n; ++j) {
        std::uint64_t want = 0;
        for (std::uint32_t d = 0; d < k; ++d) {
          want += static_cast<std::uint64_t>(x[i * k + d]) * static_cast<std::uint64_t>(y[j * k + d]);
        }
        ASSERT_EQ(got[i * n + j], static_cast<T>(want));
      }
    }
  };
  check(std::int32_t{}, i32);
  check(std::uint32_t{}, u32);
  check(std::int64_t{}, i64);
  check(std::uint64_t{}, u64);
  check(std::int8_t{}, i8);
  check(std::uint16_t{}, u16);
  std::vector<double> x(m * k);
  std::vector<double> y(k * n);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<double>(i));
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = std::cos(static_cast<double>(i));
  runtime::Buffer* out = room<double>(m * n);
  run(plain(f64, "n1", "n1"), {1, m, n, k, k, 1, 0, n, 1, 0}, {buffer(x), buffer(y), out});
  const auto got = read<double>(out, m * n);
  const auto want = expected(
      {m, n, k}, [&](auto i, auto d) { return x[static_cast<std::size_t>(i * k + d)]; },
      [&](auto d, auto j) { return y[static_cast<std::size_t>(d * n + j)]; });
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], want[i], 1e-12);
}

TEST_F(Matmul, ManySmallOnes) {
  const std::uint32_t batch = 50;
  const auto x = noise(batch * 64);
  const auto y = noise(batch * 64, 8);
  Kernel k = plain(f32, "bn1", "bn1");
  k.instrs.push_back(op(Op::kNegative, f32, {0}));
  k.stores = {{1, 0, false}};
  runtime::Buffer* out = room<float>(batch * 64);
  run(k, {batch, 8, 8, 8, batch, 64, 8, 1, 0, batch, 64, 8, 1, 0}, {buffer(x), buffer(y), out});
  const auto got = read<float>(out, batch * 64);
  for (std::uint32_t b = 0; b < batch; ++b) {
    for (std::uint32_t i = 0; i < 64; ++i) {
      double want = 0;
      for (std::uint32_t d = 0; d < 8; ++d) want += double{x[b * 64 + i / 8 * 8 + d]} * y[b * 64 + d * 8 + i % 8];
      ASSERT_NEAR(got[b * 64 + i], -want, 1e-6);
    }
  }
}

}  // namespace
}  // namespace tessera
