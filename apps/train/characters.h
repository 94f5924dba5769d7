// A character-level tokenizer: every character of its vocabulary is one token.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

  /// Writes tokenizer.json for the tokenizers package, a BPE model without merges, and tokenizer_config.json for
  /// transformers.
  void save(const std::filesystem::path& folder) const;
  /// Reads a tokenizer.json that save() wrote. Error of kind io or parse otherwise.
  static Characters load(const std::filesystem::path& folder);

 private:
  Characters() = default;
  std::vector<std::string> tokens_;  // characters in UTF-8
  std::map<std::string, std::int32_t, std::less<>> ids_;
};

}  // namespace tessera::app
