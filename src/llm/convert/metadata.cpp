// The metadata of a config.json in the keys of llama.cpp.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/fail.h"
#include "llm/architectures.h"
#include "llm/convert/source.h"
#include "llm/load/reader.h"
#include "tessera/ops.h"

namespace tessera::llm {

namespace {

class Writer {
 public:
  Writer(const io::HfFolder& folder, const Config& config, ModelToConvert& model)
      : row_(architecture_of(config.model_type)),
        c_(config),
        file_((folder.path() / "config.json").string()),
        json_(parse_object(folder.config(), file_)),
        out_(model),
        prefix_(std::string(row_.gguf.architecture) + ".") {
    model.metadata.set("general.architecture", std::string(row_.gguf.architecture));
    model.metadata.set("general.type", std::string("model"));
    const std::string name = std::filesystem::weakly_canonical(folder.path()).filename().string();
    if (!name.empty()) model.metadata.set("general.name", name);
  }

  void run() {
    number("vocab_size", c_.vocabulary);
    number("context_length", c_.context);
    number("embedding_length", c_.width);
    number("block_count", static_cast<std::int64_t>(c_.layers.size()));
    number("feed_forward_length", c_.intermediate);
    number("attention.head_count", c_.heads);
    number("attention.head_count_kv", c_.kv_heads);
    real(row_.norm == NormKind::kLayer ? "attention.layer_norm_epsilon" : "attention.layer_norm_rms_epsilon", c_.eps);
    check_activation();
    attention();
    if (c_.experts) experts();
    if (!c_.ropes.empty()) ropes();
    if (c_.encoder) encoder();
  }

 private:
  void number(const char* key, std::int64_t value) {
    out_.metadata.set(prefix_ + key, static_cast<std::uint32_t>(value));
  }
  void real(const char* key, double value) {
    if (std::abs(value) > std::numeric_limits<float>::max()) {
      fail(ErrorKind::kValue, "convert: '{}' has {} for '{}'; at most the largest f32 is expected.", file_, value, key);
    }
    out_.metadata.set(prefix_ + key, static_cast<float>(value));
  }

  /// Files do not say the activation.
  void check_activation() const {
    const Activation usual = row_.norm == NormKind::kRmsOnePlus ? Activation::kGeluTanh
                             : row_.encoder                     ? Activation::kGelu
                             : row_.learned_positions           ? Activation::kGeluTanh
                                                                : Activation::kSilu;
    if (c_.activation != usual) {
      fail(ErrorKind::kUnsupported,
           "convert: '{}' has another activation than other models of type {}, and GGUF files do not say it.", file_,
           c_.model_type);
    }
  }

  void attention() {
    if (!c_.learned_positions) {
      number("attention.key_length", c_.head_size);
      number("attention.value_length", c_.head_size);
    }
    if (c_.attention_scale) real("attention.scale", *c_.attention_scale);
    if (c_.attention_softcap) real("attn_logit_softcapping", *c_.attention_softcap);
    if (c_.final_softcap) real("final_logit_softcapping", *c_.final_softcap);
    std::int64_t window = 0;
    std::vector<bool> slides;
    std::vector<std::int32_t> rotates;
    for (const LayerConfig& l : c_.layers) {
      window = std::max(window, l.window);
      slides.push_back(l.window > 0);
      rotates.push_back(l.rope >= 0 ? 1 : 0);
    }
    if (window > 0) {
      number("attention.sliding_window", window);
      out_.metadata.set(prefix_ + "attention.sliding_window_pattern", slides);
    }
    if (!row_.no_rope_layers) return;
    bool usual = true;  // every fourth layer
    for (std::size_t i = 0; i < rotates.size(); ++i) usual = usual && (rotates[i] == 0) == ((i + 1) % 4 == 0);
    if (!usual) out_.metadata.set(prefix_ + "no_rope_layers", rotates);
  }

  void experts() {
    const ExpertsConfig& e = *c_.experts;
    number("expert_count", e.count);
    number("expert_used_count", e.per_token);
    number("expert_feed_forward_length", e.intermediate);
    if (row_.experts == Architecture::Experts::kQwen) out_.metadata.set(prefix_ + "expert_weights_norm", e.normalize);
  }

