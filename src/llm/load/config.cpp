// Reads config.json into a Config: the row of the architecture, and the keys that all of them share.
#include "tessera/llm/config.h"

#include <algorithm>
#include <cmath>

#include "base/fail.h"
#include "base/os/files.h"
#include "llm/architectures.h"
#include "llm/load/reader.h"
#include "llm/rope.h"

namespace tessera::llm {

namespace {

constexpr std::int64_t kMostSize = std::int64_t{1} << 24;  // of a row of weights
constexpr std::int64_t kMostLayers = 1024;
constexpr std::int64_t kMostHeads = 4096;
constexpr std::int64_t kMostExperts = 4096;
constexpr std::int64_t kMostContext = std::int64_t{1} << 31;
constexpr std::size_t kMostBytes = 16 << 20;

Activation activation_of(const Reader& r, std::string_view key) {
  const std::string name = r.text(key);
  if (name == "silu" || name == "swish") return Activation::kSilu;
  if (name == "gelu") return Activation::kGelu;
  if (name == "gelu_new" || name == "gelu_pytorch_tanh" || name == "gelu_fast") return Activation::kGeluTanh;
  if (name == "relu") return Activation::kRelu;
  r.unsupported(key, "silu, gelu, gelu_new, gelu_pytorch_tanh and relu are");
}

/// Reads the keys of one architecture.
class Parser {
 public:
  Parser(const Architecture& row, const Reader& reader) : row_(row), r_(reader) {}

  Config run() {
    refuse();
    sizes();
    blocks();
    layers();
    if (!row_.learned_positions) ropes();
    if (row_.experts != Architecture::Experts::kNone) experts();
    return std::move(c_);
  }

 private:
  /// The name of a key in this architecture.
  [[nodiscard]] std::string_view key(std::string_view name) const {
    for (const KeyAlias& a : row_.aliases) {
      if (a.key == name && (r_.has(a.alias) || !r_.has(name))) return a.alias;
    }
    return name;
  }

  /// What would change the computation and is not supported.
  void refuse() const {
    if (r_.has("quantization_config")) {
      const Reader q = r_.object("quantization_config");
      if (row_.experts != Architecture::Experts::kGptOss || q.text("quant_method") != "mxfp4") {
        q.unsupported("quant_method", "checkpoints without quantization are, and MXFP4 for gpt_oss");
      }
    }
    const auto must_be = [&](std::string_view name, bool expected) {
      if (r_.boolean(name, expected) != expected) r_.unsupported(name, expected ? "true is" : "false is");
    };
    must_be("scale_attn_weights", true);
    must_be("scale_attn_by_inverse_layer_idx", false);
    if (row_.encoder) must_be("is_decoder", false);
    must_be("add_cross_attention", false);
    must_be("use_bidirectional_attention", false);
    if (r_.text("position_embedding_type", "absolute") != "absolute") {
      r_.unsupported("position_embedding_type", "absolute is");
    }
  }

  void sizes() {
    c_.model_type = row_.model_type;
    c_.vocabulary = r_.integer("vocab_size", 1, kMostSize);
    c_.width = r_.integer(key("hidden_size"), 1, kMostSize);
    c_.heads = r_.integer(key("num_attention_heads"), 1, kMostHeads);
    c_.kv_heads = r_.integer("num_key_value_heads", 1, kMostHeads, c_.heads);
    if (row_.learned_positions) c_.kv_heads = c_.heads;  // GPT-2 and BERT do not share heads
    if (c_.heads % c_.kv_heads != 0) {
      r_.out_of_range("num_key_value_heads", fmt::format("a divisor of the {} attention heads", c_.heads));
    }
    if (!r_.has("head_dim") && c_.width % c_.heads != 0) {
      r_.out_of_range(key("num_attention_heads"), fmt::format("a divisor of the hidden size {}", c_.width));
    }
    c_.head_size = r_.integer("head_dim", 1, kMostSize, c_.width / c_.heads);
    c_.intermediate = row_.gated ? r_.integer(key("intermediate_size"), 1, kMostSize)
                                 : r_.integer(key("intermediate_size"), 1, kMostSize, 4 * c_.width);
    c_.context = r_.integer(key("max_position_embeddings"), 1, kMostContext);
    c_.layers.resize(static_cast<std::size_t>(r_.integer(key("num_hidden_layers"), 1, kMostLayers)));
  }

  [[nodiscard]] bool bias(Bias kind, std::string_view name) const {
    return kind == Bias::kYes || (kind == Bias::kKey && r_.boolean(name, row_.sinks));
  }

