// Trains an LSTM on brackets.
#include "train/lstm.h"

#include <random>
#include <vector>

#include <fmt/format.h>

#include "terminal.h"
#include "tessera/data/loader.h"
#include "tessera/train/metrics.h"
#include "tessera/train/trainer.h"
#include "train/files.h"
#include "train/job.h"

namespace tessera::app {

namespace {

constexpr double kLstmAccuracy = 0.99;
constexpr std::string_view kOpening = "([{<";
constexpr std::string_view kBoth = "()[]{}<>";
constexpr std::int64_t kHeldOutBrackets = 1000;  // sequences

void check_lstm(const LstmOptions& o) {
  const auto expect = [](bool good, const std::string& given, const char* expected) {
    expect_option("lstm", good, given, expected);
  };
  expect(o.kinds >= 1 && o.kinds <= 4, fmt::format("{} kinds of brackets", o.kinds), "1 to 4");
  expect(o.depth >= 1, fmt::format("a depth of {}", o.depth), "at least 1");
  expect(o.length >= 2, fmt::format("a length of {}", o.length), "at least 2");
  expect(o.hidden >= 1, fmt::format("a hidden size of {}", o.hidden), "at least 1");
  expect(o.epochs >= 1, fmt::format("{} epochs", o.epochs), "at least 1");
  expect(o.batch >= 1, fmt::format("a batch of {}", o.batch), "at least 1");
  expect(o.samples >= o.batch, fmt::format("{} sequences", o.samples), "at least one batch");
  expect(o.lr > 0, fmt::format("a rate of {}", o.lr), "more than 0");
}

data::DataLoader bracket_loader(const LstmOptions& o, std::int64_t count, std::int64_t length, std::uint64_t seed,
                                bool shuffle) {
  return data::DataLoader(data::from_arrays(bracket_sequences(count, length, o.kinds, o.depth, seed)),
                          {.batch = o.batch,
                           .shuffle = shuffle,
                           .seed = o.seed,
                           .drop_last = shuffle,
                           .group = distributed::Group(),
                           .even = shuffle});
}

/// Two lines: brackets, and below each what the model says is open.
std::string bracket_example(BracketReader& model, const LstmOptions& o) {
  const data::Sample one = bracket_sequences(1, o.length, o.kinds, o.depth, o.seed + 3);
  std::string text = "read: ";
  for (const std::int32_t token : one["tokens"].values<std::int32_t>()) text += kBoth[static_cast<std::size_t>(token)];
  text += "\nopen: ";
  const Tensor said = argmax(model(one["tokens"].tensor()), -1).astype(i32);
  for (const std::int32_t kind : said.to_vector<std::int32_t>()) {
    text += kind == 0 ? '.' : kOpening[static_cast<std::size_t>(kind - 1)];
  }
  return text;
}

}  // namespace

data::Sample bracket_sequences(std::int64_t count, std::int64_t length, std::int64_t kinds, std::int64_t depth,
                               std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::int32_t> tokens;
  std::vector<std::int32_t> open;
  for (std::int64_t i = 0; i < count; ++i) {
    std::vector<std::int32_t> stack;
    for (std::int64_t at = 0; at < length; ++at) {
      const bool opens = stack.empty() || (std::ssize(stack) < depth && random() % 2 == 0);
      if (opens) stack.push_back(static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(kinds)));
      tokens.push_back(2 * stack.back() + (opens ? 0 : 1));
      if (!opens) stack.pop_back();
      open.push_back(stack.empty() ? 0 : stack.back() + 1);
    }
  }
  const Shape shape{count, length};
  return {{"tokens", data::Array(std::move(tokens), shape)}, {"open", data::Array(std::move(open), shape)}};
}

BracketReader::BracketReader(std::int64_t kinds, std::int64_t hidden)
    : embedding(2 * kinds, hidden), lstm(hidden, hidden, {.batch_first = true}), head(hidden, kinds + 1) {}

void BracketReader::fields(nn::Fields& f) {
  f("embedding", embedding);
  f("lstm", lstm);
  f("head", head);
}

LstmResult fit_lstm(const LstmOptions& o) {
  check_lstm(o);
  random::set_seed(o.seed);
  data::DataLoader training = bracket_loader(o, o.samples, o.length, o.seed, true);
  data::DataLoader held_out = bracket_loader(o, kHeldOutBrackets, o.length, o.seed + 1, false);
  data::DataLoader longer = bracket_loader(o, kHeldOutBrackets, 2 * o.length, o.seed + 2, false);

  BracketReader model(o.kinds, o.hidden);
  optim::Adam optimizer(model, {.lr = optim::cosine(o.lr, o.epochs * training.size())});
  train::Accuracy accuracy;
  train::Trainer trainer(model, optimizer,
                         [&](const Tree& batch) {
                           const Tensor logits = model(batch["tokens"]).reshape({-1, o.kinds + 1});
                           const Tensor open = batch["open"].reshape({-1});
                           accuracy.update(logits, open);
                           return cross_entropy(logits, open);
                         },
                         {.epochs = o.epochs, .clip_norm = 1, .out = o.out, .monitor = "accuracy", .maximize = true});
  trainer.metric("accuracy", accuracy);
  fmt::print("{} sequences of {} brackets of {} kinds, up to {} open, {} parameters, on {}\n", o.samples, o.length,
             o.kinds, o.depth, count_text(static_cast<double>(model.parameter_count())), Device::current().name());
  (void)trainer.fit(training, &held_out);

  const train::Values values = trainer.evaluate(held_out);
  const double longer_accuracy = value_of(trainer.evaluate(longer), "accuracy");
  model.eval();
  fmt::print("{}\n", bracket_example(model, o));
  return {value_of(values, "accuracy"), longer_accuracy, value_of(values, "loss")};
}

int train_lstm(const LstmOptions& o) {
  if (!o.out.empty()) make_folder(o.out);  // what cannot be written fails before the training
  const LstmResult result = fit_lstm(o);
  fmt::print("accuracy on sequences of {}: {:.4f}\n", 2 * o.length, result.longer_accuracy);
  fmt::print("held-out accuracy: {:.4f}\n", result.accuracy);
  const bool usual = o == LstmOptions{.out = o.out};
  return usual && result.accuracy < kLstmAccuracy ? 1 : 0;
}

}  // namespace tessera::app
