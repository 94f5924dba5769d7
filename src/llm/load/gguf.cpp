// Translates the metadata of GGUF files to the keys of config.json, so that one parser checks both.
#include "llm/load/gguf.h"

#include <array>
#include <cmath>
#include <utility>

#include "base/fail.h"
#include "io/json.h"
#include "llm/architectures.h"
#include "tessera/ops.h"

namespace tessera::llm {

namespace {

/// Keys behind "ARCHITECTURE.", and those of config.json.
constexpr std::array kKeys{
    std::pair<std::string_view, std::string_view>{"embedding_length", "hidden_size"},
    std::pair<std::string_view, std::string_view>{"block_count", "num_hidden_layers"},
    std::pair<std::string_view, std::string_view>{"context_length", "max_position_embeddings"},
    std::pair<std::string_view, std::string_view>{"feed_forward_length", "intermediate_size"},
    std::pair<std::string_view, std::string_view>{"attention.head_count", "num_attention_heads"},
    std::pair<std::string_view, std::string_view>{"attention.head_count_kv", "num_key_value_heads"},
    std::pair<std::string_view, std::string_view>{"attention.key_length", "head_dim"},
    std::pair<std::string_view, std::string_view>{"attention.layer_norm_rms_epsilon", "rms_norm_eps"},
    std::pair<std::string_view, std::string_view>{"attention.layer_norm_epsilon", "rms_norm_eps"},
    std::pair<std::string_view, std::string_view>{"attention.sliding_window", "sliding_window"},
    std::pair<std::string_view, std::string_view>{"attn_logit_softcapping", "attn_logit_softcapping"},
    std::pair<std::string_view, std::string_view>{"final_logit_softcapping", "final_logit_softcapping"},
    std::pair<std::string_view, std::string_view>{"rope.freq_base", "rope_theta"},
    std::pair<std::string_view, std::string_view>{"rope.freq_base_swa", "rope_local_base_freq"},
    std::pair<std::string_view, std::string_view>{"expert_count", "num_local_experts"},
    std::pair<std::string_view, std::string_view>{"expert_used_count", "num_experts_per_tok"},
    std::pair<std::string_view, std::string_view>{"expert_feed_forward_length", "moe_intermediate_size"},
};

class Translator {
 public:
  Translator(const MetadataLookup& metadata, const WeightSource& source, std::string file)
      : metadata_(metadata), source_(source), file_(std::move(file)), row_(find_row()) {}

  Config run() {
    out_["model_type"] = std::string(row_.model_type);
    for (const auto& [theirs, ours] : kKeys) {
      if (const auto value = own(theirs)) out_[std::string(ours)] = *value;
    }
    for (const std::string_view key : {"embedding_length", "block_count", "context_length", "attention.head_count"}) {
      (void)required(key);
    }
    shapes();
    blocks();
    if (!row_.learned_positions) rope();
    Config config = Config::parse(out_.dump(), file_);
    pooling(config);
    return config;
  }

 private:
  [[nodiscard]] const Architecture& find_row() {
    const auto name = metadata_("general.architecture");
    if (!name || !name->is_string()) fail(ErrorKind::kParse, "'{}' has no text 'general.architecture'.", file_);
    prefix_ = name->get<std::string>() + ".";
    const auto experts = own("expert_count");
    const bool mixture = experts && experts->is_number() && *experts > 0;
    // Files of Llama, Mistral and Mixtral have one architecture: experts and windows tell them apart.
    const auto window = own("attention.sliding_window");
    const bool windows = window && window->is_number() && *window > 0;
    const Architecture* found = nullptr;
    for (const Architecture& row : table()) {
      const bool matches = name->get<std::string>() == row.gguf.architecture;
      if (!matches || mixture != (row.experts != Architecture::Experts::kNone)) continue;
      if (found == nullptr || (windows && found->windows == Windows::kNone)) found = &row;
    }
    if (found != nullptr) return *found;
    fail(ErrorKind::kUnsupported, "'{}' has the architecture {}{}, which is not supported.", file_,
         io::quote(name->get<std::string>()), mixture ? " with experts" : "");
  }

  /// The value of a key of the architecture.
  [[nodiscard]] std::optional<Json> own(std::string_view key) const { return metadata_(prefix_ + std::string(key)); }
  [[nodiscard]] Json required(std::string_view key) const {
    if (auto value = own(key)) return *value;
    fail(ErrorKind::kParse, "'{}' has no key '{}{}'.", file_, prefix_, key);
  }
  [[nodiscard]] Shape shape_of(std::string_view tensor) const {
    if (!source_.contains(tensor)) fail(ErrorKind::kValue, "'{}' has no tensor {}.", file_, io::quote(tensor));
    const Shape shape = source_.shape(tensor);
    if (shape.rank() != 2) {
      fail(ErrorKind::kShape, "'{}' has the tensor {} of shape {}; a matrix is expected.", file_, io::quote(tensor),
           shape);
    }
    return shape;
  }

