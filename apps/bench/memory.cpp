// Benchmarks of work that is bound by memory: elementwise chains and the transpose.
#include "bench/bench.h"

namespace tessera::app {

namespace {

double gigabytes(double bytes) { return bytes * 1e-9; }

void scale(const Bench& bench) {
  const std::int64_t n = bench.sizes().elements;
  const double seconds = bench.seconds_of([&] { return std::vector{bench.random({n})}; },
                                          [](const std::vector<Tensor>& in) { return in[0] * 2.0; });
  const double bytes = 8.0 * static_cast<double>(n);
  bench.report({"scale_f32", {{"n", n}}, "gbs", gigabytes(bytes) / seconds});
}

// The bandwidth counts both inputs and the result, fused or not.
void chain6(const Bench& bench) {
  const std::int64_t n = bench.sizes().elements;
  const double seconds =
      bench.seconds_of([&] { return std::vector{bench.random({n}), bench.random({n})}; }, chain6_fused);
  bench.report({"chain6_f32", {{"n", n}}, "gbs", gigabytes(12.0 * static_cast<double>(n)) / seconds});
}

void chain6_unfused(const Bench& bench) {
  const std::int64_t n = bench.sizes().elements;
  const double seconds = chain6_op_by_op_seconds(bench, n);
  bench.report({"chain6_unfused", {{"n", n}}, "gbs", gigabytes(12.0 * static_cast<double>(n)) / seconds});
}

void transpose_f32(const Bench& bench) {
  const std::int64_t edge = bench.sizes().transpose;
  const double seconds = bench.seconds_of([&] { return std::vector{bench.random({edge, edge})}; },
                                          [](const std::vector<Tensor>& in) { return contiguous(in[0].T()); });
  const double bytes = 8.0 * static_cast<double>(edge * edge);
  bench.report({"transpose_f32", {{"M", edge}, {"N", edge}}, "gbs", gigabytes(bytes) / seconds});
}

}  // namespace

Tensor chain6_fused(const std::vector<Tensor>& in) {
  const Tensor& a = in[0];
  const Tensor& b = in[1];
  return relu((a * b + a) * 0.5 - b) + 1.0;
}

double chain6_op_by_op_seconds(const Bench& bench, std::int64_t elements) {
  const Tensor a = bench.random({elements});
  const Tensor b = bench.random({elements});
  return bench.seconds([&] {
    Tensor t = a * b;
    t.eval();
    (t = t + a).eval();
    (t = t * 0.5).eval();
    (t = t - b).eval();
    (t = relu(t)).eval();
    (t = t + 1.0).eval();
  });
}

std::vector<BenchRow> memory_benches() {
  return {{"elementwise", "scale_f32", scale},
          {"elementwise", "chain6_f32", chain6},
          {"elementwise", "chain6_unfused", chain6_unfused},
          {"transpose", "transpose_f32", transpose_f32}};
}

}  // namespace tessera::app
