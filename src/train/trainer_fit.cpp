// The loop of a Trainer: updates, ends of epochs, validation, and what ends a run.
#include <algorithm>
#include <cmath>

#include "base/fail.h"
#include "base/os/interrupt.h"
#include "train/trainer_state.h"

namespace tessera::train {

namespace {

/// "loss 0.3012, accuracy 0.9125".
std::string text_of(const Values& values) {
  std::string text;
  for (const auto& [name, value] : values) text += fmt::format("{}{} {:.4g}", text.empty() ? "" : ", ", name, value);
  return text;
}

double units_of(const Tree& batch, const std::string& unit) {
  const Tensors tensors = batch.tensors();
  if (tensors.empty() || tensors[0].rank() == 0) return 1;
  return static_cast<double>(unit == "tokens" ? tensors[0].numel() : tensors[0].size(0));
}

}  // namespace

Aside::Aside(const std::vector<nn::Stateful*>& objects) {
  for (nn::Stateful* object : objects) {
    nn::visit(*object, [&](const nn::Field& field) { kept_.emplace_back(&field.tensor, field.tensor); });
  }
}

Aside::~Aside() {
  for (auto& [slot, tensor] : kept_) *slot = std::move(tensor);
}

bool is_better(double value, const std::optional<double>& best, bool maximize) {
  if (std::isnan(value)) return false;
  return !best.has_value() || (maximize ? value > *best : value < *best);
}

bool Trainer::State::interrupted() const { return options.stop_on_interrupt && os::InterruptScope::interrupted(); }

Trainer::State::Wishes Trainer::State::agree() {
  if (!ranks.several()) return {interrupted(), stopping};
  const std::vector<double> of_any =
      ranks.largest({interrupted() ? 1.0 : 0.0, stopping ? 1.0 : 0.0, found.has_value() ? 1.0 : 0.0});
  if (of_any[2] != 0) {
    if (found.has_value()) fail_not_finite(found->first, found->second);
    fail_not_finite(run.step, "another rank found a loss or parameters that are not finite");
  }
  return {of_any[0] != 0, of_any[1] != 0};
}

void Trainer::State::check_part(const data::DataLoader& given) const {
  if (!ranks.several()) return;  // a part that a program chose by itself
  const data::LoaderOptions& o = given.options();
  if (o.parts == ranks.size() && o.part == ranks.rank()) return;
  fail(
      ErrorKind::kValue,
      "Trainer: a loader of part {} of {} was given to rank {} of {}; LoaderOptions::group, or that part, is expected.",
      o.part, o.parts, ranks.rank(), ranks.size());
}

void Trainer::State::check_alike() const {
  if (!ranks.several()) return;
  const std::vector<std::pair<const char*, double>> numbers{
      {"batches in an epoch", static_cast<double>(loader->size())},
      {"epochs", static_cast<double>(options.epochs)},
      {"steps", static_cast<double>(options.steps)},
      {"batches of an update", static_cast<double>(options.accumulate)},
      {"updates between checkpoints", static_cast<double>(options.checkpoint_every)},
      {"updates between validations", static_cast<double>(options.validate_every)},
      {"updates between snapshots", static_cast<double>(options.snapshot_every)},
      {"epochs of patience", static_cast<double>(options.patience)},
      {"loaders for the validation", validation != nullptr ? 1.0 : 0.0},
      {"parameters", static_cast<double>(model.parameter_count())},
      {"metrics", static_cast<double>(metrics.others.size())},
      {"objects", static_cast<double>(others.size())}};
  std::vector<double> both;
  for (const auto& [what, number] : numbers) both.insert(both.end(), {number, -number});
  both = ranks.largest(both);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (both[2 * i] == -both[2 * i + 1]) continue;
    fail(ErrorKind::kValue, "Trainer::fit: the ranks have {} to {} {}; equal numbers are expected.", -both[2 * i + 1],
         both[2 * i], numbers[i].first);
  }
}

void Trainer::State::call(const std::function<void(Callback&)>& f) {
  const std::vector<std::shared_ptr<Callback>> all = callbacks;  // one may add others
  for (const std::shared_ptr<Callback>& callback : all) f(*callback);
}