  /// Sizes that are arrays, one for each layer, or that only the tensors have.
  void shapes() {
    for (const char* key : {"num_attention_heads", "num_key_value_heads", "intermediate_size"}) {
      if (!out_.contains(key) || !out_[key].is_array() || out_[key].empty()) continue;
      const Json first = out_[key][0];
      for (const Json& value : out_[key]) {
        if (value != first) {
          fail(ErrorKind::kUnsupported, "'{}' has layers of different sizes ({}), which are not supported.", file_,
               key);
        }
      }
      out_[key] = first;
    }
    const auto keys = own("attention.key_length");
    const auto values = own("attention.value_length");
    if (keys && values && *keys != *values) {
      fail(ErrorKind::kUnsupported, "'{}' has keys of size {} and values of size {}; one size is supported.", file_,
           keys->dump(), values->dump());
    }
    if (out_.contains("sliding_window") && out_["sliding_window"] == 0) out_.erase("sliding_window");
    out_["vocab_size"] = shape_of("token_embd.weight")[0];
    if (row_.encoder) out_["type_vocab_size"] = shape_of("token_types.weight")[0];
    if (row_.experts == Architecture::Experts::kGptOss && out_.contains("moe_intermediate_size")) {
      out_["intermediate_size"] = out_["moe_intermediate_size"];
    }
  }

  void blocks() {
    out_["hidden_act"] = row_.norm == NormKind::kRmsOnePlus ? "gelu_pytorch_tanh"
                         : row_.encoder                     ? "gelu"
                         : row_.learned_positions           ? "gelu_new"
                                                            : "silu";
    out_["tie_word_embeddings"] = !source_.contains("output.weight");
    out_["attention_bias"] = source_.contains("blk.0.attn_q.bias");
    out_["mlp_bias"] = source_.contains("blk.0.ffn_up.bias");
    out_["norm_topk_prob"] = own("expert_weights_norm").value_or(true);
    windows();
    if (row_.experts == Architecture::Experts::kQwen) dense_layers();
    if (row_.no_rope_layers) {
      if (const auto rotated = own("no_rope_layers")) out_["no_rope_layers"] = *rotated;
    }
    if (const auto scale = own("attention.scale"); scale && scale->is_number() && *scale > 0) {
      out_["query_pre_attn_scalar"] = 1 / (scale->get<double>() * scale->get<double>());
      return;
    }
    if (row_.norm != NormKind::kRmsOnePlus) return;
    // Gemma of 27 billion parameters scales scores by the width of a head of the residual stream, the others by the
    // head's.
    const Json layers = out_["num_hidden_layers"];
    const bool largest = layers == 46 || layers == 62;
    const Json heads = out_["num_attention_heads"];
    if (largest && heads.is_number_integer() && heads > 0 && out_["hidden_size"].is_number_integer()) {
      out_["query_pre_attn_scalar"] = out_["hidden_size"].get<std::int64_t>() / heads.get<std::int64_t>();
    } else if (out_.contains("head_dim")) {
      out_["query_pre_attn_scalar"] = out_["head_dim"];
    }
  }

  /// Which layers have a sliding window: a flag for each, or the period of those without one.
  void windows() {
    const auto pattern = own("attention.sliding_window_pattern");
    if (!pattern || !out_.contains("sliding_window") || row_.windows == Windows::kNone) return;
    if (pattern->is_number_integer()) {
      out_["sliding_window_pattern"] = *pattern;
    } else if (pattern->is_array()) {
      Json types = Json::array();
      for (const Json& slides : *pattern) {
        const bool yes = slides.is_boolean() ? slides.get<bool>() : slides != 0;
        types.push_back(yes ? "sliding_attention" : "full_attention");
      }
      out_["layer_types"] = types;
      out_["use_sliding_window"] = true;
    }
  }

  /// Layers of a mixture that have no experts.
  void dense_layers() {
    const Json layers = out_["num_hidden_layers"];
    if (!layers.is_number_integer() || layers < 0 || layers > 1024) return;  // Config::parse refuses it
    Json dense = Json::array();
    for (std::int64_t i = 0; i < layers.get<std::int64_t>(); ++i) {
      if (!source_.contains("blk." + std::to_string(i) + ".ffn_gate_inp.weight")) dense.push_back(i);
    }
    out_["mlp_only_layers"] = dense;
  }

