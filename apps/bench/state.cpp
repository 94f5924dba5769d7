// Benchmarks of state on the device: a decoder of Llama's form whose steps update caches of keys and values in place.
#include "bench/bench.h"

namespace tessera::app {

namespace {

struct Decoder {
  std::int64_t width, hidden, heads, shared, vocabulary;
  std::size_t layers;
  [[nodiscard]] std::int64_t size() const { return width / heads; }
  [[nodiscard]] std::int64_t qkv() const { return (heads + 2 * shared) * size(); }
};

Decoder decoder_for(const Bench& bench) {
  if (bench.model().params == "1b") return {2048, 8192, 32, 8, 128256, 16};  // 1.24 billion parameters
  return {64, 256, 4, 2, 256, 2};
}

/// Seven weights a layer, then the last norm and the embedding, which is the head too.
constexpr std::size_t kTensorsOfLayer = 7;
std::vector<Tensor> weights_of(const Bench& bench, const Decoder& m) {
  std::vector<Tensor> w;
  const auto add = [&](const Shape& shape) {
    w.push_back(bench.random(shape, f16) * 0.02);
    eval(w.back());
  };
  for (std::size_t i = 0; i < m.layers; ++i) {
    add({m.width});
    add({m.qkv(), m.width});
    add({m.width, m.width});
    add({m.width});
    add({m.hidden, m.width});
    add({m.hidden, m.width});
    add({m.width, m.hidden});
  }
  add({m.width});
  add({m.vocabulary, m.width});
  return w;
}

/// One step for token in[0] at position in[1], both [1]; then come the caches, [1, shared, context, size], which are
/// updated, and are the results after the next token.
std::vector<Tensor> step(const Decoder& m, const std::vector<Tensor>& w, const std::vector<Tensor>& in) {
  const Tensor& at = in[1];
  std::vector<Tensor> caches(in.begin() + 2, in.end());
  Tensor h = embedding(in[0], w.back());
  const auto linear = [](const Tensor& x, const Tensor& weight) { return matmul(x, weight.T()); };
  for (std::size_t i = 0; i < m.layers; ++i) {
    const Tensor* own = &w[i * kTensorsOfLayer];
    const Tensor qkv = linear(rms_norm(h, own[0]), own[1]);
    std::int64_t first = 0;
    const auto heads = [&](std::int64_t count) {
      const std::int64_t from = first;
      first += count * m.size();
      return reshape(slice(qkv, {{}, {from, first}}), {1, count, 1, m.size()});
    };
    const Tensor q = rope(heads(m.heads), at);
    Tensor& k = caches[2 * i];
    Tensor& v = caches[2 * i + 1];
    k = slice_update(k, rope(heads(m.shared), at), at, {2});
    v = slice_update(v, heads(m.shared), at, {2});
    const Tensor a = scaled_dot_product_attention(q, k, v, {.lengths = at + 1});
    h = h + linear(reshape(a, {1, m.width}), own[2]);
    const Tensor y = rms_norm(h, own[3]);
    h = h + linear(silu(linear(y, own[4])) * linear(y, own[5]), own[6]);
  }
  const Tensor logits = linear(rms_norm(h, w[w.size() - 2]), w.back());
  std::vector<Tensor> results{cast(argmax(logits, -1), i32)};
  results.insert(results.end(), caches.begin(), caches.end());
  return results;
}

void decode_f16(const Bench& bench) {
  const Decoder m = decoder_for(bench);
  const std::vector<Tensor> w = weights_of(bench, m);
  std::vector<std::int64_t> contexts{512};
  if (bench.quick()) contexts = {32};
  if (bench.model().params == "1b") contexts.push_back(8192);
  for (const std::int64_t context : contexts) {
    const auto number = [&](std::int32_t v) { return Tensor(std::vector<std::int32_t>{v}, {1}, bench.device()); };
    std::vector<Tensor> state{number(1), number(static_cast<std::int32_t>(context) - 1)};
    std::vector<int> donated;
    for (std::size_t i = 0; i < 2 * m.layers; ++i) {
      state.push_back(zeros({1, m.shared, context, m.size()}, f16, bench.device()));
      donated.push_back(static_cast<int>(state.size()) - 1);
    }
    eval(state);
    const Compiled next = compile([&](const std::vector<Tensor>& in) { return step(m, w, in); }, {.donate = donated});
    std::vector<Tensor> results(1 + 2 * m.layers);
    const auto run = [&] {
      next.run(state, results);
      state[0] = results[0];
      std::copy(results.begin() + 1, results.end(), state.begin() + 2);
      for (Tensor& t : results) t = {};
    };
    const double seconds = bench.seconds(run);
    const Json fields{{"C", m.width}, {"layers", m.layers}, {"context", context}};
    bench.report({"decode_f16", fields, "tokens_per_s", 1 / seconds});
    bench.report({"decode_f16_kernels", fields, "kernels_per_layer",
                  static_cast<double>(next.kernel_count()) / static_cast<double>(m.layers)});
  }
}

/// What one position of a cache costs: bytes written, in eager mode.
void cache_update(const Bench& bench) {
  const Decoder m = decoder_for(bench);
  const std::int64_t context = bench.quick() ? 64 : 4096;
  Tensor cache = zeros({1, m.shared, context, m.size()}, f16, bench.device()).eval();
  const Tensor row = bench.random({1, m.shared, 1, m.size()}, f16).eval();
  const Tensor at(std::vector<std::int32_t>{7}, {1}, bench.device());
  std::uint64_t written = 0;
  {
    Profiler profiler(bench.device());
    cache = slice_update(cache, row, at, {2});
    cache.eval();
    for (const KernelRecord& r : profiler.records()) written += r.written;
  }
  const Json fields{{"cache_bytes", cache.numel() * 2}, {"row_bytes", row.numel() * 2}};
  bench.report({"cache_update", fields, "bytes_written", static_cast<double>(written)});
}

}  // namespace

std::vector<BenchRow> state_benches() {
  return {{"state", "cache_update", cache_update}, {"state", "decode_f16", decode_f16}};
}

}  // namespace tessera::app
