// A transformer of Llama's form: RMSNorm, rotary positions, grouped queries, SwiGLU, no biases.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "tessera/tessera.h"
#include "train/vocabulary.h"

namespace tessera::app {

struct LlamaConfig {
  std::int64_t vocabulary = 0;
  std::int64_t layers = 2, heads = 4, kv_heads = 4, width = 64;
  std::int64_t hidden = 0;  // of the MLP; 0: 8/3 of the width, rounded up to a multiple of 32
  std::int64_t context = 64;
  bool tied = true;  // the head is the embedding
  double dropout = 0;
  double norm_eps = 1e-5;
  double rope_theta = 10000;

  /// Fills in `hidden`. Error of kind value for sizes that make no model.
  [[nodiscard]] LlamaConfig checked() const;
};

/// down(silu(gate(x)) * up(x)).
struct LlamaMlp : nn::Module {
  nn::Linear gate_proj, up_proj, down_proj;

  explicit LlamaMlp(const LlamaConfig& config);
  void fields(nn::Fields& f) override;
  Tensor forward(const Tensor& x) override;
};

struct LlamaLayer : nn::Module {
  nn::RMSNorm input_layernorm;
  nn::MultiheadAttention self_attn;
  nn::RMSNorm post_attention_layernorm;
  LlamaMlp mlp;
  nn::Dropout dropout;

  explicit LlamaLayer(const LlamaConfig& config);
  void fields(nn::Fields& f) override;
  /// Causal, over x [B, T, width]; with a cache also over the tokens before.
  Tensor forward(const Tensor& x) override { return forward(x, nullptr); }
  Tensor forward(const Tensor& x, nn::KvCache* cache);
};

/// The caches of all layers.
struct LlamaCache : nn::Stateful {
  std::vector<nn::KvCache> layers;

  void fields(nn::Fields& f) override { f("layers", layers); }
  /// Empties them.
  void reset();
};

/// Tokens [B, T] to logits [B, T, vocabulary].
class Llama : public nn::Module {
 public:
  nn::Embedding embed_tokens;
  std::vector<LlamaLayer> layers;
  nn::RMSNorm norm;
  std::optional<nn::Linear> lm_head;  // none: tied

  explicit Llama(const LlamaConfig& config);
  void fields(nn::Fields& f) override;
  Tensor forward(const Tensor& tokens) override { return run(tokens, nullptr); }
  /// The logits [B, vocabulary] of the last of these tokens, which follow those in the cache.
  Tensor decode(const Tensor& tokens, LlamaCache& cache);
  [[nodiscard]] LlamaCache cache(std::int64_t batch) const;
  [[nodiscard]] const LlamaConfig& config() const { return config_; }

 private:
  Tensor run(const Tensor& tokens, LlamaCache* cache);
  void start();

  LlamaConfig config_;
  nn::Dropout dropout_;
};

/// The parameters under the names that LlamaForCausalLM of the transformers package has, and back.
Tree transformers_weights(const Llama& model);
Tree weights_from_transformers(const Tree& tensors, const LlamaConfig& config);

/// A folder that AutoModelForCausalLM and AutoTokenizer load: config.json, model.safetensors, tokenizer.json and
/// tokenizer_config.json. `end` is the token that ends a text, or -1.
void save_llama(const std::filesystem::path& folder, const Llama& model, const Vocabulary& vocabulary,
                std::int32_t end = -1);

struct LoadedLlama {
  Llama model;
  Vocabulary vocabulary;
};
/// Such a folder, with `dropout` for training on. Error of kind io, parse or value.
LoadedLlama load_llama(const std::filesystem::path& folder, double dropout = 0);

}  // namespace tessera::app
