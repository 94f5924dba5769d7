// Trains a small transformer on the characters or tokens of a text, or on sums.
#include "train/gpt.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "terminal.h"
#include "tessera/train/progress.h"
#include "train/corpus.h"
#include "train/files.h"

namespace tessera::app {

namespace {

constexpr double kPromised = 0.99;  // exact match of the default job
constexpr std::int64_t kLogLines = 100;

/// The numbers of a job, all of them given.
struct Job {
  LlamaConfig config;
  std::int64_t batch, steps, warmup;
  double lr, min_lr;
};

Job job_of(const GptOptions& o, std::int64_t vocabulary, std::int64_t sums_context) {
  const bool text = sums_context == 0;
  Job job;
  job.config = {.vocabulary = vocabulary,
                .layers = o.layers.value_or(text ? 4 : 2),
                .heads = o.heads.value_or(4),
                .width = o.width.value_or(text ? 128 : 64),
                .hidden = o.hidden.value_or(0),
                .context = o.context.value_or(text ? 64 : sums_context),
                .tied = !o.untied,
                .dropout = o.dropout.value_or(0)};
  job.config.kv_heads = o.kv_heads.value_or(job.config.heads);
  job.batch = o.batch.value_or(text ? 12 : 128);
  job.steps = o.steps.value_or(text ? 2000 : 1500);
  job.warmup = o.warmup.value_or(std::min<std::int64_t>(100, job.steps / 10));
  job.lr = o.lr.value_or(text ? 1e-3 : 3e-3);
  job.min_lr = o.min_lr.value_or(job.lr / 10);
  const auto check = [](bool good, const std::string& given, const char* expected) {
    if (!good) throw Error(ErrorKind::kValue, fmt::format("train gpt: {} was given; {} is expected.", given, expected));
  };
  check(job.batch >= 1, fmt::format("a batch of {}", job.batch), "at least 1");
  check(job.batch % distributed::size() == 0, fmt::format("a batch of {}", job.batch),
        fmt::format("a multiple of the {} ranks", distributed::size()).c_str());
  check(job.steps >= 0, fmt::format("{} steps", job.steps), "0 or more");
  check(job.warmup >= 0 && (job.warmup < job.steps || job.warmup == 0),
        fmt::format("a warm-up of {} steps", job.warmup), "less than the number of steps");
  check(job.lr > 0, fmt::format("a rate of {}", job.lr), "more than 0");
  check(job.min_lr >= 0 && job.min_lr <= job.lr, fmt::format("a last rate of {}", job.min_lr), "from 0 to the rate");
  check(o.clip > 0, fmt::format("clipping at {}", o.clip), "more than 0");
  check(o.eval_every >= 1, fmt::format("a validation every {} steps", o.eval_every), "at least 1");
  check(o.eval_batches >= 1, fmt::format("a validation of {} batches", o.eval_batches), "at least 1");
  check(o.sample >= 0, fmt::format("a sample of {}", o.sample), "0 or more");
  check(o.temperature >= 0, fmt::format("a temperature of {}", o.temperature), "0 or more");
  check(o.beta1 >= 0 && o.beta1 < 1 && o.beta2 >= 0 && o.beta2 < 1, fmt::format("betas of {} and {}", o.beta1, o.beta2),
        "from 0 to below 1");
  check(o.weight_decay >= 0, fmt::format("a weight decay of {}", o.weight_decay), "0 or more");
  if (!text && job.config.context < sums_context) {
    check(false, fmt::format("a context of {}", job.config.context),
          "room for a sum, 4 characters for each digit and 5,");
  }
  return job;
}

/// What a job trains on.
struct Data {
  std::function<Batch()> draw;
  std::vector<Batch> train, validation;  // for the losses that are printed, without dropout
};

/// The rows of this rank, and the weight of their mean loss: the mean over the ranks is that over all targets.
struct Share {
  Batch batch;
  Tensor weight = 1.0;
};
Share share_of(const Batch& batch) {
  const int ranks = distributed::size();
  if (ranks == 1) return {batch};
  const std::int64_t rows = batch.tokens.size(0) / ranks;
  const Slice own{distributed::rank() * rows, (distributed::rank() + 1) * rows};
  const Batch part{slice(batch.tokens, {own}), slice(batch.targets, {own})};
  const auto counted = [](const Tensor& targets) { return sum(not_equal(targets, kIgnored).astype(f32)); };
  return {part, (counted(part.targets) * static_cast<double>(ranks) / maximum(counted(batch.targets), 1.0)).eval()};
}

Tensor loss_of(Llama& model, const Batch& batch) {
  const Tensor logits = model(batch.tokens);
  return cross_entropy(logits.reshape({-1, logits.size(2)}), batch.targets.reshape({-1}), {.ignore_index = kIgnored});
}

/// Trains the model, and leaves in it the parameters with the lowest validation loss.
void fit(Llama& model, const Job& job, const GptOptions& o, const Data& data) {
  optim::AdamW optimizer(model, {.lr = optim::cosine(job.lr, std::max<std::int64_t>(job.steps, 1),
                                                     {.minimum = job.min_lr, .warmup = job.warmup}),
                                 .beta1 = o.beta1,
                                 .beta2 = o.beta2,
                                 .weight_decay = o.weight_decay,
                                 .no_decay = optim::vectors_of(model)});
  const auto step = compile(
      [&](const Tensor& tokens, const Tensor& targets, const Tensor& weight) {
        const auto of_rank = [&] {
          return distributed::size() == 1 ? loss_of(model, {tokens, targets})
                                          : loss_of(model, {tokens, targets}) * weight;
        };
        auto [own, gradients] = value_and_grad(model, of_rank)();
        const Tensor loss = distributed::all_reduce(own, distributed::Reduce::kMean);
        gradients = distributed::average_gradients(gradients);
        gradients = optim::clip_grad_norm(gradients, o.clip).gradients;
        optimizer.update(model, gradients);
        return loss;
      },
      model, optimizer);
  const auto loss_alone =
      compile([&](const Tensor& tokens, const Tensor& targets) { return loss_of(model, {tokens, targets}); }, model);
  const auto mean_loss = [&](const std::vector<Batch>& batches) {
    double total = 0;
    for (const Batch& b : batches) total += loss_alone(b.tokens, b.targets).item<double>();
    return total / static_cast<double>(batches.size());
  };

  const auto losses = [&](std::int64_t at) {
    model.eval();
    const double train = mean_loss(data.train);
    const double validation = mean_loss(data.validation);
    model.train();
    return std::pair(fmt::format("step {}: train loss {:.4f}, validation loss {:.4f}", at, train, validation),
                     validation);
  };
  if (job.steps == 0) return fmt::print("{}\n", losses(0).first);

  // Draws of dropout differ from rank to rank; those of batches do not.
  if (distributed::rank() > 0) random::set_seed(o.seed + static_cast<std::uint64_t>(distributed::rank()));
  train::Progress progress({.steps = job.steps, .unit = "tokens"});
  std::optional<train::RunLog> log;
  if (!o.out.empty()) log.emplace(o.out).continue_from(0);
  const std::int64_t log_every = std::max<std::int64_t>(job.steps / kLogLines, 1);
  const std::int64_t tokens = job.batch * data.validation[0].tokens.size(1);  // of a step
  Llama best = model;
  double lowest = std::numeric_limits<double>::infinity();
  for (std::int64_t i = 1; i <= job.steps; ++i) {
    const Share own = share_of(data.draw());
    const Tensor loss = step(own.batch.tokens, own.batch.targets, own.weight);
    const bool shown = progress.due(i);
    if (shown || (log && i % log_every == 0)) {
      const train::Values values{{"loss", loss.item<double>()}, {"rate", optimizer.rate().item<double>()}};
      if (shown) progress.show(i, static_cast<double>(i * tokens), values);
      if (log) log->write(i, "train", values);
    }
    if (i % o.eval_every != 0 && i != job.steps) continue;
    const auto [text, validation] = losses(i);
    if (log) log->write(i, "validation", {{"loss", validation}});
    if (validation < lowest) {
      lowest = validation;
      best = model;
    }
    progress.line(fmt::format("{}, {}", text, time_text(progress.seconds())));
  }
  model = best;
  progress.line(fmt::format("lowest validation loss: {:.4f}", lowest));
}

void describe(const Llama& model, const Vocabulary& vocabulary, const std::string& data) {
  const LlamaConfig& c = model.config();
  fmt::print("{}: {} parameters ({} layers, {} heads, width {}, context {}, {} {}) on {}\n", data,
             count_text(static_cast<double>(model.parameter_count())), c.layers, c.heads, c.width, c.context,
             c.vocabulary, vocabulary.unit(), Device::current().name());
}

/// The model of the folder to start from, if there is one.
std::optional<LoadedLlama> loaded_of(const GptOptions& o) {
  if (o.load.empty()) return std::nullopt;
  return load_llama(o.load, o.dropout.value_or(0));
}

/// The loaded model, which must fit the data, or a new one.
Llama model_for(std::optional<LoadedLlama> loaded, const Job& job, const Vocabulary& vocabulary) {
  if (!loaded) return Llama(job.config);
  if (!(loaded->vocabulary == vocabulary)) {
    throw Error(
        ErrorKind::kValue,
        fmt::format("train gpt: the loaded model has {} {}, which are not the {} {} of the data.",
                    loaded->vocabulary.size(), loaded->vocabulary.unit(), vocabulary.size(), vocabulary.unit()));
  }
  if (loaded->model.config().context < job.config.context) {
    throw Error(ErrorKind::kValue, fmt::format("train gpt: a context of {} was given; the loaded model has {}.",
                                               job.config.context, loaded->model.config().context));
  }
  return std::move(loaded->model);
}

void save(const GptOptions& o, const Llama& model, const Vocabulary& vocabulary, std::int32_t end) {
  if (o.out.empty()) return;
  save_llama(o.out, model, vocabulary, end);
  fmt::print("saved: {}\n", o.out.string());
}

Tokens start_of(const Vocabulary& vocabulary, const std::string& prompt) {
  if (prompt.empty()) return vocabulary.start();
  Tokens start = vocabulary.encode(prompt);
  if (start.empty()) {
    throw Error(ErrorKind::kValue,
                fmt::format("train gpt: the prompt {} has no tokens; at least one is expected.", in_quotes(prompt)));
  }
  return start;
}

int train_text(GptOptions o) {
  const std::string text = read_text(o.text);
  std::optional<LoadedLlama> loaded = loaded_of(o);
  const Vocabulary vocabulary = !o.tokenizer.empty() ? Vocabulary::load(o.tokenizer)
                                : loaded             ? loaded->vocabulary
                                                     : Vocabulary(Characters(text));
  if (loaded && !o.context) o.context = loaded->model.config().context;
  const Job job = job_of(o, vocabulary.size(), 0);
  Llama model = model_for(std::move(loaded), job, vocabulary);
  const TextCorpus corpus(text, vocabulary, job.config.context);
  const Tokens start = start_of(vocabulary, o.prompt);
  std::mt19937_64 random(o.seed);
  Data data{[&] { return corpus.draw(job.batch, random); }, {}, corpus.validation(job.batch, o.eval_batches)};
  for (std::size_t i = 0; i < data.validation.size(); ++i) data.train.push_back(data.draw());
  describe(model, vocabulary,
           fmt::format("{} ({} {})", o.text.filename().string(), count_text(static_cast<double>(corpus.size())),
                       vocabulary.unit()));
  fit(model, job, o, data);
  if (o.sample > 0) {
    const std::vector<Tokens> written = generate(model, {start}, {.count = o.sample, .temperature = o.temperature});
    fmt::print("---\n{}{}\n---\n", o.prompt, vocabulary.decode_after(start, written[0]));
  }
  save(o, model, vocabulary, -1);
  return 0;
}

}  // namespace

bool GptOptions::is_default_sums() const {
  const GptOptions usual;
  return text.empty() && load.empty() && !layers && !heads && !kv_heads && !width && !hidden && !batch && !steps &&
         !warmup && !lr && !min_lr && !dropout && digits == usual.digits && beta1 == usual.beta1 &&
         beta2 == usual.beta2 && weight_decay == usual.weight_decay && clip == usual.clip && !untied;
}

SumsModel train_sums(const GptOptions& o) {
  random::set_seed(o.seed);
  Sums sums(o.digits, o.seed);
  const Job job = job_of(o, sums.characters().size(), sums.context());
  Llama model = model_for(loaded_of(o), job, sums.characters());
  SumsModel out{std::move(sums), std::move(model)};
  std::mt19937_64 random(o.seed);
  const Data data{[&] { return out.sums.draw(job.batch, random); },
                  {out.sums.draw(static_cast<std::int64_t>(out.sums.held_out().size()), random)},
                  {out.sums.batch_of(out.sums.held_out())}};
  describe(out.model, out.sums.characters(), fmt::format("sums of up to {} digits", o.digits));
  fit(out.model, job, o, data);
  return out;
}

int train_gpt(const GptOptions& o) {
  if (!o.out.empty()) make_folder(o.out);  // what cannot be written fails before the training
  if (!o.text.empty()) {
    random::set_seed(o.seed);
    return train_text(o);
  }
  if (!o.tokenizer.empty()) {
    throw Error(ErrorKind::kValue, "train gpt: a tokenizer was given without a text; --text FILE is expected with it.");
  }
  std::vector<Sum> shown;
  if (!o.prompt.empty()) shown = {Sums(o.digits, o.seed).parse(o.prompt)};
  SumsModel trained = train_sums(o);
  const std::vector<Sum>& held_out = trained.sums.held_out();
  if (shown.empty())
    shown.assign(held_out.begin(), held_out.begin() + std::min<std::ptrdiff_t>(5, std::ssize(held_out)));
  const std::vector<std::string> answers = trained.sums.answers(trained.model, shown);
  for (std::size_t i = 0; i < shown.size(); ++i) fmt::print("{}+{}={}\n", shown[i].a, shown[i].b, answers[i]);
  save(o, trained.model, trained.sums.characters(), trained.sums.characters().encode("\n")[0]);
  if (!o.out.empty()) trained.sums.hide_scratch(o.out);
  const double match = trained.sums.exact_match(trained.model, held_out);
  fmt::print("held-out exact match: {:.3f}\n", match);
  return o.is_default_sums() && match < kPromised ? 1 : 0;
}

}  // namespace tessera::app
