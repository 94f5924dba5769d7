// Generation in a context: one sequence over its cache.
#include <algorithm>

#include "base/fail.h"
#include "base/utf8.h"
#include "llm/generate/generation.h"
#include "llm/generate/sequences.h"

namespace tessera::llm {

using text::TokenId;

std::string_view name(FinishReason reason) {
  switch (reason) {
    case FinishReason::kStop:
      return "stop";
    case FinishReason::kLength:
      return "length";
    case FinishReason::kCancelled:
      return "cancelled";
  }
  return "";
}

double Generation::prefill_rate() const {
  return prefill_seconds > 0 ? static_cast<double>(prompt_tokens - reused_tokens) / prefill_seconds : 0;
}

double Generation::decode_rate() const {
  const std::size_t count = tokens.size();
  return decode_seconds > 0 && count > 1 ? static_cast<double>(count - 1) / decode_seconds : 0;
}

void check(const LoadedModel& loaded, const GenerateOptions& o) {
  if (o.max_tokens && *o.max_tokens < 0) {
    fail(ErrorKind::kValue, "generate: max_tokens = {} was given; at least 0 is expected.", *o.max_tokens);
  }
  const std::int64_t vocabulary = loaded.model.config().vocabulary;
  if (o.logprobs && (*o.logprobs < 0 || *o.logprobs > vocabulary)) {
    fail(ErrorKind::kValue, "generate: logprobs = {} was given; from 0 to {} is expected.", *o.logprobs, vocabulary);
  }
  for (const std::string& stop : o.stop) {
    if (stop.empty()) fail(ErrorKind::kValue, "generate: a stop string is empty.");
    if (!is_utf8(stop)) fail(ErrorKind::kValue, "generate: a stop string is not valid UTF-8.");
  }
  if (!o.stop.empty() && !loaded.tokenizer) {
    fail(ErrorKind::kUnsupported, "generate: stop strings were given, and the model has no tokenizer.");
  }
}

void check_prompt(const LoadedModel& loaded, std::span<const TokenId> prompt, std::int64_t capacity) {
  const Config& c = loaded.model.config();
  if (prompt.empty()) fail(ErrorKind::kValue, "generate: the prompt has no tokens; at least 1 is expected.");
  if (std::cmp_greater(prompt.size(), capacity)) {
    fail(ErrorKind::kValue, "generate: the prompt has {} tokens; the context has room for {}{}.", prompt.size(),
         capacity, capacity < c.context ? fmt::format(" (the model was trained for {})", c.context) : "");
  }
  for (const TokenId id : prompt) {
    if (std::cmp_greater_equal(id, c.vocabulary)) {
      fail(ErrorKind::kValue, "generate: the token {} was given; the model has tokens 0 to {}.", id, c.vocabulary - 1);
    }
  }
}

Generation generate(LoadedModel& loaded, Cache& cache, std::vector<TokenId>& cached, std::vector<TokenId> prompt,
                    const GenerateOptions& options, const OnToken& on_token, const std::function<void()>& lost) {
  const auto common = std::ranges::mismatch(cached, prompt).in1 - cached.begin();
  const std::int64_t kept = std::min<std::int64_t>(common, std::ssize(prompt) - 1);
  Sequences sequences(loaded, cache, kChunk);
  const std::shared_ptr<Sequence> own = sequences.add(0, std::move(prompt), options, kept);
  // Steps that were submitted ahead may have written behind the tokens that are known.
  const auto settle = [&] {
    cached.assign(own->cached().begin(), own->cached().end());
    set_lengths(cache, {static_cast<std::int32_t>(cached.size())}, loaded.device());
  };
  bool in_callback = false;
  try {
    while (!own->done) {
      const BatchStep step = sequences.step();
      in_callback = true;
      if (on_token) std::ranges::for_each(step.tokens, on_token);
      in_callback = false;
    }
  } catch (...) {
    if (in_callback) {
      settle();
    } else {
      lost();
    }
    throw;
  }
  settle();
  return std::move(own->result);
}

}  // namespace tessera::llm
