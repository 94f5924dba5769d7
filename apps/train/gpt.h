// `tessera train gpt`: a small transformer on the characters or tokens of a text, or on sums that it makes itself.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "train/llama.h"
#include "train/sums.h"

namespace tessera::app {

/// What is not given has a default of its own for a text and for sums.
struct GptOptions {
  std::filesystem::path text = {};       // empty: sums
  std::filesystem::path tokenizer = {};  // a tokenizer.json for the text; empty: its characters
  std::filesystem::path load = {};       // a folder to start from
  std::filesystem::path out = {};        // a folder for the model and the log
  std::optional<std::int64_t> layers = {}, heads = {}, kv_heads = {}, width = {}, hidden = {}, context = {};
  std::optional<std::int64_t> batch = {}, steps = {}, warmup = {};
  std::optional<double> lr = {}, min_lr = {}, dropout = {};
  double beta1 = 0.9, beta2 = 0.99, weight_decay = 0.1, clip = 1;
  std::int64_t eval_every = 250;   // steps between validations
  std::int64_t eval_batches = 20;  // at most
  bool untied = false;
  int digits = 2;
  std::uint64_t seed = 1;
  std::string prompt = {};
  std::int64_t sample = 200;  // characters, or tokens
  double temperature = 0.8;

  /// Whether the job is the one whose result is promised.
  [[nodiscard]] bool is_default_sums() const;
};

/// A model that was trained on sums.
struct SumsModel {
  Sums sums;
  Llama model;
};
/// Trains on sums, with progress on standard output.
SumsModel train_sums(const GptOptions& options);

/// The exit code: 1 if the default job on sums misses an exact match of 0.99.
int train_gpt(const GptOptions& options);

}  // namespace tessera::app
