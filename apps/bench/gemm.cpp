// Benchmarks of matmuls: square ones by arithmetic, skinny ones by the bandwidth of the large matrix, and grouped ones
// and prologues by time.
#include <functional>

#include "bench/bench.h"

namespace tessera::app {

namespace {

void square(const Bench& bench, const char* name, DType dtype, const char* layout) {
  const bool transpose_a = layout[0] == 't';
  const bool transpose_b = layout[1] == 't';
  for (const std::int64_t edge : bench.sizes().gemm) {
    const auto n = static_cast<double>(edge);
    const double flops = 2 * n * n * n;
    const double seconds = bench.seconds_of(
        [&] { return std::vector{bench.random({edge, edge}, dtype), bench.random({edge, edge}, dtype)}; },
        [&](const std::vector<Tensor>& in) {
          return matmul(transpose_a ? in[0].T() : in[0], transpose_b ? in[1].T() : in[1]);
        },
        bench.copies_for_flops(flops));
    bench.report(
        {name, {{"M", edge}, {"N", edge}, {"K", edge}, {"layout", layout}}, "tflops", flops * 1e-12 / seconds});
  }
}

// Split-K: small results with long sums, like the gradients of weights: dy^T x.
void long_sums(const Bench& bench, const char* name, DType dtype) {
  const bool large = bench.device().info().type == DeviceType::kDiscreteGpu && !bench.quick();
  const std::vector<Sizes::Gemm> sizes =
      large ? std::vector<Sizes::Gemm>{{64, 65536, 64}, {256, 16384, 256}, {512, 4096, 512}, {1024, 65536, 1024}}
            : std::vector<Sizes::Gemm>{{32, 2048, 32}};
  for (const Sizes::Gemm& p : sizes) {
    const double flops = 2 * static_cast<double>(p.m) * static_cast<double>(p.k) * static_cast<double>(p.n);
    const double seconds = bench.seconds_of(
        [&] { return std::vector{bench.random({p.k, p.m}, dtype), bench.random({p.k, p.n}, dtype)}; },
        [&](const std::vector<Tensor>& in) { return matmul(in[0].T(), in[1]); }, bench.copies_for_flops(flops));
    bench.report({name, {{"M", p.m}, {"N", p.n}, {"K", p.k}, {"layout", "tn"}}, "tflops", flops * 1e-12 / seconds});
  }
}

// Both layouts of the weights: [K, N] ("nn") and [N, K], read as its transpose ("nt", a linear layer's).
void skinny(const Bench& bench, const char* name, DType dtype) {
  for (const Sizes::Gemm& p : bench.sizes().skinny) {
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

// Matmuls with one shared x, which may become a grouped GEMM, and with separate x, which stay separate kernels.
void shared(const Bench& bench, const char* name, const std::vector<std::int64_t>& widths) {
  const std::int64_t k = bench.sizes().model;
  std::int64_t n = 0;
  for (const std::int64_t w : widths) n += w;
  for (const std::int64_t m : {16, 64, 128, 256, 512}) {
    if (bench.quick() && m > 16) break;
    const double bytes = 2 * static_cast<double>(m * k + k * n + m * n);
    for (const bool together : {true, false}) {
      const auto inputs = [&] {
        std::vector<Tensor> all;
        for (std::size_t i = 0; i < (together ? 1 : widths.size()); ++i) all.push_back(bench.random({m, k}, f16));
        for (const std::int64_t w : widths) all.push_back(bench.random({k, w}, f16));
        return all;
      };
      const auto matmuls = [&](const std::vector<Tensor>& in) {
        const std::size_t first = in.size() - widths.size();
        std::vector<Tensor> all;
        for (std::size_t i = 0; i < widths.size(); ++i) all.push_back(matmul(in[together ? 0 : i], in[first + i]));
        return all;
      };
      const double seconds = bench.seconds_of_all(inputs, matmuls, widths.size(), bench.copies_for_bytes(bytes));
      const char* input = together ? "one" : "each its own";
      bench.report({name, {{"M", m}, {"N", n}, {"K", k}, {"input", input}}, "us", seconds * 1e6});
    }
  }
}

void qkv(const Bench& bench) {
  const std::int64_t width = bench.sizes().model;
  shared(bench, "qkv_f16", {width, width / 4, width / 4});
}
void gate_up(const Bench& bench) {
  const std::int64_t width = bench.sizes().model / 2 * 7;
  shared(bench, "gate_up_f16", {width, width});
}

// Prologues: matmuls whose operand is an expression. If the expression is evaluated as well, it is a separate kernel.
void prologue(const Bench& bench) {
  const std::int64_t width = bench.sizes().model;
  for (const bool left : {true, false}) {
    for (const std::int64_t m : {16, 128, 1024, 4096}) {
      if (bench.quick() && m > 16) break;
      const double flops = 2 * static_cast<double>(m * width) * static_cast<double>(width);
      for (const bool apart : {false, true}) {
        const auto inputs = [&] {
          const Shape x{m, width};
          const Shape w{width, width};
          return left ? std::vector{bench.random(x, f16), bench.random(x, f16), bench.random(w, f16)}
                      : std::vector{bench.random(x, f16), bench.random(w, f16), bench.random({width}, f16)};
        };
        const auto run = [&](const std::vector<Tensor>& in) {
          const Tensor e = left ? silu(in[0]) * in[1] : in[1] * in[2];
          const Tensor c = left ? matmul(e, in[2]) : matmul(in[0], e);
          return apart ? std::vector{c, e} : std::vector{c};
        };
        const double seconds = bench.seconds_of_all(inputs, run, apart ? 2 : 1, bench.copies_for_flops(flops));
        const char* what = left ? "silu(g) * u" : "w * s";
        bench.report({"prologue_f16",
                      {{"M", m}, {"N", width}, {"K", width}, {"operand", what}, {"kernels", apart ? "two" : "any"}},
                      "us",
                      seconds * 1e6});
      }
    }
  }
}

// Epilogues: a linear layer with what follows it in the same kernel, from a bias to GELU with its derivative for the
// backward pass. An epilogue must not slow down the main loop.
void epilogue(const Bench& bench, const char* name, DType dtype) {
  const bool large = bench.device().info().type == DeviceType::kDiscreteGpu && !bench.quick();
  const Sizes::Gemm p = large ? Sizes::Gemm{8192, 768, 3072} : Sizes::Gemm{64, 32, 64};
  const double flops = 2 * static_cast<double>(p.m) * static_cast<double>(p.k) * static_cast<double>(p.n);
  const auto inputs = [&] {
    return std::vector{bench.random({p.m, p.k}, dtype), bench.random({p.k, p.n}, dtype), bench.random({p.n}, dtype)};
  };
  struct End {
    const char* what;
    std::size_t results;
    std::function<std::vector<Tensor>(const Tensor&)> of;
  };
  const std::vector<End> ends{
      {"none", 1, [](const Tensor& y) { return std::vector{y}; }},
      {"relu", 1, [](const Tensor& y) { return std::vector{relu(y)}; }},
      {"gelu_tanh", 1, [](const Tensor& y) { return std::vector{gelu_tanh(y)}; }},
      {"gelu", 1, [](const Tensor& y) { return std::vector{gelu(y)}; }},
      {"gelu_tanh and its derivative", 2,
       [](const Tensor& y) {
         auto [value, gradients] = vjp([](const Tensors& x) { return Tensors{gelu_tanh(x[0])}; }, {y},
                                       {ones(y.shape(), y.dtype(), y.device())});
         return std::vector{value[0], gradients[0]};
       }},
  };
  for (const End& end : ends) {
    const auto run = [&](const std::vector<Tensor>& in) { return end.of(matmul(in[0], in[1]) + in[2]); };
    const double seconds = bench.seconds_of_all(inputs, run, end.results, bench.copies_for_flops(flops));
    bench.report(
        {name, {{"M", p.m}, {"N", p.n}, {"K", p.k}, {"epilogue", end.what}}, "tflops", flops * 1e-12 / seconds});
  }
}
void epilogue_f32(const Bench& bench) { epilogue(bench, "epilogue_f32", f32); }
void epilogue_f16(const Bench& bench) { epilogue(bench, "epilogue_f16", f16); }

// As a linear layer and its gradients read them: x W, x W^T, and dy^T x.
void gemm_f32(const Bench& bench) {
  for (const char* layout : {"nn", "nt", "tn"}) square(bench, "gemm_f32", f32, layout);
}
void gemm_f16(const Bench& bench) {
  for (const char* layout : {"nn", "nt", "tn"}) square(bench, "gemm_f16", f16, layout);
}
// The same matmuls with f16 accumulation.
void gemm_half_sums(const Bench& bench) {
  const Device device = Device::create({.device = bench.device().info().id, .half_sums = true});
  const Bench own(device, bench.quick(), [&](const Result& result) { bench.report(result); });
  for (const char* layout : {"nn", "nt", "tn"}) square(own, "gemm_half_sums_f16", f16, layout);
}
void long_sums_f32(const Bench& bench) { long_sums(bench, "long_sums_f32", f32); }
void long_sums_f16(const Bench& bench) { long_sums(bench, "long_sums_f16", f16); }
void gemv_f32(const Bench& bench) { skinny(bench, "gemv_f32", f32); }
void gemv_f16(const Bench& bench) { skinny(bench, "gemv_f16", f16); }

}  // namespace

std::vector<BenchRow> gemm_benches() {
  return {{"gemm", "gemm_f32", gemm_f32},           {"gemm", "gemm_f16", gemm_f16},
          {"gemm", "gemv_f32", gemv_f32},           {"gemm", "gemm_half_sums_f16", gemm_half_sums},
          {"gemm", "long_sums_f32", long_sums_f32}, {"gemm", "long_sums_f16", long_sums_f16},
          {"gemm", "gemv_f16", gemv_f16},           {"gemm", "qkv_f16", qkv},
          {"gemm", "gate_up_f16", gate_up},         {"gemm", "prologue_f16", prologue},
          {"gemm", "epilogue_f32", epilogue_f32},   {"gemm", "epilogue_f16", epilogue_f16}};
}

}  // namespace tessera::app
