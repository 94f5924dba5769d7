// Scores of texts: log-probabilities, perplexity, and embeddings in batches.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/fail.h"
#include "llm/generate/generation.h"
#include "tessera/index.h"
#include "tessera/ops.h"

namespace tessera::llm {

namespace {

using text::TokenId;

constexpr std::int64_t kScored = 128;  // tokens whose logits are in memory at once
constexpr std::int64_t kUsualWindow = 2048;
constexpr std::size_t kBatch = 32;

/// log p(tokens[i + 1] | tokens[0 .. i]) in a cache of one sequence, which is overwritten.
std::vector<float> scores_of(LoadedModel& loaded, std::span<const TokenId> tokens, Cache& cache) {
  set_lengths(cache, {0}, loaded.device());
  std::vector<Tensor> parts;
  std::vector<std::int64_t> lengths;
  for (std::int64_t at = 0; at + 1 < std::ssize(tokens);) {
    const std::int64_t left = std::ssize(tokens) - 1 - at;
    const std::int64_t size = chunk_of(left, cache.context() - at, kScored);
    const std::int64_t count = std::min(left, size);
    const auto from = tokens.subspan(static_cast<std::size_t>(at));
    std::vector<std::int32_t> ids(from.begin(), from.begin() + count);
    std::vector<std::int32_t> targets(from.begin() + 1, from.begin() + 1 + count);
    ids.resize(static_cast<std::size_t>(size), 0);
    targets.resize(static_cast<std::size_t>(size), 0);
    parts.push_back(loaded.score(ids, targets, static_cast<std::int32_t>(count), cache));
    lengths.push_back(count);
    at += count;
  }
  std::vector<float> out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::vector<float> values = parts[i].to_vector<float>();
    out.insert(out.end(), values.begin(), values.begin() + lengths[i]);
  }
  return out;
}

}  // namespace

std::vector<float> LanguageModel::logprobs(std::span<const TokenId> tokens) const {
  Context own = context();
  check_prompt(*state_, tokens, own.capacity());
  return scores_of(*state_, tokens, own.cache_);
}

Perplexity LanguageModel::perplexity(std::string_view text, const PerplexityOptions& options) const {
  return perplexity(encode(text), options);
}

Perplexity LanguageModel::perplexity(std::span<const TokenId> tokens, const PerplexityOptions& options) const {
  const std::int64_t window = options.context != 0 ? options.context : std::min(config().context, kUsualWindow);
  const std::int64_t stride = options.stride != 0 ? options.stride : std::max<std::int64_t>(window / 2, 1);
  if (window < 2) fail(ErrorKind::kValue, "perplexity: a context of {} was given; at least 2 is expected.", window);
  if (stride < 1 || stride >= window) {
    fail(ErrorKind::kValue, "perplexity: a stride of {} was given; from 1 to {}, below the context, is expected.",
         stride, window - 1);
  }
  if (tokens.size() < 2) {
    fail(ErrorKind::kValue, "perplexity: the text has {} tokens; at least 2 are expected.", tokens.size());
  }
  Context own = context(window);
  check_prompt(*state_, tokens.first(1), window);
  for (const TokenId id : tokens) check_prompt(*state_, std::span(&id, 1), window);
  Perplexity out;
  const std::int64_t count = std::ssize(tokens);
  std::int64_t done = 1;  // the first token is not predicted
  for (std::int64_t begin = 0; done < count; begin += stride) {
    if (options.cancel.stop_requested()) fail(ErrorKind::kCancelled, "perplexity: it was cancelled.");
    const std::int64_t end = std::min(begin + window, count);
    const std::vector<float> scores = scores_of(
        *state_, tokens.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)), own.cache_);
    for (; done < end; ++done) out.nll -= scores[static_cast<std::size_t>(done - begin - 1)];
    ++out.windows;
  }
  out.tokens = count - 1;
  out.value = std::exp(out.nll / static_cast<double>(out.tokens));
  return out;
}

Tensor LanguageModel::embed(std::span<const std::string> texts) const {
  const Device device = state_->device();
  std::vector<std::vector<TokenId>> tokens;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    tokens.push_back(encode(texts[i]));
    const std::size_t count = tokens.back().size();
    if (count == 0) fail(ErrorKind::kValue, "embed: text {} has no tokens; at least 1 is expected.", i);
    if (std::cmp_greater(count, config().context)) {
      fail(ErrorKind::kValue, "embed: text {} has {} tokens; the model has a context of {}.", i, count,
           config().context);
    }
    for (const TokenId id : tokens.back()) check_prompt(*state_, std::span(&id, 1), config().context);
  }
  if (texts.empty()) return zeros({0, config().width}, f32, device);
  std::vector<std::size_t> order(texts.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return tokens[i].size(); });
  std::vector<std::int32_t> places(texts.size());  // of each text in the order of lengths
  std::vector<Tensor> parts;
  for (std::size_t begin = 0; begin < order.size(); begin += kBatch) {
    const auto batch = std::span(order).subspan(begin, std::min(kBatch, order.size() - begin));
    const std::size_t longest = tokens[batch.back()].size();
    std::vector<std::int32_t> ids;
    std::vector<std::int32_t> lengths;
    for (const std::size_t i : batch) {
      places[i] = static_cast<std::int32_t>(begin + lengths.size());
      lengths.push_back(static_cast<std::int32_t>(tokens[i].size()));
      ids.insert(ids.end(), tokens[i].begin(), tokens[i].end());
      ids.resize(lengths.size() * longest, 0);
    }
    const std::int64_t rows = std::ssize(lengths);
    parts.push_back(state_->model
                        .embed(Tensor(ids, {rows, static_cast<std::int64_t>(longest)}, device),
                               {.lengths = Tensor(lengths, {rows}, device)})
                        .eval());
  }
  const Tensor index(places, {std::ssize(texts)}, device);
  return take(parts.size() == 1 ? parts[0] : concat(parts, 0), index, 0).eval();
}

}  // namespace tessera::llm
