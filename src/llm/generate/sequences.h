// The loop of generation: sequences over the rows of one cache, of a context or of a batch.
#pragma once

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "llm/generate/loaded_model.h"
#include "llm/generate/stop_strings.h"
#include "tessera/async.h"
#include "tessera/llm/batch.h"

namespace tessera::llm {

/// One sequence: its tokens, its options, and its answer so far.
struct Sequence {
  Sequence(const LoadedModel& loaded, std::size_t number, std::vector<text::TokenId> prompt,
           const GenerateOptions& given);

  std::size_t id;
  GenerateOptions options;
  SamplingOptions sampling;
  std::vector<text::TokenId> end_tokens;
  std::string group;                  // sequences of one group are sampled by one call
  std::vector<text::TokenId> tokens;  // of the prompt, and then of the answer
  std::optional<text::StreamDecoder> decoder;
  StopStrings stops;
  Generation result;
  std::string text;  // that is new with its last token
  std::chrono::steady_clock::time_point start;
  bool done = false;
  std::int64_t row = -1;       // of the cache; -1: none
  std::int64_t position = 0;   // tokens that the cache has, once all that was submitted is computed
  std::int64_t submitted = 0;  // tokens of the answer, read or not
  std::int64_t unread = 0;     // of them

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(tokens.size()); }
  /// All tokens but the last, which the next step takes, are computed.
  [[nodiscard]] bool prefilled() const { return position + 1 >= count(); }
  /// The tokens whose keys and values the cache has.
  [[nodiscard]] std::span<const text::TokenId> cached() const {
    return std::span(tokens).first(std::min(tokens.size(), static_cast<std::size_t>(position)));
  }
};

/// Runs sequences. Each step is submitted before the tokens of the last one are read. With a paged cache sequences join
/// and leave, and its last row is that of padding; a cache without pages has one row, for one sequence.
class Sequences {
 public:
  Sequences(LoadedModel& loaded, Cache& cache, std::int64_t chunk);

  /// A prompt that was checked; the cache has its first `cached` tokens. Errors are those of Sampler.
  std::shared_ptr<Sequence> add(std::size_t id, std::vector<text::TokenId> prompt, const GenerateOptions& options,
                                std::int64_t cached = 0);
  /// See Batch::step. What it throws leaves the cache empty.
  BatchStep step();
  /// Ends a sequence, if it has not ended.
  void cancel(Sequence& s);
  /// Forgets what was submitted, and makes all running sequences wait: the cache is another one.
  void restart();

  [[nodiscard]] std::size_t running() const { return running_.size(); }
  [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }
  [[nodiscard]] std::int64_t capacity() const { return capacity_; }

 private:
  using Handle = std::shared_ptr<Sequence>;
  /// Sequences of a step that are sampled alike.
  struct Group {
    std::vector<Sequence*> members;
    std::optional<std::int64_t> logprobs;
    Sampler sampler;  // its rows are the members, and then padding
    Tensor rows;      // of the step; empty if it is the only group
  };
  /// A step that was submitted: its sequences, where their results are, and the read of these.
  struct Step {
    struct Place {
      Handle sequence;
      std::size_t first = 0;  // of the values of its group
      std::size_t row = 0;    // of these
    };
    std::vector<Place> places;
    Async<std::vector<std::vector<std::byte>>> values;
  };

  [[nodiscard]] bool paged() const { return cache_.page_size() > 0; }
  void admit();
  void prefill();
  std::optional<Step> submit();
  void take(Step& step, BatchStep& out);
  void accept(const Step::Place& place, const std::vector<std::vector<std::byte>>& values, BatchStep& out);
  std::string advance(Sequence& s, text::TokenId id);
  void finish(Sequence& s, FinishReason reason);
  void leave(Sequence& s);
  void wait_again(Sequence& s);
  bool reserve(Sequence& s, std::int64_t tokens);
  [[nodiscard]] std::vector<Handle> participants();
  void arrange(const std::vector<Handle>& rows);
  [[nodiscard]] Group group_of(std::vector<Sequence*> members, std::int64_t rows) const;
  void count_tokens(Group& group) const;
  void write_lengths();

  LoadedModel& loaded_;
  Cache& cache_;
  std::int64_t chunk_;
  std::int64_t capacity_;              // the most tokens of a sequence
  std::vector<Handle> running_;        // in the order of add()
  std::deque<Handle> waiting_;         // the same
  std::vector<std::int64_t> free_;     // rows
  std::vector<std::size_t> finished_;  // since the last step

  // The rows of the latest step, and what they share.
  std::vector<Handle> arranged_;
  std::vector<Group> groups_;
  LoadedModel::Rows rows_;
  Tensor tokens_, order_;  // the next ones, [B, 1]; rows of the groups' tokens in the order of the step's
  bool lengths_changed_ = true;
  std::optional<Step> ahead_;
};

}  // namespace tessera::llm
