// Quantized weights that are dequantized on their way to matrix units, in every format.
#include "tessera/quant.h"

#include <random>

#include "matrix/support.h"
#include "tessera/explain.h"

namespace tessera::test {
namespace {

class MatrixQuant : public Matrix {
 protected:
  /// Weights [n, k] of random bits, with scales that are no NaN.
  [[nodiscard]] Tensor weights(DType dtype, std::int64_t n, std::int64_t k) const {
    std::mt19937 random(static_cast<std::uint32_t>(dtype));
    const auto blocks = static_cast<std::size_t>(n * k / info(dtype).elements);
    const std::size_t bytes = size_of(dtype);
    std::vector<std::byte> b(blocks * bytes);
    for (std::byte& x : b) x = static_cast<std::byte>(random());
    for (std::size_t i = 0; i < blocks; ++i) {
      if (dtype == mxfp4) b[i * bytes] = static_cast<std::byte>(121 + random() % 3);
      // The upper bytes of the f16 scales of all dtypes.
      for (const std::size_t at :
           {std::size_t{1}, std::size_t{3}, std::size_t{81}, std::size_t{83}, std::size_t{109}, std::size_t{209}}) {
        if (at < bytes) b[i * bytes + at] = static_cast<std::byte>(0x24 + random() % 8);
      }
    }
    return from_blocks(dtype, b, {n, k}, device_);
  }
};

TEST_F(MatrixQuant, EveryFormat) {
  std::vector<Case> cases;
  for (const DTypeInfo& t : kBlockDTypeInfo) {
    cases.emplace_back(fmt::format("{} relu", t.name), [this, dtype = t.dtype] {
      return relu(matmul(data(f16, {33, 256}, 1), weights(dtype, 72, 256).T()) + data(f16, {72}, 2));
    });
  }
  check(cases, With::kSome);
  EXPECT_TRUE(std::ranges::any_of(ran_, [](const codegen::MatmulShape& s) { return s.unit != 0; }));
}

TEST_F(MatrixQuant, OddSizesAndTheOtherWay) {
  std::vector<Case> cases;
  for (const std::int64_t m : {17, 67, 130}) {
    cases.emplace_back(fmt::format("{} rows", m),
                       [this, m] { return matmul(data(f16, {m, 96}, 1), weights(q4_0, 67, 96).T()); });
  }
  // As the gradient reads it: quads along the columns.
  cases.emplace_back("not transposed",
                     [this] { return matmul(data(f16, {65, 40}, 3), dequantize(weights(q8_0, 40, 64), f16)); });
  check(cases, With::kSome);
}

TEST_F(MatrixQuant, SeveralOfOneInput) {
  check({{"q, k and v",
          [this] {
            const Tensor x = data(f16, {33, 256}, 1);
            return std::vector{matmul(x, weights(q4_k, 72, 256).T()), matmul(x, weights(q4_k, 36, 256).T()) * 2.0,
                               matmul(x, weights(q6_k, 36, 256).T())};
          }}},
        With::kSome);
}

TEST_F(MatrixQuant, NoCopyIsMade) {
  const Tensor q = weights(q4_k, 64, 256);
  EXPECT_EQ(explain(matmul(data(f16, {64, 256}, 1), q.T())).kernels.size(), 1U);
  // Of many rows each tile would decode it again; and what is asked for is computed.
  EXPECT_EQ(explain(matmul(data(f16, {5000, 256}, 1), q.T())).kernels.size(), 3U);
  const Tensor w = dequantize(q, f16);
  EXPECT_EQ(explain(std::vector{matmul(data(f16, {64, 256}, 1), w.T()), w}).kernels.size(), 3U);
}

}  // namespace
}  // namespace tessera::test
