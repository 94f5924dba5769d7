// Generation for a batch of sequences over one cache.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "llm/loaded_model.h"

namespace tessera::llm {

/// Errors of kind value for options and prompts that cannot be used.
void check(const LoadedModel& loaded, const GenerateOptions& options);
void check_prompt(const LoadedModel& loaded, std::span<const text::TokenId> prompt, std::int64_t capacity);

/// Answers to prompts that were checked. `cached` has the tokens of each sequence in the cache, before and after the
/// call; in a batch those of sequences that end before others are forgotten. If the cache is lost, `lost` is called and
/// the exception is thrown.
std::vector<Generation> generate(LoadedModel& loaded, Cache& cache, std::span<std::vector<text::TokenId>> cached,
                                 std::vector<std::vector<text::TokenId>> prompts, const GenerateOptions& options,
                                 const OnToken& on_token, const std::function<void()>& lost);

}  // namespace tessera::llm
