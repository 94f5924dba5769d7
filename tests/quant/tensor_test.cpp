// Block dtypes of Tensor: rows that move, devices, compiled functions, and what every other op answers.
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "quant/support.h"
#include "support/check.h"
#include "support/devices.h"
#include "support/errors.h"
#include "tessera/catalog.h"
#include "tessera/explain.h"
#include "tessera/io.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

class BlockTensor : public DeviceTest {
 protected:
  [[nodiscard]] Tensor make(DType dtype, const Shape& shape, std::uint32_t seed = 1) const {
    return from_blocks(dtype, random_blocks(dtype, shape.numel(), seed), shape, device_);
  }
};

/// The blocks of these rows.
Bytes rows_of(const Bytes& blocks, DType dtype, std::int64_t k, const std::vector<std::int64_t>& rows) {
  const auto each = static_cast<std::ptrdiff_t>(byte_size(dtype, k));
  Bytes out;
  for (const std::int64_t r : rows) {
    out.insert(out.end(), blocks.begin() + r * each, blocks.begin() + (r + 1) * each);
  }
  return out;
}

TEST_P(BlockTensor, IsATensor) {
  for (const DTypeInfo& t : kBlockDTypeInfo) {
    const Bytes b = random_blocks(t.dtype, 2 * 3 * 256, 1);
    const Tensor q = from_blocks(t.dtype, b, {2, 3, 256}, device_);
    EXPECT_EQ(q.dtype(), t.dtype);
    EXPECT_EQ(q.shape(), (Shape{2, 3, 256}));
    EXPECT_EQ(q.device(), device_);
    EXPECT_TRUE(q.is_evaluated());
    q.eval();
    EXPECT_EQ(to_blocks(q), b) << t.name;
    EXPECT_EQ(to_blocks(Tensor::from_bytes(b.data(), 6 * 256, t.dtype, {6, 256}, device_)), b);
    EXPECT_EQ(to_blocks(from_host({b, nullptr}, t.dtype, {6, 256}, device_)), b);
    EXPECT_NE(q.str().find(t.name), std::string::npos) << q.str();
    const Tensor half = q.astype(f16);
    EXPECT_EQ(half.dtype(), f16);
    EXPECT_EQ(half.shape(), q.shape());
    EXPECT_EQ(q.astype(f32).to_vector<float>(), dequantize_blocks(t.dtype, b)) << t.name;
    EXPECT_EQ(q.astype(t.dtype).node(), q.node());
    EXPECT_EQ(q.detach().node(), q.node());
    EXPECT_EQ(q.T().astype(f32).to_vector<float>(), q.astype(f32).T().to_vector<float>());
    EXPECT_EQ(q.T().T().astype(f32).to_vector<float>(), dequantize_blocks(t.dtype, b));
  }
}

TEST_P(BlockTensor, NoRows) {
  for (const DTypeInfo& t : kBlockDTypeInfo) {
    const Tensor q = from_blocks(t.dtype, {}, {0, 256}, device_);
    EXPECT_EQ(q.eval().shape(), (Shape{0, 256}));
    EXPECT_TRUE(to_blocks(q).empty());
    EXPECT_EQ(q.astype(f32).to_vector<float>().size(), 0U);
    EXPECT_EQ(matmul(ones({3, 256}, f32, device_), q.T()).eval().shape(), (Shape{3, 0}));
    const Tensor none = slice(make(t.dtype, {3, 256}), {{1, 1}});
    EXPECT_EQ(none.shape(), (Shape{0, 256}));
    EXPECT_TRUE(to_blocks(none).empty());
  }
}

TEST_P(BlockTensor, SlicesOfRows) {
  for (const DTypeInfo& t : kBlockDTypeInfo) {
    for (const std::int64_t k : {t.elements, 3 * t.elements, 4 * t.elements}) {
      const Bytes b = random_blocks(t.dtype, 7 * k, 2);
      const Tensor q = from_blocks(t.dtype, b, {7, k}, device_);
      const auto what = fmt::format("{} {}", t.name, k);
      EXPECT_EQ(to_blocks(slice(q, {{1, 6}})), rows_of(b, t.dtype, k, {1, 2, 3, 4, 5})) << what;
      EXPECT_EQ(to_blocks(slice(q, {{6, {}, -2}})), rows_of(b, t.dtype, k, {6, 4, 2, 0})) << what;
      EXPECT_EQ(to_blocks(flip(q, {0})), rows_of(b, t.dtype, k, {6, 5, 4, 3, 2, 1, 0})) << what;
      const std::vector<At> third{At(std::int64_t{3})};
      EXPECT_EQ(index(q, third).shape(), (Shape{k}));
      EXPECT_EQ(to_blocks(index(q, third)), rows_of(b, t.dtype, k, {3})) << what;
      EXPECT_EQ(to_blocks(split(q, std::vector<std::int64_t>{3, 4}, 0)[1]), rows_of(b, t.dtype, k, {3, 4, 5, 6}));
      const Tensor at(std::vector<std::int32_t>{5, 0, -1, 5, 2, 1}, {2, 3}, device_);
      const Tensor rows = take(q, at, 0);
      EXPECT_EQ(rows.shape(), (Shape{2, 3, k}));
      EXPECT_EQ(to_blocks(rows), rows_of(b, t.dtype, k, {5, 0, 6, 5, 2, 1})) << what;
      EXPECT_EQ(to_blocks(reshape(rows, {6, k})), to_blocks(rows));
      EXPECT_EQ(to_blocks(slice(rows, {{1, 2}, {0, 2}})), rows_of(b, t.dtype, k, {5, 2})) << what;
      EXPECT_EQ(embedding(at, q).to_vector<float>(), dequantize_blocks(t.dtype, to_blocks(rows))) << what;
      EXPECT_EQ(embedding(at, q).dtype(), f32);
    }
  }
}

