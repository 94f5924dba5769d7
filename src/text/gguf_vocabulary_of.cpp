// The reverse of gguf_vocabulary.cpp: the vocabulary of a tokenizer.json in the form of GGUF files.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "tessera/text.h"
#include "text/gguf_pre_tokenizers.h"
#include "text/gguf_tokens.h"

namespace tessera::text {

namespace {

using Json = nlohmann::json;

constexpr int kMostDepth = 16;                           // of sequences
constexpr std::size_t kMostGap = std::size_t{1} << 16U;  // of ids that no token has
constexpr std::string_view kGpt2Split = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

[[noreturn]] void refuse(std::string_view what) {
  fail(ErrorKind::kUnsupported, "gguf_vocabulary_of: the tokenizer {}, which GGUF files do not have.", what);
}
[[noreturn]] void bad(std::string_view what) { fail(ErrorKind::kParse, "gguf_vocabulary_of: the tokenizer {}.", what); }

/// A member that may be missing or null.
const Json& member(const Json& object, const char* key) {
  static const Json none;
  if (!object.is_object()) return none;
  const auto found = object.find(key);
  return found == object.end() ? none : *found;
}
std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : std::string(); }
std::string type_of(const Json& part) { return text_of(member(part, "type")); }
bool flag(const Json& object, const char* key) {
  const Json& value = member(object, key);
  return value.is_boolean() && value.get<bool>();
}

/// The parts of a normalizer, pre-tokenizer or decoder, in order: those of a Sequence, or itself.
std::vector<Json> parts_of(const Json& part, const char* list, int depth = 0) {
  if (part.is_null()) return {};
  if (type_of(part) != "Sequence") return {part};
  if (depth == kMostDepth) bad(fmt::format("has sequences in sequences, more than {} deep", kMostDepth));
  std::vector<Json> all;
  for (const Json& each : member(part, list)) {
    for (Json& inner : parts_of(each, list, depth + 1)) all.push_back(std::move(inner));
  }
  return all;
}

std::string unbase64(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) continue;
    bits = bits << 6U | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> static_cast<unsigned>(count) & 255U);
  }
  return out;
}

class Reverse {
 public:
  explicit Reverse(const Json& json)
      : json_(json),
        model_(member(json, "model")),
        total_(member(model_, "vocab").size() + member(json, "added_tokens").size()) {}

  GgufVocabulary run() {
    const std::string type = type_of(model_);
    if (type == "BPE") {
      bpe();
    } else if (type == "WordPiece") {
      wordpiece();
    } else if (type == "Unigram") {
      unigram();
    } else {
      refuse(fmt::format("has a model of type '{}'", type));
    }
    added();
    post_processor();
    return std::move(v_);
  }

 private:
  void put(std::size_t id, std::string token, std::int32_t type) {
    // Every id takes memory, also those of no token.
    if (id >= total_ + kMostGap) bad(fmt::format("has a token with the id {}, and {} tokens", id, total_));
    if (id >= v_.tokens.size()) {
      v_.tokens.resize(id + 1);
      v_.token_type.resize(id + 1, kUnused);
      if (scored_) v_.scores.resize(id + 1, 0);
    }
    v_.tokens[id] = std::move(token);
    v_.token_type[id] = type;
  }
  static std::size_t id_of(const Json& value) {
    if (!value.is_number_integer() || value < 0) bad("has a token without an id");
    return value.get<std::size_t>();
  }
  void put_vocabulary() {
    const Json& vocab = member(model_, "vocab");
    if (!vocab.is_object()) bad("has no vocabulary");
    for (const auto& [token, id] : vocab.items()) put(id_of(id), token, kNormal);
  }

  /// "left right", from either form of the file.
  std::vector<std::pair<std::string, std::string>> merges() const {
    std::vector<std::pair<std::string, std::string>> all;
    for (const Json& m : member(model_, "merges")) {
      if (m.is_array() && m.size() == 2 && m[0].is_string() && m[1].is_string()) {
        all.emplace_back(m[0].get<std::string>(), m[1].get<std::string>());
        continue;
      }
      const std::string text = text_of(m);
      const std::size_t space = text.find(' ', 1);
      if (space == std::string::npos) bad(fmt::format("has a merge {} that is not two tokens", all.size()));
      all.emplace_back(text.substr(0, space), text.substr(space + 1));
    }
    return all;
  }

