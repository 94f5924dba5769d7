// A batch: sequences that join and leave at any step, over one paged cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "tessera/export.h"
#include "tessera/llm/language_model.h"

namespace TESSERA_API tessera {
namespace llm {

struct BatchOptions {
  std::int64_t sequences = 8;  // that run at the same time; others wait
  std::int64_t context = 0;    // the most tokens of a sequence; 0: that of the model's contexts
  /// Tokens of all running sequences for which there is memory; 0: `sequences` times `context`.
  std::int64_t tokens = 0;
  std::int64_t page_size = 16;  // tokens of a page of the cache
  std::int64_t chunk = 512;     // tokens of prompts that are computed in front of a step, at most
};

/// What is new after a step. Text and top of a token are valid until the next call of the batch.
struct BatchStep {
  std::vector<GeneratedToken> tokens;  // of the running sequences, one of each at most
  std::vector<std::size_t> finished;   // sequences that have ended: Batch::remove has their generations
};

/// Sequences that are generated together, each with its own prompt, position and options. They join at any time, and
/// leave when they end or are removed. A sequence gets the tokens that it would get alone.
///
///   llm::Batch batch = model.batch({.sequences = 16});
///   const std::size_t id = batch.add("The capital of France is", {.max_tokens = 20});
///   while (!batch.empty()) {
///     const llm::BatchStep step = batch.step();
///     for (const llm::GeneratedToken& t : step.tokens) send(t.sequence, t.text);
///     for (const std::size_t ended : step.finished) close(ended, batch.remove(ended));
///   }
///
/// Without a free row or enough free pages a sequence waits, in the order of add(). If running sequences need more
/// pages than there are, the last one that joined waits again, and its tokens are computed anew when it continues.
/// One thread at a time may use a batch. It keeps the model's weights alive.
class Batch {
 public:
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  ~Batch();

  /// Adds a sequence; returns its number, which counts from 0. Error of kind value if the prompt is empty or longer
  /// than a sequence may be, or an option is out of its range; of kind out_of_memory if it has more tokens than all
  /// pages.
  std::size_t add(std::span<const text::TokenId> prompt, const GenerateOptions& options = {});
  std::size_t add(std::string_view prompt, const GenerateOptions& options = {});
  /// Computes a chunk of the prompts of sequences that have joined, and a token of those whose prompts are computed.
  /// There may be none yet. If it throws, the sequences wait, and the next step computes their tokens anew.
  BatchStep step();
  /// Takes a sequence out of the batch and returns what it has. One that has not ended is cancelled. Error of kind
  /// value if there is none with that number.
  Generation remove(std::size_t sequence);

  /// Sequences that have a row of the cache, and that wait for one. Those that have ended are neither.
  [[nodiscard]] std::size_t running() const;
  [[nodiscard]] std::size_t waiting() const;
  [[nodiscard]] bool empty() const { return running() + waiting() == 0; }
  /// The most tokens of a sequence.
  [[nodiscard]] std::int64_t capacity() const;
  /// Tokens of new sequences that there are pages for.
  [[nodiscard]] std::int64_t free_tokens() const;

 private:
  friend class LanguageModel;
  struct State;
  explicit Batch(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace llm
}  // namespace tessera
