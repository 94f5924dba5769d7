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
  [[nodiscard]] QuantizedTensor weights(QuantFormat format, std::int64_t n, std::int64_t k) const {
    std::mt19937 random(static_cast<std::uint32_t>(format));
    const auto blocks = static_cast<std::size_t>(n * k / block_elements(format));
    const std::size_t bytes = block_bytes(format);
    std::vector<std::byte> b(blocks * bytes);
    for (std::byte& x : b) x = static_cast<std::byte>(random());
    for (std::size_t i = 0; i < blocks; ++i) {
      for (const std::size_t at : {std::size_t{1}, std::size_t{3}, std::size_t{209}}) {
        if (at < bytes) b[i * bytes + at] = static_cast<std::byte>(0x24 + random() % 8);
      }
    }
    return QuantizedTensor::from_blocks(format, b, {n, k}, device_);
  }
};

TEST_F(MatrixQuant, EveryFormat) {
  std::vector<Case> cases;
  for (int f = 0; f <= static_cast<int>(QuantFormat::kQ6_K); ++f) {
    const auto format = static_cast<QuantFormat>(f);
    cases.emplace_back(fmt::format("{} relu", name(format)), [this, format] {
      return relu(matmul(data(f16, {33, 256}, 1), weights(format, 72, 256)) + data(f16, {72}, 2));
    });
  }
  check(cases, With::kSome);
  EXPECT_TRUE(std::ranges::any_of(ran_, [](const codegen::MatmulShape& s) { return s.unit != 0; }));
}

TEST_F(MatrixQuant, OddSizesAndTheOtherWay) {
  std::vector<Case> cases;
  for (const std::int64_t m : {17, 67, 130}) {
    cases.emplace_back(fmt::format("{} rows", m),
                       [this, m] { return matmul(data(f16, {m, 96}, 1), weights(QuantFormat::kQ4_0, 67, 96)); });
  }
  // As the gradient reads it: quads along the columns.
  cases.emplace_back("not transposed", [this] {
    return matmul(data(f16, {65, 40}, 3), dequantize(weights(QuantFormat::kQ8_0, 40, 64), f16));
  });
  check(cases, With::kSome);
}

TEST_F(MatrixQuant, SeveralOfOneInput) {
  check({{"q, k and v",
          [this] {
            const Tensor x = data(f16, {33, 256}, 1);
            return std::vector{matmul(x, weights(QuantFormat::kQ4_K, 72, 256)),
                               matmul(x, weights(QuantFormat::kQ4_K, 36, 256)) * 2.0,
                               matmul(x, weights(QuantFormat::kQ6_K, 36, 256))};
          }}},
        With::kSome);
}

TEST_F(MatrixQuant, NoCopyIsMade) {
  const QuantizedTensor q = weights(QuantFormat::kQ4_K, 64, 256);
  EXPECT_EQ(explain(matmul(data(f16, {64, 256}, 1), q)).kernels.size(), 1U);
  // Of many rows each tile would decode it again; and what is asked for is computed.
  EXPECT_EQ(explain(matmul(data(f16, {5000, 256}, 1), q)).kernels.size(), 3U);
  const Tensor w = dequantize(q, f16);
  EXPECT_EQ(explain(std::vector{matmul(data(f16, {64, 256}, 1), w.T()), w}).kernels.size(), 3U);
}

}  // namespace
}  // namespace tessera::test
