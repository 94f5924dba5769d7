// Generation: the prompt in chunks, then a step for each token, which is submitted before the last one is read.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <random>

#include "base/fail.h"
#include "base/utf8.h"
#include "llm/generation.h"
#include "llm/stop_strings.h"
#include "tessera/async.h"

namespace tessera::llm {

namespace {

using text::TokenId;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::size_t common_prefix(std::span<const TokenId> a, std::span<const TokenId> b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

template <class T>
std::span<const T> values_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

}  // namespace

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

namespace {

/// One sequence of a batch.
struct Row {
  Row(const LoadedModel& loaded, std::vector<TokenId> tokens, const GenerateOptions& options)
      : prompt(std::move(tokens)), stops(options.stop) {
    if (loaded.tokenizer) {
      decoder.emplace(*loaded.tokenizer, text::DecodeOptions{.skip_special_tokens = options.skip_special_tokens});
    }
  }

  std::vector<TokenId> prompt;
  std::optional<text::StreamDecoder> decoder;
  StopStrings stops;
  Generation result;
  bool done = false;
  std::int64_t position = 0;   // tokens that the cache has, once all that was submitted is computed
  std::int64_t submitted = 0;  // tokens of the answer, read or not
};

/// A step that was submitted: which sequences take part, and the read of its results.
struct Step {
  std::vector<char> active;
  Async<std::vector<std::vector<std::byte>>> values;
};

class Run {
 public:
  Run(LoadedModel& loaded, Cache& cache, std::span<std::vector<TokenId>> cached,
      std::vector<std::vector<TokenId>> prompts, const GenerateOptions& options, const OnToken& on_token)
      : loaded_(loaded),
        cache_(cache),
        cached_(cached),
        options_(options),
        on_token_(on_token),
        capacity_(cache.context()),
        seed_(options.seed ? *options.seed : std::random_device()()),
        sampler_(options.sampling.value_or(loaded.defaults.sampling), static_cast<std::int64_t>(prompts.size()),
                 loaded.model.config().vocabulary, seed_, loaded.device()),
        end_tokens_(options.end_tokens.value_or(loaded.defaults.end_tokens)) {
    for (std::size_t i = 0; i < prompts.size(); ++i) {
      Row& row = rows_.emplace_back(loaded, std::move(prompts[i]), options);
      row.result.seed = seed_ + static_cast<std::uint32_t>(i);
      row.result.prompt_tokens = std::ssize(row.prompt);
    }
  }

  std::vector<Generation> operator()() {
    start_ = Clock::now();
    prefill();
    decode();
    settle();
    std::vector<Generation> out;
    for (Row& row : rows_) out.push_back(std::move(row.result));
    return out;
  }

  /// Makes the cache what the tokens say it is. Steps that were submitted ahead may have written behind them.
  void settle() {
    std::vector<std::int32_t> lengths;
    for (const std::vector<TokenId>& tokens : cached_) lengths.push_back(static_cast<std::int32_t>(tokens.size()));
    set_lengths(cache_, lengths, loaded_.device());
  }
  /// Whether an exception comes from on_token.
  [[nodiscard]] bool in_callback() const { return in_callback_; }

 private:
  [[nodiscard]] bool cancelled() const { return options_.cancel.stop_requested(); }

  /// All tokens of the prompts but the last ones, which the first step takes.
  void prefill() {
    penalize_prompts();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const std::vector<TokenId>& prompt = rows_[i].prompt;
      const std::size_t kept = std::min(common_prefix(cached_[i], prompt), prompt.size() - 1);
      cached_[i].resize(kept);
      rows_[i].result.reused_tokens = static_cast<std::int64_t>(kept);
    }
    settle();
    for (;;) {
      std::int64_t left = 0;
      std::int64_t room = capacity_;
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        left = std::max<std::int64_t>(left, std::ssize(rows_[i].prompt) - 1 - std::ssize(cached_[i]));
        room = std::min(room, capacity_ - std::ssize(cached_[i]));
      }
      if (left == 0 || cancelled()) break;
      chunk(chunk_of(left, room));
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i].position = std::ssize(cached_[i]);
  }

