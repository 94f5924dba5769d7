// Benchmarks of language models: a model of Llama's form with random weights, its prefill and its decode steps.
#include "tessera/llm.h"

#include <algorithm>
#include <cmath>

#include "bench/bench.h"

namespace tessera::app {

namespace {

struct LlmSizes {
  std::int64_t width, hidden, heads, kv_heads, vocabulary;
  std::size_t layers;
  bool tied;
};

LlmSizes sizes_of(const std::string& params) {
  if (params == "1b") return {2048, 8192, 32, 8, 128256, 16, true};    // 1.24 billion parameters
  if (params == "8b") return {4096, 14336, 32, 8, 128256, 32, false};  // 8.0 billion
  return {256, 512, 4, 2, 512, 2, true};
}

llm::Config config_of(const LlmSizes& s, std::int64_t context) {
  llm::Config c;
  c.model_type = "llama";
  c.vocabulary = s.vocabulary;
  c.width = s.width;
  c.heads = s.heads;
  c.kv_heads = s.kv_heads;
  c.head_size = s.width / s.heads;
  c.intermediate = s.hidden;
  c.context = context;
  c.layers.resize(s.layers);
  c.tied = s.tied;
  llm::Rope rope;
  for (std::int64_t i = 0; i < c.head_size / 2; ++i) {
    rope.frequencies.push_back(std::pow(500000.0, -2.0 * static_cast<double>(i) / static_cast<double>(c.head_size)));
  }
  c.ropes = {rope};
  return c;
}

/// Weights of `dtype`, made on the device: blocks repeat the rows of a small tensor.
Tensor random_weight(const Bench& bench, const Shape& shape, DType dtype) {
  if (is_float(dtype)) return (bench.random(shape, dtype) * 0.02).eval();
  constexpr std::int64_t kRows = 61;
  const Tensor rows = random_blocks(dtype, kRows, shape[1], bench.device());
  const Tensor number = arange(0, static_cast<double>(shape[0]), 1, i32, bench.device());
  return take(rows, remainder(number * 37, static_cast<std::int32_t>(kRows)), 0).eval();
}

struct RandomModel {
  llm::Model model;
  double bytes = 0;  // that a step reads of the weights
};

RandomModel random_model(const Bench& bench, DType dtype, std::int64_t context) {
  const LlmSizes s = sizes_of(bench.model().params);
  RandomModel made{llm::Model(config_of(s, context), f16, bench.device())};
  nn::visit(made.model, [&](const nn::Field& f) {
    const Shape shape = f.tensor.shape();
    f.tensor = shape.rank() == 2 ? random_weight(bench, shape, dtype) : ones(shape, f32, bench.device()).eval();
    // Of an embedding that is not the head too, a step reads a row.
    if (f.name != "embedding.weight" || s.tied)
      made.bytes += static_cast<double>(byte_size(f.tensor.dtype(), shape.numel()));
  });
  return made;
}

/// Bytes per second that a copy reads and writes.
double copy_bandwidth(const Bench& bench) {
  const std::int64_t elements = bench.sizes().elements;
  const double seconds = bench.seconds_of([&] { return std::vector{bench.random({elements})}; },
                                          [](const std::vector<Tensor>& in) { return in[0] * 2.0; });
  return 8 * static_cast<double>(elements) / seconds;
}

/// What a benchmark of the group runs.
struct Setting {
  DType dtype = f16;
  std::int64_t batch = 1, context = 0, prompt = 0;
};

Setting setting_of(const Bench& bench) {
  const BenchModel& m = bench.model();
  const bool tiny = m.params.empty() || m.params == "tiny";
  Setting s;
  const auto known = weight_types();
  if (const auto it = std::ranges::find(known, m.type, [](DType t) { return name(t); }); it != known.end())
    s.dtype = *it;
  s.batch = m.batch;
  s.context = m.context > 0 ? m.context : (tiny ? 64 : 512);
  s.prompt = std::min<std::int64_t>(s.context, 512);
  return s;
}

Json fields_of(const Bench& bench, const Setting& s) {
  const std::string& params = bench.model().params;
  return {{"params", params.empty() ? "tiny" : params},
          {"type", std::string(name(s.dtype))},
          {"batch", s.batch},
          {"context", s.context}};
}

Tensor tokens(const Bench& bench, const Setting& s, std::int64_t count) {
  const std::int64_t vocabulary = sizes_of(bench.model().params).vocabulary;
  return random::randint({s.batch, count}, 0, vocabulary, i32, bench.device()).eval();
}

void prefill(const Bench& bench) {
  const Setting s = setting_of(bench);
  RandomModel made = random_model(bench, s.dtype, s.context);
  llm::Cache cache = made.model.cache(s.batch, s.context);
  const Tensor ids = tokens(bench, s, s.prompt);
  const auto step = compile(
      [&](const Tensor& t) {
        const Tensor start = cache.lengths;
        const Tensor logits = made.model.forward(t, cache, {.last = true});
        cache.lengths = start;
        return logits;
      },
      cache);
  const double seconds = bench.seconds([&] { step(ids).eval(); });
  Json fields = fields_of(bench, s);
  fields["prompt"] = s.prompt;
  fields["dispatches"] = step.kernel_count();
  bench.report({"llm_prefill", fields, "tok_s", static_cast<double>(s.batch * s.prompt) / seconds});
}

void decode(const Bench& bench) {
  const Setting s = setting_of(bench);
  RandomModel made = random_model(bench, s.dtype, s.context);
  const llm::Config& config = made.model.config();
  llm::Cache cache = made.model.cache(s.batch, s.context);
  const auto last = static_cast<std::int32_t>(s.context - 1);
  cache.lengths = full({s.batch}, last, i32, bench.device()).eval();
  llm::Sampler sampler({.temperature = 0}, s.batch, config.vocabulary, 1, bench.device());
  // All steps are at the last position.
  const auto compiled = [&](llm::Model& model) {
    return compile(
        [&](const Tensor& t) {
          const Tensor next = sampler(model.forward(t, cache, {.last = true}));
          cache.lengths = minimum(cache.lengths, last);
          return next;
        },
        cache, sampler);
  };
  Tensor token = tokens(bench, s, 1);
  llm::Model shorter = made.model;
  shorter.layers.pop_back();
  const auto short_step = compiled(shorter);
  token = short_step(token);
  const auto step = compiled(made.model);
  const double seconds = bench.seconds([&] { token = step(token); });
  const double dispatches = static_cast<double>(step.kernel_count());
  const double keys = static_cast<double>(byte_size(cache.k[0].dtype(), cache.k[0].numel()));
  const double bytes = made.bytes + 2 * keys * static_cast<double>(config.layers.size());
  const double bandwidth = copy_bandwidth(bench);
  Json fields = fields_of(bench, s);
  fields["dispatches"] = dispatches;
  fields["dispatches_per_layer"] = dispatches - static_cast<double>(short_step.kernel_count());
  fields["bytes_per_token"] = bytes / static_cast<double>(s.batch);
  fields["copy_gbs"] = bandwidth * 1e-9;
  fields["roofline"] = bytes / seconds / bandwidth;
  bench.report({"llm_decode", fields, "tok_s", static_cast<double>(s.batch) / seconds});
}

}  // namespace

std::vector<DType> weight_types() { return {f16, bf16, f32, q8_0, q4_0, q4_1, q4_k, q5_k, q6_k, mxfp4}; }

std::vector<BenchRow> llm_benches() { return {{"llm", "llm_prefill", prefill}, {"llm", "llm_decode", decode}}; }

}  // namespace tessera::app
