// What copies of a LanguageModel and its contexts share: weights, tokenizer, defaults, and compiled steps.
#pragma once

#include <functional>
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
  [[nodiscard]] Cache cache(std::int64_t batch, std::int64_t capacity, const PageOptions& pages = {}) const {
    return model.cache(batch, capacity, cache_dtype, pages);
  }
  /// Identifies the config, a sample of the weights, and how the keys of such a cache are rotated.
  [[nodiscard]] std::string fingerprint(const Cache& cache) const;

  // Compiled steps. They take the cache and give it back, written in place; if one throws, the cache is empty.

  /// Which rows of a cache a step has: `sequences`, i32 [B], and how many tokens of each count, i32 [B], 1 or 0. Empty:
  /// all rows, which count.
  struct Rows {
    Tensor sequences = {}, counted = {};
  };
  /// Appends tokens ids [B, T], `lengths` [B] of them, to these sequences of a cache; empty: to all.
  void prefill(const std::vector<std::int32_t>& ids, const std::vector<std::int32_t>& lengths,
               const std::vector<std::int32_t>& sequences, Cache& cache);
  /// The next tokens, i32 [B, 1], after tokens of the same shape; then with `logprobs` the log-probability of each,
  /// [B, 1], and the most likely ones, [B, n], with their tokens.
  std::vector<Tensor> decode(const Tensor& tokens, const Rows& rows, Cache& cache, Sampler& sampler,
                             std::optional<std::int64_t> logprobs);
  /// Both halves of decode(): logits [B, vocabulary] after tokens, and the results of some of their rows, i32 [n].
  Tensor logits(const Tensor& tokens, const Rows& rows, Cache& cache);
  std::vector<Tensor> choose(const Tensor& logits, const Tensor& rows, Sampler& sampler,
                             std::optional<std::int64_t> logprobs);
  /// Log-probabilities [T] of `targets` after `ids`, `length` of them, which are appended to a cache of one sequence.
  Tensor score(const std::vector<std::int32_t>& ids, const std::vector<std::int32_t>& targets, std::int32_t length,
               Cache& cache);

 private:
  [[nodiscard]] std::function<Cache()> like(const Cache& cache) const;
  Tensor next_logits(const Tensor& tokens, const Rows& rows, Cache& cache);
};

/// How many tokens to compute at once of those that are left, with padding, in a context with this much room. A few
/// sizes serve all lengths.
std::int64_t chunk_of(std::int64_t left, std::int64_t room, std::int64_t most = 512);

/// Identifies sampling options: those with equal keys choose alike.
std::string key_of(const SamplingOptions& options);

/// Sets the lengths of a cache.
void set_lengths(Cache& cache, const std::vector<std::int32_t>& lengths, const Device& device);

}  // namespace tessera::llm
