// Continues texts with a model: one compiled step with a cache of keys and values.
#pragma once

#include <vector>

#include "train/llama.h"

namespace tessera::app {

struct GenerateOptions {
  std::int64_t count = 1;  // tokens
  double temperature = 0;  // 0: the most likely token, else drawn from softmax(logits / temperature)
};

/// The next tokens of rows of one length, at least 1. If the context is full, the cache starts again with its second
/// half.
std::vector<Tokens> generate(Llama& model, std::vector<Tokens> rows, const GenerateOptions& options);

}  // namespace tessera::app