  void chunk(std::int64_t size) {
    std::vector<std::int32_t> ids;
    std::vector<std::int32_t> lengths;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const std::vector<TokenId>& prompt = rows_[i].prompt;
      const std::int64_t from = std::ssize(cached_[i]);
      const std::int64_t count = std::min(size, std::ssize(prompt) - 1 - from);
      const std::int64_t padded = std::ssize(ids) + size;
      ids.insert(ids.end(), prompt.begin() + from, prompt.begin() + from + count);
      ids.resize(static_cast<std::size_t>(padded), 0);
      lengths.push_back(static_cast<std::int32_t>(count));
    }
    loaded_.prefill(ids, lengths, cache_);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto from = rows_[i].prompt.begin() + std::ssize(cached_[i]);
      cached_[i].insert(cached_[i].end(), from, from + lengths[i]);
    }
  }

  void penalize_prompts() {
    if (!sampler_.seen.defined()) return;
    std::size_t longest = 0;
    for (const Row& row : rows_) longest = std::max(longest, row.prompt.size());
    std::vector<std::int32_t> ids;
    std::vector<std::int32_t> lengths;
    for (const Row& row : rows_) {
      const std::size_t padded = ids.size() + longest;
      ids.insert(ids.end(), row.prompt.begin(), row.prompt.end());
      ids.resize(padded, 0);
      lengths.push_back(static_cast<std::int32_t>(row.prompt.size()));
    }
    const std::int64_t batch = std::ssize(rows_);
    sampler_.prompt(Tensor(ids, {batch, static_cast<std::int64_t>(longest)}, loaded_.device()),
                    Tensor(lengths, {batch}, loaded_.device()));
    eval({sampler_.seen});
  }

  void decode() {
    std::vector<std::int32_t> last;
    for (const Row& row : rows_) last.push_back(static_cast<std::int32_t>(row.prompt.back()));
    tokens_ = Tensor(last, {std::ssize(rows_), 1}, loaded_.device());
    std::optional<Step> ahead = cancelled() ? std::nullopt : submit();
    while (ahead) {
      Step now = std::move(*ahead);
      ahead = cancelled() ? std::nullopt : submit();
      const std::vector<std::vector<std::byte>> values = now.values.get();
      if (cancelled()) {
        // The step ahead took this one's tokens: they are part of the cache.
        if (ahead) note_fed(*ahead, values);
        break;
      }
      take(now, ahead ? &*ahead : nullptr, values);
    }
    for (Row& row : rows_) {
      if (row.done) continue;
      row.result.finish = cancelled() ? FinishReason::kCancelled : FinishReason::kLength;
      row.result.decode_seconds =
          row.result.prefill_seconds > 0 ? seconds_since(start_) - row.result.prefill_seconds : 0;
    }
  }

  /// Who takes part in the next step: sequences that have not ended, and for which it is not known that they will have.
  [[nodiscard]] std::vector<char> participants() const {
    std::vector<char> active;
    for (const Row& row : rows_) {
      const bool wanted = !options_.max_tokens || row.submitted < *options_.max_tokens;
      active.push_back(!row.done && wanted && row.position < capacity_ ? 1 : 0);
    }
    return active;
  }

  std::optional<Step> submit() {
    Step step;
    step.active = participants();
    if (std::ranges::count(step.active, 1) == 0) return std::nullopt;
    if (rows_.size() > 1 && step.active != last_active_) {
      std::vector<std::int32_t> active(step.active.begin(), step.active.end());
      active_ = Tensor(active, {std::ssize(rows_)}, loaded_.device());
      // Those that have ended write to the front of their row, which nobody reads any more.
      std::vector<std::int32_t> lengths;
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (step.active[i] == 0) cached_[i].clear();
        lengths.push_back(step.active[i] != 0 ? static_cast<std::int32_t>(rows_[i].position) : 0);
      }
      set_lengths(cache_, lengths, loaded_.device());
      last_active_ = step.active;
    }
    const std::vector<Tensor> results = loaded_.decode(tokens_, active_, cache_, sampler_, options_.logprobs);
    tokens_ = results[0];
    step.values = read_all(results);
    if (first_) {  // the last tokens of the prompts
      for (std::size_t i = 0; i < rows_.size(); ++i) cached_[i].push_back(rows_[i].prompt.back());
      first_ = false;
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      rows_[i].position += step.active[i];
      rows_[i].submitted += step.active[i];
    }
    return step;
  }

  /// The tokens of a step were the input of the next.
  void note_fed(const Step& next, const std::vector<std::vector<std::byte>>& values) {
    const auto ids = values_of<std::int32_t>(values[0]);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (next.active[i] != 0) cached_[i].push_back(static_cast<TokenId>(ids[i]));
    }
  }

  void take(const Step& step, const Step* next, const std::vector<std::vector<std::byte>>& values) {
    if (next != nullptr) note_fed(*next, values);
    const double seconds = seconds_since(start_);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      Row& row = rows_[i];
      if (step.active[i] == 0 || row.done) continue;
      Generation& result = row.result;
      GeneratedToken token;
      token.sequence = i;
      token.id = static_cast<TokenId>(values_of<std::int32_t>(values[0])[i]);
      result.tokens.push_back(token.id);
      if (result.tokens.size() == 1) result.prefill_seconds = seconds;
      result.decode_seconds = seconds - result.prefill_seconds;
      if (options_.logprobs) note_logprobs(i, result, token, values);
      const std::string text = advance(row, token.id);
      result.text += text;
      token.text = text;
      if (!on_token_) continue;
      in_callback_ = true;
      on_token_(token);
      in_callback_ = false;
    }
  }

  void note_logprobs(std::size_t i, Generation& result, GeneratedToken& token,
                     const std::vector<std::vector<std::byte>>& values) const {
    token.logprob = values_of<float>(values[1])[i];
    result.logprobs.push_back(*token.logprob);
    const auto count = static_cast<std::size_t>(*options_.logprobs);
    std::vector<TokenLogprob>& top = result.top_logprobs.emplace_back();
    for (std::size_t k = i * count; k < (i + 1) * count; ++k) {
      top.push_back({static_cast<TokenId>(values_of<std::int32_t>(values[3])[k]), values_of<float>(values[2])[k]});
    }
    token.top = top;
  }

  /// The text that is new with a token; decides whether it is the last.
  std::string advance(Row& row, TokenId id) {
    Generation& result = row.result;
    const bool ends = std::ranges::find(end_tokens_, id) != end_tokens_.end();
    std::string text;
    if (!ends && row.decoder) text = row.stops.push(row.decoder->push(id));
    const std::int64_t count = std::ssize(result.tokens);
    const bool full =
        (options_.max_tokens && count >= *options_.max_tokens) || std::ssize(row.prompt) + count > capacity_;
    if (!ends && !row.stops.done() && !full) return text;
    row.done = true;
    if (row.decoder && !row.stops.done()) text += row.stops.push(row.decoder->finish());
    if (!row.stops.done()) text += row.stops.finish();
    result.stop = row.stops.found();
    result.finish = ends || row.stops.done() ? FinishReason::kStop : FinishReason::kLength;
    return text;
  }

  LoadedModel& loaded_;
  Cache& cache_;
  std::span<std::vector<TokenId>> cached_;  // the tokens of each sequence that the cache has
  const GenerateOptions& options_;
  const OnToken& on_token_;
  std::int64_t capacity_;
  std::uint32_t seed_;
  Sampler sampler_;
  std::vector<TokenId> end_tokens_;
  std::vector<Row> rows_;
  Tensor tokens_, active_;
  std::vector<char> last_active_;
  Clock::time_point start_;
  bool first_ = true;
  bool in_callback_ = false;
};

}  // namespace

std::vector<Generation> generate(LoadedModel& loaded, Cache& cache, std::span<std::vector<TokenId>> cached,
                                 std::vector<std::vector<TokenId>> prompts, const GenerateOptions& options,
                                 const OnToken& on_token, const std::function<void()>& lost) {
  Run run(loaded, cache, cached, std::move(prompts), options, on_token);
  try {
    return run();
  } catch (...) {
    if (run.in_callback()) {
      run.settle();
    } else {
      lost();
    }
    throw;
  }
}

}  // namespace tessera::llm
