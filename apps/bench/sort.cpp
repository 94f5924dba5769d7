// Benchmarks of sorts, scans and scatters.
#include "bench/bench.h"

namespace tessera::app {

namespace {

/// Long rows are a part of what the elementwise benchmarks take: 16M elements to sort and 64M to scan on a GPU.
std::int64_t sorted_elements(const Bench& bench) { return bench.sizes().elements / 16; }
std::int64_t scanned_elements(const Bench& bench) { return bench.sizes().elements / 4; }

void milliseconds_of(const Bench& bench, const char* name, const Json& fields, const Bench::Inputs& inputs,
                     const Bench::Function& function) {
  bench.report({name, fields, "ms", 1e3 * bench.seconds_of(inputs, function)});
}

void sort_f32(const Bench& bench) {
  const std::int64_t n = sorted_elements(bench);
  milliseconds_of(
      bench, "sort_f32", {{"n", n}}, [&] { return std::vector{bench.random({n})}; },
      [](const std::vector<Tensor>& in) { return sort(in[0], 0); });
}
void argsort_f32(const Bench& bench) {
  const std::int64_t n = sorted_elements(bench);
  milliseconds_of(
      bench, "argsort_f32", {{"n", n}}, [&] { return std::vector{bench.random({n})}; },
      [](const std::vector<Tensor>& in) { return argsort(in[0], 0); });
}
void sort_i64(const Bench& bench) {
  const std::int64_t n = sorted_elements(bench);
  milliseconds_of(
      bench, "sort_i64", {{"n", n}}, [&] { return std::vector{cast(bench.random({n}) * 1e18, i64).eval()}; },
      [](const std::vector<Tensor>& in) { return sort(in[0], 0); });
}
void sort_rows_f32(const Bench& bench) {
  for (const Sizes::Matrix& size : bench.sizes().rows) {
    milliseconds_of(
        bench, "sort_rows_f32", {{"M", size.rows}, {"N", size.cols}},
        [&] { return std::vector{bench.random({size.rows, size.cols})}; },
        [](const std::vector<Tensor>& in) { return sort(in[0]); });
  }
}
void topk_f32(const Bench& bench) {
  for (const Sizes::Matrix& size : bench.sizes().rows) {
    const std::int64_t k = 8;
    milliseconds_of(
        bench, "topk_f32", {{"M", size.rows}, {"N", size.cols}, {"k", k}},
        [&] { return std::vector{bench.random({size.rows, size.cols})}; },
        [](const std::vector<Tensor>& in) { return topk(in[0], 8).values; });
  }
}
void scatter_add_f32(const Bench& bench) {
  const std::int64_t n = sorted_elements(bench);
  milliseconds_of(
      bench, "scatter_add_f32", {{"n", n}},
      [&] {
        return std::vector{bench.random({n}), random::randint({n}, 0, n, i32, bench.device()).eval(),
                           bench.random({n})};
      },
      [](const std::vector<Tensor>& in) { return scatter_add(in[0], in[1], in[2], 0); });
}

// The bandwidth counts the input and the result once.
void cumsum_f32(const Bench& bench) {
  const std::int64_t n = scanned_elements(bench);
  const double seconds = bench.seconds_of([&] { return std::vector{bench.random({n})}; },
                                          [](const std::vector<Tensor>& in) { return cumsum(in[0], 0); });
  bench.report({"cumsum_f32", {{"n", n}}, "gbs", 8e-9 * static_cast<double>(n) / seconds});
}
void cumsum_rows_f32(const Bench& bench) {
  for (const Sizes::Matrix& size : bench.sizes().rows) {
    const double bytes = 8.0 * static_cast<double>(size.rows * size.cols);
    const double seconds =
        bench.seconds_of([&] { return std::vector{bench.random({size.rows, size.cols})}; },
                         [](const std::vector<Tensor>& in) { return cumsum(in[0], 1); }, bench.copies_for_bytes(bytes));
    bench.report({"cumsum_rows_f32", {{"M", size.rows}, {"N", size.cols}}, "gbs", bytes * 1e-9 / seconds});
  }
}
void cummax_f32(const Bench& bench) {
  const std::int64_t n = scanned_elements(bench);
  const double seconds = bench.seconds_of([&] { return std::vector{bench.random({n})}; },
                                          [](const std::vector<Tensor>& in) { return cummax(in[0], 0).values; });
  bench.report({"cummax_f32", {{"n", n}}, "gbs", 8e-9 * static_cast<double>(n) / seconds});
}

}  // namespace

std::vector<BenchRow> sort_benches() {
  return {{"sort", "sort_f32", sort_f32},     {"sort", "argsort_f32", argsort_f32},
          {"sort", "sort_i64", sort_i64},     {"sort", "sort_rows_f32", sort_rows_f32},
          {"sort", "topk_f32", topk_f32},     {"sort", "scatter_add_f32", scatter_add_f32},
          {"scan", "cumsum_f32", cumsum_f32}, {"scan", "cumsum_rows_f32", cumsum_rows_f32},
          {"scan", "cummax_f32", cummax_f32}};
}

}  // namespace tessera::app