  void bpe() {
    const std::vector<Json> splits = parts_of(member(json_, "pre_tokenizer"), "pretokenizers");
    const auto is_bytes = [](const Json& p) { return type_of(p) == "ByteLevel"; };
    const std::vector<Json> decoders = parts_of(member(json_, "decoder"), "decoders");
    if (std::ranges::any_of(splits, is_bytes) || std::ranges::any_of(decoders, is_bytes)) return byte_level(splits);
    if (flag(model_, "byte_fallback")) return sentencepiece();
    refuse("is a BPE without byte-level tokens and without byte fallback");
  }

  void byte_level(const std::vector<Json>& splits) {
    v_.model = "gpt2";
    put_vocabulary();
    std::vector<std::string> patterns;
    for (const Json& s : splits) {
      const std::string type = type_of(s);
      if (type == "Split") {
        const Json& pattern = member(s, "pattern");
        if (text_of(member(s, "behavior")) != "Isolated" || flag(s, "invert") ||
            !member(pattern, "Regex").is_string()) {
          // Matches removed and the pattern inverted is the same as matches isolated.
          const bool same = text_of(member(s, "behavior")) == "Removed" && flag(s, "invert");
          if (!same || !member(pattern, "Regex").is_string()) refuse("splits text in another way than by a pattern");
        }
        patterns.push_back(text_of(member(pattern, "Regex")));
      } else if (type == "Digits") {
        patterns.emplace_back(flag(s, "individual_digits") ? R"(\p{N})" : R"(\p{N}+)");
      } else if (type == "ByteLevel") {
        if (flag(s, "add_prefix_space")) refuse("adds a space in front of a text");
        const Json& regex = member(s, "use_regex");
        if (!regex.is_boolean() || regex.get<bool>()) patterns.emplace_back(kGpt2Split);
      } else {
        refuse(fmt::format("has a pre-tokenizer of type '{}'", type));
      }
    }
    bool nfc = false;
    for (const Json& n : parts_of(member(json_, "normalizer"), "normalizers")) {
      if (type_of(n) != "NFC") refuse(fmt::format("has a normalizer of type '{}' with byte-level tokens", type_of(n)));
      nfc = true;
    }
    v_.pre = pre_tokenizer_name(patterns, flag(model_, "ignore_merges"), nfc);
    for (const auto& [left, right] : merges()) v_.merges.push_back(left + " " + right);
  }

  /// Where text gets its first U+2581, by a normalizer or a pre-tokenizer.
  bool adds_space() const {
    bool adds = false;
    for (const Json& n : parts_of(member(json_, "normalizer"), "normalizers")) {
      if (type_of(n) == "Prepend" && text_of(member(n, "prepend")) == kSpace) adds = true;
    }
    for (const Json& p : parts_of(member(json_, "pre_tokenizer"), "pretokenizers")) {
      if (type_of(p) != "Metaspace") continue;
      const std::string scheme = text_of(member(p, "prepend_scheme"));
      adds = scheme.empty() ? !member(p, "add_prefix_space").is_boolean() || flag(p, "add_prefix_space")
                            : scheme != "never";
    }
    return adds;
  }

  static bool is_byte(std::string_view token) {
    return token.size() == 6 && token.starts_with("<0x") && token.ends_with('>');
  }

  void sentencepiece() {
    v_.model = "llama";
    scored_ = true;
    put_vocabulary();
    v_.add_space_prefix = adds_space();
    // Tokens are merged in the order of their scores, so a token's score is the rank of its first merge.
    std::map<std::string, float, std::less<>> ranks;
    float rank = 0;
    for (const auto& [left, right] : merges()) ranks.emplace(left + right, -rank++);
    for (std::size_t i = 0; i < v_.tokens.size(); ++i) {
      const auto found = ranks.find(v_.tokens[i]);
      v_.scores[i] = found != ranks.end() ? found->second : -rank;
      if (is_byte(v_.tokens[i])) v_.token_type[i] = kByte;
    }
    mark_unknown(text_of(member(model_, "unk_token")));
  }

  void mark_unknown(const std::string& token) {
    const auto found = std::ranges::find(v_.tokens, token);
    if (token.empty() || found == v_.tokens.end()) return;
    const auto id = static_cast<std::size_t>(found - v_.tokens.begin());
    v_.unknown = static_cast<TokenId>(id);
    v_.token_type[id] = kUnknown;
  }

  void wordpiece() {
    v_.model = "bert";
    const std::string prefix = text_of(member(model_, "continuing_subword_prefix"));
    if (prefix != "##") refuse(fmt::format("continues words by '{}'", prefix));
    put_vocabulary();
    const std::string unknown = text_of(member(model_, "unk_token"));
    for (std::size_t i = 0; i < v_.tokens.size(); ++i) {
      std::string& token = v_.tokens[i];
      if (v_.token_type[i] != kNormal || (token.starts_with('[') && token.ends_with(']'))) continue;
      token = token.starts_with(prefix) ? token.substr(prefix.size()) : std::string(kSpace) + token;
    }
    mark_unknown(unknown);
  }

