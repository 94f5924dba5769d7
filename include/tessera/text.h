// Text and tokens: tokenizers, streaming decoders and chat templates of language models.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tessera/export.h"

namespace TESSERA_API tessera {
namespace text {

/// A row of the embedding table.
using TokenId = std::uint32_t;

/// The library that this header is implemented in, tessera_text: the crates tokenizers and minijinja. It is loaded at
/// the first use from beside the engine's own library, or from the path in TESSERA_TEXT_LIBRARY. Without it tokenizers
/// and templates throw an Error of kind unsupported.
struct LibraryInfo {
  std::string path;     // empty: there is none
  std::string version;  // with those of the crates
  std::string error;    // why there is none
};
LibraryInfo library();

struct EncodeOptions {
  bool add_special_tokens = true;  // those of the post-processor, such as <s> in front
};

struct DecodeOptions {
  bool skip_special_tokens = true;
};

struct Encoding {
  std::vector<TokenId> ids;
  std::vector<std::pair<std::size_t, std::size_t>> offsets;  // in bytes of the text: where each token begins and ends
};

/// A tokenizer of Hugging Face's format, tokenizer.json: byte-level BPE, BPE with byte fallback, WordPiece, Unigram and
/// WordLevel with their normalizers and pre-tokenizers. Ids are those of Python's `tokenizers`. Truncation and padding
/// of the file are disabled. Copies share one object. Thread-safe.
class Tokenizer {
 public:
  /// Reads a tokenizer.json, or that of a folder. Error of kind io if it cannot be read, of kind parse if it is not a
  /// tokenizer.
  explicit Tokenizer(const std::filesystem::path& file);
  /// The same from the text of a tokenizer.json. `name` is for messages.
  static Tokenizer from_json(std::string_view json, const std::string& name = "the given text");

  /// The ids of a text. Error of kind value for text that is not UTF-8, with the first byte that is not.
  [[nodiscard]] std::vector<TokenId> encode(std::string_view text, const EncodeOptions& options = {}) const;
  [[nodiscard]] Encoding encode_with_offsets(std::string_view text, const EncodeOptions& options = {}) const;
  /// The text of ids. Bytes that are no UTF-8 become U+FFFD; ids that no token has are skipped, since models may have
  /// more rows than tokens.
  [[nodiscard]] std::string decode(std::span<const TokenId> ids, const DecodeOptions& options = {}) const;

  [[nodiscard]] std::optional<TokenId> token_to_id(std::string_view token) const;
  /// The token as the vocabulary has it, such as "Ġthe" or "▁the".
  [[nodiscard]] std::optional<std::string> id_to_token(TokenId id) const;
  /// The number of tokens, added ones included.
  [[nodiscard]] std::size_t vocab_size() const;
  /// Ids of the added tokens that are special, in ascending order.
  [[nodiscard]] const std::vector<TokenId>& special_tokens() const;
  [[nodiscard]] bool is_special(TokenId id) const;

 private:
  struct Impl;
  explicit Tokenizer(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

/// Decodes a stream of ids token by token, without half characters: a token that ends inside one gives nothing until
/// the character is complete. The texts together are Tokenizer::decode of all ids; where bytes are no UTF-8, each one
/// that does not belong to a character becomes U+FFFD.
class StreamDecoder {
 public:
  explicit StreamDecoder(Tokenizer tokenizer, const DecodeOptions& options = {});
  /// The text that is complete with this token.
  [[nodiscard]] std::string push(TokenId id);
  /// What is left: an incomplete character becomes U+FFFD. The next push begins a new text.
  [[nodiscard]] std::string finish();

 private:
  [[nodiscard]] std::string decoded(std::span<const TokenId> ids) const;
  void rewrite_window();
  void trim_window(std::size_t held);

  Tokenizer tokenizer_;
  DecodeOptions options_;
  std::vector<TokenId> window_;   // the last tokens: a context, and those since the text was complete
  std::size_t context_ = 0;       // how many of them are the context
  std::string shown_;             // of the window's text, what was returned
  std::optional<TokenId> plain_;  // the last token that is whole characters by itself
};

/// One turn of a chat.
struct Message {
  std::string role;  // "system", "user", "assistant", "tool"
  std::string content;
};

struct ChatOptions {
  bool add_generation_prompt = false;  // end with what begins the assistant's answer
  std::string tools = {};              // a JSON list of functions; empty: none
  std::string variables = {};          // a JSON object with more variables of the template, such as enable_thinking
};

/// A chat template: Jinja with the settings, filters and functions of Hugging Face's apply_chat_template (trim_blocks,
/// lstrip_blocks, tojson, raise_exception, strftime_now, loop controls, methods of Python's strings and dicts).
/// {% generation %} blocks are rendered as what they contain. Copies share one object. Thread-safe.
class ChatTemplate {
 public:
  /// Error of kind parse, with the line, if the template is not valid. Empty tokens are not defined in the template.
  explicit ChatTemplate(std::string_view source, const std::string& bos_token = {}, const std::string& eos_token = {});
  /// That of a model's folder: chat_template.jinja, else the chat_template of tokenizer_config.json, with the bos_token
  /// and eos_token there. Error of kind io if there is none.
  static ChatTemplate from_folder(const std::filesystem::path& folder);

  /// The prompt for these messages. Error of kind value if the template refuses them (raise_exception) or fails.
  [[nodiscard]] std::string apply(std::span<const Message> messages, const ChatOptions& options = {}) const;
  /// The same for messages as a JSON list, with tool calls and whatever else the template reads. Error of kind parse if
  /// it is not JSON.
  [[nodiscard]] std::string apply(std::string_view messages, const ChatOptions& options = {}) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// The vocabulary of a GGUF file: the members of its metadata under tokenizer.ggml.
struct GgufVocabulary {
  std::string model = {};                     // "llama" (SentencePiece BPE), "gpt2" (byte-level BPE), "bert", "t5"
  std::string pre = {};                       // of gpt2: the name of the pre-tokenizer, such as "llama-bpe"
  std::vector<std::string> tokens = {};       // in the order of their ids
  std::vector<float> scores = {};             // of llama and t5: one for each token
  std::vector<std::int32_t> token_type = {};  // 1 normal, 2 unknown, 3 control, 4 user defined, 5 unused, 6 byte
  std::vector<std::string> merges = {};       // of gpt2: "left right", in the order of their ranks
  std::optional<TokenId> bos = {}, eos = {}, unknown = {}, separator = {}, padding = {}, cls = {}, mask = {};
  // Without a value, the model's default.
  std::optional<bool> add_bos = {}, add_eos = {}, add_space_prefix = {}, remove_extra_whitespaces = {};
  std::string precompiled_charsmap = {};  // bytes; of t5
};

/// The tokenizer.json of a GGUF vocabulary, for Tokenizer::from_json. Error of kind unsupported for a model or a
/// pre-tokenizer that is not known, by its name; of kind parse for a vocabulary that is inconsistent.
std::string tokenizer_json(const GgufVocabulary& vocabulary);
/// The reverse: the vocabulary of a tokenizer.json, for a GGUF file. Error of kind unsupported for a tokenizer that
/// GGUF files cannot describe, with the part that they do not have.
GgufVocabulary gguf_vocabulary_of(std::string_view tokenizer_json);

}  // namespace text
}  // namespace tessera
