// The table of architectures: the blocks of each, its keys in config.json, and the names of its weights.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "tessera/llm/config.h"

namespace tessera::llm {

/// Which part of a tensor of the file one of ours is. "Rows" are the outputs of a linear layer.
enum class Part : std::uint8_t {
  kWhole,
  kQ,  // of fused rows [q; k; v]
  kK,
  kV,
  kFirst,  // the first half of the rows, [gate; up]
  kSecond,
  kEven,  // every second row, from 0 on or from 1 on
  kOdd,
};

/// Where a tensor of the model is in the file. Names inside of a layer begin with "layers.{}" or the file's form of it;
/// "{e}" in the file's name is the position of an expert, whose tensors are stacked.
struct WeightName {
  std::string_view ours;  // a module ("layers.{}.attention.q"), then weight and bias have the same ending; or a tensor
  std::string_view theirs;
  Part part = Part::kWhole;
  bool transposed = false;  // [.., in, out]
};

/// Whether blocks have biases.
enum class Bias : std::uint8_t {
  kNo,
  kYes,
  kKey,  // as "attention_bias" or "mlp_bias" says
};

/// Which layers have a sliding window.
enum class Windows : std::uint8_t {
  kNone,
  kAll,      // all, of "sliding_window" tokens, if it is given
  kQwen,     // with "use_sliding_window", those from "max_window_layers" on
  kQwenMoe,  // with "use_sliding_window", all
  kNoRope,   // with "use_sliding_window", those without RoPE
  kPattern,  // all but every period-th; "sliding_window_pattern" is the period
};

/// Another name of a key in config.json.
struct KeyAlias {
  std::string_view key, alias;
};

/// How a GGUF file of the architecture differs from the Hugging Face checkpoint.
struct GgufTraits {
  std::string_view architecture;  // general.architecture
  bool interleaved = false;       // pairs of RoPE are adjacent rows of q and k
  bool one_plus = false;          // norm weights have the 1 of kRmsOnePlus added
};

struct Architecture {
  std::string_view model_type;
  NormKind norm = NormKind::kRms;
  NormPlacement placement = NormPlacement::kPre;
  bool gated = true;
  QkNorm qk_norm = QkNorm::kNone;
  Bias qkv_bias = Bias::kNo;
  Bias out_bias = Bias::kNo;
  Bias mlp_bias = Bias::kNo;
  Windows windows = Windows::kNone;
  int period = 0;                  // of kPattern
  bool tied = false;               // without the key "tie_word_embeddings"
  double eps = 1e-6;               // without a key
  double rope_base = 1e4;          // without a key
  bool scaled_embeddings = false;  // by sqrt(width)
  bool learned_positions = false;
  bool no_rope_layers = false;  // the key of that name
  bool local_rope = false;      // layers with a window have a RoPE of their own, "rope_local_base_freq"
  bool softcaps = false;        // "attn_logit_softcapping" and "final_logit_softcapping"
  bool sinks = false;
  bool encoder = false;
  enum class Experts : std::uint8_t { kNone, kQwen, kMixtral, kGptOss } experts = Experts::kNone;
  std::span<const KeyAlias> aliases = {};
  /// Maps of names: own names first, then the common ones. A name of the file may have one of these prefixes.
  std::span<const std::string_view> prefixes = {};
  std::span<const WeightName> names = {}, common_names = {};
  std::span<const WeightName> gguf_names = {}, common_gguf_names = {};
  GgufTraits gguf = {};
};

std::span<const Architecture> table();
/// Error of kind unsupported if there is none.
const Architecture& architecture_of(std::string_view model_type);

}  // namespace tessera::llm
