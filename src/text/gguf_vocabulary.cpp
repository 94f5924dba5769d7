// The vocabularies of GGUF files as tokenizer.json: SentencePiece BPE, byte-level BPE, WordPiece and Unigram.
#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "base/fail.h"
#include "base/utf8.h"
#include "tessera/text.h"
#include "text/gguf_pre_tokenizers.h"
#include "text/gguf_tokens.h"

namespace tessera::text {

namespace {

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<int>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

std::string json_string(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k) word = word << 8U | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) out += k <= n ? kDigits[word >> (18 - 6 * k) & 63U] : '=';
  }
  return out;
}

/// The vocabulary with its defaults, checked.
class Vocabulary {
 public:
  explicit Vocabulary(const GgufVocabulary& given) : source(given) {
    if (source.tokens.empty()) bad("has no tokens");
    if (source.tokens.size() > std::size_t{1} << 30U) bad("has more than 2^30 tokens");
    check_count("token_type", source.token_type.size());
    check_count("scores", source.scores.size());
    for (const float score : source.scores) {
      if (!std::isfinite(score)) bad("has a score that is not a finite number");
    }
    for (std::size_t i = 0; i < size(); ++i) {
      if (valid_utf8(token(i)) != token(i).size()) bad(fmt::format("has a token {} that is not valid UTF-8", i));
    }
    for (const auto& [name, id] : {std::pair{"bos", source.bos},
                                   {"eos", source.eos},
                                   {"unknown", source.unknown},
                                   {"separator", source.separator},
                                   {"padding", source.padding},
                                   {"cls", source.cls},
                                   {"mask", source.mask}}) {
      if (id && *id >= size()) bad(fmt::format("has the {} token {}, and {} tokens", name, *id, size()));
    }
  }

  [[noreturn]] void bad(std::string_view what) const {
    fail(ErrorKind::kParse, "tokenizer_json: the vocabulary of model '{}' {}.", source.model, what);
  }
  [[nodiscard]] std::size_t size() const { return source.tokens.size(); }
  [[nodiscard]] const std::string& token(std::size_t i) const { return source.tokens[i]; }
  [[nodiscard]] std::int32_t type(std::size_t i) const {
    return source.token_type.empty() ? kNormal : source.token_type[i];
  }
  [[nodiscard]] bool has_type(std::int32_t type) const {
    return std::ranges::find(source.token_type, type) != source.token_type.end();
  }
  /// A token with this text, or nothing.
  [[nodiscard]] std::optional<TokenId> find(std::string_view text) const {
    const auto found = std::ranges::find(source.tokens, text);
    return found == source.tokens.end() ? std::nullopt
                                        : std::optional(static_cast<TokenId>(found - source.tokens.begin()));
  }

  const GgufVocabulary& source;

 private:
  void check_count(std::string_view name, std::size_t count) const {
    if (count != 0 && count != size()) bad(fmt::format("has {} tokens and {} entries in {}", size(), count, name));
  }
};

/// A text in the vocabulary of tokenizer.json: GGUF's tokens, but for those of WordPiece.
using TokenText = std::string (*)(const Vocabulary& v, std::size_t id);

std::string same_text(const Vocabulary& v, std::size_t id) { return v.token(id); }

/// GGUF has "▁word" and "part" where WordPiece has "word" and "##part"; names in brackets are the same.
std::string wordpiece_text(const Vocabulary& v, std::size_t id) {
  const std::string& token = v.token(id);
  if (token.starts_with('[') && token.ends_with(']')) return token;
  if (token.starts_with(kSpace)) return token.substr(kSpace.size());
  return v.type(id) == kNormal ? "##" + token : token;
}

/// {"token":id,...}. Of tokens with the same text the first one stays, so the others are never encoded.
std::string vocab_object(const Vocabulary& v, TokenText text_of) {
  std::string out = "{";
  std::unordered_map<std::string, std::size_t> seen;
  seen.reserve(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) {
    std::string text = text_of(v, i);
    if (!seen.emplace(text, i).second) continue;
    if (i > 0) out += ',';
    append_quoted(out, text);
    fmt::format_to(std::back_inserter(out), ":{}", i);
  }
  return out + "}";
}

