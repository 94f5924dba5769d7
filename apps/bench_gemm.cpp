// Benchmarks of matrix products: square ones by arithmetic, skinny ones by the bandwidth of the large matrix.
#include "bench.h"

namespace tessera::app {

namespace {

void square(const Bench& bench, const char* name, DType dtype) {
  for (const std::int64_t edge : bench.sizes().gemm) {
    const auto n = static_cast<double>(edge);
    const double flops = 2 * n * n * n;
    const double seconds = bench.seconds_of(
        [&] { return std::vector{bench.random({edge, edge}, dtype), bench.random({edge, edge}, dtype)}; },
        [](const std::vector<Tensor>& in) { return matmul(in[0], in[1]); }, bench.copies_for_flops(flops));
    bench.report({name, {{"M", edge}, {"N", edge}, {"K", edge}}, "tflops", flops * 1e-12 / seconds});
  }
}

// Both layouts of the weights: [K, N] ("nn") and [N, K], read as its transpose ("nt", a linear layer's).
void skinny(const Bench& bench, const char* name, DType dtype) {
  for (const Sizes::Product& p : bench.sizes().skinny) {
    for (const bool transposed : {false, true}) {
      const double bytes = static_cast<double>(p.m * p.k + p.k * p.n + p.m * p.n) * static_cast<double>(size_of(dtype));
      const Shape weights = transposed ? Shape{p.n, p.k} : Shape{p.k, p.n};
      const double seconds =
          bench.seconds_of([&] { return std::vector{bench.random({p.m, p.k}, dtype), bench.random(weights, dtype)}; },
                           [&](const std::vector<Tensor>& in) { return matmul(in[0], transposed ? in[1].T() : in[1]); },
                           bench.copies_for_bytes(bytes));
      bench.report({name,
                    {{"M", p.m}, {"N", p.n}, {"K", p.k}, {"layout", transposed ? "nt" : "nn"}},
                    "gbs",
                    bytes * 1e-9 / seconds});
    }
  }
}

void gemm_f32(const Bench& bench) { square(bench, "gemm_f32", f32); }
void gemm_f16(const Bench& bench) { square(bench, "gemm_f16", f16); }
void gemv_f32(const Bench& bench) { skinny(bench, "gemv_f32", f32); }
void gemv_f16(const Bench& bench) { skinny(bench, "gemv_f16", f16); }

}  // namespace

std::vector<BenchRow> product_benches() {
  return {{"gemm", "gemm_f32", gemm_f32},
          {"gemm", "gemm_f16", gemm_f16},
          {"gemm", "gemv_f32", gemv_f32},
          {"gemm", "gemv_f16", gemv_f16}};
}

}  // namespace tessera::app
