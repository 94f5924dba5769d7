// The blocks of a language model: sizes and choices, read from the config.json of a Hugging Face folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/export.h"

namespace TESSERA_API tessera {
namespace llm {

enum class NormKind : std::uint8_t {
  kRms,         // x / rms(x) * weight
  kRmsOnePlus,  // x / rms(x) * (1 + weight), Gemma's
  kLayer,       // layer norm with a bias
};

/// Where the norms of a block f are.
enum class NormPlacement : std::uint8_t {
  kPre,         // x + f(norm(x))
  kPost,        // x + norm(f(x)), OLMo 2
  kPreAndPost,  // x + norm(f(norm(x))), Gemma 2 and 3
  kAfterAdd,    // norm(x + f(x)), BERT
};

enum class QkNorm : std::uint8_t {
  kNone,
  kHead,  // of each head, after the heads are split
  kFull,  // of the whole projection
};

enum class Activation : std::uint8_t { kSilu, kGelu, kGeluTanh, kRelu };

enum class Pooling : std::uint8_t {
  kMean,    // over the valid tokens
  kCls,     // the first token
  kLast,    // the last valid token
  kMax,     // over the valid tokens
  kPooler,  // BERT's: tanh of a linear layer of the first token
};

/// Rotary position embedding: the angle of pair i at position p is p * frequencies[i]. Scaling (linear, YaRN, Llama 3,
/// LongRoPE) is part of the frequencies.
struct Rope {
  std::vector<double> frequencies;       // of the first 2 * frequencies.size() elements of a head
  std::vector<double> long_frequencies;  // LongRoPE: for contexts of more than `original_context` tokens; else empty
  std::int64_t original_context = 0;
  double magnitude = 1;      // factor of the sines and cosines
  bool interleaved = false;  // pairs are adjacent; else element i pairs with element i + frequencies.size()

  friend bool operator==(const Rope&, const Rope&) = default;
};

/// What differs from layer to layer.
struct LayerConfig {
  std::int64_t window = 0;  // sliding window in tokens; 0: all
  int rope = 0;             // position in Config::ropes; -1: no rotation
  bool experts = false;     // a mixture of experts in place of the MLP

  friend bool operator==(const LayerConfig&, const LayerConfig&) = default;
};

/// A mixture of experts: a router chooses `per_token` of `count` MLPs for each token.
struct ExpertsConfig {
  std::int64_t count = 0;
  std::int64_t per_token = 0;
  std::int64_t intermediate = 0;
  bool softmax_first = true;  // the softmax is over all experts, else over the chosen ones
  bool normalize = false;     // weights of the chosen ones are divided by their sum
  bool router_bias = false;
  bool bias = false;  // of the experts
  /// gpt-oss: (clamp(up) + 1) * gate * sigmoid(1.702 * gate) with a clamp at this limit; none: the Config's activation.
  std::optional<double> swiglu_limit = {};

  friend bool operator==(const ExpertsConfig&, const ExpertsConfig&) = default;
};

/// A model as a list of blocks. parse() and load() make one from config.json; a new architecture is a row in the table
/// of src/llm/architectures.cpp.
struct Config {
  std::string model_type;
  std::int64_t vocabulary = 0;
  std::int64_t width = 0;  // of the residual stream
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_size = 0;
  std::int64_t intermediate = 0;  // of the MLP
  std::int64_t context = 0;       // the most positions the model was trained for
  std::vector<LayerConfig> layers;

  NormKind norm = NormKind::kRms;
  NormPlacement placement = NormPlacement::kPre;
  double eps = 1e-5;
  Activation activation = Activation::kSilu;
  bool gated = true;  // down(activation(gate(x)) * up(x)), else down(activation(up(x)))
  bool qkv_bias = false;
  bool out_bias = false;
  bool mlp_bias = false;
  QkNorm qk_norm = QkNorm::kNone;
  bool sinks = false;  // attention sinks: a learned score of each head that only adds to the softmax's sum
  std::optional<double> attention_scale;    // default: 1 / sqrt(head_size)
  std::optional<double> attention_softcap;  // scores become cap * tanh(score / cap)
  std::optional<double> final_softcap;      // the same for logits
  std::vector<Rope> ropes;                  // none: learned positions
  double embedding_scale = 1;
  bool learned_positions = false;
  std::int64_t token_types = 0;  // BERT's segments
  bool tied = false;             // the output weights are the token embeddings
  std::optional<ExpertsConfig> experts;
  bool encoder = false;              // no causal mask and no logits
  bool pooler = false;               // a pooler's weights are there
  Pooling pooling = Pooling::kMean;  // of Model::embed
  bool normalize = false;            // embeddings have length 1

  /// From the text of a config.json; `name` stands for the file in messages. Error of kind parse for text that is no
  /// JSON, a missing key or a value of another type; of kind value for a value out of its range; of kind unsupported,
  /// with its name, for an architecture, an activation or a RoPE scaling that the engine does not have.
  static Config parse(std::string_view json, const std::string& name = "config.json");
  /// From the config.json of a folder; and for encoders from the modules of sentence-transformers, if they are there.
  static Config load(const std::filesystem::path& folder);

  friend bool operator==(const Config&, const Config&) = default;
};

/// The model types that Config::parse accepts, in order.
std::vector<std::string> architectures();

}  // namespace llm
}  // namespace tessera
