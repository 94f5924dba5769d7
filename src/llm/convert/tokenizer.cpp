// The tokenizer and the chat template of a Hugging Face folder in the keys of llama.cpp.
#include <algorithm>

#include "base/fail.h"
#include "llm/convert/source.h"
#include "llm/load/reader.h"
#include "tessera/text.h"

namespace tessera::llm {

namespace {

using text::GgufVocabulary;
using text::TokenId;

/// A token of tokenizer_config.json: its text, or an object with it.
std::string token_text(const Json& config, const char* key) {
  const auto found = config.find(key);
  if (found == config.end()) return "";
  if (found->is_string()) return found->get<std::string>();
  return found->is_object() && found->contains("content") && (*found)["content"].is_string()
             ? (*found)["content"].get<std::string>()
             : std::string();
}

std::optional<TokenId> find(const GgufVocabulary& v, const std::string& token) {
  const auto found = std::ranges::find(v.tokens, token);
  if (token.empty() || found == v.tokens.end()) return std::nullopt;
  return static_cast<TokenId>(found - v.tokens.begin());
}

/// An id of config.json or generation_config.json: an integer, or the first of a list.
std::optional<TokenId> id_of(const Json& config, const char* key, std::size_t size) {
  const auto found = config.find(key);
  if (found == config.end()) return std::nullopt;
  const Json& value = found->is_array() && !found->empty() ? (*found)[0] : *found;
  if (!value.is_number_integer() || value < 0 || value >= size) return std::nullopt;
  return value.get<TokenId>();
}

}  // namespace

void add_tokenizer(const io::HfFolder& folder, const Config& config, ModelToConvert& model) {
  if (const auto chat = folder.chat_template()) model.metadata.set("tokenizer.chat_template", *chat);
  const std::optional<std::string> json = folder.tokenizer();
  if (!json) {
    if (std::filesystem::exists(folder.path() / "tokenizer.model")) {
      fail(ErrorKind::kUnsupported,
           "convert: '{}' has a tokenizer.model and no tokenizer.json, which is expected; the transformers package "
           "writes it (AutoTokenizer.from_pretrained(..).save_pretrained(..)).",
           folder.path().string());
    }
    return;
  }
  GgufVocabulary v = text::gguf_vocabulary_of(*json);
  const Json settings = parse_object(folder.tokenizer_config().value_or("{}"), "tokenizer_config.json");
  const Json own = parse_object(folder.config(), "config.json");
  const auto chosen = [&](std::optional<TokenId>& id, const char* token, const char* key) {
    if (const auto named = find(v, token_text(settings, token))) {
      id = named;
    } else if (!id && key != nullptr) {
      id = id_of(own, key, v.tokens.size());
    }
  };
  chosen(v.bos, "bos_token", "bos_token_id");
  chosen(v.eos, "eos_token", "eos_token_id");
  chosen(v.unknown, "unk_token", nullptr);
  chosen(v.padding, "pad_token", "pad_token_id");
  chosen(v.separator, "sep_token", nullptr);
  chosen(v.cls, "cls_token", nullptr);
  chosen(v.mask, "mask_token", nullptr);

  // The embeddings may have more rows than there are tokens.
  if (v.tokens.size() > static_cast<std::size_t>(config.vocabulary)) {
    fail(ErrorKind::kValue, "convert: '{}' has a tokenizer of {} tokens and a model of {}.", folder.path().string(),
         v.tokens.size(), config.vocabulary);
  }
  constexpr std::int32_t kUnused = 5;
  while (v.tokens.size() < static_cast<std::size_t>(config.vocabulary)) {
    v.tokens.push_back(fmt::format("[PAD{}]", v.tokens.size()));
    v.token_type.push_back(kUnused);
    if (!v.scores.empty()) v.scores.push_back(-1e9F);
  }

  const auto set = [&](const char* key, auto value) {
    model.metadata.set(std::string("tokenizer.ggml.") + key, std::move(value));
  };
  set("model", v.model);
  if (v.model == "gpt2") set("pre", v.pre);
  set("tokens", v.tokens);
  if (!v.scores.empty()) set("scores", v.scores);
  set("token_type", v.token_type);
  if (!v.merges.empty()) set("merges", v.merges);
  const auto set_id = [&](const char* key, const std::optional<TokenId>& id) {
    if (id) set(key, static_cast<std::uint32_t>(*id));
  };
  set_id("bos_token_id", v.bos);
  set_id("eos_token_id", v.eos);
  set_id("unknown_token_id", v.unknown);
  set_id("seperator_token_id", v.separator);  // the key is spelled so
  set_id("padding_token_id", v.padding);
  set_id("cls_token_id", v.cls);
  set_id("mask_token_id", v.mask);
  const auto set_flag = [&](const char* key, const std::optional<bool>& flag) {
    if (flag) set(key, *flag);
  };
  set_flag("add_bos_token", v.add_bos);
  set_flag("add_eos_token", v.add_eos);
  set_flag("add_space_prefix", v.add_space_prefix);
  set_flag("remove_extra_whitespaces", v.remove_extra_whitespaces);
  if (!v.precompiled_charsmap.empty()) {
    std::vector<std::uint8_t> bytes(v.precompiled_charsmap.begin(), v.precompiled_charsmap.end());
    set("precompiled_charsmap", std::move(bytes));
  }
}

}  // namespace tessera::llm
