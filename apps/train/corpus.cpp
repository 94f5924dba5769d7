// Batches of tokens for language models, from a text.
#include "train/corpus.h"

#include <fmt/format.h>

namespace tessera::app {

TextCorpus::TextCorpus(std::string_view text, const Vocabulary& vocabulary, std::int64_t context)
    : tokens_(vocabulary.encode(text)), split_(tokens_.size() / 10 * 9), context_(static_cast<std::size_t>(context)) {
  if (tokens_.size() - split_ < context_ + 1 || split_ < context_ + 1) {
    throw Error(ErrorKind::kValue,
                fmt::format("The text has {} {}; at least {} are expected for a context of {}: a tenth is for "
                            "validation.",
                            tokens_.size(), vocabulary.unit(), 10 * (context_ + 1), context_));
  }
}

Batch TextCorpus::windows(const std::vector<std::size_t>& starts) const {
  Tokens tokens;
  Tokens targets;
  for (const std::size_t start : starts) {
    const auto from = tokens_.begin() + static_cast<std::ptrdiff_t>(start);
    const auto length = static_cast<std::ptrdiff_t>(context_);
    tokens.insert(tokens.end(), from, from + length);
    targets.insert(targets.end(), from + 1, from + 1 + length);
  }
  const Shape shape{static_cast<std::int64_t>(starts.size()), static_cast<std::int64_t>(context_)};
  return {Tensor(tokens, shape), Tensor(targets, shape)};
}

Batch TextCorpus::draw(std::int64_t batch, std::mt19937_64& random) const {
  std::vector<std::size_t> starts;
  for (std::int64_t i = 0; i < batch; ++i) starts.push_back(random() % (split_ - context_));
  return windows(starts);
}

std::vector<Batch> TextCorpus::validation(std::int64_t batch, std::int64_t most) const {
  std::vector<Batch> out;
  std::vector<std::size_t> starts;
  for (std::size_t start = split_; start + context_ < tokens_.size(); start += context_) {
    starts.push_back(start);
    if (static_cast<std::int64_t>(starts.size()) < batch) continue;
    out.push_back(windows(starts));
    starts.clear();
    if (static_cast<std::int64_t>(out.size()) == most) return out;
  }
  if (out.empty()) out.push_back(windows(starts));  // fewer windows than a batch has
  return out;
}

}  // namespace tessera::app
