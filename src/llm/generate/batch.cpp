// Batches: sequences by number over a paged cache, and answers to several prompts.
#include "tessera/llm/batch.h"

#include <algorithm>
#include <map>
#include <random>

#include "base/fail.h"
#include "base/ints.h"
#include "llm/generate/generation.h"
#include "llm/generate/sequences.h"

namespace tessera::llm {

using text::TokenId;

struct Batch::State {
  State(std::shared_ptr<LoadedModel> model, const BatchOptions& o)
      : loaded(std::move(model)), options(o), cache(fresh()), sequences(*loaded, cache, o.chunk) {}

  /// A row for each sequence, and one for padding.
  [[nodiscard]] Cache fresh() const {
    const std::int64_t page = options.page_size;
    const std::int64_t count =
        options.tokens > 0 ? ceil_div(options.tokens, page) : options.sequences * ceil_div(options.context, page);
    return loaded->cache(options.sequences + 1, options.context,
                         {.size = page, .count = count, .chunk = options.chunk});
  }

  std::shared_ptr<LoadedModel> loaded;
  BatchOptions options;
  Cache cache;
  Sequences sequences;
  std::map<std::size_t, std::shared_ptr<Sequence>> all;  // that were not removed
  std::size_t next = 0;
};

Batch::Batch(std::unique_ptr<State> state) : state_(std::move(state)) {}
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;
Batch::~Batch() = default;

std::size_t Batch::add(std::span<const TokenId> prompt, const GenerateOptions& options) {
  State& state = *state_;
  check(*state.loaded, options);
  check_prompt(*state.loaded, prompt, state.options.context);
  if (std::cmp_greater(prompt.size(), capacity())) {
    fail(ErrorKind::kOutOfMemory, "Batch: the prompt has {} tokens; the cache has pages for {}.", prompt.size(),
         capacity());
  }
  state.all.emplace(state.next, state.sequences.add(state.next, {prompt.begin(), prompt.end()}, options));
  return state.next++;
}

std::size_t Batch::add(std::string_view prompt, const GenerateOptions& options) {
  if (!state_->loaded->tokenizer) {
    fail(ErrorKind::kUnsupported, "LanguageModel: text needs a tokenizer. {}", state_->loaded->without_tokenizer);
  }
  return add(state_->loaded->tokenizer->encode(prompt, {.add_special_tokens = options.add_special_tokens}), options);
}

BatchStep Batch::step() {
  try {
    return state_->sequences.step();
  } catch (...) {
    state_->cache = state_->fresh();
    state_->sequences.restart();
    throw;
  }
}

Generation Batch::remove(std::size_t sequence) {
  const auto found = state_->all.find(sequence);
  if (found == state_->all.end()) fail(ErrorKind::kValue, "Batch: there is no sequence {}.", sequence);
  const std::shared_ptr<Sequence> s = found->second;
  state_->sequences.cancel(*s);
  state_->all.erase(found);
  return std::move(s->result);
}

std::size_t Batch::running() const { return state_->sequences.running(); }
std::size_t Batch::waiting() const { return state_->sequences.waiting(); }
std::int64_t Batch::capacity() const { return state_->sequences.capacity(); }
std::int64_t Batch::free_tokens() const { return state_->cache.free_tokens(); }

Batch LanguageModel::batch(const BatchOptions& options) const {
  BatchOptions own = options;
  own.context = context(options.context).capacity();
  if (own.sequences < 1 || own.tokens < 0 || own.page_size < 1 || own.chunk < 1) {
    fail(
        ErrorKind::kValue,
        "Batch: {} sequences, {} tokens, pages of {} and chunks of {} were given; at least 1, 0, 1 and 1 are expected.",
        own.sequences, own.tokens, own.page_size, own.chunk);
  }
  return Batch(std::make_unique<Batch::State>(state_, own));
}

std::vector<Generation> LanguageModel::generate_batch(std::span<const std::string> prompts,
                                                      const GenerateOptions& options, const OnToken& on_token) const {
  std::vector<std::vector<TokenId>> tokens;
  for (const std::string& prompt : prompts) tokens.push_back(encode(prompt, options.add_special_tokens));
  return generate_batch(tokens, options, on_token);
}

std::vector<Generation> LanguageModel::generate_batch(std::span<const std::vector<TokenId>> prompts,
                                                      const GenerateOptions& options, const OnToken& on_token) const {
  constexpr std::int64_t kMost = 32;  // sequences at once
  if (prompts.empty()) return {};
  (void)context(1);  // refuses encoders
  const std::int64_t capacity = state_->context;
  check(*state_, options);
  std::int64_t longest = 0;
  for (const std::vector<TokenId>& prompt : prompts) {
    check_prompt(*state_, prompt, capacity);
    longest = std::max<std::int64_t>(longest, std::ssize(prompt));
  }
  const std::int64_t each = std::min(capacity, longest + options.max_tokens.value_or(capacity));
  const std::int64_t sequences = std::min<std::int64_t>(std::ssize(prompts), kMost);
  Batch batch = this->batch({.sequences = sequences, .context = capacity, .tokens = sequences * each});
  GenerateOptions own = options;
  const std::uint32_t seed = options.seed ? *options.seed : std::random_device()();
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    own.seed = seed + static_cast<std::uint32_t>(i);
    (void)batch.add(prompts[i], own);
  }
  std::vector<Generation> out(prompts.size());
  while (!batch.empty()) {
    const BatchStep step = batch.step();
    if (on_token) std::ranges::for_each(step.tokens, on_token);
    for (const std::size_t i : step.finished) out[i] = batch.remove(i);
  }
  return out;
}

}  // namespace tessera::llm
