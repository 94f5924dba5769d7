// Choosing tokens from logits, on the device: greedy, temperature, top-k, top-p, min-p, typical, penalties, bias,
// masks.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tessera/export.h"
#include "tessera/nn/module.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {
namespace llm {

/// How tokens are chosen. The order is that of the transformers package: bias, penalties and mask, temperature, top-k,
/// top-p, min-p, typical.
struct SamplingOptions {
  double temperature = 1;  // 0: greedy, the token with the largest logit
  std::int64_t top_k = 0;  // of the k largest logits; 0: of all
  double top_p = 1;        // of the fewest tokens whose probabilities sum up to p
  double min_p = 0;        // of tokens with at least this fraction of the largest probability
  double typical_p = 1;    // of the tokens whose information is closest to the entropy, up to this probability
  /// Logits of tokens that the prompt or the answer has are divided by it if positive, else multiplied.
  double repetition_penalty = 1;
  /// Subtracted from the logits of tokens of the answer: per occurrence, and once.
  double frequency_penalty = 0, presence_penalty = 0;
  std::vector<std::pair<std::int64_t, double>> logit_bias = {};  // tokens, and what is added to their logits
};

/// Tokens, i32 [batch], for logits [batch, vocabulary] and one uniform number in [0, 1) for each sequence, [batch]:
/// temperature, top-k, top-p, min-p and typical of the options. A pure function, for use in compiled steps. Error of
/// kind value for options out of their range.
Tensor sample(const Tensor& logits, const SamplingOptions& options, const Tensor& uniform);

/// Uniform numbers in [0, 1), f32 of the common shape, of seeds (u32) and steps (i32): the same on every device.
Tensor uniform_of(const Tensor& seeds, const Tensor& steps);

/// A sampler for a batch of sequences: counts of tokens, seeds and steps are tensors on the device, so a step that
/// samples is one trace, and reads nothing back:
///
///   llm::Sampler sampler({.temperature = 0.7, .top_p = 0.9}, 1, model.config().vocabulary, 42);
///   auto step = compile([&](const Tensor& t) { return sampler(model.forward(t, cache, {.last = true})); }, cache,
///   sampler);
class Sampler : public nn::Stateful {
 public:
  Tensor seeds;   // u32 [batch]
  Tensor steps;   // tokens chosen so far, i32 [batch]
  Tensor counts;  // of each token in the answer, i32 [batch, vocabulary]; empty without penalties
  Tensor seen;    // whether the prompt has a token, bool [batch, vocabulary]; empty without a repetition penalty

  /// Sequence i has the seed `seed + i`. Error of kind value for options out of their range.
  Sampler(SamplingOptions options, std::int64_t batch, std::int64_t vocabulary, std::uint32_t seed,
          const Device& device = {});
  void fields(nn::Fields& f) override;
  [[nodiscard]] const SamplingOptions& options() const { return options_; }

  /// Adds the tokens of a prompt, integers [batch, T], to those that the repetition penalty sees; `lengths` [batch] of
  /// them are valid.
  void prompt(const Tensor& ids, const Tensor& lengths = {});
  /// Tokens, i32 [batch, 1], for logits [batch, vocabulary]. `mask`: bool, true for tokens that are allowed, broadcasts
  /// to the logits; at least one must be.
  Tensor operator()(const Tensor& logits, const Tensor& mask = {});

 private:
  SamplingOptions options_;
  std::int64_t vocabulary_;
  Tensor bias_;  // [vocabulary], or empty
};

}  // namespace llm
}  // namespace tessera