/// Tokens that are found in a text before it is split: all that are not made of others. `on_normalized`: user-defined
/// ones are looked for in the normalized text.
std::string added_tokens(const Vocabulary& v, bool on_normalized) {
  std::vector<bool> named(v.size());
  const GgufVocabulary& s = v.source;
  for (const auto& id : {s.bos, s.eos, s.unknown, s.separator, s.padding, s.cls, s.mask}) {
    if (id) named[*id] = true;
  }
  std::string out = "[";
  for (std::size_t i = 0; i < v.size(); ++i) {
    const bool special = named[i] || v.type(i) == kControl || v.type(i) == kUnknown;
    if ((!special && v.type(i) != kUserDefined) || v.token(i).empty()) continue;
    fmt::format_to(
        std::back_inserter(out),
        R"({}{{"id":{},"content":{},"single_word":false,"lstrip":false,"rstrip":false,"normalized":{},"special":{}}})",
        out.size() > 1 ? "," : "", i, json_string(v.token(i)), !special && on_normalized, special);
  }
  return out + "]";
}

/// Puts these tokens in front of a text and behind it; null if there are none.
std::string post_processor(const Vocabulary& v, std::optional<TokenId> first, std::optional<TokenId> last) {
  if (!first && !last) return "null";
  std::string special;
  std::string front;
  std::string back;
  const auto add = [&](std::optional<TokenId> id, std::string& place, bool behind) {
    if (!id) return;
    const std::string name = json_string(v.token(*id));
    const std::string part = fmt::format(R"({{"SpecialToken":{{"id":{},"type_id":0}}}})", name);
    place = behind ? "," + part : part + ",";
    if (last != first || !behind) {
      special += fmt::format(R"({}{}:{{"id":{},"ids":[{}],"tokens":[{}]}})", special.empty() ? "" : ",", name, name,
                             *id, name);
    }
  };
  add(first, front, false);
  add(last, back, true);
  constexpr std::string_view kA = R"({"Sequence":{"id":"A","type_id":0}})";
  constexpr std::string_view kB = R"({"Sequence":{"id":"B","type_id":0}})";
  return fmt::format(
      R"({{"type":"TemplateProcessing","single":[{}{}{}],"pair":[{}{}{},{}{}{}],"special_tokens":{{{}}}}})", front, kA,
      back, front, kA, back, front, kB, back, special);
}

/// One part, or a sequence of them; null for none.
std::string sequence(std::string_view type, std::string_view member, const std::vector<std::string>& parts) {
  if (parts.empty()) return "null";
  if (parts.size() == 1) return parts[0];
  return fmt::format(R"({{"type":"{}","{}":[{}]}})", type, member, fmt::join(parts, ","));
}

struct Parts {
  std::string added_tokens;
  std::string normalizer = "null";
  std::string pre_tokenizer = "null";
  std::string post_processor = "null";
  std::string decoder = "null";
  std::string model;
};

std::string assembled(const Parts& p) {
  return fmt::format(
      R"({{"version":"1.0","truncation":null,"padding":null,"added_tokens":{},"normalizer":{},"pre_tokenizer":{},"post_processor":{},"decoder":{},"model":{}}})",
      p.added_tokens, p.normalizer, p.pre_tokenizer, p.post_processor, p.decoder, p.model);
}

/// Spaces are U+2581 in tokens, with one more in front of a text.
std::vector<std::string> space_normalizers(bool prefix) {
  std::vector<std::string> out;
  if (prefix) out.push_back(fmt::format(R"({{"type":"Prepend","prepend":"{}"}})", kSpace));
  out.push_back(fmt::format(R"({{"type":"Replace","pattern":{{"String":" "}},"content":"{}"}})", kSpace));
  return out;
}

std::string space_decoder(bool prefix) {
  std::vector<std::string> out{fmt::format(R"({{"type":"Replace","pattern":{{"String":"{}"}},"content":" "}})", kSpace),
                               R"({"type":"ByteFallback"})", R"({"type":"Fuse"})"};
  if (prefix) out.emplace_back(R"({"type":"Strip","content":" ","start":1,"stop":0})");
  return sequence("Sequence", "decoders", out);
}

struct Merge {
  std::string_view left;
  std::string_view right;
  float score;  // of the token that they make
};

/// SentencePiece merges the pair whose token has the highest score: that order, over all ways to make each token.
std::vector<Merge> merges_by_score(const Vocabulary& v) {
  std::unordered_map<std::string_view, std::size_t> ids;
  const auto mergeable = [&](std::size_t i) { return v.type(i) == kNormal || v.type(i) == kUserDefined; };
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (mergeable(i) || v.type(i) == kUnused) ids.emplace(v.token(i), i);
  }
  // Parts are looked for only where their lengths are those of tokens, so that a long token takes no quadratic time.
  std::vector<bool> lengths;
  for (const auto& [token, id] : ids) {
    if (token.size() >= lengths.size()) lengths.resize(token.size() + 1);
    lengths[token.size()] = true;
  }
  std::vector<Merge> out;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (!mergeable(i)) continue;
    const std::string_view token = v.token(i);
    const std::size_t begin = out.size();
    for (std::size_t cut = 1; cut < token.size(); ++cut) {
      if ((static_cast<unsigned char>(token[cut]) & 0xC0U) == 0x80) continue;  // inside a character
      if (!lengths[cut] || !lengths[token.size() - cut]) continue;
      if (ids.contains(token.substr(0, cut)) && ids.contains(token.substr(cut))) {
        out.push_back({token.substr(0, cut), token.substr(cut), v.source.scores[i]});
      }
    }
    std::reverse(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end());  // the longest left part first
  }
  std::ranges::stable_sort(out, std::greater{}, &Merge::score);
  return out;
}

