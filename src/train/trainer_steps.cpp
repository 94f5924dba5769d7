// The compiled steps of a Trainer: a batch with its update, an update of accumulated gradients, and validation.
#include "base/fail.h"
#include "base/log.h"
#include "tessera/autocast.h"
#include "tessera/ops.h"
#include "tessera/train/memory_advice.h"
#include "train/trainer_state.h"

namespace tessera::train {

namespace {

/// Evaluation mode of a module, while it lives; then each part has its own mode again.
class EvaluationMode {
 public:
  explicit EvaluationMode(nn::Module& model) {
    model.apply([&](const std::string&, nn::Module& m) { modes_.emplace_back(&m, m.training()); });
    model.eval();
  }
  ~EvaluationMode() {
    for (const auto& [module, training] : modes_) module->train(training);  // parts follow their module
  }
  EvaluationMode(const EvaluationMode&) = delete;
  EvaluationMode& operator=(const EvaluationMode&) = delete;

 private:
  std::vector<std::pair<nn::Module*, bool>> modes_;
};

/// Runs a compiled step; an Error of kind out_of_memory says what uses the memory, and what would help.
template <class Step, class... Batch>
auto run_step(const Step& compiled, const Batch&... batch) {
  try {
    return compiled(batch...);
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::kOutOfMemory) throw;
    std::string advice;
    try {
      advice = " " + memory_advice(compiled.memory(batch...));
    } catch (const std::exception& second) {  // the first Error is the one that counts
      log_info("Trainer: the memory of the step cannot be estimated: {}", second.what());
    }
    throw Error(e.kind(), e.what() + advice, e.fields());
  }
}

/// The number of samples of a batch.
double rows_of(const Tree& batch) {
  const Tensors tensors = batch.tensors();
  return tensors.empty() || tensors[0].rank() == 0 ? 1 : static_cast<double>(tensors[0].size(0));
}

}  // namespace

void Metrics::fields(nn::Fields& f) {
  f("loss", loss);
  for (const auto& [name, metric] : others) f(name, *metric);
}

void WholeState::fields(nn::Fields& f) {
  whole_.visit([&](const std::string& name, Tensor& slot) { f.buffer(name, slot); });
}

void Metrics::reset() {
  loss.reset();
  for (const auto& [name, metric] : others) metric->reset();
}

Values Metrics::values() const {
  std::vector<std::string> names{"loss"};
  Tensors tensors{loss.value()};
  for (const auto& [name, metric] : others) {
    Tensor value = metric->value();
    if (value.rank() != 0) continue;
    names.push_back(name);
    tensors.push_back(std::move(value));
  }
  eval(tensors);
  Values values;
  for (std::size_t i = 0; i < names.size(); ++i) values.emplace_back(names[i], tensors[i].item());
  return values;
}

void Trainer::State::make_steps() {
  if (batch_step.has_value()) return;
  const bool accumulates = options.accumulate > 1;
  std::vector<nn::StateRef> batch_state{model};
  std::vector<nn::StateRef> update_state{model, optimizer};
  std::vector<nn::StateRef> validation_state{model, metrics};
  if (accumulates) {
    accumulator.emplace(model);
    batch_state.emplace_back(*accumulator);
    update_state.emplace_back(*accumulator);
  } else {
    batch_state.emplace_back(optimizer);
  }
  if (options.shards != nullptr) {
    batch_state.emplace_back(*options.shards);
    update_state.emplace_back(*options.shards);
  }
  if (scaler.has_value()) {
    batch_state.emplace_back(*scaler);
    update_state.emplace_back(*scaler);
  }
  batch_state.emplace_back(metrics);
  for (const auto& [name, object] : others) {
    batch_state.emplace_back(*object);
    validation_state.emplace_back(*object);
  }
  batch_step.emplace([this](const Tree& batch) { return train_batch(batch); }, std::move(batch_state));
  if (accumulates) {
    update_step.emplace([this](const Tensor& loss) { return apply(accumulator->take(), loss); },
                        std::move(update_state));
  }
  validation_step.emplace(
      [this](const Tree& batch) {
        const Tensor loss = loss_of(batch);
        metrics.loss.update(loss, rows_of(batch));
        return loss;
      },
      std::move(validation_state));
}

