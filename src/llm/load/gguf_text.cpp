// Reads the metadata of GGUF files under tokenizer and general.sampling.
#include "llm/load/gguf_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/fail.h"

namespace tessera::llm {

namespace {

using text::TokenId;

/// Tokens that end a turn, for files whose metadata name only one of them.
constexpr std::array<std::string_view, 10> kEndTokens{
    "<|eot_id|>",      "<|im_end|>", "<end_of_turn>", "<turn|>",  "<|endoftext|>",
    "<|end_of_text|>", "<|eom_id|>", "<|return|>",    "<|call|>", "</s>"};

constexpr double kMostTokens = 1 << 30;  // a top_k above the vocabulary is all of it
constexpr std::int64_t kControl = 3;
constexpr std::int64_t kUserDefined = 4;

/// Values of the metadata by key. Those of another type are an Error of kind parse with the key.
class Values {
 public:
  explicit Values(const io::GgufFile& file) : file_(file) {}

  template <class Get>
  auto get(const std::string& key, const Get& read) const
      -> std::optional<std::decay_t<decltype(read(io::GgufValue()))>> {
    const io::GgufValue* value = file_.metadata().find(key);
    if (value == nullptr) return std::nullopt;
    try {
      return read(*value);
    } catch (const Error& e) {
      fail(ErrorKind::kParse, "'{}' has a value of another type for the key '{}': {}", file_.path().string(), key,
           e.what());
    }
  }
  [[nodiscard]] std::optional<std::string> text(const std::string& key) const {
    return get(key, [](const io::GgufValue& v) { return v.text(); });
  }
  [[nodiscard]] std::optional<bool> boolean(const std::string& key) const {
    return get(key, [](const io::GgufValue& v) { return v.boolean(); });
  }
  [[nodiscard]] std::optional<double> number(const std::string& key) const {
    return get(key, [](const io::GgufValue& v) { return v.number(); });
  }
  [[nodiscard]] std::vector<std::string> texts(const std::string& key) const {
    return get(key, [](const io::GgufValue& v) { return v.texts(); }).value_or(std::vector<std::string>());
  }
  [[nodiscard]] std::vector<std::int64_t> integers(const std::string& key) const {
    return get(key, [](const io::GgufValue& v) { return v.integers(); }).value_or(std::vector<std::int64_t>());
  }
  [[nodiscard]] std::vector<double> numbers(const std::string& key) const {
    return get(key, [](const io::GgufValue& v) { return v.numbers(); }).value_or(std::vector<double>());
  }
  /// A token; -1 in any width means that there is none.
  [[nodiscard]] std::optional<TokenId> token(const std::string& key) const {
    const auto id = get(key, [](const io::GgufValue& v) { return v.integer(); });
    if (!id || *id == -1 || *id == 0xFFFFFFFF) return std::nullopt;
    if (*id < 0 || *id > 0x7FFFFFFF) {
      fail(ErrorKind::kParse, "'{}' has the token {} for the key '{}'; at least 0 is expected.", file_.path().string(),
           *id, key);
    }
    return static_cast<TokenId>(*id);
  }

 private:
  const io::GgufFile& file_;
};

std::string ggml(const char* key) { return std::string("tokenizer.ggml.") + key; }

}  // namespace

std::optional<text::GgufVocabulary> gguf_vocabulary(const io::GgufFile& file) {
  const Values values(file);
  const auto model = values.text(ggml("model"));
  if (!model || *model == "none" || *model == "no_vocab") return std::nullopt;
  text::GgufVocabulary v;
  v.model = *model;
  v.pre = values.text(ggml("pre")).value_or("");
  v.tokens = values.texts(ggml("tokens"));
  constexpr double kMost = std::numeric_limits<float>::max();
  for (const double s : values.numbers(ggml("scores")))
    v.scores.push_back(static_cast<float>(std::clamp(s, -kMost, kMost)));
  for (const std::int64_t t : values.integers(ggml("token_type"))) {
    v.token_type.push_back(static_cast<std::int32_t>(std::clamp<std::int64_t>(t, 0, 127)));
  }
  v.merges = values.texts(ggml("merges"));
  v.bos = values.token(ggml("bos_token_id"));
  v.eos = values.token(ggml("eos_token_id"));
  v.unknown = values.token(ggml("unknown_token_id"));
  v.separator = values.token(ggml("seperator_token_id"));  // the key is spelled so
  v.padding = values.token(ggml("padding_token_id"));
  v.cls = values.token(ggml("cls_token_id"));
  v.mask = values.token(ggml("mask_token_id"));
  v.add_bos = values.boolean(ggml("add_bos_token"));
  v.add_eos = values.boolean(ggml("add_eos_token"));
  v.add_space_prefix = values.boolean(ggml("add_space_prefix"));
  v.remove_extra_whitespaces = values.boolean(ggml("remove_extra_whitespaces"));
  for (const std::int64_t byte : values.integers(ggml("precompiled_charsmap"))) {
    v.precompiled_charsmap += static_cast<char>(byte);
  }
  return v;
}

std::optional<ChatSource> gguf_chat(const io::GgufFile& file) {
  const Values values(file);
  const auto source = values.text("tokenizer.chat_template");
  if (!source) return std::nullopt;
  const std::vector<std::string> tokens = values.texts(ggml("tokens"));
  const auto token = [&](const char* key) {
    const auto id = values.token(ggml(key));
    return id && *id < tokens.size() ? tokens[*id] : std::string();
  };
  return ChatSource{*source, token("bos_token_id"), token("eos_token_id")};
}

GenerationDefaults gguf_defaults(const io::GgufFile& file) {
  const Values values(file);
  GenerationDefaults out;
  const auto add = [&](TokenId id) {
    if (std::ranges::find(out.end_tokens, id) == out.end_tokens.end()) out.end_tokens.push_back(id);
  };
  for (const char* key : {"eos_token_id", "eot_token_id", "eom_token_id"}) {
    if (const auto id = values.token(ggml(key))) add(*id);
  }
  const std::vector<std::string> tokens = values.texts(ggml("tokens"));
  const std::vector<std::int64_t> types = values.integers(ggml("token_type"));
  for (std::size_t i = 0; i < std::min(tokens.size(), types.size()); ++i) {
    const bool special = types[i] == kControl || types[i] == kUserDefined;
    if (special && std::ranges::find(kEndTokens, tokens[i]) != kEndTokens.end()) add(static_cast<TokenId>(i));
  }
  const auto temperature = values.number("general.sampling.temp");
  if (!temperature || !std::isfinite(*temperature)) return out;
  out.sampled = *temperature > 0;
  out.sampling.temperature = *temperature;
  if (const auto k = values.number("general.sampling.top_k"); k && *k > 0) {
    out.sampling.top_k = static_cast<std::int64_t>(std::min(*k, kMostTokens));
  }
  if (const auto p = values.number("general.sampling.top_p"); p && *p > 0 && *p < 1) out.sampling.top_p = *p;
  if (const auto p = values.number("general.sampling.min_p"); p && *p > 0 && *p < 1) out.sampling.min_p = *p;
  if (const auto p = values.number("general.sampling.penalty_repeat"); p && *p > 0)
    out.sampling.repetition_penalty = *p;
  return out;
}

}  // namespace tessera::llm
