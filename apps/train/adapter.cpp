// Trains a small language model, and then a low-rank adapter for it.
#include "train/adapter.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "terminal.h"
#include "tessera/data/loader.h"
#include "tessera/train/trainer.h"
#include "train/corpus.h"
#include "train/files.h"
#include "train/generate.h"
#include "train/job.h"

namespace tessera::app {

namespace {

constexpr double kSortedRight = 0.98;       // of the default job
constexpr std::int64_t kSortedLines = 500;  // held out
constexpr std::int32_t kArrow = 10;         // the token behind the question; those of digits are the digits
constexpr std::int64_t kSortTokens = 11;

void check_adapter(const AdapterOptions& o) {
  const auto expect = [](bool good, const std::string& given, const char* expected) {
    expect_option("lora", good, given, expected);
  };
  expect(o.digits >= 2 && o.digits <= 16, fmt::format("{} digits", o.digits), "2 to 16");
  expect(o.base_epochs >= 1 && o.epochs >= 1, fmt::format("{} and {} epochs", o.base_epochs, o.epochs), "at least 1");
  expect(o.batch >= 1, fmt::format("a batch of {}", o.batch), "at least 1");
  expect(o.samples >= o.batch, fmt::format("{} lines", o.samples), "at least one batch");
  expect(o.rank >= 1 && o.rank <= o.width, fmt::format("a rank of {}", o.rank), "1 to the width");
  expect(o.base_lr > 0 && o.lr > 0, fmt::format("rates of {} and {}", o.base_lr, o.lr), "more than 0");
}

/// A random line: of those that are held out if their sum, weighted by position, is a multiple of 11.
Tokens random_line(std::int64_t digits, bool held_out, std::mt19937_64& random) {
  Tokens line;
  std::int64_t sum = 0;
  do {
    line.clear();
    sum = 0;
    for (std::int64_t i = 0; i < digits; ++i) {
      line.push_back(static_cast<std::int32_t>(random() % 10));
      sum += (i + 1) * line.back();
    }
  } while ((sum % 11 == 0) != held_out);
  return line;
}

Tokens in_order(Tokens line, bool descending) {
  std::ranges::sort(line);
  if (descending) std::ranges::reverse(line);
  return line;
}

std::string line_text(const Tokens& tokens) {
  std::string out;
  for (const std::int32_t token : tokens) out += "0123456789>"[static_cast<std::size_t>(token)];
  return out;
}

/// Lines that are held out, and what the model writes behind them.
struct Completed {
  std::vector<Tokens> questions, answers;
};
Completed complete(Llama& model, std::int64_t digits, std::int64_t count) {
  constexpr std::uint64_t kSeed = 1'000'003;
  std::mt19937_64 random(kSeed);
  Completed out;
  for (std::int64_t i = 0; i < count; ++i) {
    out.questions.push_back(random_line(digits, true, random));
    out.questions.back().push_back(kArrow);
  }
  out.answers = generate(model, out.questions, {.count = digits});
  return out;
}

void fit_sorting(Llama& model, const AdapterOptions& o, bool descending) {
  const auto loader = [&](std::int64_t count, bool held_out) {
    return data::DataLoader(data::from_arrays(sorting_lines(count, o.digits, descending, held_out, o.seed)),
                            {.batch = o.batch,
                             .shuffle = !held_out,
                             .seed = o.seed,
                             .drop_last = !held_out,
                             .group = distributed::Group(),
                             .even = !held_out});
  };
  data::DataLoader training = loader(o.samples, false);
  data::DataLoader held_out = loader(kSortedLines, true);
  const std::int64_t epochs = descending ? o.epochs : o.base_epochs;
  const std::int64_t steps = epochs * training.size();
  optim::AdamW optimizer(model, {.lr = optim::one_cycle(descending ? o.lr : o.base_lr, steps, {.start = 0.1}),
                                 .no_decay = optim::vectors_of(model)});
  train::Trainer trainer(model, optimizer,
                         [&](const Tree& batch) {
                           const Tensor logits = model(batch["tokens"]);
                           return cross_entropy(logits.reshape({-1, kSortTokens}), batch["targets"].reshape({-1}),
                                                {.ignore_index = kIgnored});
                         },
                         {.epochs = epochs,
                          .clip_norm = 1,
                          .out = o.out.empty() ? o.out : o.out / (descending ? "adapter-run" : "base-run")});
  (void)trainer.fit(training, &held_out);
}

std::uint64_t bytes_of(const Tree& tensors) {
  std::uint64_t bytes = 0;
  for (const Tensor& tensor : tensors.tensors()) bytes += static_cast<std::uint64_t>(tensor.numel()) * sizeof(float);
  return bytes;
}

}  // namespace

data::Sample sorting_lines(std::int64_t count, std::int64_t digits, bool descending, bool held_out,
                           std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::int32_t> tokens;
  std::vector<std::int32_t> targets;
  for (std::int64_t i = 0; i < count; ++i) {
    const Tokens line = random_line(digits, held_out, random);
    const Tokens sorted = in_order(line, descending);
    tokens.insert(tokens.end(), line.begin(), line.end());
    tokens.push_back(kArrow);
    tokens.insert(tokens.end(), sorted.begin(), sorted.end() - 1);
    targets.insert(targets.end(), line.size(), kIgnored);
    targets.insert(targets.end(), sorted.begin(), sorted.end());
  }
  const Shape shape{count, 2 * digits};
  return {{"tokens", data::Array(std::move(tokens), shape)}, {"targets", data::Array(std::move(targets), shape)}};
}

double sorted_right(Llama& model, std::int64_t digits, bool descending) {
  const Completed all = complete(model, digits, kSortedLines);
  std::int64_t right = 0;
  for (std::size_t i = 0; i < all.questions.size(); ++i) {
    const Tokens line(all.questions[i].begin(), all.questions[i].end() - 1);
    if (all.answers[i] == in_order(line, descending)) ++right;
  }
  return static_cast<double>(right) / static_cast<double>(all.questions.size());
}

AdapterResult fit_adapter(const AdapterOptions& o) {
  check_adapter(o);
  random::set_seed(o.seed);
  Llama base({.vocabulary = kSortTokens,
              .layers = o.layers,
              .heads = o.heads,
              .kv_heads = o.heads,
              .width = o.width,
              .context = 2 * o.digits + 1});
  fmt::print("The base sorts {} digits in ascending order: {} parameters, on {}\n", o.digits,
             count_text(static_cast<double>(base.parameter_count())), Device::current().name());
  fit_sorting(base, o, false);

  Llama adapted = base;  // a copy with parameters of its own
  const std::vector<std::string> layers = nn::lora(adapted, o.rank, {"model.layers.*"});
  std::int64_t parameters = 0;
  for (const Tensor& tensor : nn::lora_parameters(adapted).tensors()) parameters += tensor.numel();
  fmt::print("The adapter, of rank {} in {} layers, sorts in descending order: {} parameters\n", o.rank, layers.size(),
             count_text(static_cast<double>(parameters)));
  fit_sorting(adapted, o, true);

  const auto right = [&](Llama& model, bool descending) { return sorted_right(model, o.digits, descending); };
  AdapterResult out{base, adapted, 0, 0, 0, 0};
  out.base_ascending = right(out.base, false);
  out.base_descending = right(out.base, true);
  out.adapted_ascending = right(out.adapted, false);
  out.adapted_descending = right(out.adapted, true);
  return out;
}

int train_adapter(const AdapterOptions& o) {
  if (!o.out.empty()) make_folder(o.out);  // what cannot be written fails before the training
  AdapterResult result = fit_adapter(o);
  const Tree adapter = nn::lora_parameters(result.adapted);
  const Tree base = result.base.state();
  if (!o.out.empty()) {
    io::save_safetensors(o.out / "base.safetensors", base);
    io::save_safetensors(o.out / "adapter.safetensors", adapter);
    fmt::print("saved: base.safetensors and adapter.safetensors in {}\n", o.out.string());
  }
  for (auto* model : {&result.base, &result.adapted}) {
    const Completed shown = complete(*model, o.digits, 3);
    for (std::size_t i = 0; i < shown.questions.size(); ++i) {
      fmt::print("{}{}{}", line_text(shown.questions[i]), line_text(shown.answers[i]),
                 i + 1 < shown.questions.size() ? "  " : "\n");
    }
  }
  fmt::print("base, {}: {:.3f} ascending, {:.3f} descending\n", bytes_text(bytes_of(base)), result.base_ascending,
             result.base_descending);
  fmt::print("with the adapter, {}: {:.3f} ascending, {:.3f} descending\n", bytes_text(bytes_of(adapter)),
             result.adapted_ascending, result.adapted_descending);
  fmt::print("held-out lines right: {:.3f} of the base's task, {:.3f} of the adapter's\n", result.base_ascending,
             result.adapted_descending);
  const bool usual = o == AdapterOptions{.out = o.out};
  return usual && std::min(result.base_ascending, result.adapted_descending) < kSortedRight ? 1 : 0;
}

}  // namespace tessera::app