Result Trainer::State::fit(data::DataLoader& train, data::DataLoader* valid) {
  if (running.exchange(true)) fail(ErrorKind::kValue, "Trainer::fit: fit() of this trainer is running already.");
  const struct End {
    State& s;
    ~End() {
      s.close_output();
      s.loader = s.validation = nullptr;
      s.stopping = false;
      s.running = false;
    }
  } end{*this};
  if (valid == &train) {
    fail(ErrorKind::kValue, "Trainer::fit: one loader was given for training and validation; two are expected.");
  }
  if (train.size() < 1) fail(ErrorKind::kValue, "Trainer::fit: the loader has no batches.");
  if (options.monitor != "loss" &&
      std::ranges::none_of(metrics.others, [&](const auto& m) { return m.first == options.monitor; })) {
    fail(ErrorKind::kValue, "Trainer::fit: monitor is '{}', and there is no metric of that name.", options.monitor);
  }
  check_part(train);
  if (valid != nullptr) check_part(*valid);
  loader = &train;
  validation = valid;
  check_alike();
  together = false;
  // The others wait for what this rank does not run any more.
  const auto leave_others = [this] {
    if (ranks.several() && !together) distributed::leave();
  };
  try {
    return run_to_end();
  } catch (const Error& e) {
    if (ranks.several() && e.kind() == ErrorKind::kPeerLost) save_after_loss_of_peer();
    leave_others();
    throw;
  } catch (...) {
    leave_others();
    throw;
  }
}

Result Trainer::State::run_to_end() {
  std::optional<os::InterruptScope> interrupts;
  if (options.stop_on_interrupt) interrupts.emplace();
  begin();

  std::optional<Error> device_loss;
  for (bool has_snapshot = false;;) {
    try {
      if (device_loss.has_value()) recover(*std::exchange(device_loss, std::nullopt));
      if (!has_snapshot && options.snapshot_every > 0) take_snapshot(true);
      has_snapshot = true;
      loop();
      break;
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::kDeviceLost || hopeless || ranks.several()) throw;
      device_loss.emplace(e);
    }
  }
  fresh = ending == Ending::kDone || ending == Ending::kEarly;
  Result result{run.step, *ending, run.train, run.validation, run.best, lost};
  call([&](Callback& c) { c.on_end(self); });
  if (save_failed != nullptr) std::rethrow_exception(save_failed);
  return result;
}

void Trainer::State::begin() {
  if (!model.training()) model.train();
  make_steps();
  ending.reset();
  if (std::exchange(fresh, true)) {
    run = {};
    metrics.reset();
    if (accumulator.has_value()) accumulator.emplace(model);
    // What an Error ended in the middle of an epoch begins anew.
    data::LoaderState at = loader->state();
    if (at.batch != 0) {
      at.batch = 0;
      loader->set_state(at);
    }
  }
  epoch_begin = -1;
  started = std::chrono::steady_clock::now();
  done = logged_done = logged_seconds = 0;
  changed = save_better = false;
  save_metric.reset();
  saving_step = -1;
  save_failed = nullptr;
  not_finite = lost = lost_in_a_row = 0;
  careful_until = 0;
  hopeless = false;
  proven_before = -1;
  found.reset();
  open_output();
  step = proven = run.step;
  call([&](Callback& c) { c.on_start(self); });
}

void Trainer::State::loop() {
  check_limits();
  if (run.validation_due && validation != nullptr && validate() && saves && save_better) save();
  while (!ending.has_value()) {
    if (!run.epoch_over) {
      if (const std::optional<Update> made = update()) after_update(*made);
    }
    if (run.epoch_over && !ending.has_value()) end_epoch();
  }
  take_readings(true);
  agree();
  if (loader->state().batch != 0) run.train = values_so_far();  // of a part of an epoch
  if (ending == Ending::kDone && validation != nullptr && run.validated != run.step) validate();
  if (saves && changed) save();
  check_saved(true);
}

void Trainer::State::after_update(const Update& made) {
  step = ++run.step;
  for (const Tree& batch : made.batches) done += units_of(batch, options.unit) * ranks.size();
  changed = true;
  save_better = false;
  save_metric.reset();
  read_loss(made, run.step <= careful_until);
  take_readings(false);
  look_at_snapshot(false);
  check_saved(false);
  call([&](Callback& c) { c.on_step(self, run.step, made.loss); });
  const auto every = [&](std::int64_t updates) { return updates > 0 && run.step % updates == 0; };
  run.validation_due = validation != nullptr && every(options.validate_every);
  if (run.validation_due) validate();
  check_limits();
  check_wishes();
  if (saves && (every(options.checkpoint_every) || save_better)) save();
  if (every(options.snapshot_every)) take_snapshot(false);
}

