// Benchmarks of matmuls with quantized weights: one row by the bandwidth of the blocks, many rows by arithmetic.
#include <optional>

#include "bench.h"

namespace tessera::app {

namespace {

/// Random blocks; f16 scales of about 0.001 wherever the format has them.
QuantizedTensor random_blocks(QuantFormat format, std::int64_t n, std::int64_t k, const Device& device) {
  const std::size_t count = static_cast<std::size_t>(n * k / block_elements(format));
  std::vector<std::byte> bytes(count * block_bytes(format));
  std::uint32_t state = 1;
  for (std::byte& b : bytes) b = static_cast<std::byte>((state = state * 1664525U + 1013904223U) >> 24U);
  const auto scale = [&](std::size_t block, std::size_t at) {
    bytes[block * block_bytes(format) + at] = std::byte{0};
    bytes[block * block_bytes(format) + at + 1] = std::byte{0x14};
  };
  for (std::size_t i = 0; i < count; ++i) {
    scale(i, format == QuantFormat::kQ6_K ? 208 : 0);
    if (format == QuantFormat::kQ4_1 || format == QuantFormat::kQ4_K || format == QuantFormat::kQ5_K) scale(i, 2);
  }
  return QuantizedTensor::from_blocks(format, bytes, {n, k}, device);
}

struct Matrix {
  std::int64_t n, k;
};

void gemv(const Bench& bench, QuantFormat format, const char* name) {
  const bool large = bench.device().info().type == DeviceType::kDiscreteGpu && !bench.quick();
  const std::vector<Matrix> sizes =
      large ? std::vector<Matrix>{{4096, 4096}, {14336, 4096}, {32000, 4096}} : std::vector<Matrix>{{512, 1024}};
  for (const Matrix& s : sizes) {
    const std::int64_t blocks = s.n * s.k / block_elements(format);
    const double bytes = static_cast<double>(blocks) * static_cast<double>(block_bytes(format));
    const std::int64_t copies = bench.copies_for_bytes(bytes);
    std::vector<QuantizedTensor> weights;
    const QuantizedTensor first = random_blocks(format, s.n, s.k, bench.device());
    weights.push_back(first);
    for (std::int64_t i = 1; i < copies; ++i) weights.push_back(random_blocks(format, s.n, s.k, bench.device()));
    // Making blocks takes the host long enough for a GPU to fall asleep.
    const Tensor x = bench.random({1, s.k});
    (void)bench.seconds([&] { matmul(x, first).eval(); });
    std::size_t at = 0;
    const double seconds = bench.seconds_of(
        [&] { return std::vector{bench.random({1, s.k})}; },
        [&](const std::vector<Tensor>& in) { return matmul(in[0], weights[at++ % weights.size()]); }, copies);
    bench.report({name, {{"M", 1}, {"N", s.n}, {"K", s.k}}, "gbs", bytes * 1e-9 / seconds});
  }
}

void gemv_q4_0(const Bench& bench) { gemv(bench, QuantFormat::kQ4_0, "gemv_q4_0"); }
void gemv_q8_0(const Bench& bench) { gemv(bench, QuantFormat::kQ8_0, "gemv_q8_0"); }
void gemv_q4_k(const Bench& bench) { gemv(bench, QuantFormat::kQ4_K, "gemv_q4_k"); }
void gemv_q6_k(const Bench& bench) { gemv(bench, QuantFormat::kQ6_K, "gemv_q6_k"); }

/// x of m rows times weights in blocks, or of f16 where there is no format.
void many_rows(const Bench& bench, std::optional<QuantFormat> format, const char* name) {
  const bool large = bench.device().info().type == DeviceType::kDiscreteGpu && !bench.quick();
  const Matrix s = large ? Matrix{14336, 4096} : Matrix{256, 256};
  const QuantizedTensor w = format ? random_blocks(*format, s.n, s.k, bench.device()) : QuantizedTensor();
  const Tensor plain = format ? Tensor() : bench.random({s.n, s.k}, f16).T();
  for (const std::int64_t m :
       large ? std::vector<std::int64_t>{16, 64, 128, 512, 2048} : std::vector<std::int64_t>{32}) {
    const double flops = 2 * static_cast<double>(m) * static_cast<double>(s.n) * static_cast<double>(s.k);
    const double seconds = bench.seconds_of(
        [&] { return std::vector{bench.random({m, s.k}, f16)}; },
        [&](const std::vector<Tensor>& in) { return format ? matmul(in[0], w) : matmul(in[0], plain); });
    bench.report({name, {{"M", m}, {"N", s.n}, {"K", s.k}}, "tflops", flops * 1e-12 / seconds});
  }
}

void rows_q4_k(const Bench& bench) { many_rows(bench, QuantFormat::kQ4_K, "gemm_q4_k"); }
void rows_q8_0(const Bench& bench) { many_rows(bench, QuantFormat::kQ8_0, "gemm_q8_0"); }
void rows_f16(const Bench& bench) { many_rows(bench, {}, "gemm_f16_weights"); }

}  // namespace

std::vector<BenchRow> quant_benches() {
  return {{"quant", "gemv_q4_0", gemv_q4_0},      {"quant", "gemv_q8_0", gemv_q8_0}, {"quant", "gemv_q4_k", gemv_q4_k},
          {"quant", "gemv_q6_k", gemv_q6_k},      {"quant", "gemm_q4_k", rows_q4_k}, {"quant", "gemm_q8_0", rows_q8_0},
          {"quant", "gemm_f16_weights", rows_f16}};
}

}  // namespace tessera::app