  void unigram() {
    v_.model = "t5";
    scored_ = true;
    std::size_t id = 0;
    const Json& vocab = member(model_, "vocab");
    for (const Json& each : vocab) {
      if (!each.is_array() || each.size() != 2 || !each[0].is_string() || !each[1].is_number()) {
        bad(fmt::format("has an entry {} that is no token with a score", id));
      }
      const auto score = each[1].get<double>();
      if (!(std::abs(score) <= std::numeric_limits<float>::max()))
        bad(fmt::format("has a token {} of score {}", id, score));
      put(id, each[0].get<std::string>(), is_byte(each[0].get<std::string>()) ? kByte : kNormal);
      v_.scores[id++] = static_cast<float>(score);
    }
    const Json& unknown = member(model_, "unk_id");
    if (unknown.is_number_integer() && unknown >= 0 && unknown < v_.tokens.size()) {
      v_.unknown = unknown.get<TokenId>();
      v_.token_type[*v_.unknown] = kUnknown;
    }
    v_.remove_extra_whitespaces = false;
    for (const Json& n : parts_of(member(json_, "normalizer"), "normalizers")) {
      if (type_of(n) == "Precompiled") v_.precompiled_charsmap = unbase64(text_of(member(n, "precompiled_charsmap")));
      if (type_of(n) == "Strip" || type_of(n) == "Replace") v_.remove_extra_whitespaces = true;
    }
    v_.add_space_prefix = adds_space();
  }

  /// Tokens that are found before text is split.
  void added() {
    for (const Json& a : member(json_, "added_tokens")) {
      const std::size_t id = id_of(member(a, "id"));
      const bool known = id < v_.tokens.size() && v_.token_type[id] == kUnknown;
      const std::string content = text_of(member(a, "content"));
      put(id, content, known ? kUnknown : flag(a, "special") ? kControl : kUserDefined);
      const std::array<std::pair<std::string_view, std::optional<TokenId>*>, 4> named{
          {{"[CLS]", &v_.cls}, {"[SEP]", &v_.separator}, {"[PAD]", &v_.padding}, {"[MASK]", &v_.mask}}};
      for (const auto& [name, place] : named) {
        if (v_.model == "bert" && content == name) *place = static_cast<TokenId>(id);
      }
    }
    for (std::size_t i = 0; i < v_.tokens.size(); ++i) {
      if (v_.tokens[i].empty() && v_.token_type[i] == kUnused) v_.tokens[i] = fmt::format("[PAD{}]", i);
    }
  }

  std::optional<TokenId> find(const std::string& token) const {
    const auto found = std::ranges::find(v_.tokens, token);
    if (found == v_.tokens.end()) return std::nullopt;
    return static_cast<TokenId>(found - v_.tokens.begin());
  }

  /// What is put in front of a text and behind it.
  void post_processor() {
    v_.add_bos = v_.add_eos = false;
    for (const Json& p : parts_of(member(json_, "post_processor"), "processors")) {
      const std::string type = type_of(p);
      if (type == "TemplateProcessing") {
        const Json& single = member(p, "single");
        if (!single.is_array() || single.empty()) continue;
        const auto token = [&](const Json& item) { return find(text_of(member(member(item, "SpecialToken"), "id"))); };
        if (const auto first = token(single.front())) set_first(*first);
        if (const auto last = token(single.back())) set_last(*last);
      } else if (type == "BertProcessing" || type == "RobertaProcessing") {
        const auto token = [&](const char* key) {
          const Json& pair = member(p, key);
          return pair.is_array() && !pair.empty() ? find(text_of(pair[0])) : std::nullopt;
        };
        if (const auto first = token("cls")) set_first(*first);
        if (const auto last = token("sep")) set_last(*last);
      }
    }
  }
  void set_first(TokenId id) {
    v_.bos = id;
    v_.add_bos = true;
  }
  void set_last(TokenId id) {
    v_.eos = id;
    v_.add_eos = true;
  }

  const Json& json_;
  const Json& model_;
  std::size_t total_;  // tokens
  GgufVocabulary v_;
  bool scored_ = false;
};

}  // namespace

GgufVocabulary gguf_vocabulary_of(std::string_view tokenizer_json) {
  const Json json = Json::parse(tokenizer_json, nullptr, false);
  if (!json.is_object()) bad("is not a JSON object");
  return Reverse(json).run();
}

}  // namespace tessera::text
