// The table of architectures: a row of block choices for each, and maps from our names of weights to those of files.
#include "llm/architectures.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/fail.h"
#include "io/json.h"

namespace tessera::llm {

namespace {

using NK = NormKind;
using NP = NormPlacement;

// ---- Names in Hugging Face checkpoints ----

constexpr std::array<std::string_view, 4> kModelPrefixes{"model.", "", "language_model.model.",
                                                         "model.language_model."};

constexpr std::array kLlamaNames{
    WeightName{"embedding", "embed_tokens"},
    WeightName{"layers.{}.attention_norm", "layers.{}.input_layernorm"},
    WeightName{"layers.{}.attention.q", "layers.{}.self_attn.q_proj"},
    WeightName{"layers.{}.attention.k", "layers.{}.self_attn.k_proj"},
    WeightName{"layers.{}.attention.v", "layers.{}.self_attn.v_proj"},
    WeightName{"layers.{}.attention.out", "layers.{}.self_attn.o_proj"},
    WeightName{"layers.{}.attention.q_norm", "layers.{}.self_attn.q_norm"},
    WeightName{"layers.{}.attention.k_norm", "layers.{}.self_attn.k_norm"},
    WeightName{"layers.{}.mlp_norm", "layers.{}.post_attention_layernorm"},
    WeightName{"layers.{}.mlp.gate", "layers.{}.mlp.gate_proj"},
    WeightName{"layers.{}.mlp.up", "layers.{}.mlp.up_proj"},
    WeightName{"layers.{}.mlp.down", "layers.{}.mlp.down_proj"},
    WeightName{"norm", "norm"},
    WeightName{"head", "lm_head"},
};

constexpr std::array kGemmaNames{
    WeightName{"layers.{}.attention_post_norm", "layers.{}.post_attention_layernorm"},
    WeightName{"layers.{}.mlp_norm", "layers.{}.pre_feedforward_layernorm"},
    WeightName{"layers.{}.mlp_post_norm", "layers.{}.post_feedforward_layernorm"},
};

constexpr std::array kOlmo2Names{
    WeightName{"layers.{}.attention_post_norm", "layers.{}.post_attention_layernorm"},
    WeightName{"layers.{}.mlp_post_norm", "layers.{}.post_feedforward_layernorm"},
};

constexpr std::array kPhi3Names{
    WeightName{"layers.{}.attention.q", "layers.{}.self_attn.qkv_proj", Part::kQ},
    WeightName{"layers.{}.attention.k", "layers.{}.self_attn.qkv_proj", Part::kK},
    WeightName{"layers.{}.attention.v", "layers.{}.self_attn.qkv_proj", Part::kV},
    WeightName{"layers.{}.mlp.gate", "layers.{}.mlp.gate_up_proj", Part::kFirst},
    WeightName{"layers.{}.mlp.up", "layers.{}.mlp.gate_up_proj", Part::kSecond},
};

constexpr std::array<std::string_view, 2> kGpt2Prefixes{"transformer.", ""};
constexpr std::array kGpt2Names{
    WeightName{"embedding", "wte"},
    WeightName{"positions", "wpe"},
    WeightName{"layers.{}.attention_norm", "h.{}.ln_1"},
    WeightName{"layers.{}.attention.q", "h.{}.attn.c_attn", Part::kQ, true},
    WeightName{"layers.{}.attention.k", "h.{}.attn.c_attn", Part::kK, true},
    WeightName{"layers.{}.attention.v", "h.{}.attn.c_attn", Part::kV, true},
    WeightName{"layers.{}.attention.out", "h.{}.attn.c_proj", Part::kWhole, true},
    WeightName{"layers.{}.mlp_norm", "h.{}.ln_2"},
    WeightName{"layers.{}.mlp.up", "h.{}.mlp.c_fc", Part::kWhole, true},
    WeightName{"layers.{}.mlp.down", "h.{}.mlp.c_proj", Part::kWhole, true},
    WeightName{"norm", "ln_f"},
    WeightName{"head", "lm_head"},
};

constexpr std::array kQwen3MoeNames{
    WeightName{"layers.{}.experts.router", "layers.{}.mlp.gate"},
    WeightName{"layers.{}.experts.gate", "layers.{}.mlp.experts.{e}.gate_proj"},
    WeightName{"layers.{}.experts.up", "layers.{}.mlp.experts.{e}.up_proj"},
    WeightName{"layers.{}.experts.down", "layers.{}.mlp.experts.{e}.down_proj"},
};

constexpr std::array kMixtralNames{
    WeightName{"layers.{}.experts.router", "layers.{}.block_sparse_moe.gate"},
    WeightName{"layers.{}.experts.gate", "layers.{}.block_sparse_moe.experts.{e}.w1"},
    WeightName{"layers.{}.experts.up", "layers.{}.block_sparse_moe.experts.{e}.w3"},
    WeightName{"layers.{}.experts.down", "layers.{}.block_sparse_moe.experts.{e}.w2"},
};

constexpr std::array kGptOssNames{
    WeightName{"layers.{}.attention.sinks", "layers.{}.self_attn.sinks"},
    WeightName{"layers.{}.experts.router", "layers.{}.mlp.router"},
    WeightName{"layers.{}.experts.gate.weight", "layers.{}.mlp.experts.gate_up_proj", Part::kEven, true},
    WeightName{"layers.{}.experts.gate.bias", "layers.{}.mlp.experts.gate_up_proj_bias", Part::kEven},
    WeightName{"layers.{}.experts.up.weight", "layers.{}.mlp.experts.gate_up_proj", Part::kOdd, true},
    WeightName{"layers.{}.experts.up.bias", "layers.{}.mlp.experts.gate_up_proj_bias", Part::kOdd},
    WeightName{"layers.{}.experts.down.weight", "layers.{}.mlp.experts.down_proj", Part::kWhole, true},
    WeightName{"layers.{}.experts.down.bias", "layers.{}.mlp.experts.down_proj_bias"},
};

constexpr std::array<std::string_view, 2> kBertPrefixes{"", "bert."};
constexpr std::array kBertNames{
    WeightName{"embedding", "embeddings.word_embeddings"},
    WeightName{"positions", "embeddings.position_embeddings"},
    WeightName{"types", "embeddings.token_type_embeddings"},
    WeightName{"embedding_norm", "embeddings.LayerNorm"},
    WeightName{"layers.{}.attention.q", "encoder.layer.{}.attention.self.query"},
    WeightName{"layers.{}.attention.k", "encoder.layer.{}.attention.self.key"},
    WeightName{"layers.{}.attention.v", "encoder.layer.{}.attention.self.value"},
    WeightName{"layers.{}.attention.out", "encoder.layer.{}.attention.output.dense"},
    WeightName{"layers.{}.attention_post_norm", "encoder.layer.{}.attention.output.LayerNorm"},
    WeightName{"layers.{}.mlp.up", "encoder.layer.{}.intermediate.dense"},
    WeightName{"layers.{}.mlp.down", "encoder.layer.{}.output.dense"},
    WeightName{"layers.{}.mlp_post_norm", "encoder.layer.{}.output.LayerNorm"},
    WeightName{"pooler", "pooler.dense"},
};

// ---- Names in GGUF files ----

constexpr std::array kGgufNames{
    WeightName{"embedding", "token_embd"},
    WeightName{"positions", "position_embd"},
    WeightName{"types", "token_types"},
    WeightName{"embedding_norm", "token_embd_norm"},
    WeightName{"layers.{}.attention_norm", "blk.{}.attn_norm"},
    WeightName{"layers.{}.attention_post_norm", "blk.{}.post_attention_norm"},
    WeightName{"layers.{}.attention.q", "blk.{}.attn_q"},
    WeightName{"layers.{}.attention.k", "blk.{}.attn_k"},
    WeightName{"layers.{}.attention.v", "blk.{}.attn_v"},
    WeightName{"layers.{}.attention.out", "blk.{}.attn_output"},
    WeightName{"layers.{}.attention.q_norm", "blk.{}.attn_q_norm"},
    WeightName{"layers.{}.attention.k_norm", "blk.{}.attn_k_norm"},
    WeightName{"layers.{}.attention.sinks", "blk.{}.attn_sinks.weight"},
    WeightName{"layers.{}.mlp_norm", "blk.{}.ffn_norm"},
    WeightName{"layers.{}.mlp_post_norm", "blk.{}.post_ffw_norm"},
    WeightName{"layers.{}.mlp.gate", "blk.{}.ffn_gate"},
    WeightName{"layers.{}.mlp.up", "blk.{}.ffn_up"},
    WeightName{"layers.{}.mlp.down", "blk.{}.ffn_down"},
    WeightName{"layers.{}.experts.router", "blk.{}.ffn_gate_inp"},
    WeightName{"layers.{}.experts.gate", "blk.{}.ffn_gate_exps"},
    WeightName{"layers.{}.experts.up", "blk.{}.ffn_up_exps"},
    WeightName{"layers.{}.experts.down", "blk.{}.ffn_down_exps"},
    WeightName{"norm", "output_norm"},
    WeightName{"head", "output"},
};

constexpr std::array kPhi3GgufNames{
    WeightName{"layers.{}.attention.q", "blk.{}.attn_qkv", Part::kQ},
    WeightName{"layers.{}.attention.k", "blk.{}.attn_qkv", Part::kK},
    WeightName{"layers.{}.attention.v", "blk.{}.attn_qkv", Part::kV},
    WeightName{"layers.{}.mlp.gate", "blk.{}.ffn_up", Part::kFirst},
    WeightName{"layers.{}.mlp.up", "blk.{}.ffn_up", Part::kSecond},
};

constexpr std::array kGpt2GgufNames{
    WeightName{"layers.{}.attention.q", "blk.{}.attn_qkv", Part::kQ},
    WeightName{"layers.{}.attention.k", "blk.{}.attn_qkv", Part::kK},
    WeightName{"layers.{}.attention.v", "blk.{}.attn_qkv", Part::kV},
};

constexpr std::array kGptOssGgufNames{
    WeightName{"layers.{}.mlp_norm", "blk.{}.post_attention_norm"},
};

constexpr std::array kBertGgufNames{
    WeightName{"layers.{}.attention_post_norm", "blk.{}.attn_output_norm"},
    WeightName{"layers.{}.mlp_post_norm", "blk.{}.layer_output_norm"},
};

constexpr std::array kGpt2Keys{
    KeyAlias{"hidden_size", "n_embd"},
    KeyAlias{"num_hidden_layers", "n_layer"},
    KeyAlias{"num_attention_heads", "n_head"},
    KeyAlias{"intermediate_size", "n_inner"},
    KeyAlias{"max_position_embeddings", "n_positions"},
    KeyAlias{"hidden_act", "activation_function"},
    KeyAlias{"rms_norm_eps", "layer_norm_epsilon"},
};
constexpr std::array kGemmaKeys{KeyAlias{"hidden_act", "hidden_activation"}};
constexpr std::array kBertKeys{KeyAlias{"rms_norm_eps", "layer_norm_eps"}};

constexpr Architecture row(Architecture a) {
  if (a.prefixes.empty()) a.prefixes = kModelPrefixes;
  if (a.common_names.empty() && !a.learned_positions) a.common_names = kLlamaNames;
  a.common_gguf_names = kGgufNames;
  return a;
}

// ---- The table ----

constexpr std::array kTable{
    row({.model_type = "llama",
         .qkv_bias = Bias::kKey,
         .out_bias = Bias::kKey,
         .mlp_bias = Bias::kKey,
         .gguf = {"llama", true}}),
    row({.model_type = "mistral", .windows = Windows::kAll, .gguf = {"llama", true}}),
    row({.model_type = "qwen2", .qkv_bias = Bias::kYes, .windows = Windows::kQwen, .gguf = {"qwen2"}}),
    row({.model_type = "qwen3",
         .qk_norm = QkNorm::kHead,
         .qkv_bias = Bias::kKey,
         .out_bias = Bias::kKey,
         .windows = Windows::kQwen,
         .gguf = {"qwen3"}}),
    row({.model_type = "gemma2",
         .norm = NK::kRmsOnePlus,
         .placement = NP::kPreAndPost,
         .qkv_bias = Bias::kKey,
         .out_bias = Bias::kKey,
         .windows = Windows::kPattern,
         .period = 2,
         .tied = true,
         .scaled_embeddings = true,
         .softcaps = true,
         .aliases = kGemmaKeys,
         .names = kGemmaNames,
         .gguf = {"gemma2", false, true}}),
    row({.model_type = "gemma3_text",
         .norm = NK::kRmsOnePlus,
         .placement = NP::kPreAndPost,
         .qk_norm = QkNorm::kHead,
         .qkv_bias = Bias::kKey,
         .out_bias = Bias::kKey,
         .windows = Windows::kPattern,
         .period = 6,
         .tied = true,
         .rope_base = 1e6,
         .scaled_embeddings = true,
         .local_rope = true,
         .softcaps = true,
         .aliases = kGemmaKeys,
         .names = kGemmaNames,
         .gguf = {"gemma3", false, true}}),
    row({.model_type = "phi3",
         .windows = Windows::kAll,
         .names = kPhi3Names,
         .gguf_names = kPhi3GgufNames,
         .gguf = {"phi3"}}),
    row({.model_type = "smollm3",
         .qkv_bias = Bias::kKey,
         .out_bias = Bias::kKey,
         .mlp_bias = Bias::kKey,
         .windows = Windows::kNoRope,
         .tied = true,
         .rope_base = 2e6,
         .no_rope_layers = true,
         .gguf = {"smollm3", true}}),
    row({.model_type = "olmo2",
         .placement = NP::kPost,
         .qk_norm = QkNorm::kFull,
         .qkv_bias = Bias::kKey,
         .out_bias = Bias::kKey,
         .eps = 1e-5,
         .names = kOlmo2Names,
         .gguf = {"olmo2"}}),
    row({.model_type = "gpt2",
         .norm = NK::kLayer,
         .gated = false,
         .qkv_bias = Bias::kYes,
         .out_bias = Bias::kYes,
         .mlp_bias = Bias::kYes,
         .tied = true,
         .eps = 1e-5,
         .learned_positions = true,
         .aliases = kGpt2Keys,
         .prefixes = kGpt2Prefixes,
         .names = kGpt2Names,
         .gguf_names = kGpt2GgufNames,
         .gguf = {"gpt2"}}),
    row({.model_type = "qwen3_moe",
         .qk_norm = QkNorm::kHead,
         .qkv_bias = Bias::kKey,
         .out_bias = Bias::kKey,
         .windows = Windows::kQwenMoe,
         .experts = Architecture::Experts::kQwen,
         .names = kQwen3MoeNames,
         .gguf = {"qwen3moe"}}),
    row({.model_type = "mixtral",
         .windows = Windows::kAll,
         .eps = 1e-5,
         .rope_base = 1e6,
         .experts = Architecture::Experts::kMixtral,
         .names = kMixtralNames,
         .gguf = {"llama", true}}),
    row({.model_type = "gpt_oss",
         .qkv_bias = Bias::kKey,
         .out_bias = Bias::kKey,
         .windows = Windows::kPattern,
         .period = 2,
         .eps = 1e-5,
         .rope_base = 150000,
         .sinks = true,
         .experts = Architecture::Experts::kGptOss,
         .names = kGptOssNames,
         .gguf_names = kGptOssGgufNames,
         .gguf = {"gpt-oss"}}),
    row({.model_type = "bert",
         .norm = NK::kLayer,
         .placement = NP::kAfterAdd,
         .gated = false,
         .qkv_bias = Bias::kYes,
         .out_bias = Bias::kYes,
         .mlp_bias = Bias::kYes,
         .eps = 1e-12,
         .learned_positions = true,
         .encoder = true,
         .aliases = kBertKeys,
         .prefixes = kBertPrefixes,
         .names = kBertNames,
         .gguf_names = kBertGgufNames,
         .gguf = {"bert"}}),
};

}  // namespace

std::span<const Architecture> table() { return kTable; }

std::vector<std::string> architectures() {
  std::vector<std::string> names;
  for (const Architecture& a : kTable) names.emplace_back(a.model_type);
  return names;
}

const Architecture& architecture_of(std::string_view model_type) {
  const auto* found = std::ranges::find(kTable, model_type, &Architecture::model_type);
  if (found != kTable.end()) return *found;
  std::string known;
  for (const Architecture& a : kTable) known += (known.empty() ? "" : ", ") + std::string(a.model_type);
  fail(ErrorKind::kUnsupported, "The architecture {} was given; supported are {}.", io::quote(model_type), known);
}

}  // namespace tessera::llm
