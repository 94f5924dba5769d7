// Benchmarks of work along rows: sums, softmax, layer_norm.
#include "bench.h"

namespace tessera::app {

namespace {

/// Runs over all matrices of the sizes; `traffic` is how often the matrix passes through memory.
void over_rows(const Bench& bench, const char* name, DType dtype, double traffic, const Bench::Function& function,
               bool affine = false) {
  for (const Sizes::Matrix& size : bench.sizes().rows) {
    const double bytes = traffic * static_cast<double>(size.rows * size.cols) * static_cast<double>(size_of(dtype));
    const auto inputs = [&] {
      std::vector<Tensor> in{bench.random({size.rows, size.cols}, dtype)};
      if (affine) in.insert(in.end(), {bench.random({size.cols}, dtype), bench.random({size.cols}, dtype)});
      return in;
    };
    const double seconds = bench.seconds_of(inputs, function, bench.copies_for_bytes(bytes));
    bench.report({name, {{"M", size.rows}, {"N", size.cols}}, "gbs", bytes * 1e-9 / seconds});
  }
}

void row_sum(const Bench& bench) {
  over_rows(bench, "row_sum_f32", f32, 1, [](const std::vector<Tensor>& in) { return sum(in[0], {-1}); });
}
void col_sum(const Bench& bench) {
  over_rows(bench, "col_sum_f32", f32, 1, [](const std::vector<Tensor>& in) { return sum(in[0], {0}); });
}
void full_sum(const Bench& bench) {
  const std::int64_t n = bench.sizes().elements;
  const double seconds = bench.seconds_of([&] { return std::vector{bench.random({n})}; },
                                          [](const std::vector<Tensor>& in) { return sum(in[0]); });
  bench.report({"full_sum_f32", {{"n", n}}, "gbs", 4e-9 * static_cast<double>(n) / seconds});
}
void softmax_f32(const Bench& bench) {
  over_rows(bench, "softmax_f32", f32, 2, [](const std::vector<Tensor>& in) { return softmax(in[0]); });
}
void softmax_f16(const Bench& bench) {
  over_rows(bench, "softmax_f16", f16, 2, [](const std::vector<Tensor>& in) { return softmax(in[0]); });
}
void layer_norm_f32(const Bench& bench) {
  over_rows(
      bench, "layer_norm_f32", f32, 2, [](const std::vector<Tensor>& in) { return layer_norm(in[0], in[1], in[2]); },
      true);
}

}  // namespace

std::vector<BenchRow> row_benches() {
  return {{"reduce", "row_sum_f32", row_sum},      {"reduce", "col_sum_f32", col_sum},
          {"reduce", "full_sum_f32", full_sum},    {"softmax", "softmax_f32", softmax_f32},
          {"softmax", "softmax_f16", softmax_f16}, {"layernorm", "layer_norm_f32", layer_norm_f32}};
}

}  // namespace tessera::app