void Trainer::State::check_limits() {
  if (run.epoch >= options.epochs) ending = Ending::kDone;
  if (options.patience > 0 && run.waited >= options.patience) ending = Ending::kEarly;
  if (ending.has_value() || options.steps <= 0 || run.step < options.steps) return;
  // After the last batch of an epoch its end comes first.
  if (loader->state().batch >= loader->size() && !loader->next().has_value()) run.epoch_over = true;
  if (!run.epoch_over) ending = Ending::kDone;
}

void Trainer::State::check_wishes() {
  const Wishes wishes = agree();
  if (ending.has_value()) return;
  if (wishes.interrupted) {
    ending = Ending::kInterrupted;
    note(fmt::format("interrupted after step {}", run.step), false);
  } else if (wishes.stopping) {
    ending = Ending::kStopped;
  }
}

void Trainer::State::end_epoch() {
  take_readings(true);
  if (epoch_begin == run.step) {
    fail(ErrorKind::kValue, "Trainer::fit: epoch {} has no samples: all of them were left out ({} so far).",
         run.epoch + 1, loader->state().skipped);
  }
  const Values train = values_so_far();
  proven = std::max(proven, run.step);
  if (!std::isfinite(train[0].second) && !scaler.has_value())
    fail_not_finite(run.step, "the mean loss of the epoch is not finite");
  if (validation == nullptr) {
    monitored(train);
  } else if (options.validate_every == 0 && !validate()) {
    return check_wishes();  // the end of the epoch is done when the run continues
  }
  run.train = train;
  run.epoch_over = false;
  const bool judged = run.judged == run.epoch;  // not each epoch has a validation
  if (judged) run.waited = std::exchange(run.better, false) ? 0 : run.waited + 1;
  ++run.epoch;
  changed = true;
  write_log(run.step, "epoch", train);
  const std::string validated = run.validated == run.step ? "; validation " + text_of(run.validation) : "";
  if (progress) progress->line(fmt::format("epoch {}/{}: {}{}", run.epoch, options.epochs, text_of(train), validated));
  const Values& watched = validation != nullptr ? run.validation : run.train;
  for (const auto& [name, value] : watched) {
    if (plateau != nullptr && judged && name == options.monitor) plateau->step(value, optimizer);
  }
  ranks.add_up(metrics);
  call([&](Callback& c) { c.on_epoch(self, run.epoch - 1, train); });
  metrics.reset();
  check_limits();
  check_wishes();
  if (saves && (options.checkpoint_every == 0 || save_better)) save();
}

Values Trainer::State::values_so_far() {
  if (!ranks.several()) return metrics.values();
  const Aside own({&metrics});
  ranks.add_up(metrics);
  return metrics.values();
}

std::vector<nn::Stateful*> Trainer::State::changed_by_loss() {
  std::vector<nn::Stateful*> objects;
  for (const auto& [name, object] : others) objects.push_back(object);
  return objects;
}

Values Trainer::State::evaluate(data::DataLoader& from) {
  if (&from == loader) {
    fail(ErrorKind::kValue,
         "Trainer::evaluate: the loader is the one that fit() trains with; another one is expected.");
  }
  check_part(from);
  make_steps();
  if (!running) return *measure(from, {});
  const Aside sums({&metrics});
  const Aside aside(changed_by_loss());
  return *measure(from, {});
}

bool Trainer::State::validate() {
  const Aside sums({&metrics});  // callbacks see those of the validation
  const auto measured = [this] {
    const Aside aside(changed_by_loss());                  // what callbacks change stays
    if (ranks.several()) return measure(*validation, {});  // they end it together
    return measure(*validation, [this] { return interrupted() || (stopping && !ending.has_value()); });
  };
  const std::optional<Values> values = measured();
  if (!values.has_value()) return false;
  run.validation = *values;
  run.validated = run.step;
  run.validation_due = false;
  proven = std::max(proven, run.step);
  changed = true;
  write_log(run.step, "validation", *values);
  if (progress && !run.epoch_over) progress->line(fmt::format("step {}: validation {}", run.step, text_of(*values)));
  monitored(*values);
  call([&](Callback& c) { c.on_validation(self, run.step, *values); });
  return true;
}

void Trainer::State::monitored(const Values& values) {
  for (const auto& [name, value] : values) {
    if (name != options.monitor) continue;
    run.judged = run.epoch;
    save_metric = value;
    if (!is_better(value, run.best, options.maximize)) return;
    run.best = value;
    run.better = true;
    save_better = true;
    return;
  }
  fail(ErrorKind::kValue, "Trainer: monitor is '{}', whose value is no single number.", options.monitor);
}

}  // namespace tessera::train