  /// A tensor of factors, one for each frequency, or nothing.
  [[nodiscard]] std::optional<std::vector<float>> factors(std::string_view name) const {
    if (!source_.contains(name)) return std::nullopt;
    return cast(source_.tensor(name, {}), f32).to_vector<float>();
  }

  void rope() {
    const std::optional<Json> rotated = own("rope.dimension_count");
    if (rotated && rotated->is_number_integer() && *rotated > 0 && *rotated < (std::int64_t{1} << 20)) {
      const Json heads = out_["num_attention_heads"];
      double size = 0;
      if (out_.contains("head_dim") && out_["head_dim"].is_number()) {
        size = out_["head_dim"].get<double>();
      } else if (heads.is_number_integer() && heads > 0 && out_["hidden_size"].is_number()) {
        size = out_["hidden_size"].get<double>() / heads.get<double>();
      }
      if (size > rotated->get<double>()) out_["partial_rotary_factor"] = rotated->get<double>() / size;
    }
    Json scaling = Json::object();
    const auto copy = [&](std::string_view theirs, const char* ours) {
      if (const auto value = own(theirs)) scaling[ours] = *value;
    };
    copy("rope.scaling.original_context_length", "original_max_position_embeddings");
    const auto long_factors = factors("rope_factors_long.weight");
    const auto short_factors = factors("rope_factors_short.weight");
    const auto freqs = factors("rope_freqs.weight");  // Llama 3: frequencies are divided by them
    if (long_factors && short_factors) {
      scaling["rope_type"] = "longrope";
      scaling["long_factor"] = *long_factors;
      scaling["short_factor"] = *short_factors;
      copy("rope.scaling.attn_factor", "attention_factor");
    } else if (freqs) {
      scaling["rope_type"] = "longrope";
      scaling["long_factor"] = scaling["short_factor"] = *freqs;
      scaling["attention_factor"] = 1.0;
    } else if (const auto type = own("rope.scaling.type"); type && *type != "none") {
      scaling["rope_type"] = *type;
      copy("rope.scaling.factor", "factor");
      copy("rope.scaling.yarn_beta_fast", "beta_fast");
      copy("rope.scaling.yarn_beta_slow", "beta_slow");
      const auto attention = own("rope.scaling.attn_factor");
      const auto factor = own("rope.scaling.factor");
      if (*type == "yarn" && attention && attention->is_number() && factor && factor->is_number() && *factor > 1) {
        scaling["attention_factor"] = attention->get<double>() * (0.1 * std::log(factor->get<double>()) + 1);
      }
      if (row_.experts == Architecture::Experts::kGptOss) scaling["truncate"] = false;
    }
    if (scaling.contains("rope_type")) out_["rope_scaling"] = scaling;
  }

  void pooling(Config& config) const {
    const auto type = own("pooling_type");
    if (!type) return;
    constexpr std::array kTypes{Pooling::kMean, Pooling::kCls, Pooling::kLast};
    const std::int64_t at = type->is_number_integer() ? type->get<std::int64_t>() : 0;
    if (at < 1 || at > 3) {
      fail(ErrorKind::kUnsupported, "'{}' has {}pooling_type = {}; 1 (mean), 2 (cls) and 3 (last) are supported.",
           file_, prefix_, type->dump());
    }
    config.pooling = kTypes[static_cast<std::size_t>(at - 1)];
  }

  const MetadataLookup& metadata_;
  const WeightSource& source_;
  std::string file_;
  std::string prefix_;
  const Architecture& row_;
  Json out_ = Json::object();
};

/// A value of the metadata for messages and checks: numbers, texts, and arrays of them.
Json json_of(const io::GgufValue& value) {
  return std::visit([](const auto& v) { return Json(v); }, value.data());
}

}  // namespace

Config GgufSource::config() const {
  const auto lookup = [&](std::string_view key) -> std::optional<Json> {
    const io::GgufValue* value = file_.metadata().find(key);
    return value != nullptr ? std::optional(json_of(*value)) : std::nullopt;
  };
  return gguf_config(lookup, *this, file_.path().string());
}

std::vector<std::string> GgufSource::names() const {
  std::vector<std::string> all;
  for (const io::GgufEntry& e : file_.entries()) all.push_back(e.name);
  return all;
}

Config gguf_config(const MetadataLookup& metadata, const WeightSource& source, const std::string& file) {
  return Translator(metadata, source, file).run();
}

}  // namespace tessera::llm
