// The CPU backend by itself: maps, reductions and products, the last beside oneDNN where it is there. With
// TESSERA_THREADS=1 and OMP_NUM_THREADS=1 a busy machine disturbs the numbers little.
#include <benchmark/benchmark.h>

#include "runtime/cpu/gemm/gemm.h"
#include "tessera/tessera.h"

namespace tessera {
namespace {

const Device& cpu() {
  static const Device device = Device::create({.device = "cpu"});
  return device;
}

using Function = Tensor (*)(const Tensor&);

/// Evaluates `function` of a matrix; `traffic` is how often the matrix passes through memory.
void over_matrix(benchmark::State& state, Function function, DType dtype, double traffic) {
  const Tensor x = random::uniform({state.range(0), state.range(1)}, -1.0, 1.0, dtype, cpu()).eval();
  for (auto _ : state) benchmark::DoNotOptimize(function(x).eval());
  const double bytes = traffic * static_cast<double>(x.numel()) * static_cast<double>(size_of(dtype));
  state.counters["bytes"] =
      benchmark::Counter(bytes, benchmark::Counter::kIsIterationInvariantRate, benchmark::Counter::kIs1000);
}

void map_sizes(benchmark::internal::Benchmark* b) {
  b->Args({1, 1 << 10})->Args({1, 1 << 16})->Args({1, 1 << 24})->UseRealTime();
}
void row_sizes(benchmark::internal::Benchmark* b) {
  for (const int cols : {4, 16, 64, 1024, 65536, 1 << 24}) b->Args({(1 << 24) / cols, cols});
  b->UseRealTime();
}

#define TESSERA_MAP(name, expression)                                                          \
  BENCHMARK_CAPTURE(                                                                           \
      over_matrix, name, [](const Tensor& x) -> Tensor { return expression; }, DType::kF32, 2) \
      ->Apply(map_sizes)
TESSERA_MAP(scale, x * 2.0);
TESSERA_MAP(chain_of_six, abs((maximum(x * 2.0 + 2.0, x) - 2.0) * x));
TESSERA_MAP(exp, exp(x));
TESSERA_MAP(tanh, tanh(x));
TESSERA_MAP(erf, erf(x));
TESSERA_MAP(sin, sin(x));
BENCHMARK_CAPTURE(
    over_matrix, scale_f16, [](const Tensor& x) -> Tensor { return x * 2.0; }, DType::kF16, 2)
    ->Apply(map_sizes);
BENCHMARK_CAPTURE(
    over_matrix, transpose, [](const Tensor& x) -> Tensor { return contiguous(transpose(x)); }, DType::kF32, 2)
    ->Args({4096, 4096})
    ->UseRealTime();

#define TESSERA_ROWS(name, expression, traffic)                                                      \
  BENCHMARK_CAPTURE(                                                                                 \
      over_matrix, name, [](const Tensor& x) -> Tensor { return expression; }, DType::kF32, traffic) \
      ->Apply(row_sizes)
TESSERA_ROWS(sum_of_rows, sum(x, {1}), 1);
TESSERA_ROWS(max_of_rows, max(x, {1}), 1);
TESSERA_ROWS(sum_down, sum(x, {0}), 1);
TESSERA_ROWS(softmax, softmax(x), 2);

/// [m, k] x [k, n]; the second operand is transposed in memory where the last argument is 1.
void product(benchmark::State& state, bool own) {
  using runtime::cpu::Matrix;
  const runtime::cpu::GemmSize s{state.range(0), state.range(1), state.range(2)};
  const bool transposed = state.range(3) != 0;
  const std::vector<float> a(static_cast<std::size_t>(s.m * s.k), 0.5F);
  const std::vector<float> b(static_cast<std::size_t>(s.k * s.n), 0.5F);
  std::vector<float> c(static_cast<std::size_t>(s.m * s.n));
  const Matrix x{a.data(), f32, s.k, 1};
  const Matrix y{b.data(), f32, transposed ? 1 : s.n, transposed ? s.k : 1};
  for (auto _ : state) {
    if (own) {
      runtime::cpu::gemm_blocked(s, x, y, c.data());
    } else if (!runtime::cpu::gemm_onednn(s, x, y, c.data())) {
      state.SkipWithError("oneDNN is not there, or does not take this product");
      break;
    }
  }
  state.counters["flops"] =
      benchmark::Counter(2.0 * static_cast<double>(s.m * s.n * s.k), benchmark::Counter::kIsIterationInvariantRate);
}
void product_sizes(benchmark::internal::Benchmark* b) {
  for (const int transposed : {0, 1}) {
    for (const auto& [m, n, k] : {std::tuple{64, 64, 64},
                                  {256, 256, 256},
                                  {1024, 1024, 1024},
                                  {1, 4096, 4096},
                                  {4096, 1, 4096},
                                  {8, 4096, 1024},
                                  {4096, 16, 512}}) {
      b->Args({m, n, k, transposed});
    }
  }
  b->UseRealTime();
}
BENCHMARK_CAPTURE(product, own, true)->Apply(product_sizes);
BENCHMARK_CAPTURE(product, onednn, false)->Apply(product_sizes);

}  // namespace
}  // namespace tessera

BENCHMARK_MAIN();
