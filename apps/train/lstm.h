// `tessera train lstm`: an LSTM that reads brackets, and says at each position which bracket is to be closed next.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "tessera/data/array.h"
#include "tessera/tessera.h"

namespace tessera::app {

struct LstmOptions {
  std::int64_t kinds = 3;  // of brackets: ( [ { <
  std::int64_t depth = 6;  // open brackets at a time, at most
  std::int64_t length = 32;
  std::int64_t samples = 12800;  // sequences of an epoch
  std::int64_t hidden = 64, epochs = 3, batch = 64;
  double lr = 1e-2;
  std::uint64_t seed = 1;
  std::filesystem::path out = {};  // the folder of the run
  friend bool operator==(const LstmOptions&, const LstmOptions&) = default;
};

/// Random sequences of brackets: "tokens", i32 [N, L], where 2 k opens and 2 k + 1 closes kind k, and "open", i32 [N,
/// L]: behind each bracket the innermost one that is open, as k + 1, or 0 if all are closed.
data::Sample bracket_sequences(std::int64_t count, std::int64_t length, std::int64_t kinds, std::int64_t depth,
                               std::uint64_t seed);

/// Tokens [N, L] to logits [N, L, kinds + 1].
class BracketReader : public nn::Module {
 public:
  nn::Embedding embedding;
  nn::LSTM lstm;
  nn::Linear head;

  BracketReader(std::int64_t kinds, std::int64_t hidden);
  void fields(nn::Fields& f) override;
  Tensor forward(const Tensor& tokens) override { return head(lstm(embedding(tokens))); }
};

struct LstmResult {
  double accuracy;         // of the positions of held-out sequences
  double longer_accuracy;  // of sequences twice as long as those of the training
  double loss;             // over the held-out sequences
};
/// Trains, with progress on standard output.
LstmResult fit_lstm(const LstmOptions& options);

/// The exit code: 1 if the default job misses an accuracy of 0.99.
int train_lstm(const LstmOptions& options);

}  // namespace tessera::app