std::string bpe_model(const Vocabulary& v, const std::vector<Merge>& merges, std::string_view unknown,
                      bool byte_fallback, bool ignore_merges) {
  std::string out = fmt::format(
      R"({{"type":"BPE","dropout":null,"unk_token":{},"continuing_subword_prefix":null,"end_of_word_suffix":null,"fuse_unk":{},"byte_fallback":{},"ignore_merges":{},"vocab":{},"merges":[)",
      unknown, unknown != "null", byte_fallback, ignore_merges, vocab_object(v, same_text));
  bool first = true;
  for (const Merge& m : merges) {
    out += first ? "[" : ",[";
    first = false;
    append_quoted(out, m.left);
    out += ',';
    append_quoted(out, m.right);
    out += ']';
  }
  return out + "]}";
}

void need_scores(const Vocabulary& v) {
  if (v.source.scores.empty()) v.bad("has no scores");
}

/// The id that the file names; else the model's default, where it is such a token.
std::optional<TokenId> or_default(const Vocabulary& v, std::optional<TokenId> id, TokenId other, std::int32_t type) {
  if (id) return id;
  return other < v.size() && v.type(other) == type ? std::optional(other) : std::nullopt;
}

std::optional<TokenId> only_if(bool wanted, std::optional<TokenId> id) { return wanted ? id : std::nullopt; }

std::string sentencepiece_bpe(const Vocabulary& v) {
  need_scores(v);
  const GgufVocabulary& s = v.source;
  const bool prefix = s.add_space_prefix.value_or(true);
  const std::optional<TokenId> unknown = or_default(v, s.unknown, 0, kUnknown);
  const std::optional<TokenId> bos = or_default(v, s.bos, 1, kControl);
  const std::optional<TokenId> eos = or_default(v, s.eos, 2, kControl);
  Parts p;
  // With a prefix the normalizer would change the tokens that are looked for.
  p.added_tokens = added_tokens(v, !prefix);
  p.normalizer = sequence("Sequence", "normalizers", space_normalizers(prefix));
  p.post_processor = post_processor(v, only_if(s.add_bos.value_or(true), bos), only_if(s.add_eos.value_or(false), eos));
  p.decoder = space_decoder(prefix);
  p.model =
      bpe_model(v, merges_by_score(v), unknown ? json_string(v.token(*unknown)) : "null", v.has_type(kByte), false);
  return assembled(p);
}

std::string byte_level_bpe(const Vocabulary& v) {
  const GgufVocabulary& s = v.source;
  const PreTokenizer& pre = pre_tokenizer(s.pre);
  std::vector<Merge> merges;
  merges.reserve(s.merges.size());
  for (const std::string& merge : s.merges) {
    const std::size_t space = merge.find(' ', 1);
    if (space == std::string::npos || space + 1 == merge.size() || valid_utf8(merge) != merge.size()) {
      v.bad(fmt::format("has a merge {} that is not two tokens with a space between them", merges.size()));
    }
    merges.push_back({std::string_view(merge).substr(0, space), std::string_view(merge).substr(space + 1), 0});
  }
  std::vector<std::string> splits;
  for (const std::string_view pattern : pre.patterns) {
    splits.push_back(fmt::format(R"({{"type":"Split","pattern":{{"Regex":{}}},"behavior":"Isolated","invert":false}})",
                                 json_string(pattern)));
  }
  splits.emplace_back(R"({"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":false})");
  const bool encoder = s.pre == "roberta-bpe" || s.pre == "jina-v1-en" || s.pre == "jina-v2-code";
  const std::optional<TokenId> last = encoder && s.separator ? s.separator : s.eos;
  Parts p;
  p.added_tokens = added_tokens(v, false);
  if (pre.nfc) p.normalizer = R"({"type":"NFC"})";
  p.pre_tokenizer = sequence("Sequence", "pretokenizers", splits);
  p.post_processor = post_processor(v, only_if(s.add_bos.value_or(pre.add_bos || encoder), s.bos),
                                    only_if(s.add_eos.value_or(encoder), last));
  p.decoder = R"({"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true,"use_regex":true})";
  p.model = bpe_model(v, merges, "null", false, pre.ignore_merges);
  return assembled(p);
}

