// Generation in a context, and what calls are checked for.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "llm/generate/loaded_model.h"

namespace tessera::llm {

constexpr std::int64_t kChunk = 512;  // tokens of a prompt that are computed at once, at most

/// Errors of kind value for options and prompts that cannot be used.
void check(const LoadedModel& loaded, const GenerateOptions& options);
void check_prompt(const LoadedModel& loaded, std::span<const text::TokenId> prompt, std::int64_t capacity);

/// The answer to a prompt that was checked. `cached` has the tokens of the cache, before and after the call. If the
/// cache is lost, `lost` is called and the exception is thrown.
Generation generate(LoadedModel& loaded, Cache& cache, std::vector<text::TokenId>& cached,
                    std::vector<text::TokenId> prompt, const GenerateOptions& options, const OnToken& on_token,
                    const std::function<void()>& lost);

}  // namespace tessera::llm
