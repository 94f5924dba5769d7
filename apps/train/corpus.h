// Batches of tokens for language models, from a text.
#pragma once

#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include "tessera/tessera.h"
#include "train/vocabulary.h"

namespace tessera::app {

/// A target without a loss, as in PyTorch.
inline constexpr std::int32_t kIgnored = -100;

/// Tokens [B, T], and the token behind each.
struct Batch {
  Tensor tokens, targets;
};

/// A text as tokens: its first nine tenths are for training, the rest for validation.
class TextCorpus {
 public:
  /// Error of kind value for a text that is shorter than two windows of context + 1 on either side.
  TextCorpus(std::string_view text, const Vocabulary& vocabulary, std::int64_t context);

  /// Windows at random places of the part for training.
  [[nodiscard]] Batch draw(std::int64_t batch, std::mt19937_64& random) const;
  /// At most `most` batches of consecutive windows of the part for validation.
  [[nodiscard]] std::vector<Batch> validation(std::int64_t batch, std::int64_t most) const;
  [[nodiscard]] std::size_t size() const { return tokens_.size(); }

 private:
  [[nodiscard]] Batch windows(const std::vector<std::size_t>& starts) const;

  Tokens tokens_;
  std::size_t split_;  // where the part for validation begins
  std::size_t context_;
};

}  // namespace tessera::app
