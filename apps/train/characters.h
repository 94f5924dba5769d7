// A character-level tokenizer: every character of its vocabulary is one token.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "train/files.h"

namespace tessera::app {

using Tokens = std::vector<std::int32_t>;

class Characters {
 public:
  /// The characters of a text in the order of their code points. Error of kind value if it is not valid UTF-8.
  explicit Characters(std::string_view text);

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(tokens_.size()); }
  /// Error of kind value for a character that is not in the vocabulary, or text that is not valid UTF-8.
  [[nodiscard]] Tokens encode(std::string_view text) const;
  [[nodiscard]] std::string decode(std::span<const std::int32_t> tokens) const;
  friend bool operator==(const Characters& a, const Characters& b) { return a.tokens_ == b.tokens_; }

  /// A tokenizer.json for the tokenizers package: a BPE model without merges.
  [[nodiscard]] Json json() const;
  /// Whether a tokenizer.json is of that form.
  static bool is_character_level(const Json& json);
  /// The characters of such a tokenizer.json. Error of kind parse, with the name of the file, if tokens are not
  /// characters, or ids are not 0, 1, ...
  static Characters from_json(const Json& json, const std::filesystem::path& file);

 private:
  Characters() = default;
  std::vector<std::string> tokens_;  // characters in UTF-8
  std::map<std::string, std::int32_t, std::less<>> ids_;
};

}  // namespace tessera::app