  void blocks() {
    c_.norm = row_.norm;
    c_.placement = row_.placement;
    c_.eps = r_.positive(key("rms_norm_eps"), row_.eps);
    c_.activation = activation_of(r_, key("hidden_act"));
    c_.gated = row_.gated;
    c_.qkv_bias = bias(row_.qkv_bias, "attention_bias");
    c_.out_bias = bias(row_.out_bias, "attention_bias");
    c_.mlp_bias = bias(row_.mlp_bias, "mlp_bias");
    c_.qk_norm = row_.qk_norm;
    c_.sinks = row_.sinks;
    if (const auto scalar = r_.optional_positive("query_pre_attn_scalar")) c_.attention_scale = 1 / std::sqrt(*scalar);
    if (row_.softcaps) {
      c_.attention_softcap = r_.optional_positive("attn_logit_softcapping");
      c_.final_softcap = r_.optional_positive("final_logit_softcapping");
    }
    if (row_.scaled_embeddings) c_.embedding_scale = std::sqrt(static_cast<double>(c_.width));
    c_.learned_positions = row_.learned_positions;
    c_.encoder = row_.encoder;
    c_.pooler = row_.encoder;
    if (row_.encoder) c_.token_types = r_.integer("type_vocab_size", 1, kMostSize, 2);
    c_.tied = !row_.encoder && r_.boolean("tie_word_embeddings", row_.tied);
  }

  /// Whether a window needs "use_sliding_window".
  [[nodiscard]] bool switched() const {
    return row_.windows == Windows::kQwen || row_.windows == Windows::kQwenMoe || row_.windows == Windows::kNoRope;
  }

  /// Whether layer i has a sliding window, by the rule of the architecture.
  [[nodiscard]] bool slides(std::size_t i) const {
    const auto at = static_cast<std::int64_t>(i);
    switch (row_.windows) {
      case Windows::kNone:
        return false;
      case Windows::kAll:
      case Windows::kQwenMoe:
        return true;
      case Windows::kNoRope:
        return c_.layers[i].rope < 0;
      case Windows::kQwen:
        return at >= r_.integer("max_window_layers", 0, kMostLayers, 0);
      case Windows::kPattern:
        return (at + 1) % r_.integer("sliding_window_pattern", 1, kMostLayers, row_.period) != 0;
    }
    return false;
  }

  void layers() {
    const bool chosen = row_.no_rope_layers && r_.has("no_rope_layers");
    const auto rotated = chosen ? r_.integers("no_rope_layers", 0, 1, c_.layers.size()) : std::vector<std::int64_t>();
    const std::int64_t interval = row_.no_rope_layers ? r_.integer("no_rope_layer_interval", 1, kMostLayers, 4) : 0;
    const bool listed = r_.has("layer_types") && row_.windows != Windows::kNone && row_.windows != Windows::kAll;
    const auto types = listed ? r_.texts("layer_types", c_.layers.size()) : std::vector<std::string>();
    const bool windows = row_.windows != Windows::kNone && r_.has("sliding_window") &&
                         (!switched() || r_.boolean("use_sliding_window", false));
    const std::int64_t window = windows ? r_.integer("sliding_window", 1, kMostContext) : 0;
    for (std::size_t i = 0; i < c_.layers.size(); ++i) {
      LayerConfig& l = c_.layers[i];
      if (row_.learned_positions) l.rope = -1;
      if (interval > 0 && (chosen ? rotated[i] == 0 : static_cast<std::int64_t>(i + 1) % interval == 0)) l.rope = -1;
      bool sliding = slides(i);
      if (listed) {
        sliding = types[i] == "sliding_attention";
        if (!sliding && types[i] != "full_attention") {
          r_.unsupported("layer_types", "full_attention and sliding_attention are");
        }
      }
      if (sliding) l.window = window;
      if (row_.local_rope && sliding) l.rope = 1;
    }
  }

  /// Of the newer form "rope_parameters", with the base in it, or of the older one, "rope_theta" and "rope_scaling".
  [[nodiscard]] Rope rope(const Reader* scaling, double base) const {
    double part = r_.positive("partial_rotary_factor", 1);
    if (scaling != nullptr) {
      base = scaling->positive("rope_theta", base);
      part = scaling->positive("partial_rotary_factor", part);
    }
    RopeSizes sizes{.base = base, .context = c_.context};
    const double rotated = static_cast<double>(c_.head_size) * part;
    if (part <= 1) sizes.size = static_cast<std::int64_t>(rotated);
    sizes.original_context = r_.integer("original_max_position_embeddings", 1, kMostContext, 0);
    if (part > 1 || sizes.size < 2 || sizes.size % 2 != 0) {
      fail(ErrorKind::kValue,
           "'{}' rotates {} of {} elements of each head; an even number of at most all of them is expected.", r_.file(),
           part <= 1 ? static_cast<double>(sizes.size) : rotated, c_.head_size);
    }
    return scaling != nullptr ? scaled_rope(sizes, *scaling) : plain_rope(sizes);
  }

  void ropes() {
    const double base = r_.positive("rope_theta", row_.rope_base);
    if (r_.has("rope_parameters")) {
      const Reader given = r_.object("rope_parameters");
      if (row_.local_rope || given.has("full_attention")) {
        const Reader full = given.object("full_attention");
        c_.ropes.push_back(rope(&full, base));
        if (!row_.local_rope) return;
        const Reader local = given.object("sliding_attention");
        c_.ropes.push_back(rope(&local, r_.positive("rope_local_base_freq", 1e4)));
      } else {
        c_.ropes.push_back(rope(&given, base));
      }
      return;
    }
    if (r_.has("rope_scaling")) {
      const Reader scaling = r_.object("rope_scaling");
      c_.ropes.push_back(rope(&scaling, base));
    } else {
      c_.ropes.push_back(rope(nullptr, base));
    }
    if (row_.local_rope) c_.ropes.push_back(rope(nullptr, r_.positive("rope_local_base_freq", 1e4)));
  }