TEST_P(BlockTensor, TakeOfWholeMatrices) {
  for (const DTypeInfo& t : kBlockDTypeInfo) {
    const std::int64_t k = t.elements;  // an odd number of blocks in a matrix: scales share words
    const Bytes b = random_blocks(t.dtype, 4 * 3 * k, 5);
    const Tensor q = from_blocks(t.dtype, b, {4, 3, k}, device_);
    const Tensor at(std::vector<std::int32_t>{2, 0, -1}, {3}, device_);
    const Tensor taken = take(q, at, 0);
    EXPECT_EQ(taken.shape(), (Shape{3, 3, k}));
    EXPECT_EQ(to_blocks(taken), rows_of(b, t.dtype, 3 * k, {2, 0, 3})) << t.name;
  }
}

TEST_P(BlockTensor, MatmulsOfEveryKind) {
  const auto same = [](const Tensor& got, const Tensor& want, const std::string& what,
                       std::vector<double> rounding = {}) {
    ASSERT_EQ(got.shape(), want.shape()) << what;
    ASSERT_EQ(got.dtype(), want.dtype()) << what;
    const auto x = read_values({got})[0].f;
    const auto y = read_values({want})[0].f;
    rounding.resize(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      ASSERT_NEAR(x[i], y[i], 2e-4 * (1 + std::abs(y[i])) + rounding[i]) << what << " " << i;
  };
  for (const DType t : {q4_0, q6_k, iq4_nl, mxfp4}) {
    const Tensor q = make(t, {6, 256}, 3);
    const Tensor w = q.astype(f32).eval();
    const Tensor x = make_tensor(plain(f32, {2, 3, 256}, 4), device_);
    same(matmul(x, q.T()), matmul(x, w.T()), "rows times the transpose", rounding_of_products(x, w));
    const Tensor y = make_tensor(plain(f32, {5, 6}, 5), device_);
    same(matmul(y, q), matmul(y, w), "rows times the matrix");
    const Tensor z = make_tensor(plain(f32, {3, 256}, 7), device_);
    same(matmul(q, z.T()), matmul(w, z.T()), "the matrix times columns");
    const Tensor v = make_tensor(plain(f32, {256}, 8), device_);
    same(matmul(v, q.T()), matmul(v, w.T()), "a vector", rounding_of_products(v, w));
    const Tensor experts = make(t, {2, 6, 256}, 6);
    same(matmul(x, experts.T()), matmul(x, experts.astype(f32).T()), "a batch of matrices");
    const Tensor part = slice(w, {{1, 4}});
    same(matmul(z, slice(q, {{1, 4}}).T()), matmul(z, part.T()), "some rows", rounding_of_products(z, part));
  }
}

TEST_P(BlockTensor, MovesBetweenDevices) {
  const Device cpu = Device::create({.device = "cpu"});
  for (const DTypeInfo& t : kBlockDTypeInfo) {
    const Tensor q = make(t.dtype, {3, 256});
    const Tensor moved = q.to(cpu);
    EXPECT_EQ(moved.device(), cpu);
    EXPECT_EQ(moved.dtype(), t.dtype);
    EXPECT_EQ(to_blocks(moved), to_blocks(q));
    EXPECT_EQ(to_blocks(moved.to(device_)), to_blocks(q));
    EXPECT_EQ(q.T().to(cpu).shape(), (Shape{256, 3}));
  }
}

TEST_P(BlockTensor, ArgumentsAndResultsOfCompiledFunctions) {
  const auto f = compile([](const std::vector<Tensor>& in) {
    return std::vector{matmul(in[0], in[1].T()) + in[2], slice(in[1], {{1, 3}}), in[0] * 2.0};
  });
  for (const DType t : {q4_0, q6_k, q4_0, mxfp4, q5_k, q4_0}) {
    const Bytes b = random_blocks(t, 4 * 256, static_cast<std::uint32_t>(t));
    const Tensor q = from_blocks(t, b, {4, 256}, device_);
    const Tensor x = make_tensor(plain(f32, {2, 256}, 7), device_);
    const Tensor c = ones({4}, f32, device_);
    const auto got = f({x, q, c});
    ASSERT_EQ(got.size(), 3U);
    EXPECT_EQ(got[0].to_vector<float>(), (matmul(x, q.T()) + c).to_vector<float>()) << name(t);
    EXPECT_EQ(got[1].dtype(), t);
    EXPECT_EQ(to_blocks(got[1]), rows_of(b, t, 256, {1, 2}));
    std::vector<Tensor> room(3);
    f.run(std::vector{x, q, c}, room);
    EXPECT_EQ(to_blocks(room[1]), rows_of(b, t, 256, {1, 2}));
  }
  EXPECT_EQ(f.traces(), 4U);
  // Captured, and an argument that is passed on.
  const Tensor q = make(q8_0, {4, 256});
  const auto g = compile([&](const std::vector<Tensor>& in) { return std::vector{matmul(in[0], q.T()), in[1]}; });
  const Tensor x = make_tensor(plain(f32, {2, 256}, 8), device_);
  for (int i = 0; i < 2; ++i) {
    const auto got = g({x, q});
    EXPECT_EQ(got[0].to_vector<float>(), matmul(x, q.T()).to_vector<float>());
    EXPECT_EQ(to_blocks(got[1]), to_blocks(q));
  }
  // The same planes, of other shapes: a trace each.
  EXPECT_EQ(to_blocks(g({x, reshape(q, {2, 2, 256})})[1]), to_blocks(q));
  EXPECT_EQ(g({x, reshape(q, {2, 2, 256})})[1].shape(), (Shape{2, 2, 256}));
}

TEST_P(BlockTensor, GradientsPassToActivations) {
  const Tensor q = make(q4_k, {4, 256});
  const auto loss = [&](const Tensor& x) { return sum(square(matmul(x, q.T()))); };
  const Tensor x = make_tensor(plain(f32, {3, 256}, 9), device_);
  const Tensor got = grad(loss)(x);
  const Tensor w = q.astype(f32).eval();
  const Tensor want = matmul(matmul(x, w.T()) * 2.0, w);
  const auto a = got.to_vector<float>();
  const auto b = want.to_vector<float>();
  // The CPU rounds the activations of the forward pass to 8 bits: 2 * rounding is what its gradient is off by.
  const std::vector<double> rounding = rounding_of_products(x, w);
  const std::vector<float> weights = w.to_vector<float>();
  for (std::size_t i = 0; i < a.size(); ++i) {
    double bound = 1e-3 * (1 + std::abs(b[i]));
    for (std::size_t n = 0; n < 4; ++n) bound += 2 * rounding[i / 256 * 4 + n] * std::abs(weights[n * 256 + i % 256]);
    ASSERT_NEAR(a[i], b[i], bound);
  }
  Tensor variable = q;
  EXPECT_EQ(error_of([&] { variable.requires_grad(); }).kind(), ErrorKind::kDType);
}

TEST_P(BlockTensor, SaveRefuses) {
  const Tensor q = make(q4_0, {2, 64});
  const auto path = std::filesystem::temp_directory_path() / "tessera_blocks.safetensors";
  const Error e = error_of([&] { io::save_safetensors(path, {{"w", q}}); });
  EXPECT_EQ(e.kind(), ErrorKind::kDType);
  EXPECT_NE(std::string(e.what()).find("q4_0"), std::string::npos) << e.what();
}

/// Matrices past one binding are read in parts of rows.
class WindowedBlocks : public DeviceTest {};

TEST_P(WindowedBlocks, PastOneBinding) {
  for (const DType t : {q4_0, q8_0, q5_k, mxfp4}) {
    const Bytes b = random_blocks(t, 70 * 256, 11);
    const Tensor q = from_blocks(t, b, {70, 256}, device_);
    const Tensor x = make_tensor(plain(f32, {9, 256}, 12), device_);
    const auto w = dequantize_blocks(t, b);
    EXPECT_EQ(q.astype(f32).to_vector<float>(), w) << name(t);
    for (const std::int64_t m : {1, 9}) {
      const auto got = matmul(slice(x, {{0, m}}), q.T()).to_vector<float>();
      const auto rows = x.to_vector<float>();
      for (std::size_t i = 0; i < static_cast<std::size_t>(m); ++i) {
        for (std::size_t n = 0; n < 70; ++n) {
          double sum = 0;
          for (std::size_t c = 0; c < 256; ++c) sum += double{rows[i * 256 + c]} * w[n * 256 + c];
          ASSERT_NEAR(got[i * 70 + n], sum, 2e-4 * (1 + std::abs(sum))) << name(t) << " " << m;
        }
      }
    }
    const Tensor at(std::vector<std::int32_t>{69, 3}, {2}, device_);
    EXPECT_EQ(to_blocks(take(q, at, 0)), rows_of(b, t, 256, {69, 3}));
  }
}

}  // namespace

TESSERA_ON_ALL_DEVICES(BlockTensor);
TESSERA_ON_WINDOWED_DEVICES(WindowedBlocks);

}  // namespace tessera::test
