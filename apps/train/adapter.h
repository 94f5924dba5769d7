// `tessera train lora`: a low-rank adapter gives a frozen language model another task.
#pragma once

#include <cstdint>
#include <filesystem>

#include "tessera/data/array.h"
#include "train/llama.h"

namespace tessera::app {

struct AdapterOptions {
  std::int64_t digits = 4;       // of a line
  std::int64_t samples = 12800;  // lines of an epoch
  std::int64_t base_epochs = 4, epochs = 8, batch = 128;
  std::int64_t layers = 2, heads = 4, width = 64, rank = 8;
  double base_lr = 3e-3, lr = 1e-2;
  std::uint64_t seed = 1;
  std::filesystem::path out = {};  // a folder for base.safetensors and adapter.safetensors
  friend bool operator==(const AdapterOptions&, const AdapterOptions&) = default;
};

/// Lines such as "528173>123578": digits, and the same digits in order. "tokens" i32 [N, 2 D], "targets" i32 [N, 2 D],
/// where the question has no loss. Lines of the training and held-out lines are different.
data::Sample sorting_lines(std::int64_t count, std::int64_t digits, bool descending, bool held_out, std::uint64_t seed);

/// The part of held-out lines that the model completes without a mistake.
double sorted_right(Llama& model, std::int64_t digits, bool descending);

struct AdapterResult {
  Llama base, adapted;
  double base_ascending, base_descending;        // the base on its own task, and on the other one
  double adapted_ascending, adapted_descending;  // with the adapter
};
/// Trains a model to sort digits in ascending order, and then an adapter alone to sort them in descending order.
AdapterResult fit_adapter(const AdapterOptions& options);

/// The exit code: 1 if the default job sorts fewer than 0.98 of the held-out lines right in one of its tasks.
int train_adapter(const AdapterOptions& options);

}  // namespace tessera::app
