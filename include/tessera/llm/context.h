// A context: the tokens of a conversation and their keys and values, which may be saved and restored.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tessera/export.h"
#include "tessera/llm/blocks.h"
#include "tessera/text.h"

namespace TESSERA_API tessera {
namespace llm {

struct LoadedModel;

/// The tokens that a model has seen, with the cache of their keys and values. LanguageModel::context makes one, and
/// LanguageModel::generate continues it: of a prompt, the tokens that it has in common with the context are not
/// computed again. A copy is a fork, whose memory is copied when one of the two continues. It keeps the model's weights
/// alive. One thread at a time may use it.
class Context {
 public:
  Context() = default;  // none
  Context(const Context& other);
  Context& operator=(const Context& other);
  Context(Context&&) = default;
  Context& operator=(Context&&) = default;
  ~Context() = default;

  /// The tokens whose keys and values are in the cache. The last token of an answer may not be among them.
  [[nodiscard]] const std::vector<text::TokenId>& tokens() const { return tokens_; }
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(tokens_.size()); }
  /// The most tokens that it has room for.
  [[nodiscard]] std::int64_t capacity() const { return capacity_; }
  /// Forgets all but the first `count` tokens. Error of kind value if there are fewer.
  void truncate(std::int64_t count);
  void clear() { truncate(0); }

  /// Writes tokens, keys and values as a safetensors file, with notes of the caller in its metadata. Error of kind io
  /// if it cannot be written.
  using Notes = std::map<std::string, std::string>;
  void save(const std::filesystem::path& file, const Notes& notes = {}) const;
  /// Replaces the tokens by those of a file, and returns its notes. Error of kind value if the file is of another model
  /// or has more tokens than the context has room for, of kind parse if it is not a saved context; the context is then
  /// as it was.
  Notes restore(const std::filesystem::path& file);

  /// Of one sequence; its lengths are size().
  [[nodiscard]] const Cache& cache() const { return cache_; }

 private:
  friend class LanguageModel;
  Context(std::shared_ptr<LoadedModel> model, std::int64_t capacity);
  void check() const;
  void reset();

  std::shared_ptr<LoadedModel> model_;
  std::int64_t capacity_ = 0;
  Cache cache_;
  std::vector<text::TokenId> tokens_;
};

}  // namespace llm
}  // namespace tessera
