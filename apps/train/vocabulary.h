// The tokens of a language model: the characters of a text, or those of a tokenizer.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "tessera/text.h"
#include "train/characters.h"

namespace tessera::app {

class Vocabulary {
 public:
  Vocabulary(Characters characters) : tokens_(std::move(characters)) {}  // NOLINT(google-explicit-constructor)
  /// That of a tokenizer.json, or of a folder with one. Error of kind io, parse, or unsupported without the text
  /// library, which characters do not need.
  static Vocabulary load(const std::filesystem::path& file);

  /// Rows of the embedding: one more than the largest id.
  [[nodiscard]] std::int64_t size() const;
  /// Whether a model with so many rows may have these tokens. Those of a tokenizer may have more rows than tokens.
  [[nodiscard]] bool fits(std::int64_t rows) const;
  /// What a text begins with where there is no prompt: a newline, or the first token.
  [[nodiscard]] Tokens start() const;
  /// What a token is, in the plural: "characters" or "tokens".
  [[nodiscard]] const char* unit() const;
  /// Without special tokens. Error of kind value for text that is not valid UTF-8, or a character that is not in the
  /// vocabulary.
  [[nodiscard]] Tokens encode(std::string_view text) const;
  /// The text of tokens that follow others.
  [[nodiscard]] std::string decode_after(const Tokens& before, const Tokens& tokens) const;
  /// Writes tokenizer.json, as it was loaded, and tokenizer_config.json for transformers.
  void save(const std::filesystem::path& folder) const;
  friend bool operator==(const Vocabulary& a, const Vocabulary& b);

 private:
  struct File {
    text::Tokenizer tokenizer;
    std::string json;
    std::int64_t size;
    friend bool operator==(const File& a, const File& b) { return a.json == b.json; }
  };
  explicit Vocabulary(File file) : tokens_(std::move(file)) {}

  std::variant<Characters, File> tokens_;
};

}  // namespace tessera::app
