// Benchmarks of attention, by the arithmetic of its two matmuls, and of the five of its gradients (half of it if the
// mask is causal).
#include "bench/bench.h"

namespace tessera::app {

namespace {

struct AttentionSize {
  std::int64_t batch, heads, length, size;
};

std::vector<AttentionSize> attention_sizes(const Bench& bench) {
  if (bench.quick()) return {{1, 2, 64, 64}};
  if (bench.device().info().type != DeviceType::kDiscreteGpu) return {{1, 4, 512, 64}};
  return {{4, 16, 2048, 64}, {4, 16, 2048, 128}, {1, 32, 4096, 128}};
}

void attention(const Bench& bench, const char* name, DType dtype) {
  for (const AttentionSize& s : attention_sizes(bench)) {
    for (const bool causal : {false, true}) {
      const Shape shape{s.batch, s.heads, s.length, s.size};
      const auto l = static_cast<double>(s.length);
      const double flops = (causal ? 2 : 4) * l * l * static_cast<double>(s.batch * s.heads * s.size);
      const double seconds = bench.seconds_of(
          [&] {
            return std::vector{bench.random(shape, dtype), bench.random(shape, dtype), bench.random(shape, dtype)};
          },
          [&](const std::vector<Tensor>& in) {
            return scaled_dot_product_attention(in[0], in[1], in[2], {.causal = causal});
          },
          bench.copies_for_flops(flops));
      bench.report({name,
                    {{"B", s.batch}, {"H", s.heads}, {"L", s.length}, {"D", s.size}, {"causal", causal}},
                    "tflops",
                    flops * 1e-12 / seconds});
    }
  }
}

void attention_f32(const Bench& bench) { attention(bench, "attention_f32", f32); }
void attention_f16(const Bench& bench) { attention(bench, "attention_f16", f16); }

/// The output, and the gradients of q, k and v.
void attention_step(const Bench& bench) {
  std::vector<AttentionSize> sizes = attention_sizes(bench);
  if (sizes.size() > 1) sizes = {{8, 12, 1024, 64}, sizes[0], sizes[1]};  // first that of GPT-2 with 124M parameters
  for (const AttentionSize& s : sizes) {
    for (const bool causal : {false, true}) {
      const Shape shape{s.batch, s.heads, s.length, s.size};
      const auto l = static_cast<double>(s.length);
      const double flops = 3.5 * (causal ? 2 : 4) * l * l * static_cast<double>(s.batch * s.heads * s.size);
      const double seconds = bench.seconds_of_all(
          [&] {
            std::vector<Tensor> in;
            for (int i = 0; i < 4; ++i) in.push_back(bench.random(shape, f16));
            return in;
          },
          [&](const std::vector<Tensor>& in) {
            const auto f = [&](const Tensors& x) {
              return Tensors{scaled_dot_product_attention(x[0], x[1], x[2], {.causal = causal})};
            };
            return vjp(f, {in[0], in[1], in[2]}, {in[3]}).second;
          },
          3, bench.copies_for_flops(flops));
      bench.report({"attention_step_f16",
                    {{"B", s.batch}, {"H", s.heads}, {"L", s.length}, {"D", s.size}, {"causal", causal}},
                    "tflops",
                    flops * 1e-12 / seconds});
    }
  }
}

// Flash decode: one query per sequence over a long KV cache, by the bandwidth of reading the cache.
void attention_decode(const Bench& bench) {
  const bool large = bench.device().info().type == DeviceType::kDiscreteGpu && !bench.quick();
  const std::int64_t heads = large ? 32 : 4;
  const std::int64_t shared = large ? 8 : 2;
  const std::int64_t length = large ? 8192 : 512;
  for (const std::int64_t batch : {std::int64_t{1}, std::int64_t{8}}) {
    const double bytes = 2 * 2 * static_cast<double>(batch * shared * length * 128);
    const double seconds = bench.seconds_of(
        [&] {
          return std::vector{bench.random({batch, heads, 1, 128}, f16), bench.random({batch, shared, length, 128}, f16),
                             bench.random({batch, shared, length, 128}, f16)};
        },
        [](const std::vector<Tensor>& in) { return scaled_dot_product_attention(in[0], in[1], in[2]); },
        bench.copies_for_bytes(bytes));
    bench.report({"attention_decode_f16",
                  {{"B", batch}, {"H", heads}, {"Hkv", shared}, {"L", length}, {"D", 128}},
                  "gbs",
                  bytes * 1e-9 / seconds});
  }
}

}  // namespace

std::vector<BenchRow> attention_benches() {
  return {{"attention", "attention_f32", attention_f32},
          {"attention", "attention_f16", attention_f16},
          {"attention", "attention_step_f16", attention_step},
          {"attention", "attention_decode_f16", attention_decode}};
}

}  // namespace tessera::app