  void experts() {
    ExpertsConfig e;
    const bool qwen = row_.experts == Architecture::Experts::kQwen;
    const bool gpt_oss = row_.experts == Architecture::Experts::kGptOss;
    e.count = r_.integer(qwen && r_.has("num_experts") ? "num_experts" : "num_local_experts", 1, kMostExperts);
    e.per_token = r_.integer("num_experts_per_tok", 1, e.count);
    e.intermediate = qwen ? r_.integer("moe_intermediate_size", 1, kMostSize) : c_.intermediate;
    e.softmax_first = !gpt_oss;
    e.normalize = qwen ? r_.boolean("norm_topk_prob", false) : !gpt_oss;
    e.router_bias = e.bias = gpt_oss;
    if (gpt_oss) e.swiglu_limit = r_.positive("swiglu_limit", 7);
    const std::int64_t step = qwen ? r_.integer("decoder_sparse_step", 1, kMostLayers, 1) : 1;
    std::vector<std::int64_t> dense;
    if (qwen && r_.has("mlp_only_layers")) dense = r_.integers("mlp_only_layers", 0, kMostLayers);
    for (std::size_t i = 0; i < c_.layers.size(); ++i) {
      const auto at = static_cast<std::int64_t>(i);
      c_.layers[i].experts = (at + 1) % step == 0 && std::ranges::find(dense, at) == dense.end();
    }
    c_.experts = e;
  }

  const Architecture& row_;
  const Reader& r_;
  Config c_;
};

std::string text_of(const std::filesystem::path& file) {
  std::optional<std::string> text = os::read_file(file);
  if (!text) fail(ErrorKind::kIo, "'{}' cannot be read; a folder with a config.json is expected.", file.string());
  if (text->size() > kMostBytes) {
    fail(ErrorKind::kParse, "'{}' has {} bytes; at most {} are expected.", file.string(), text->size(), kMostBytes);
  }
  return std::move(*text);
}

void read_pooling(const std::filesystem::path& file, Config& config) {
  const Json json = parse_object(text_of(file), file.string());
  const Reader r(json, file.string());
  constexpr std::array kModes{
      std::pair<std::string_view, Pooling>{"pooling_mode_mean_tokens", Pooling::kMean},
      std::pair<std::string_view, Pooling>{"pooling_mode_cls_token", Pooling::kCls},
      std::pair<std::string_view, Pooling>{"pooling_mode_max_tokens", Pooling::kMax},
      std::pair<std::string_view, Pooling>{"pooling_mode_lasttoken", Pooling::kLast},
  };
  int found = 0;
  for (const auto& [key, mode] : kModes) {
    if (!r.boolean(key, false)) continue;
    config.pooling = mode;
    ++found;
  }
  for (const std::string_view key : {"pooling_mode_mean_sqrt_len_tokens", "pooling_mode_weightedmean_tokens"}) {
    if (r.boolean(key, false)) r.unsupported(key, "mean, cls, max and last are");
  }
  if (found != 1) fail(ErrorKind::kValue, "'{}' names {} modes of pooling; one is expected.", file.string(), found);
}

/// The modules of sentence-transformers: Transformer, Pooling, Normalize.
void read_modules(const std::filesystem::path& folder, Config& config) {
  const std::filesystem::path file = folder / "modules.json";
  if (!std::filesystem::exists(file)) return;
  const Json modules = parse_object("{\"modules\": " + text_of(file) + "}", file.string());
  const Json& list = modules["modules"];
  if (!list.is_array()) fail(ErrorKind::kParse, "'{}' is no list of modules.", file.string());
  for (const Json& entry : list) {
    if (!entry.is_object()) fail(ErrorKind::kParse, "'{}' has an entry that is no object.", file.string());
    const Reader r(entry, file.string());
    std::string type = r.text("type");
    type.erase(0, type.rfind('.') + 1);
    if (type == "Pooling") {
      const std::filesystem::path path = r.text("path");
      if (path.has_parent_path() || path == "..") r.out_of_range("path", "the name of a folder beside modules.json");
      read_pooling(folder / path / "config.json", config);
    } else if (type == "Normalize") {
      config.normalize = true;
    } else if (type != "Transformer") {
      r.unsupported("type", "Transformer, Pooling and Normalize are");
    }
  }
}

}  // namespace

Config Config::parse(std::string_view json, const std::string& name) {
  const Json object = parse_object(json, name);
  const Reader reader(object, name);
  const Architecture& row = architecture_of(reader.text("model_type"));
  return Parser(row, reader).run();
}

Config Config::load(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "config.json";
  Config config = parse(text_of(file), file.string());
  if (config.encoder) read_modules(folder, config);
  return config;
}

}  // namespace tessera::llm