std::string wordpiece(const Vocabulary& v) {
  const GgufVocabulary& s = v.source;
  const auto named = [&](std::optional<TokenId> id, std::string_view text) { return id ? id : v.find(text); };
  const std::optional<TokenId> unknown = named(s.unknown, "[UNK]");
  if (!unknown) v.bad("has no unknown token");
  const std::optional<TokenId> first = named(s.cls ? s.cls : s.bos, "[CLS]");
  const std::optional<TokenId> last = named(s.separator ? s.separator : s.eos, "[SEP]");
  // A vocabulary with upper case is of a model that sees it.
  bool lowercase = true;
  for (std::size_t i = 0; i < v.size() && lowercase; ++i) {
    const bool name = v.token(i).starts_with('[') && v.token(i).ends_with(']');
    lowercase =
        name || v.type(i) != kNormal || std::ranges::none_of(v.token(i), [](char c) { return c >= 'A' && c <= 'Z'; });
  }
  Parts p;
  p.added_tokens = added_tokens(v, false);
  p.normalizer = fmt::format(
      R"({{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"lowercase":{}}})",
      lowercase);
  p.pre_tokenizer = R"({"type":"BertPreTokenizer"})";
  p.post_processor =
      post_processor(v, only_if(s.add_bos.value_or(true), first), only_if(s.add_eos.value_or(true), last));
  p.decoder = R"({"type":"WordPiece","prefix":"##","cleanup":true})";
  p.model = fmt::format(
      R"({{"type":"WordPiece","unk_token":{},"continuing_subword_prefix":"##","max_input_chars_per_word":100,"vocab":{}}})",
      json_string(v.token(*unknown)), vocab_object(v, wordpiece_text));
  return assembled(p);
}

std::string unigram(const Vocabulary& v) {
  need_scores(v);
  const GgufVocabulary& s = v.source;
  const bool prefix = s.add_space_prefix.value_or(true);
  const std::optional<TokenId> unknown = or_default(v, s.unknown, 2, kUnknown);
  const std::optional<TokenId> eos = or_default(v, s.eos, 1, kControl);
  std::vector<std::string> normalizers;
  if (!s.precompiled_charsmap.empty()) {
    normalizers.push_back(
        fmt::format(R"({{"type":"Precompiled","precompiled_charsmap":"{}"}})", base64(s.precompiled_charsmap)));
  }
  if (s.remove_extra_whitespaces.value_or(true)) {
    normalizers.emplace_back(R"({"type":"Strip","strip_left":true,"strip_right":true})");
    normalizers.emplace_back(R"({"type":"Replace","pattern":{"Regex":" {2,}"},"content":" "})");
  }
  for (std::string& each : space_normalizers(prefix)) normalizers.push_back(std::move(each));
  std::string vocab;
  for (std::size_t i = 0; i < v.size(); ++i) {
    vocab += i > 0 ? ",[" : "[";
    append_quoted(vocab, v.token(i));
    // As a double, whose digits read back as the same number.
    fmt::format_to(std::back_inserter(vocab), ",{}]", static_cast<double>(s.scores[i]));
  }
  Parts p;
  p.added_tokens = added_tokens(v, false);
  p.normalizer = sequence("Sequence", "normalizers", normalizers);
  p.post_processor =
      post_processor(v, only_if(s.add_bos.value_or(false), s.bos), only_if(s.add_eos.value_or(true), eos));
  p.decoder = space_decoder(prefix);
  p.model = fmt::format(R"({{"type":"Unigram","unk_id":{},"vocab":[{}],"byte_fallback":{}}})",
                        unknown ? std::to_string(*unknown) : "null", vocab, v.has_type(kByte));
  return assembled(p);
}

}  // namespace

std::string tokenizer_json(const GgufVocabulary& vocabulary) {
  constexpr std::array<std::pair<std::string_view, std::string (*)(const Vocabulary&)>, 4> kModels{
      {{"llama", sentencepiece_bpe}, {"gpt2", byte_level_bpe}, {"bert", wordpiece}, {"t5", unigram}}};
  for (const auto& [name, make] : kModels) {
    if (vocabulary.model == name) return make(Vocabulary(vocabulary));
  }
  fail(ErrorKind::kUnsupported, "tokenizer_json: the vocabulary model '{}' is not known; llama, gpt2, bert and t5 are.",
       vocabulary.model);
}

}  // namespace tessera::text
