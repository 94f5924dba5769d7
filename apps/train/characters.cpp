// A character-level tokenizer, and its tokenizer.json.
#include "train/characters.h"

#include <functional>
#include <set>

#include <fmt/format.h>

#include "tessera/error.h"

namespace tessera::app {

namespace {

/// The length of the character at the front of the text: 1 to 4 bytes; 0 if it is not valid UTF-8.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  }
  // Overlong forms, surrogates, and code points past U+10FFFF.
  if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) >= 0xA0)) return 0;
  if ((first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) >= 0x90)) return 0;
  return length;
}

void for_each_character(std::string_view text, const std::function<void(std::string_view)>& f) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text.substr(at));
    if (length == 0) {
      throw Error(ErrorKind::kValue, fmt::format("The text is not valid UTF-8 at byte {}; the byte is {:#04x}.", at,
                                                 static_cast<unsigned char>(text[at])));
    }
    f(text.substr(at, length));
    at += length;
  }
}

}  // namespace

Characters::Characters(std::string_view text) {
  std::set<std::string, std::less<>> all;  // UTF-8 is ordered as its code points are
  for_each_character(text, [&](std::string_view c) {
    if (!all.contains(c)) all.emplace(c);
  });
  tokens_.assign(all.begin(), all.end());
  for (std::size_t i = 0; i < tokens_.size(); ++i) ids_.emplace(tokens_[i], static_cast<std::int32_t>(i));
}

Tokens Characters::encode(std::string_view text) const {
  Tokens out;
  out.reserve(text.size());
  for_each_character(text, [&](std::string_view c) {
    const auto found = ids_.find(c);
    if (found == ids_.end()) {
      throw Error(ErrorKind::kValue,
                  fmt::format("The character {} is not one of the {} of the vocabulary: {}.", in_quotes(c), size(),
                              in_quotes(fmt::format("{}", fmt::join(tokens_, "")))));
    }
    out.push_back(found->second);
  });
  return out;
}

std::string Characters::decode(std::span<const std::int32_t> tokens) const {
  std::string out;
  for (const std::int32_t token : tokens) out += tokens_.at(static_cast<std::size_t>(token));
  return out;
}

Json Characters::json() const {
  Json vocabulary = Json::object();
  for (std::size_t i = 0; i < tokens_.size(); ++i) vocabulary[tokens_[i]] = i;
  const Json model{{"type", "BPE"},
                   {"dropout", nullptr},
                   {"unk_token", nullptr},
                   {"continuing_subword_prefix", nullptr},
                   {"end_of_word_suffix", nullptr},
                   {"fuse_unk", false},
                   {"byte_fallback", false},
                   {"vocab", vocabulary},
                   {"merges", Json::array()}};
  return {
      {"version", "1.0"},      {"truncation", nullptr},    {"padding", nullptr},        {"added_tokens", Json::array()},
      {"normalizer", nullptr}, {"pre_tokenizer", nullptr}, {"post_processor", nullptr}, {"decoder", {{"type", "Fuse"}}},
      {"model", model}};
}

bool Characters::is_character_level(const Json& json) {
  if (!json.is_object() || json.value("pre_tokenizer", Json()) != Json()) return false;
  const Json model = json.value("model", Json());
  return model.is_object() && model.value("type", Json()) == "BPE" && model.value("merges", Json()) == Json::array();
}

Characters Characters::from_json(const Json& json, const std::filesystem::path& file) {
  const auto wrong = [&](const std::string& what) -> Error {
    return {ErrorKind::kParse,
            fmt::format("'{}' {}; a character-level tokenizer (BPE without merges) is expected.", file.string(), what)};
  };
  const Json vocabulary = json.at("model").value("vocab", Json());
  if (!vocabulary.is_object() || vocabulary.empty()) throw wrong("has no vocabulary");
  Characters out;
  out.tokens_.resize(vocabulary.size());
  for (const auto& [text, id] : vocabulary.items()) {
    if (text.empty() || character_length(text) != text.size()) throw wrong("has the token " + in_quotes(text));
    const bool fits = id.is_number_unsigned() && id.get<std::uint64_t>() < vocabulary.size() &&
                      out.tokens_[id.get<std::size_t>()].empty();
    if (!fits) throw wrong(fmt::format("has the token {} with the id {}", in_quotes(text), id.dump()));
    out.tokens_[id.get<std::size_t>()] = text;
    out.ids_.emplace(text, id.get<std::int32_t>());
  }
  return out;
}

}  // namespace tessera::app
