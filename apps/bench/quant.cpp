// Benchmarks of matmuls with quantized weights: one row by the bandwidth of the blocks, many rows by arithmetic.
#include <optional>

#include "bench/bench.h"

namespace tessera::app {

Tensor random_blocks(DType dtype, std::int64_t n, std::int64_t k, const Device& device) {
  std::vector<std::byte> bytes(byte_size(dtype, n * k));
  std::uint32_t state = 1;
  for (std::byte& b : bytes) b = static_cast<std::byte>((state = state * 1664525U + 1013904223U) >> 24U);
  const auto scale = [&](std::size_t block, std::size_t at) {
    bytes[block * size_of(dtype) + at] = std::byte{0};
    bytes[block * size_of(dtype) + at + 1] = std::byte{0x14};
  };
  for (std::size_t i = 0; i < bytes.size() / size_of(dtype); ++i) {
    if (dtype == mxfp4) {
      bytes[i * size_of(dtype)] = std::byte{117};
      continue;
    }
    scale(i, dtype == q6_k ? 208 : 0);
    if (dtype == q4_1 || dtype == q4_k || dtype == q5_k) scale(i, 2);
  }
  return from_blocks(dtype, bytes, {n, k}, device);
}

namespace {

struct Matrix {
  std::int64_t n, k;
};

/// Seconds of one row times the transpose of one of several matrices.
double gemv_seconds(const Bench& bench, const Matrix& s, const std::vector<Tensor>& weights) {
  std::size_t at = 0;
  return bench.seconds_of(
      [&] { return std::vector{bench.random({1, s.k})}; },
      [&](const std::vector<Tensor>& in) { return matmul(in[0], weights[at++ % weights.size()].T()); },
      std::ssize(weights));
}

void gemv(const Bench& bench, DType dtype, const char* name) {
  const DeviceType type = bench.device().info().type;
  std::vector<Matrix> sizes{{512, 1024}};
  if (type == DeviceType::kDiscreteGpu && !bench.quick()) sizes = {{4096, 4096}, {14336, 4096}, {32000, 4096}};
  if (type == DeviceType::kCpu && !bench.quick()) sizes = {{4096, 4096}, {11008, 4096}};
  for (const Matrix& s : sizes) {
    const double bytes = static_cast<double>(byte_size(dtype, s.n * s.k));
    const std::int64_t copies = bench.copies_for_bytes(bytes);
    std::vector<Tensor> weights;
    const Tensor first = random_blocks(dtype, s.n, s.k, bench.device());
    weights.push_back(first);
    for (std::int64_t i = 1; i < copies; ++i) weights.push_back(random_blocks(dtype, s.n, s.k, bench.device()));
    // Making blocks takes the host long enough for a GPU to fall asleep.
    const Tensor x = bench.random({1, s.k});
    (void)bench.seconds([&] { matmul(x, first.T()).eval(); });
    const double seconds = gemv_seconds(bench, s, weights);
    Json fields{{"M", 1}, {"N", s.n}, {"K", s.k}};
    // How many times as many weights as of f32 a second reads.
    if (type == DeviceType::kCpu) fields["of_f32"] = gemv_seconds(bench, s, {bench.random({s.n, s.k})}) / seconds;
    bench.report({name, fields, "gbs", bytes * 1e-9 / seconds});
  }
}

void gemv_q4_0(const Bench& bench) { gemv(bench, q4_0, "gemv_q4_0"); }
void gemv_q8_0(const Bench& bench) { gemv(bench, q8_0, "gemv_q8_0"); }
void gemv_q4_k(const Bench& bench) { gemv(bench, q4_k, "gemv_q4_k"); }
void gemv_mxfp4(const Bench& bench) { gemv(bench, mxfp4, "gemv_mxfp4"); }
void gemv_q5_k(const Bench& bench) { gemv(bench, q5_k, "gemv_q5_k"); }
void gemv_q6_k(const Bench& bench) { gemv(bench, q6_k, "gemv_q6_k"); }

/// x of m rows times weights in blocks, or of f16 where there is no format.
void many_rows(const Bench& bench, std::optional<DType> dtype, const char* name) {
  const bool large = bench.device().info().type == DeviceType::kDiscreteGpu && !bench.quick();
  const Matrix s = large ? Matrix{14336, 4096} : Matrix{256, 256};
  const Tensor w = dtype ? random_blocks(*dtype, s.n, s.k, bench.device()).T() : bench.random({s.n, s.k}, f16).T();
  for (const std::int64_t m :
       large ? std::vector<std::int64_t>{16, 64, 128, 512, 2048} : std::vector<std::int64_t>{32}) {
    const double flops = 2 * static_cast<double>(m) * static_cast<double>(s.n) * static_cast<double>(s.k);
    const double seconds = bench.seconds_of([&] { return std::vector{bench.random({m, s.k}, f16)}; },
                                            [&](const std::vector<Tensor>& in) { return matmul(in[0], w); });
    bench.report({name, {{"M", m}, {"N", s.n}, {"K", s.k}}, "tflops", flops * 1e-12 / seconds});
  }
}

void rows_q4_k(const Bench& bench) { many_rows(bench, q4_k, "gemm_q4_k"); }
void rows_q8_0(const Bench& bench) { many_rows(bench, q8_0, "gemm_q8_0"); }
void rows_f16(const Bench& bench) { many_rows(bench, {}, "gemm_f16_weights"); }

}  // namespace

std::vector<BenchRow> quant_benches() {
  return {
      {"quant", "gemv_q4_0", gemv_q4_0}, {"quant", "gemv_q8_0", gemv_q8_0}, {"quant", "gemv_q4_k", gemv_q4_k},
      {"quant", "gemv_q5_k", gemv_q5_k}, {"quant", "gemv_q6_k", gemv_q6_k}, {"quant", "gemv_mxfp4", gemv_mxfp4},
      {"quant", "gemm_q4_k", rows_q4_k}, {"quant", "gemm_q8_0", rows_q8_0}, {"quant", "gemm_f16_weights", rows_f16}};
}

}  // namespace tessera::app
