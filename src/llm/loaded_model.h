// What copies of a LanguageModel and its contexts share: weights, tokenizer, defaults, and compiled steps.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tessera/compile.h"
#include "tessera/llm/language_model.h"

namespace tessera::llm {

struct LoadedModel {
  Model model;
  std::optional<text::Tokenizer> tokenizer = {};
  std::optional<text::ChatTemplate> chat_template = {};
  std::string without_tokenizer = {}, without_template = {};  // why there is none
  GenerationDefaults defaults = {};
  std::int64_t context = 0;  // of contexts whose size is not given
  std::optional<DType> cache_dtype = {};
  tessera::detail::CompiledSet compiled{32};

  [[nodiscard]] Device device() const { return model.embedding.weight.device(); }
  [[nodiscard]] Cache cache(std::int64_t batch, std::int64_t capacity) const {
    return model.cache(batch, capacity, cache_dtype);
  }
  /// Identifies the config, a sample of the weights, and how the keys of such a cache are rotated.
  [[nodiscard]] std::string fingerprint(const Cache& cache) const;

  // Compiled steps. They take the cache and give it back, written in place; if one throws, the cache is empty.

  /// Appends tokens ids [B, T], `lengths` [B] of them, to the cache.
  void prefill(const std::vector<std::int32_t>& ids, const std::vector<std::int32_t>& lengths, Cache& cache);
  /// The next tokens, i32 [B, 1], after tokens of the same shape; then with `logprobs` the log-probability of each,
  /// [B, 1], and the most likely ones, [B, n], with their tokens. `active` [B] is 0 for sequences that do not take
  /// part; empty: all do.
  std::vector<Tensor> decode(const Tensor& tokens, const Tensor& active, Cache& cache, Sampler& sampler,
                             std::optional<std::int64_t> logprobs);
  /// Log-probabilities [T] of `targets` after `ids`, `length` of them, which are appended to a cache of one sequence.
  Tensor score(const std::vector<std::int32_t>& ids, const std::vector<std::int32_t>& targets, std::int32_t length,
               Cache& cache);
};

/// How many tokens to compute at once of those that are left, with padding, in a context with this much room. A few
/// sizes serve all lengths.
std::int64_t chunk_of(std::int64_t left, std::int64_t room, std::int64_t most = 512);

/// Sets the lengths of a cache.
void set_lengths(Cache& cache, const std::vector<std::int32_t>& lengths, const Device& device);

}  // namespace tessera::llm
