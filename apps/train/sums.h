// Sums of numbers as a language: the corpus that `tessera train gpt` makes where no text is given.
#pragma once

#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "train/corpus.h"
#include "train/generate.h"

namespace tessera::app {

struct Sum {
  std::int64_t a, b;
};

/// Lines such as "27+58=₅₈85\n": the model first writes the digits of the answer from the last to the first, so that
/// each is a function of two digits and a carry that are known when it is written; then it copies them in the usual
/// order. These scratch digits are special tokens, which nobody sees.
class Sums {
 public:
  /// Numbers of at most `digits` digits, 1 to 4. A tenth of all pairs, and at most 1000, are held out: no batch has
  /// them.
  Sums(int digits, std::uint64_t seed);

  [[nodiscard]] const Characters& characters() const { return characters_; }
  [[nodiscard]] std::int64_t context() const { return 4 * digits_ + 5; }
  [[nodiscard]] const std::vector<Sum>& held_out() const { return held_out_; }
  /// Random pairs that are not held out. The loss counts the answer only.
  [[nodiscard]] Batch draw(std::int64_t batch, std::mt19937_64& random) const;
  [[nodiscard]] Batch batch_of(const std::vector<Sum>& sums) const;
  /// The part of these sums that the model answers right.
  [[nodiscard]] double exact_match(Llama& model, const std::vector<Sum>& sums) const;
  /// The model's answers without scratch digits: digits, or whatever it writes before the end of the line.
  [[nodiscard]] std::vector<std::string> answers(Llama& model, const std::vector<Sum>& sums) const;
  /// Makes the scratch digits special tokens of the tokenizer.json in a folder.
  void hide_scratch(const std::filesystem::path& folder) const;
  /// The sum of a text such as "27 + 58" or "27+58=". Error of kind value if it is none, or a number is too large.
  [[nodiscard]] Sum parse(std::string_view text) const;

 private:
  [[nodiscard]] std::int64_t key(const Sum& sum) const { return sum.a * limit_ + sum.b; }

  int digits_;
  std::int64_t limit_;  // numbers are below it
  Characters characters_;
  std::vector<Sum> held_out_;
  std::unordered_set<std::int64_t> held_out_keys_;
};

}  // namespace tessera::app