  /// The object with the scaling of RoPE, and the base; older configs have the base beside it.
  struct Scaling {
    Json values = Json::object();
    double base;
  };
  [[nodiscard]] Scaling scaling(const char* layers) const {
    const Reader r(json_, file_);
    Scaling s{.base = r.positive("rope_theta", row_.rope_base)};
    if (r.has("rope_parameters")) {
      s.values = json_["rope_parameters"];
      if (s.values.contains(layers)) s.values = s.values[layers];
    } else if (r.has("rope_scaling")) {
      s.values = json_["rope_scaling"];
    }
    s.base = Reader(s.values, file_, "rope_parameters.").positive("rope_theta", s.base);
    return s;
  }

  void ropes() {
    const Scaling s = scaling("full_attention");
    const Reader r(s.values, file_, "rope_parameters.");
    real("rope.freq_base", s.base);
    number("rope.dimension_count", static_cast<std::int64_t>(2 * c_.ropes[0].frequencies.size()));
    if (row_.local_rope) {
      const Reader all(json_, file_);
      const Reader local = all.has("rope_parameters") ? all.object("rope_parameters").object("sliding_attention") : all;
      real("rope.freq_base_swa",
           local.positive(all.has("rope_parameters") ? "rope_theta" : "rope_local_base_freq", 1e4));
    }
    const std::string type = r.text(r.has("rope_type") ? "rope_type" : "type", "default");
    const auto original = [&](std::int64_t otherwise) {
      const std::int64_t outer =
          Reader(json_, file_).integer("original_max_position_embeddings", 1, INT32_MAX, otherwise);
      return r.integer("original_max_position_embeddings", 1, INT32_MAX, outer);
    };
    if (type == "linear" || type == "yarn") {
      out_.metadata.set(prefix_ + "rope.scaling.type", type);
      const double factor =
          r.positive("factor", static_cast<double>(c_.context) / static_cast<double>(original(c_.context)));
      real("rope.scaling.factor", factor);
      if (type == "linear") return;
      number("rope.scaling.original_context_length", original(c_.context));
      real("rope.scaling.yarn_beta_fast", r.positive("beta_fast", 32));
      real("rope.scaling.yarn_beta_slow", r.positive("beta_slow", 1));
      const double usual = factor <= 1 ? 1 : 0.1 * std::log(factor) + 1;
      if (std::abs(c_.ropes[0].magnitude - usual) > 1e-6 * usual) {
        real("rope.scaling.attn_factor", c_.ropes[0].magnitude / usual);
      }
    } else if (type == "llama3") {
      add_factors("rope_freqs.weight", c_.ropes[0].frequencies, s.base);
    } else if (type == "longrope" || type == "su") {
      number("rope.scaling.original_context_length", original(c_.context));
      real("rope.scaling.attn_factor", c_.ropes[0].magnitude);
      add_factors("rope_factors_short.weight", c_.ropes[0].frequencies, s.base);
      add_factors("rope_factors_long.weight", c_.ropes[0].long_frequencies, s.base);
    }
  }

  /// A tensor of the numbers that frequencies are divided by.
  void add_factors(const char* name, const std::vector<double>& frequencies, double base) {
    std::vector<float> factors;
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
      const double plain = std::pow(base, -static_cast<double>(i) / static_cast<double>(frequencies.size()));
      factors.push_back(static_cast<float>(plain / frequencies[i]));
    }
    const Shape shape{static_cast<std::int64_t>(factors.size())};
    out_.tensors.push_back(
        {name, shape, io::GgmlType::kF32, [factors, shape] { return Tensor(factors, shape, host_device()); }});
  }

  void encoder() {
    out_.metadata.set(prefix_ + "attention.causal", false);
    constexpr std::array kTypes{Pooling::kMean, Pooling::kCls, Pooling::kLast};
    const auto* found = std::ranges::find(kTypes, c_.pooling);
    if (found == kTypes.end()) {
      fail(ErrorKind::kUnsupported, "convert: '{}' has another pooling than mean, cls and last, which GGUF files have.",
           file_);
    }
    number("pooling_type", found - kTypes.begin() + 1);
    out_.metadata.set("tokenizer.ggml.token_type_count", static_cast<std::uint32_t>(c_.token_types));
  }

  const Architecture& row_;
  const Config& c_;
  std::string file_;
  Json json_;
  ModelToConvert& out_;
  std::string prefix_;
};

}  // namespace

void add_config(const io::HfFolder& folder, const Config& config, ModelToConvert& model) {
  Writer(folder, config, model).run();
}

}  // namespace tessera::llm
