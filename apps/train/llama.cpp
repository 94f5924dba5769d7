// A transformer of Llama's form.
#include "train/llama.h"

#include <cmath>

#include <fmt/format.h>

namespace tessera::app {

namespace {

constexpr double kDeviation = 0.02;  // of the first weights, as in GPT-2

nn::MultiheadAttentionOptions attention_of(const LlamaConfig& c) {
  return {.dropout = c.dropout,
          .bias = false,
          .batch_first = true,
          .kv_heads = c.kv_heads,
          .rope = RopeOptions{.base = c.rope_theta}};
}

}  // namespace

LlamaConfig LlamaConfig::checked() const {
  const std::pair<const char*, std::int64_t> sizes[] = {{"layers", layers},     {"heads", heads},
                                                        {"kv-heads", kv_heads}, {"width", width},
                                                        {"context", context},   {"vocabulary", vocabulary}};
  for (const auto& [name, value] : sizes) {
    if (value >= 1) continue;
    throw Error(ErrorKind::kValue, fmt::format("{} was given for {}; at least 1 is expected.", value, name));
  }
  if (width % heads != 0 || width / heads % 2 != 0) {
    throw Error(
        ErrorKind::kValue,
        fmt::format("A width of {} was given for {} heads; an even number for each head is expected.", width, heads));
  }
  if (heads % kv_heads != 0) {
    throw Error(ErrorKind::kValue,
                fmt::format("{} kv-heads were given for {} heads; a divisor is expected.", kv_heads, heads));
  }
  if (hidden < 0)
    throw Error(ErrorKind::kValue, fmt::format("A hidden width of {} was given; at least 1 is expected.", hidden));
  if (!(dropout >= 0 && dropout < 1)) {
    throw Error(ErrorKind::kValue, fmt::format("A dropout of {} was given; from 0 to below 1 is expected.", dropout));
  }
  LlamaConfig out = *this;
  if (out.hidden == 0) out.hidden = (width * 8 / 3 + 31) / 32 * 32;
  return out;
}

LlamaMlp::LlamaMlp(const LlamaConfig& c)
    : gate_proj(c.width, c.hidden, false), up_proj(c.width, c.hidden, false), down_proj(c.hidden, c.width, false) {}

void LlamaMlp::fields(nn::Fields& f) {
  f("gate_proj", gate_proj);
  f("up_proj", up_proj);
  f("down_proj", down_proj);
}

Tensor LlamaMlp::forward(const Tensor& x) { return down_proj(swiglu(gate_proj(x), up_proj(x))); }

LlamaLayer::LlamaLayer(const LlamaConfig& c)
    : input_layernorm(c.width, {.eps = c.norm_eps}),
      self_attn(c.width, c.heads, attention_of(c)),
      post_attention_layernorm(c.width, {.eps = c.norm_eps}),
      mlp(c),
      dropout(c.dropout) {}

void LlamaLayer::fields(nn::Fields& f) {
  f("input_layernorm", input_layernorm);
  f("self_attn", self_attn);
  f("post_attention_layernorm", post_attention_layernorm);
  f("mlp", mlp);
  f("dropout", dropout);
}

Tensor LlamaLayer::forward(const Tensor& x, nn::KvCache* cache) {
  const Tensor z = input_layernorm(x);
  const Tensor attended = cache != nullptr ? self_attn.decode(z, *cache) : self_attn(z, z, z, {.causal = true});
  const Tensor h = x + dropout(attended);
  return h + dropout(mlp(post_attention_layernorm(h)));
}

void LlamaCache::reset() {
  for (nn::KvCache& layer : layers) layer.position = zeros({1}, i32, layer.k.device());
}

Llama::Llama(const LlamaConfig& config)
    : embed_tokens(config.checked().vocabulary, config.width),
      norm(config.width, {.eps = config.norm_eps}),
      config_(config.checked()),
      dropout_(config.dropout) {
  layers.reserve(static_cast<std::size_t>(config_.layers));
  for (std::int64_t i = 0; i < config_.layers; ++i) layers.emplace_back(config_);
  if (!config_.tied) lm_head.emplace(config_.width, config_.vocabulary, false);
  start();
}

/// Matrices from a normal distribution; those behind which residuals are added are smaller the more layers there are.
void Llama::start() {
  nn::visit(*this, [&](const nn::Field& field) {
    if (field.tensor.rank() != 2) return;
    const bool residual = field.name.ends_with("out_proj.weight") || field.name.ends_with("down_proj.weight");
    const double scale = residual ? 1 / std::sqrt(2.0 * static_cast<double>(config_.layers)) : 1;
    field.tensor = nn::init::normal(field.tensor.shape(), 0, kDeviation * scale).eval();
  });
}

void Llama::fields(nn::Fields& f) {
  f("model.embed_tokens", embed_tokens);
  f("model.layers", layers);
  f("model.norm", norm);
  f("lm_head", lm_head);
  f("dropout", dropout_);
}

Tensor Llama::run(const Tensor& tokens, LlamaCache* cache) {
  Tensor h = dropout_(embed_tokens(tokens));
  for (std::size_t i = 0; i < layers.size(); ++i) {
    h = layers[i].forward(h, cache != nullptr ? &cache->layers[i] : nullptr);
  }
  if (cache != nullptr) h = slice(h, {{}, {-1, std::nullopt}});  // the last token
  h = norm(h);
  return lm_head ? (*lm_head)(h) : matmul(h, embed_tokens.weight.T());
}

Tensor Llama::decode(const Tensor& tokens, LlamaCache& cache) { return squeeze(run(tokens, &cache), {1}); }

LlamaCache Llama::cache(std::int64_t batch) const {
  LlamaCache out;
  for (const LlamaLayer& layer : layers) out.layers.push_back(layer.self_attn.cache(batch, config_.context));
  return out;
}

}  // namespace tessera::app