void Trainer::State::forget_steps() {
  batch_step.reset();
  update_step.reset();
  validation_step.reset();
  accumulator.reset();
}

Tensor Trainer::State::loss_of(const Tree& batch) const {
  std::optional<Autocast> scope;
  if (options.autocast.has_value()) scope.emplace(options.autocast);
  Tensor loss = loss_function(batch);
  if (!loss.defined() || loss.rank() != 0 || !is_float(loss.dtype())) {
    fail(ErrorKind::kShape, "Trainer: the loss function returned {}; a float of rank 0 is expected.",
         loss.defined() ? fmt::format("{} of shape {}", name(loss.dtype()), loss.shape().str()) : "an empty Tensor");
  }
  return loss;
}

Tensor Trainer::State::train_batch(const Tree& batch) {
  auto [value, gradients, loss] = value_and_grad(model, [&] {
    const Tensor plain = loss_of(batch);
    return std::pair<Tensor, Tensor>(scaler.has_value() ? scaler->scale(plain) : plain, plain);
  })();
  metrics.loss.update(loss, rows_of(batch));
  if (!accumulator.has_value()) return apply(std::move(gradients), loss);
  accumulator->add(gradients);
  return loss;
}

Tensor Trainer::State::apply(Tree gradients, const Tensor& loss) {
  optim::Shards* const shards = distributed::kSupported ? options.shards : nullptr;
  const Tensor mean = ranks.several() ? distributed::all_reduce(loss, distributed::Reduce::kMean, options.group) : loss;
  if (shards != nullptr) {
    gradients = shards->scatter(gradients);
  } else if (ranks.several()) {
    gradients = distributed::average_gradients(gradients, options.exchange, options.group);
  }
  const auto clip = [&](Tree& g) {
    if (!(options.clip_norm > 0)) return;
    g = (shards != nullptr ? shards->clip_grad_norm(g, options.clip_norm) : optim::clip_grad_norm(g, options.clip_norm))
            .gradients;
  };
  if (scaler.has_value()) {
    optim::UnscaledGradients unscaled = scaler->unscale(gradients);
    clip(unscaled.gradients);
    if (shards != nullptr) {
      shards->update(optimizer, model, *scaler, std::move(unscaled));
    } else {
      scaler->update(optimizer, model, unscaled);
    }
  } else {
    clip(gradients);
    if (shards != nullptr) {
      shards->update(optimizer, model, gradients);
    } else {
      optimizer.update(model, gradients);
    }
  }
  return mean;
}

std::optional<Trainer::State::Update> Trainer::State::update() {
  if (loader->state().batch == 0) epoch_begin = run.step;
  Update made;
  Tensors losses;
  for (std::int64_t i = 0; i < options.accumulate; ++i) {
    std::optional<Tree> batch = loader->next();
    if (!batch.has_value()) {
      run.epoch_over = true;
      break;
    }
    losses.push_back(run_step(*batch_step, *batch));
    made.batches.push_back(std::move(*batch));
  }
  if (losses.empty()) return std::nullopt;
  made.loss = losses[0];
  for (std::size_t i = 1; i < losses.size(); ++i) made.loss = made.loss + losses[i];
  if (losses.size() > 1) made.loss = made.loss / static_cast<double>(losses.size());
  if (update_step.has_value()) made.loss = run_step(*update_step, made.loss);
  return made;
}

std::optional<Values> Trainer::State::measure(data::DataLoader& from, const std::function<bool()>& until) {
  const EvaluationMode mode(model);
  // Draws of a loss function are the same at each validation, and those of the training do not move.
  const random::Use use{random::Generator(0)};
  metrics.reset();
  data::LoaderState begin = from.state();
  begin.epoch = 0;
  begin.batch = 0;
  from.set_state(begin);
  while (const std::optional<Tree> batch = from.next()) {
    if (until && until()) return std::nullopt;
    run_step(*validation_step, *batch);
  }
  ranks.add_up(metrics);
  return metrics.values();
}

}  // namespace tessera::train
