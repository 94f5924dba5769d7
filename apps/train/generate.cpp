// Continues texts with a model.
#include "train/generate.h"

#include <algorithm>

namespace tessera::app {

std::vector<Tokens> generate(Llama& model, std::vector<Tokens> rows, const GenerateOptions& options) {
  const auto batch = static_cast<std::int64_t>(rows.size());
  const std::int64_t context = model.config().context;
  const bool was_training = model.training();
  model.eval();
  LlamaCache cache = model.cache(batch);
  const auto next_of = compile(
      [&](const Tensor& tokens) {
        const Tensor logits = model.decode(tokens, cache);
        if (options.temperature == 0) return argmax(logits, -1).astype(i32);
        return random::categorical(logits / options.temperature).astype(i32);
      },
      model, cache);
  const auto last = [&](std::int64_t count) {  // of each row: [batch, count]
    Tokens flat;
    for (const Tokens& row : rows) flat.insert(flat.end(), row.end() - count, row.end());
    return Tensor(flat, {batch, count});
  };
  std::int64_t used = 0;
  std::vector<Tokens> out(rows.size());
  for (std::int64_t i = 0; i < options.count; ++i) {
    const auto length = static_cast<std::int64_t>(rows[0].size());
    std::int64_t fresh = 1;
    if (used == 0 || used == context) {
      cache.reset();
      fresh = used == 0 ? std::min(length, context) : std::max<std::int64_t>(context / 2, 1);
      used = 0;
    }
    const std::vector<std::int32_t> next = next_of(last(fresh)).to_vector<std::int32_t>();
    used += fresh;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      rows[row].push_back(next[row]);
      out[row].push_back(next[row]);
    }
  }
  model.train(was_training);
  return out;
}

}  // namespace tessera::app
